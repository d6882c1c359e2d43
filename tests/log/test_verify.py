"""Verification names the shard, the height and what is wrong; a sound log has no finding."""

from collections.abc import Callable
from pathlib import Path

import pytest

from services.eventlog import body, canonical
from services.eventlog.chain import Void, accept
from services.eventlog.commit import GENESIS, body_of, seal
from services.eventlog.log import LogError
from services.eventlog.sqlite_log import SqliteLog
from services.eventlog.transfer import export_file
from services.eventlog.verify import Finding, verify_chain, verify_file, verify_log
from tests.contract.logs import AT, command, facts
from tests.log.conftest import COMMITS

Lines = list[bytes]
"""An exported file: header and body of each commit in turn, LFs included."""


Verdict = Callable[[Callable[[Lines], object]], list[Finding]]


@pytest.fixture
def verdict(full: SqliteLog, tmp_path: Path) -> Verdict:
    """The findings in the exported log after a change to its lines."""

    def after(change: Callable[[Lines], object]) -> list[Finding]:
        file = tmp_path / "changed.hl"
        export_file(full, file)
        lines = file.read_bytes().splitlines(keepends=True)
        change(lines)
        file.write_bytes(b"".join(lines))
        findings = verify_file(file).findings
        file.unlink()
        return findings

    return after


def header(shard: int, height: int) -> int:
    """The line where a commit's header stands."""
    return 2 * (shard * COMMITS + height)


def named(findings: list[Finding]) -> list[tuple[int, int]]:
    return [(finding.shard, finding.height) for finding in findings]


def test_a_sound_log_has_no_finding(full: SqliteLog, tmp_path: Path) -> None:
    export_file(full, tmp_path / "log.hl")
    for report in (verify_log(full), verify_file(tmp_path / "log.hl")):
        assert report.sound
        assert report.room == "riverside"
        assert report.commits == 20
        assert report.events == 4 + 4 * 4 * 2
        assert report.heads == {shard: full.head(shard) for shard in range(4)}


