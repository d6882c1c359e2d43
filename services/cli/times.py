"""Times as people type and read them: by the room's clock, or with an offset of their own."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from services.cli.talk import stop

FORMS = '"2026-01-31 21:34", by the room\'s clock, or with an offset: "2026-01-31 21:34+01:00"'


def read_time(text: str, zone: str) -> datetime:
    """The time that was typed. Stops where it is none, or where the room's clock shows it twice or never."""
    try:
        said = datetime.fromisoformat(text)
    except ValueError:
        said = None
    if said is None or ":" not in text:
        stop(f"{text!r} is no time: write {FORMS}")
    if said.tzinfo is not None:
        return said.astimezone(UTC)
    first, second = (said.replace(tzinfo=ZoneInfo(zone), fold=fold) for fold in (0, 1))
    if first.utcoffset() != second.utcoffset():
        how = "twice" if first.astimezone(UTC) < second.astimezone(UTC) else "never"
        both = f"{first.isoformat(' ')} or {second.isoformat(' ')}"
        stop(f"the clock in {zone} shows {text} {how}, where its summer time ends or begins: write {both}")
    return first.astimezone(UTC)


def minute_of(time: datetime, around: int) -> tuple[datetime, datetime]:
    """The minute that a time lies in, and so many seconds before and after it: its first moment, and the first after
    it."""
    begin = time.replace(second=0, microsecond=0)
    return begin - timedelta(seconds=around), begin + timedelta(seconds=60 + around)


def in_zone(time: datetime, zone: str) -> datetime:
    return time.astimezone(ZoneInfo(zone))


def to_the_second(time: datetime) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S")
