"""Every event and command version ever published decodes and replays, for ever (design, How sure: History).

`v1/` holds the log of a small room as version 1 wrote it, with its keys and what was signed of it, and the shape of
every message; `v2/` that of the first version that knows owners of shards and cancels hands; `v3/` of the first with
accounts, blinds owed, clocks and the floor's controls; `v4/` of the first that says of a freeze whether it is of a seat
or of all a player's money, and that erases reasons. A message that is new, or
whose shape changes (which needs a new revision and an upcast from the old one), needs a folder of its own beside these;
nothing in these folders is ever written again.
"""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from domain import catalog
from services.bootstrap import KEY_FILE, LOG_FILE, TEXTS_FILE, open_log
from services.eventlog import body, canonical
from services.eventlog.transfer import export_file, import_file
from services.evidence import checkpoints
from services.evidence.against import Evidence
from services.ledger import Ledger
from services.rulings import readjudicate_all
from services.sealing import keyfile
from services.sealing.shoe import Opener
from services.sealing.texts import TextKeys
from services.soundness import verify_export
from tests.history.shapes import shapes

VERSIONS = sorted(path for path in Path(__file__).parent.iterdir() if (path / "log.hl").exists())


def test_every_version_is_kept() -> None:
    assert [version.name for version in VERSIONS][:4] == ["v1", "v2", "v3", "v4"]


def test_every_event_of_today_stands_in_the_log_of_some_version() -> None:
    kept = {
        f"event {one['type']}#{one['rev']}" for version in VERSIONS for said in bodies(version) for one in said.events
    }
    assert {name for name in shapes() if name.startswith("event ")} <= kept


@pytest.fixture(params=VERSIONS, ids=lambda path: path.name)
def version(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


def bodies(version: Path) -> list[body.Body]:
    lines = (version / "log.hl").read_bytes().split(b"\n")
    return [body.decode(line) for line in lines if line.startswith(b"{")]


def test_nothing_that_was_kept_was_ever_written_again(version: Path) -> None:
    digests = json.loads((Path(__file__).parent / "digests.json").read_text())[version.name]
    assert {name: sha256((version / name).read_bytes()).hexdigest() for name in digests} == digests


def test_every_event_of_the_version_stands_in_its_log(version: Path) -> None:
    published = {name for name in json.loads((version / "shapes.json").read_text()) if name.startswith("event ")}
    kept = {f"event {one['type']}#{one['rev']}" for said in bodies(version) for one in said.events}
    assert kept == published


def test_every_message_decodes_and_says_the_same_again(version: Path) -> None:
    for said in bodies(version):
        for one in said.events:
            event = catalog.event.load(one["type"], one["rev"], one["data"])
            if catalog.event.by_name[one["type"]].rev == one["rev"]:
                assert canonical.encode(catalog.event.dump(event)[2]) == canonical.encode(one["data"])
        command = said.command
        catalog.command.load(command["name"], command["rev"], command["args"])


def test_no_message_changed_its_shape_without_a_new_revision(version: Path) -> None:
    published, now = json.loads((version / "shapes.json").read_text()), shapes()
    for name, shape in published.items():
        if name in now:  # a later revision replaced the others, which are upcast
            assert now[name] == shape, name


def test_the_log_is_sound_as_it_was_signed_and_its_money_adds_up(version: Path) -> None:
    key = checkpoints.public_key(version / "checkpoint.pub")
    signed = checkpoints.read(version / "checkpoints", key)
    report = verify_export(version / "log.hl", evidence=Evidence(signed), ledger=Ledger())
    assert [str(finding) for finding in report.findings] == []
    assert report.commits == len(bodies(version))


def test_its_hands_are_decided_again_the_same_and_its_cards_open(version: Path, tmp_path: Path) -> None:
    keys = json.loads((version / "keys.json").read_text())
    for name in (KEY_FILE, TEXTS_FILE):
        path = tmp_path / name
        path.touch(mode=0o600)
        path.write_text(keys[name])
    import_file(version / "log.hl", tmp_path / LOG_FILE)
    with open_log(tmp_path) as log:
        opener = Opener(keyfile.load(tmp_path / KEY_FILE, log.room))
        assert [found for _, found in readjudicate_all(log, opener) if found is not None] == []
        export_file(log, tmp_path / "again.hl")
    assert (tmp_path / "again.hl").read_bytes() == (version / "log.hl").read_bytes()
    reasons = [
        one["data"]["reason"] for said in bodies(version) for one in said.events if one["type"].startswith("audit.")
    ]
    assert [TextKeys(tmp_path / TEXTS_FILE).open(box, "audit:t3-1") for box in reasons] == [
        "the floor was asked to rule"
    ]
