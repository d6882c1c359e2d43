"""Times as people type and read them: by the room's clock, or with an offset of their own."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from projections import zones
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


def moment_of(option: str, text: str, zone: str, of_a_day: int) -> int | None:
    """UTC microseconds since 1970: of a time, or of the beginning of a day, so many days later; None for no text."""
    if not text:
        return None
    if ":" in text:
        return int(read_time(text, zone).timestamp()) * 1_000_000
    return zones.moment(datetime.combine(day_of(option, text) + timedelta(of_a_day), datetime.min.time()), zone)


def day_of(option: str, text: str) -> date:
    """The day that was typed. Stops where it is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        stop(f"{option} {text} is neither a day nor a time: write 2026-01-31, or {FORMS}")


def minute_of(time: datetime, around: int) -> tuple[datetime, datetime]:
    """The minute that a time lies in, and so many seconds before and after it: its first moment, and the first after
    it."""
    begin = time.replace(second=0, microsecond=0)
    return begin - timedelta(seconds=around), begin + timedelta(seconds=60 + around)


def in_zone(time: datetime, zone: str) -> datetime:
    return time.astimezone(ZoneInfo(zone))


def to_the_second(time: datetime) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S")
