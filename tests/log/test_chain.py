"""The one rule, clause by clause (design, The chain decides)."""

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.eventlog.chain import Void, accept
from services.eventlog.commit import GENESIS, LIMIT, BadRecord, Head, parse, seal

ROOM, SHARD, BODY = "riverside", 2, b'{"n":1}'
RAW0, HEAD0 = seal(ROOM, SHARD, GENESIS, BODY)
RAW1, HEAD1 = seal(ROOM, SHARD, HEAD0, b'{"n":2}')


def reason(head: Head, raw: bytes) -> str:
    verdict = accept(ROOM, SHARD, head, raw)
    assert isinstance(verdict, Void), f"accepted: {verdict}"
    return verdict.reason


def made(**parts: object) -> bytes:
    """The record after RAW0, with parts of its header replaced."""
    digest = hashlib.sha256(BODY).hexdigest()
    header = {"room": ROOM, "shard": SHARD, "height": 1, "epoch": 0, "prev": HEAD0.hash, "digest": digest} | parts
    return f"HL1 {' '.join(str(part) for part in header.values())}\n".encode() + BODY


def test_a_sealed_record_is_the_header_line_and_the_body() -> None:
    digest = hashlib.sha256(BODY).hexdigest()
    header = f"HL1 riverside 2 0 0 {'0' * 64} {digest}\n".encode()
    assert header + BODY == RAW0
    assert Head(0, 0, hashlib.sha256(header[:-1]).hexdigest()) == HEAD0


def test_the_next_record_is_accepted() -> None:
    assert accept(ROOM, SHARD, GENESIS, RAW0) == parse(RAW0)
    record = accept(ROOM, SHARD, HEAD0, RAW1)
    assert not isinstance(record, Void)
    assert (record.head, record.body, record.raw) == (HEAD1, b'{"n":2}', RAW1)


def test_room_and_shard_are_this_log_s() -> None:
    assert reason(HEAD0, made(room="lakeside")) == "it is a record of room lakeside, this log is of room riverside"
    assert reason(HEAD0, made(shard=3)) == "it is a record of shard 3, but stands among those of shard 2"


def test_prev_is_the_hash_of_the_last_accepted_record() -> None:
    assert reason(HEAD0, made(prev="f" * 64)).startswith("its prev is fff")
    assert "height 0 stands where 1 is next" in reason(HEAD0, RAW0), "a duplicate"
    assert "height 1 stands where 0 is next" in reason(GENESIS, RAW1), "one is missing"


def test_height_is_the_next() -> None:
    assert reason(HEAD0, made(height=0)) == "its height is 0, the next is 1"
    assert reason(HEAD0, made(height=2)) == "its height is 2, the next is 1"


@pytest.mark.parametrize(("last", "epoch", "accepted"), [(4, 3, False), (4, 4, True), (4, 5, True), (4, 6, False)])
def test_epoch_is_the_last_one_s_or_one_more(last: int, epoch: int, accepted: bool) -> None:
    head = Head(0, last, HEAD0.hash)
    verdict = accept(ROOM, SHARD, head, made(epoch=epoch))
    assert isinstance(verdict, Void) is not accepted
    if isinstance(verdict, Void):
        assert verdict.reason == f"its epoch is {epoch}, the last one's is 4: it may be that or one more"


def test_epochs_begin_at_0() -> None:
    first = RAW0.replace(b"HL1 riverside 2 0 0 ", b"HL1 riverside 2 0 1 ")
    assert "its epoch is 1" in reason(GENESIS, first)


def test_the_body_has_the_header_s_digest() -> None:
    assert "its body hasn't the digest" in reason(HEAD0, RAW1[:-2] + b"3}")
    assert "its body hasn't the digest" in reason(HEAD0, RAW1[:-1])
    assert "its body hasn't the digest" in reason(HEAD0, RAW1 + b" ")


