"""A cabinet gives back what was laid into it, and only the drawers that something was laid into have changed."""

from hashlib import sha512
from random import Random

import pytest

from services.snapshots import cabinet
from services.snapshots.cabinet import Cabinet


def test_it_gives_back_what_was_laid_there_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """With drawers and pieces so small that it is rebuilt and cut all the time."""
    monkeypatch.setattr(cabinet, "FULL", 60)
    monkeypatch.setattr(cabinet, "PIECE", 8)
    random = Random(1)
    kept, written, expected = Cabinet(), list[bytes](), dict[str, bytes]()
    for _ in range(400):
        new = {f"p{random.randrange(60)}": b'"%b"' % (b"x" * random.randrange(30)) for _ in range(random.randrange(4))}
        expected |= new
        kept.put(new)
        written += [b""] * (len(kept.drawers) - len(written))
        for drawer in kept.changed:
            written[drawer] = kept.drawers[drawer]
        kept.changed.clear()
        assert written == kept.drawers, "another drawer has changed than it says"
        assert sum(map(len, written)) <= 60 * len(written)
        again = Cabinet(written)
        assert dict(again.items()) == expected
        assert {name: again.get(name) for name in expected} == expected
        assert again.get("never") is None
    assert len(kept.drawers) >= 32
    assert {len(value) % 8 for value in expected.values()} == set(range(8)), "no value ended with its piece"


def test_one_value_changes_one_drawer() -> None:
    kept = Cabinet()
    kept.put({f"player{number}": b'"%b"' % sha512(b"%d" % number).hexdigest().encode() for number in range(4_000)})
    assert len(kept.drawers) == 32  # 4,000 times 64 random bytes, and so more than 16 drawers of 16 KiB
    kept.changed.clear()
    kept.put({"player77": b"0"})
    assert len(kept.changed) == 1


def test_an_empty_one_has_no_drawers() -> None:
    kept = Cabinet()
    kept.put({})
    assert (kept.drawers, kept.changed, kept.get("ann"), list(kept.items())) == ([], set(), None, [])


def test_no_value_is_too_large_for_its_drawers() -> None:
    """One of 3 MB lies in 46 pieces of 64 KiB in many drawers; a smaller one in its place leaves none of them."""
    kept = Cabinet()
    large = b'"%b"' % (b"x" * 3_000_000)
    kept.put({"ann": large, "bob": b"1"})
    assert kept.get("ann") == large
    assert max(map(len, kept.drawers)) < 500_000
    kept.put({"ann": b"2"})
    assert dict(kept.items()) == {"ann": b"2", "bob": b"1"}
    assert sum(map(len, kept.drawers)) < 1_000
