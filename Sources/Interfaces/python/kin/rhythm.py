"""The next nap, feed, waking and bedtime of a baby, from a log of events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kin._methods import ForecastKind, Log, Record, Records
from kin.engine import Engine, shared


def forecast(
    events: Log,
    now: str | None = None,
    kind: ForecastKind = "nap",
    *,
    born: str | None = None,
    zone: str | None = None,
    coverage: float = 0.8,
) -> Record:
    """When the next nap, feed, waking or bedtime is, by what was known at an instant.

    Parameters
    ----------
    events : list of dict, or dict
        The log: events with ``type``, ``start`` and what their type has, or an object of ``name``, ``date_of_birth``,
        ``time_zone`` and ``events``. Times go by the clock on the baby's wall.
    now : str, optional
        The instant, ``"2026-01-05T12:00"``; the log's last unless given.
    kind : {"nap", "feed", "wake_up", "bedtime", "night_waking"}
        ``"wake_up"`` is the end of a running sleep, ``"night_waking"`` of one that began from 19:00 to 05:59, ``"bedtime"`` the beginning of the
        evening's first sleep of 90 minutes or more.
    born : str, optional
        The day of birth: better forecasts in the first days.
    zone : str, optional
        The time zone whose clocks read times with an offset (``"Europe/Berlin"``, for a log in UTC); the clock of the
        first row with an offset unless given.
    coverage : float, optional
        What the interval is to hold; 0.8 unless given.

    Returns
    -------
    dict
        ``now``, ``point``, ``lower``, ``upper``, ``confidence``, ``duration_minutes`` and ``kind`` (the one asked for, of naps also
        ``"bedtime"`` or ``"night"``, another sleep of the night), or ``now`` and ``reason`` when nothing is logged yet, the
        last sleep or feed was more than 36 hours before, or nothing runs that could end.

    Raises
    ------
    MalformedInput, InvalidArgument
    """
    return shared().forecast(log=events, now=now, kind=kind, born=born, zone=zone, coverage=coverage)


def backtest(
    events: Log,
    kind: ForecastKind = "nap",
    *,
    at: Sequence[str] | None = None,
    born: str | None = None,
    zone: str | None = None,
    seed: int = 1,
) -> Any:
    """Forecasts at past moments of a log, each by what was known then.

    Parameters
    ----------
    events, kind, born, zone
        As for :func:`forecast`.
    at : list of str, optional
        The instants; every waking by day, feed, or beginning of a sleep, that a week lies before unless given.
    seed : int, optional
        Of the bootstrap by days that bounds the measures; 1 unless given.

    Returns
    -------
    list of dict, or dict
        With ``at`` a forecast for each instant; else ``measures`` and ``forecasts``.
    """
    return shared().backtest(log=events, kind=kind, at=at, born=born, zone=zone, seed=seed)


class Baby:
    """One baby's log in a store, where it stays: forecasts cost what has changed since the last one.

    Parameters
    ----------
    engine : Engine
        The engine, on a file or in memory.
    user, baby : str
        The ids of the person and of their baby.
    zone : str, optional
        The time zone whose clocks read times with an offset, in events too; that of the person's preferences unless given.

    Examples
    --------
    >>> baby = kin.Baby(kin.Engine("people.db"), "u42", "b1")
    >>> baby.put([{"id": "e1", "type": "sleep", "start": "2026-03-05T06:40", "end": "2026-03-05T08:10"}], born="2026-01-02")
    >>> baby.forecast("2026-03-05T09:00")["point"]
    """

    def __init__(self, engine: Engine, user: str, baby: str, *, zone: str | None = None) -> None:
        self.engine = engine
        self.user = user
        self.baby = baby
        self.zone = zone

    def put(
        self, events: Iterable[Mapping[str, Any]] = (), *, name: str | None = None, born: str | None = None
    ) -> dict[str, Any]:
        """Insert or replace events, each with an ``id``; and the baby's name and day of birth when one is given.

        Returns
        -------
        dict
            The number of records of each kind.
        """
        key = {"user_id": self.user, "baby": self.baby, **({} if self.zone is None else {"time_zone": self.zone})}
        records: list[Mapping[str, Any]] = [{"care_event": {**key, "event": event}} for event in events]
        if name is not None or born is not None:
            known = {"name": name, "date_of_birth": born}
            records.insert(0, {"baby": {"user_id": self.user, "id": self.baby, **known}})
        return self.engine.put(records)

    def remove(self, event: str) -> bool:
        """Remove an event by its id; whether there was one."""
        removed: bool = self.engine.remove(kind="care_event", user=self.user, baby=self.baby, id=event)["removed"]
        return removed

    def forecast(self, now: str | None = None, kind: ForecastKind = "nap", *, coverage: float = 0.8) -> Record:
        """When the next event of a kind is: :func:`forecast`."""
        return self.engine.forecast(user=self.user, baby=self.baby, zone=self.zone, now=now, kind=kind, coverage=coverage)

    def predictions(self, now: str | None = None, *, coverage: float = 0.8) -> Record:
        """The next nap, feed, waking and bedtime at once, with whether the baby is asleep: for a job every half-hour."""
        return self.engine.predictions(user=self.user, baby=self.baby, zone=self.zone, now=now, coverage=coverage)

    def backtest(self, kind: ForecastKind = "nap", *, at: Sequence[str] | None = None, seed: int = 1) -> Any:
        """Forecasts at past moments: :func:`backtest`."""
        return self.engine.backtest(user=self.user, baby=self.baby, zone=self.zone, kind=kind, at=at, seed=seed)

    def sleep_state(self, now: str | None = None) -> Record:
        """Whether the baby is asleep, and how it slept."""
        return self.engine.sleep_state(user=self.user, baby=self.baby, zone=self.zone, now=now)

    def days(self, count: int = 14) -> Records:
        """The last days in numbers, from midnight to midnight."""
        return self.engine.days(user=self.user, baby=self.baby, zone=self.zone, count=count)

    def rhythm(self) -> Records:
        """Insights beyond forecasts."""
        return self.engine.rhythm(user=self.user, baby=self.baby, zone=self.zone)

    def wake_windows(self) -> Records:
        """The time awake before each sleep of the day."""
        return self.engine.wake_windows(user=self.user, baby=self.baby, zone=self.zone)

    def leaps(self) -> Records:
        """The days on which a quantity changed its level."""
        return self.engine.leaps(user=self.user, baby=self.baby, zone=self.zone)

    def consolidation(self) -> Record:
        """Measures how the sleeps of the night grow together."""
        return self.engine.consolidation(user=self.user, baby=self.baby, zone=self.zone)

    def correlations(self) -> Record:
        """Feeds and the sleep after them, controlled for age."""
        return self.engine.correlations(user=self.user, baby=self.baby, zone=self.zone)

    def repairs(self) -> Records:
        """The rows that are odd, and what is made of them."""
        return self.engine.repairs(user=self.user, baby=self.baby, zone=self.zone)
