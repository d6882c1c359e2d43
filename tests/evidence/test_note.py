"""Checkpoints to the byte: published notes and keys, a reading by hand, and a sentence for everything malformed."""

from base64 import b64decode, b64encode
from hashlib import sha256
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from services.evidence import note as notes
from services.evidence.merkle import EMPTY, leaf_hash
from services.evidence.note import BadCheckpoint, Checkpoint, CheckpointKey, PublicKey, read_notes
from services.sealing.private_file import BadKeys

KEY = CheckpointKey("handlog/riverside", bytes(range(32)))
OTHER = CheckpointKey("handlog/riverside", bytes(range(1, 33)))
ORIGIN = notes.origin("riverside", "0123456789abcdef", 2)
CHECKPOINT = Checkpoint(ORIGIN, 4711, leaf_hash(b"root"), ("day 2026-11-30",))
TIME = 1_790_000_000
NOTE = KEY.sign(CHECKPOINT, TIME).note
PLAIN, TIMED = NOTE.splitlines(keepends=True)[-2:]


def refused(note: str, why: str, key: CheckpointKey = KEY) -> None:
    with pytest.raises(BadCheckpoint, match=why):
        key.public.open(note)


# Published notes. None carries both lines of one key, so each line is checked on its own.

SPEC_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
SPEC_NOTE = (
    "This is an example message.\n\n"
    "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)
"""The example of the signed-note specification."""

GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_SECRET = "AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
GO_NOTE = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
"""The example of Go's own implementation (golang.org/x/mod/sumdb/note), with its secret key."""

STAGING_KEY = "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f"
WITNESS_KEY = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"
STAGING_NOTE = """\
arche2025h1.staging.ct.transparency.dev
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

— arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIgIpwtE\
roeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=
— arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23\
oHP7Ry1k3ZFWwQ=
— witness1.smartit.nu/witness1 pIyCDwAAAABqEiEghIp82KWebrw7/oHQwlTAm3g2RKS4+eebl8eO0WH+/iEcxZ75W3u5hNI7TOQtmJbqmNWVuE0t\
gh0XwzdZsDsUAQ==
— remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfB\
w==
"""
"""A checkpoint of a Certificate Transparency log: a line of another type, its own plain one, those of two witnesses."""


def published(line: str) -> PublicKey:
    """The key of a verifier key of either type."""
    return PublicKey._from_line(line)[1]


@pytest.mark.parametrize(("key", "note"), [(SPEC_KEY, SPEC_NOTE), (GO_KEY, GO_NOTE), (STAGING_KEY, STAGING_NOTE)])
def test_published_plain_signatures_hold(key: str, note: str) -> None:
    text, lines = notes._split(note)
    published(key)._check_plain(text, lines)
    with pytest.raises(BadCheckpoint, match="plain signature isn't one of this text"):
        published(key)._check_plain(text.replace("e", "E"), lines)


def test_a_published_cosignature_holds_and_gives_its_time() -> None:
    text, lines = notes._split(STAGING_NOTE)
    assert published(WITNESS_KEY)._signed_time(text, lines) == 0x6A122120
    with pytest.raises(BadCheckpoint, match="timed signature isn't one of this text"):
        published(WITNESS_KEY)._signed_time(text.replace("1432088532", "1432088533"), lines)


def test_a_published_checkpoint_is_read() -> None:
    root = bytes.fromhex("53b58cefd8ebcf2846679fc65014e933b373c1dc9f171eb5b77468be0702e11a")
    text, lines = notes._split(STAGING_NOTE)
    checkpoint = notes._checkpoint(text)
    assert checkpoint == Checkpoint("arche2025h1.staging.ct.transparency.dev", 1_432_088_532, root)
    assert checkpoint.text == text
    assert len(lines) == 4


def test_published_keys_are_written_to_the_byte() -> None:
    assert [published(key).to_text().splitlines()[0] for key in (SPEC_KEY, GO_KEY, STAGING_KEY)] == [
        SPEC_KEY,
        GO_KEY,
        STAGING_KEY,
    ]
    assert published(WITNESS_KEY).to_text().splitlines()[1] == WITNESS_KEY


def test_the_published_secret_signs_its_published_line() -> None:
    key = CheckpointKey("PeterNeumann", b64decode(GO_SECRET)[1:])
    text = GO_NOTE.partition("\n\n")[0] + "\n"
    assert key.public == published(GO_KEY)
    assert f"{text}\n{key._line(0x01, key._sign(text))}" == GO_NOTE


def test_the_cosigned_message_is_the_specification_s() -> None:
    text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    assert notes._timed(text, 1679315147) == f"cosignature/v1\ntime 1679315147\n{text}"
    assert notes._timed(text, 7) == f"cosignature/v1\ntime 7\n{text}", "no leading zeros"


# What is signed


def test_a_note_read_by_hand() -> None:
    """Independent of the module: every byte of the note from the secret alone."""
    secret = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public = secret.public_key().public_bytes_raw()
    root = b64encode(sha256(b"\x00root").digest()).decode()
    text = f"handlog/riverside/0123456789abcdef/2\n4711\n{root}\nday 2026-11-30\n"
    seconds = (1_790_000_000).to_bytes(8, "big")
    cosigned = f"cosignature/v1\ntime 1790000000\n{text}".encode()
    plain_id, timed_id = (sha256(b"handlog/riverside\n" + kind + public).digest()[:4] for kind in (b"\x01", b"\x04"))
    plain = b64encode(plain_id + secret.sign(text.encode())).decode()
    timed = b64encode(timed_id + seconds + secret.sign(cosigned)).decode()
    assert f"{text}\n— handlog/riverside {plain}\n— handlog/riverside {timed}\n" == NOTE


def test_what_was_signed_is_opened() -> None:
    signed = KEY.public.open(NOTE)
    assert signed == KEY.sign(CHECKPOINT, TIME)
    assert signed == (CHECKPOINT, TIME, NOTE)


@pytest.mark.parametrize("size", [0, 1, 10**16 - 1])
@pytest.mark.parametrize("time", [0, 253_402_300_799])
@pytest.mark.parametrize("extensions", [(), ("day 2026-11-30", "é — +")])
def test_every_checkpoint_that_is_signed_can_be_opened(size: int, time: int, extensions: tuple[str, ...]) -> None:
    checkpoint = Checkpoint(ORIGIN, size, EMPTY, extensions)
    assert KEY.public.open(KEY.sign(checkpoint, time).note)[:2] == (checkpoint, time)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"origin": ""}, "an empty line"),
        ({"origin": "a\n5"}, "its root is"),
        ({"origin": "a\tb"}, r"'\\t' stands in it"),
        ({"origin": "\ud800"}, "stands in it"),
        ({"size": -1}, "its size is '-1'"),
        ({"size": 10**16}, "at most 16 digits"),
        ({"root": EMPTY[:31]}, "its root is .* 32 bytes"),
        ({"extensions": ("",)}, "an empty line"),
        ({"extensions": ("a\nb",)}, "read as another checkpoint"),
    ],
)
def test_what_nobody_could_open_is_not_signed(change: dict[str, Any], why: str) -> None:
    with pytest.raises(BadCheckpoint, match=why):
        KEY.sign(CHECKPOINT._replace(**change), TIME)