@pytest.mark.parametrize("shard", range(4))
@pytest.mark.parametrize("height", range(COMMITS))
def test_a_flipped_byte_of_a_body_is_found_where_it_stands(verdict: Verdict, shard: int, height: int) -> None:
    def flip(lines: Lines) -> None:
        line = bytearray(lines[header(shard, height) + 1])
        line[len(line) // 2] ^= 1
        lines[header(shard, height) + 1] = bytes(line)

    (finding,) = verdict(flip)
    assert (finding.shard, finding.height) == (shard, height)
    assert "its body hasn't the digest" in finding.what


def test_every_flipped_bit_of_a_file_is_found_but_a_claim_at_the_very_end(full: SqliteLog, tmp_path: Path) -> None:
    """That an epoch was made one more shows in the next record's link only: a shard's last commit keeps it secret."""
    file = tmp_path / "log.hl"
    export_file(full, file)
    sound = file.read_bytes()
    silent = set()
    for place in range(0, len(sound), 3):
        changed = bytearray(sound)
        changed[place] ^= 1
        file.write_bytes(changed)
        if verify_file(file).sound:
            line = sound.rfind(b"\n", 0, place) + 1
            silent.add((sound[line:place].count(b" "), bytes(changed[place : place + 1])))
    assert silent <= {(4, b"1")}, "the fifth field is the epoch"


def test_a_flipped_digit_of_the_shard_is_found_where_it_stands(verdict: Verdict) -> None:
    def flip(lines: Lines) -> None:
        lines[header(1, 2)] = lines[header(1, 2)].replace(b"HL1 riverside 1 2", b"HL1 riverside 3 2")

    (finding,) = verdict(flip)
    assert str(finding) == "shard 1, height 2: it is a record of shard 3, but stands among those of shard 1"


def test_a_removed_commit(verdict: Verdict) -> None:
    def remove(lines: Lines) -> None:
        del lines[header(2, 3) : header(2, 4)]

    (finding,) = verdict(remove)
    assert (finding.shard, finding.height) == (2, 3)
    assert finding.what.startswith("a record of height 4 stands where 3 is next")


@pytest.mark.parametrize("shard", range(4))
def test_a_shard_without_its_first_commit(verdict: Verdict, shard: int) -> None:
    def remove(lines: Lines) -> None:
        del lines[header(shard, 0) : header(shard, 1)]

    assert named(verdict(remove))[0] == (shard, 0)


def test_two_commits_that_changed_places(verdict: Verdict) -> None:
    def swap(lines: Lines) -> None:
        one, two = header(0, 1), header(0, 2)
        lines[one : one + 2], lines[two : two + 2] = lines[two : two + 2], lines[one : one + 2]

    assert named(verdict(swap))[0] == (0, 1)


def test_a_commit_that_stands_twice(verdict: Verdict) -> None:
    def double(lines: Lines) -> None:
        place = header(3, 1)
        lines[place:place] = lines[place : place + 2]

    (finding,) = verdict(double)
    assert (finding.shard, finding.height) == (3, 2), "where the second copy stands"
    assert finding.what.startswith("a record of height 1 stands where 2 is next")


@pytest.mark.parametrize("shard", range(4))
def test_a_shard_whose_tail_was_cut_within_a_commit(verdict: Verdict, shard: int) -> None:
    def cut(lines: Lines) -> None:
        last = header(shard, COMMITS - 1) + 1
        lines[last] = lines[last][:40]

    assert named(verdict(cut))[0] == (shard, COMMITS - 1)


def test_a_shard_whose_tail_was_cut_within_a_header(verdict: Verdict) -> None:
    def cut(lines: Lines) -> None:
        last = header(1, COMMITS - 1)
        lines[last : last + 2] = [lines[last][:40] + b"\n"]

    assert named(verdict(cut)) == [(1, COMMITS - 1)]


def test_a_file_that_ends_within_a_commit(verdict: Verdict) -> None:
    def cut(lines: Lines) -> None:
        lines[-1] = lines[-1][:-10]

    first, second = verdict(cut)
    assert named([first, second]) == [(3, 4), (3, 4)]
    assert "hasn't the digest" in first.what
    assert second.what == "the file ends here, within a record"


def test_a_file_without_its_last_line_feed(verdict: Verdict) -> None:
    def cut(lines: Lines) -> None:
        lines[-1] = lines[-1][:-1]

    (finding,) = verdict(cut)
    assert str(finding) == "shard 3, height 4: the file ends here, within a record"


def test_a_whole_shard_that_is_missing(verdict: Verdict) -> None:
    def remove(lines: Lines) -> None:
        del lines[header(1, 0) : header(2, 0)]

    (finding,) = verdict(remove)
    assert str(finding) == "shard 1, height 0: the file has no commit of this shard"


def test_the_last_shards_that_are_missing(verdict: Verdict) -> None:
    """The first commit of a shard states how many there are."""

    def remove(lines: Lines) -> None:
        del lines[header(2, 0) :]

    assert [str(finding) for finding in verdict(remove)] == [
        "shard 2, height 0: the file has no commit of this shard",
        "shard 3, height 0: the file has no commit of this shard",
    ]


def test_shards_in_another_order(verdict: Verdict) -> None:
    def swap(lines: Lines) -> None:
        lines[:] = lines[header(1, 0) : header(2, 0)] + lines[: header(1, 0)] + lines[header(2, 0) :]

    assert verdict(swap) != []


@pytest.mark.parametrize("extra", [b"\n", b"# a comment\n", b"HL2 riverside\n", b"{}\n"])
def test_something_between_the_commits(verdict: Verdict, extra: bytes) -> None:
    def insert(lines: Lines) -> None:
        lines.insert(header(1, 2), extra)

    assert named(verdict(insert)) == [(1, 2)]


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "empty.hl").touch()
    assert [finding.what for finding in verify_file(tmp_path / "empty.hl").findings] == ["the file holds no record"]


