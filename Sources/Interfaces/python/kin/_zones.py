"""Times of columns as texts, in the local time of their zones."""

import re
from datetime import datetime, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
from numpy.typing import NDArray

from kin.errors import InvalidArgument

_OFFSET = r"[+-]\d\d:\d\d"


def time_texts(times: NDArray[Any], zone: str | None) -> list[str]:
    """Times as texts to the microsecond: with the offset of their zone, or without one if they are wall-clock time."""
    times = times.astype("M8[us]") if times.dtype == "M8[ns]" else times
    if zone is None:
        return _texts(times)
    if re.fullmatch(_OFFSET, zone) and not (zone[1:3] < "24" and zone[4:] < "60"):
        raise InvalidArgument(f"the zone {zone} of the times is not an offset; offsets are -23:59 to +23:59")
    try:
        clock = _clock(zone)
        # Offsets change at quarters of an hour.
        quarters, places = np.unique(times.astype("M8[s]").astype(np.int64) // 900, return_inverse=True)
        offsets = [datetime.fromtimestamp(quarter * 900, clock).utcoffset() for quarter in quarters.tolist()]
    except (ZoneInfoNotFoundError, ValueError, OverflowError, OSError):
        # The zone is unknown here, or the year is outside Python's calendar; the instants are correct.
        return [text + "Z" for text in _texts(times)]
    minutes = np.array([offset // timedelta(minutes=1) if offset else 0 for offset in offsets], np.int64)
    endings = [_ending(number) for number in minutes.tolist()]
    local = times + minutes[places].astype("m8[m]")
    return [text + endings[place] for text, place in zip(_texts(local), places.tolist())]


def length_text(length: timedelta) -> str:
    """A length as hours, minutes and seconds: 26:05:00."""
    seconds = round(abs(length).total_seconds())
    return f"{'-' * (length < timedelta())}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _texts(times: NDArray[Any]) -> list[str]:
    texts: list[str] = np.datetime_as_string(times).tolist()
    return texts


def _clock(zone: str) -> tzinfo | None:
    """A zone of the database, or a fixed offset such as +05:30."""
    if zone == "UTC":
        return timezone.utc
    if re.fullmatch(_OFFSET, zone):
        return datetime.fromisoformat(f"1970-01-01T00:00{zone}").tzinfo
    return ZoneInfo(zone)


def _ending(minutes: int) -> str:
    """An offset as the end of a time's text."""
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}" if minutes else "Z"