@pytest.mark.parametrize("time", [-1, 2**63])
def test_a_time_that_no_cosignature_holds_is_not_signed(time: int) -> None:
    with pytest.raises(BadCheckpoint, match="give Unix seconds"):
        KEY.sign(CHECKPOINT, time)


# What is refused


def test_both_lines_are_demanded() -> None:
    refused(NOTE.replace(TIMED, ""), "0 timed signature lines by handlog/riverside")
    refused(NOTE.replace(PLAIN, ""), "0 plain signature lines by handlog/riverside")


def test_neither_line_may_be_there_twice() -> None:
    later = KEY.sign(CHECKPOINT, TIME + 1).note.splitlines(keepends=True)[-1]
    refused(NOTE + later, "2 timed signature lines")
    refused(NOTE + PLAIN, "2 plain signature lines")


def test_another_key_of_the_same_name_opens_nothing() -> None:
    refused(NOTE, "0 plain signature lines .* is it another key's", OTHER)


def test_the_lines_of_other_keys_are_ignored() -> None:
    text = CHECKPOINT.text
    same_name = OTHER.sign(CHECKPOINT, TIME).note.removeprefix(f"{text}\n")
    same_id = PLAIN.replace("riverside", "lakeside")
    unknown = "— witness.example/1 " + b64encode(b"\x01\x02\x03\x04\x05").decode() + "\n"
    for block in (same_name + PLAIN + unknown + TIMED, TIMED + PLAIN + same_id, PLAIN + TIMED + same_id * 98):
        assert KEY.public.open(f"{text}\n{block}").time == TIME


def test_at_most_a_hundred_lines_are_read() -> None:
    refused(NOTE + PLAIN.replace("riverside", "lakeside") * 99, "101 signature lines: at most 100")


def test_the_extension_is_signed_too() -> None:
    refused(NOTE.replace("2026-11-30", "2026-12-01"), "plain signature isn't one of this text")


def test_the_time_is_signed_too() -> None:
    name, data = TIMED.split()[1:]
    moved = bytearray(b64decode(data))
    moved[11] ^= 1
    refused(NOTE.replace(TIMED, f"— {name} {b64encode(moved).decode()}\n"), "timed signature isn't one of this text")


