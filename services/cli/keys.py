"""The room's keys from the command line."""

import json
from pathlib import Path

from domain.room import ChangeKey
from domain.rules.phrases import counted, listed
from domain.rulings.opening import Form
from services.bootstrap import KEY_FILE, check_newest, key_ids_named, open_log, opened_office
from services.cli.evidence import check_new_file, seats_of
from services.cli.opening import Asker, give, record_opening
from services.cli.talk import say, stop
from services.eventlog.log import Log
from services.ports import real_ports
from services.rulings import facts_of_hand
from services.sealing import cards, keyfile, private_file
from services.sealing.keyfile import RoomKeys


def init(home: Path, keys: Path | None, by: str) -> None:
    """A key for a home that has none, because it was imported, or because its key is lost."""
    Asker(by).check()
    ports, place = real_ports(), keys or home / KEY_FILE
    with opened_office(home, ports) as room:
        if place.exists():
            own = keyfile.load(place, room.log.room)
            if not _is_unrecorded(room.log, own):
                check_newest(room.log, own, place)
                stop(f"room {room.log.room} has its key in {place} already: `handlog keys rotate` makes another")
        else:
            own = keyfile.make(place, room.log.room, ports.bits(256).to_bytes(32), ports.now())
        give(room, ChangeKey(own.current.hex()), by)
    say(f"Room {own.room} has a new key, {own.current.hex()}, in {place}.")
    say("It opens nothing that was sealed before. Keep a copy of it outside this machine.")


def rotate(home: Path, keys: Path | None, by: str) -> None:
    """A new key that seals from now on; the old ones still open what they sealed."""
    Asker(by).check()
    ports, place = real_ports(), keys or home / KEY_FILE
    with opened_office(home, ports) as room:
        own = keyfile.load(place, room.log.room)
        check_newest(room.log, own, place)
        if not _is_unrecorded(room.log, own):
            own = keyfile.rotate(place, room.log.room, ports.bits(256).to_bytes(32), ports.now())
        give(room, ChangeKey(own.current.hex()), by)
    say(
        f"Room {own.room} seals with key {own.current.hex()} from now on; {place} has {counted(len(own.ids()), 'key')}."
    )
    say("The older ones still open what they sealed. Keep a copy of the file outside this machine.")


def _is_unrecorded(log: Log, own: RoomKeys) -> bool:
    """Whether the newest key was made by a command that was cut short before the log knew of it: it is the one then."""
    return own.current.hex() not in key_ids_named(log)


def export(home: Path, hand: str, file: Path, seats: tuple[int, ...], keys: Path | None, asker: Asker) -> None:
    """Write the keys of one hand to a file, those of all its cards or of some seats: that is an opening."""
    check_new_file(file)
    with open_log(home) as log:
        facts, _ = facts_of_hand(log, hand)
    own = record_opening(home, keys, hand, asker, Form.KEYS, seats, deck=not seats)
    wanted = keyfile.purposes(seats or seats_of(facts), deck=not seats)
    exported = keyfile.export(own, hand, cards.key_ids(facts), wanted)
    with private_file.changing(file):
        private_file.create(file, json.dumps(exported.to_json(), indent=1).encode() + b"\n")
    say(f"The keys of hand {hand} ({listed(wanted)}) are in {file}. They open no other hand.")