def test_a_file_that_is_something_else(tmp_path: Path) -> None:
    (tmp_path / "letter").write_bytes(b"\x00\xff" * 3_000_000)
    findings = verify_file(tmp_path / "letter").findings
    assert findings[0].what.startswith("its header isn't of the form HL1")
    assert len(findings) < 5


def test_a_missing_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"nowhere\.hl can't be read: No such file"):
        verify_file(tmp_path / "nowhere.hl")


def chain_of(*bodies: bytes) -> list[bytes]:
    """A chain that is sound as a chain, whatever its bodies."""
    head, raws = GENESIS, []
    for data in bodies:
        raw, head = seal("riverside", 0, head, data)
        raws.append(raw)
    return raws


def decision(version: int, at: int = AT, stream: str = "hand:t1-1") -> bytes:
    return body.entry(at, command(), facts(stream, version, version)).body


def test_a_body_in_another_spelling_is_found_though_the_chain_holds() -> None:
    raws = chain_of(decision(1), decision(2).replace(b'"at":', b'"at": '))
    assert [str(finding) for finding in verify_chain(raws)] == ["shard 0, height 1: its body isn't canonical JSON"]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"[]", "the body isn't {at, command, events}"),
        (b"{}", "the body isn't {at, command, events}"),
        (canonical.encode({"at": "now", "command": command(), "events": []}), "at is 'now', not microseconds"),
        (canonical.encode({"at": 1, "command": {}, "events": []}), "command.id is None"),
        (canonical.encode({"at": 1, "command": command(), "events": [[]]}), "events[0] is no object"),
        (canonical.encode({"at": 1, "command": command(), "events": [{"stream": 1}]}), "events[0].stream is 1"),
    ],
)
def test_a_body_without_the_parts_of_a_body_is_found(data: bytes, what: str) -> None:
    (finding,) = verify_chain(chain_of(decision(1), data))
    assert finding.height == 1
    assert what in finding.what


def test_unknown_keys_of_the_envelopes_and_unknown_causes_are_no_finding() -> None:
    event = facts("hand:t1-1", 1, 1)[0] | {"later": 1}
    data = {"at": AT, "command": command() | {"later": 1, "cause": "later"}, "events": [event], "later": 1}
    assert verify_chain(chain_of(canonical.encode(data))) == []


def test_time_that_runs_backwards_is_found() -> None:
    raws = chain_of(decision(1, AT), decision(2, AT), decision(3, AT - 1), decision(4, AT))
    (finding,) = verify_chain(raws)
    assert str(finding) == f"shard 0, height 2: its time {AT - 1} is before the last commit's {AT}"


@pytest.mark.parametrize(
    ("versions", "found"), [((1, 3), "3 where 2"), ((1, 1), "1 where 2"), ((2,), "2 where 1"), ((0,), "0 where 1")]
)
def test_versions_that_are_not_dense_are_found(versions: tuple[int, ...], found: str) -> None:
    findings = verify_chain(chain_of(*(decision(version) for version in versions)))
    assert [finding.what for finding in findings] == [f"hand:t1-1 has version {found} is next"]


def test_only_opaque_streams_may_begin_at_0() -> None:
    assert verify_chain(chain_of(decision(0, stream="opaque:ab"), decision(1, stream="opaque:ab"))) == []


def test_a_chain_that_was_made_anew_from_a_changed_body_is_sound() -> None:
    """Which is why a chain alone is no evidence, and checkpoints are signed."""
    raws = chain_of(decision(1), decision(2))
    assert verify_chain(chain_of(body_of(raws[0]).replace(b'"n":1', b'"n":9'), body_of(raws[1]))) == []
    assert not isinstance(accept("riverside", 0, GENESIS, raws[0]), Void)