def test_a_time_beyond_the_last_is_refused() -> None:
    secret, public = Ed25519PrivateKey.from_private_bytes(bytes(range(32))), KEY.public.key
    time = 2**63
    signature = secret.sign(f"cosignature/v1\ntime {time}\n{CHECKPOINT.text}".encode())
    key_id = sha256(b"handlog/riverside\n\x04" + public).digest()[:4]
    line = f"— handlog/riverside {b64encode(key_id + time.to_bytes(8, 'big') + signature).decode()}\n"
    refused(NOTE.replace(TIMED, line), f"its time is {time}")


def test_a_plain_signature_is_no_timed_one() -> None:
    """Nor the other way round: the ids say which is which, and the lengths."""
    plain, timed = (b64decode(line.split()[2]) for line in (PLAIN, TIMED))
    short = b64encode(timed[:4] + plain[4:]).decode()
    long = b64encode(plain[:4] + timed[4:]).decode()
    refused(f"{CHECKPOINT.text}\n{PLAIN}— handlog/riverside {short}\n", "timed signature has 64 bytes, not 72")
    refused(f"{CHECKPOINT.text}\n— handlog/riverside {long}\n{TIMED}", "plain signature has 72 bytes, not 64")


def test_no_bit_of_a_note_can_change_unseen() -> None:
    """Every bit of every byte, one at a time."""
    data = NOTE.encode()
    for i in range(len(data)):
        for bit in range(8):
            changed = (data[:i] + bytes([data[i] ^ 1 << bit]) + data[i + 1 :]).decode(errors="surrogateescape")
            with pytest.raises(BadCheckpoint):
                KEY.public.open(changed)


def test_no_end_of_a_note_can_be_missing_and_nothing_follows_it() -> None:
    for length in range(len(NOTE)):
        with pytest.raises(BadCheckpoint):
            KEY.public.open(NOTE[:length])
    for more in ("\n", "x", " ", "\n\n", "x\n", "— \n", NOTE):
        with pytest.raises(BadCheckpoint):
            KEY.public.open(NOTE + more)


ROOT = b64encode(leaf_hash(b"root")).decode()


def signed_anyhow(text: str) -> str:
    """A note of this text with two signatures that hold, whatever the text is."""
    timed = KEY._line(0x04, TIME.to_bytes(8, "big") + KEY._sign(notes._timed(text, TIME)))
    return f"{text}\n{KEY._line(0x01, KEY._sign(text))}{timed}"


def test_signed_anyhow_signs_as_the_key_does() -> None:
    assert signed_anyhow(CHECKPOINT.text) == NOTE


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("o\n", "has 1 lines"),
        ("o\n1\n", "has 2 lines: origin, size and root"),
        (f"\n1\n{ROOT}\n", "an empty line stands in its text"),
        (f"o\n1\n{ROOT}\n\next\n", "an empty line stands in its text"),
        (f"o\n01\n{ROOT}\n", "its size is '01'"),
        (f"o\n00\n{ROOT}\n", "its size is '00'"),
        (f"o\n-1\n{ROOT}\n", "its size is '-1'"),
        (f"o\n+1\n{ROOT}\n", "its size is"),
        (f"o\n 1\n{ROOT}\n", "its size is"),
        (f"o\n1 \n{ROOT}\n", "its size is"),
        (f"o\n1_0\n{ROOT}\n", "its size is"),
        (f"o\n٣\n{ROOT}\n", "its size is"),
        (f"o\n{'9' * 5000}\n{ROOT}\n", "at most 16 digits"),
        (f"o\n1\n{ROOT} \n", "its root is"),
        (f"o\n1\n{ROOT[:-1]}\n", "its root is"),
        (f"o\n1\n{ROOT}=\n", "its root is"),
        (f"o\n1\n{b64encode(bytes(31)).decode()}\n", "its root is"),
        (f"o\n1\n{b64encode(bytes(33)).decode()}\n", "its root is"),
        (f"o\n1\n{'A' * 42}B=\n", "its root is"),  # the last bits aren't zero
        (f"o\n1\n{'_' * 42}8=\n", "its root is"),  # the URL's alphabet
        (f"o\n1\n{bytes(32).hex()}\n", "its root is"),
        (f"o\r\n1\n{ROOT}\n", r"the character '\\r'"),
        (f"o\n1\n{ROOT}\ne\x00\n", r"the character '\\x00'"),
    ],
)
def test_a_malformed_text_is_refused_though_its_signatures_hold(text: str, why: str) -> None:
    refused(signed_anyhow(text), why)


DATA = PLAIN.split()[2]