def test_a_fenced_owner_s_record_links_to_an_old_head() -> None:
    claimed, head = seal(ROOM, SHARD, HEAD0, BODY, epoch=1)
    assert not isinstance(accept(ROOM, SHARD, HEAD0, claimed), Void)
    assert isinstance(accept(ROOM, SHARD, head, RAW1), Void)


GOOD = made()


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n",
        GOOD.replace(b"HL1", b"HL2"),
        GOOD.replace(b"HL1", b"hl1"),
        b" " + GOOD,
        GOOD.replace(b" 2 1 ", b"  2 1 "),
        GOOD.replace(b" 2 1 ", b"\t2 1 "),
        GOOD.replace(b" 2 1 ", b" 02 1 "),
        GOOD.replace(b" 2 1 ", b" 2 01 "),
        GOOD.replace(b" 2 1 0 ", b" 2 1 00 "),
        GOOD.replace(b" 2 1 ", b" +2 1 "),
        GOOD.replace(b" 2 1 ", b" 2 -1 "),
        GOOD.replace(b" 2 1 ", " ２ 1 ".encode()),
        GOOD.replace(b" 2 1 ", " 2 ١ ".encode()),
        GOOD.replace(b" 2 1 ", b" 2 1_0 "),
        GOOD.replace(b" 2 1 ", b" 2  "),
        GOOD.replace(b" 2 1 ", b" 2 " + b"9" * 5000 + b" "),
        made(room=""),
        made(room="Riverside"),
        made(room="river_side"),
        made(room="rivérside"),
        made(room="r" * 41),
        made(prev=HEAD0.hash.upper()),
        made(prev=HEAD0.hash[:-1]),
        made(prev=HEAD0.hash + "0"),
        made(prev="g" * 64),
        made(digest=hashlib.sha256(BODY).hexdigest().upper()),
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.replace(b"\n", b" \n"),
        GOOD.replace(b"\n", b" more\n"),
        GOOD.replace(b"\n", b""),
    ],
)
def test_a_header_of_any_other_form_is_void(raw: bytes) -> None:
    assert raw != GOOD
    assert reason(HEAD0, raw).startswith("its header isn't of the form HL1")
    with pytest.raises(BadRecord, match="isn't of the form HL1"):
        parse(raw)


def test_the_good_header_of_these_tests_is_good() -> None:
    assert not isinstance(accept(ROOM, SHARD, HEAD0, GOOD), Void)


@given(st.binary(max_size=300))
def test_the_rule_is_total(raw: bytes) -> None:
    assert isinstance(accept(ROOM, SHARD, HEAD0, raw), Void)


@given(st.integers(0, len(RAW1) - 1), st.integers(1, 255))
def test_no_changed_byte_is_accepted_as_the_same_record(place: int, change: int) -> None:
    """One byte alone is left to the next record: an epoch of one more is a claim, and changes the hash."""
    raw = RAW1[:place] + bytes([RAW1[place] ^ change]) + RAW1[place + 1 :]
    verdict = accept(ROOM, SHARD, HEAD0, raw)
    if not isinstance(verdict, Void):
        assert verdict.epoch == 1
        assert verdict.hash != HEAD1.hash


def test_a_record_of_exactly_the_limit_is_sealed_and_one_byte_more_is_not() -> None:
    room_left = LIMIT - (len(RAW0) - len(BODY))
    assert len(seal(ROOM, SHARD, GENESIS, b"x" * room_left)[0]) == LIMIT
    with pytest.raises(BadRecord, match=re.escape(f"a commit of {LIMIT + 1:,} bytes is too large")):
        seal(ROOM, SHARD, GENESIS, b"x" * (room_left + 1))


def test_a_body_with_a_raw_line_feed_is_not_sealed() -> None:
    with pytest.raises(BadRecord, match="no raw LF"):
        seal(ROOM, SHARD, GENESIS, b'{"n":\n1}')