@pytest.mark.parametrize(
    "line",
    [
        "—handlog/riverside AAAAAAA=",
        "- handlog/riverside AAAAAAA=",
        "– handlog/riverside AAAAAAA=",  # a dash, but another
        " — handlog/riverside AAAAAAA=",
        "—  AAAAAAA=",
        "— handlog/riverside",
        "— handlog/riverside ",
        "— handlog/riverside  AAAAAAA=",
        "— handlog/riverside AAAAAAA= ",
        "— handlog/riverside AAAAAAA= more",
        "— hand log AAAAAAA=",
        "— hand\u00a0log AAAAAAA=",
        "— hand+log AAAAAAA=",
        "— handlog/riverside AAAAAAA",
        "— handlog/riverside AAAAAAB=",  # the last bits aren't zero
        "— handlog/riverside AAAAAA==",  # an id and no signature
        "— handlog/riverside ____AAA=",
        "a line",
    ],
)
def test_a_malformed_signature_line_is_refused_whosever_it_is(line: str) -> None:
    refused(f"{NOTE}{line}\n", "is no signature line")


def test_a_note_without_its_empty_line_is_refused() -> None:
    refused(CHECKPOINT.text + PLAIN + TIMED, "no empty line")
    refused(CHECKPOINT.text + "\n", "its end is missing")
    refused("", "no empty line")


# Keys as text, and files of notes


def test_a_public_key_is_read_as_it_was_written() -> None:
    text = KEY.public.to_text()
    assert PublicKey.from_text(text) == PublicKey.from_text(text.replace("\n", "\r\n")) == KEY.public
    first, second = text.splitlines()
    assert first.startswith("handlog/riverside+") and second.startswith("handlog/riverside+")


def test_a_public_key_verifies_what_its_secret_signs() -> None:
    Ed25519PublicKey.from_public_bytes(KEY.public.key).verify(KEY._sign("x"), b"x")


FIRST, SECOND = KEY.public.to_text().splitlines()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "stand 0"),
        (FIRST, "stand 1, of type 1"),
        (f"{SECOND}\n{FIRST}", "of type 4, 1"),
        (f"{FIRST}\n{FIRST}", "of type 1, 1"),
        (f"{FIRST}\n{SECOND}\n{SECOND}", "stand 3"),
        (f"{FIRST}\n{OTHER.public.to_text().splitlines()[1]}", "the same key"),
        (f"{FIRST[:-1]}\n{SECOND}", "is no public key"),
        (FIRST.replace("riverside", "lakeside"), "isn't that of its key"),
        (FIRST.replace("+", " "), "is no public key"),
        ("PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==", "is no public key"),
        ("PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "stand 1, of type 101"),
        (f"handlog/riverside+00000000+{b64encode(bytes(32)).decode()}", "has 32 bytes, not 31"),
    ],
)
def test_what_is_no_public_key_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadKeys, match=why):
        PublicKey.from_text(text)


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\u00a0b", "a\x01b", "\ud800"])
def test_a_name_that_no_line_can_carry_is_refused(name: str) -> None:
    with pytest.raises(BadKeys, match="can't name a key"):
        CheckpointKey(name, bytes(32))


def test_a_secret_has_32_bytes_and_isn_t_shown() -> None:
    with pytest.raises(BadKeys, match="32 bytes, not 31"):
        CheckpointKey("a", bytes(31))
    assert bytes(range(32)).hex() not in repr(KEY) + repr(vars(KEY))


def test_notes_stand_one_after_the_other_in_a_file() -> None:
    other = KEY.sign(Checkpoint(ORIGIN, 4800, EMPTY), TIME + 60).note
    assert read_notes("") == []
    assert read_notes(NOTE) == [NOTE]
    assert read_notes(NOTE + other + STAGING_NOTE + NOTE) == [NOTE, other, STAGING_NOTE, NOTE]


@pytest.mark.parametrize(
    ("cut", "line"),
    [
        (1, 14),  # the end of the second signature line is missing
        (len(TIMED) + 1, 8),  # so is the first one's
        (len(TIMED) + len(PLAIN), 8),
        (len(NOTE) - 1, 8),
    ],
)
def test_a_file_that_ends_within_a_note_is_refused_by_line(cut: int, line: int) -> None:
    with pytest.raises(BadCheckpoint, match=f"begins at line {line} is no whole note"):
        read_notes(NOTE + NOTE[:-cut])


def test_a_note_that_lost_a_whole_line_is_read_and_not_opened() -> None:
    last = read_notes(NOTE + NOTE.removesuffix(TIMED))[1]
    refused(last, "0 timed signature lines")


@pytest.mark.parametrize("between", ["\n", "x\n\n", "— a\n\n"])
def test_nothing_else_stands_between_notes(between: str) -> None:
    with pytest.raises(BadCheckpoint, match="is no whole note"):
        read_notes(NOTE + between + NOTE)
