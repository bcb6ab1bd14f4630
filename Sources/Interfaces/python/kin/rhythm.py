"""The next nap, feed, waking and bedtime of a baby, from a log of events."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from kin import _arrow_reader
from kin._methods import BabyMethods, ForecastKind, Instant, Log, Record
from kin.engine import shared
from kin.errors import spelled
from kin.logs import ImportedLog

_LOG = (r"^((?:field )?)(?:log|source)\b", r"\1events")


def forecast(
    events: Log,
    now: Instant | None = None,
    kind: ForecastKind = "nap",
    *,
    born: str | date | None = None,
    zone: str | None = None,
    coverage: float = 0.8,
) -> Record:
    """Forecasts the next nap, feed, waking or bedtime, from the data known at an instant.

    Parameters
    ----------
    events : list of dict, dict, path or table
        The log: a file, folder or data frame, as for :func:`read_log`; a list of events with ``type``, ``start`` and
        the fields of their type; or an object of ``name``, ``date_of_birth``, ``time_zone`` and ``events``. Times are
        the baby's local time.
    now : str, datetime or date, optional
        The instant, such as ``"2026-01-05T12:00"``. Default: the last instant of the log. A ``datetime`` without a time
        zone is in the baby's local time.
    kind : {"nap", "feed", "wake_up", "bedtime", "night_waking"}
        ``"wake_up"`` is the end of a running sleep. ``"night_waking"`` is the end of a running sleep that began from
        19:00 to 05:59. ``"bedtime"`` is the start of the evening's first sleep of 90 minutes or more.
    born : str or date, optional
        The day of birth, which improves forecasts in the first days.
    zone : str, optional
        The local time zone for times with an offset (``"Europe/Berlin"``, for a log in UTC). Default: the offset of the
        first row with one. A table's columns may have a zone.
    coverage : float, optional
        The coverage of the interval. Default: 0.8.

    Returns
    -------
    dict
        ``now``, ``point``, ``lower``, ``upper``, ``confidence``, ``duration_minutes`` and ``kind``. The ``kind`` is the
        requested one; for naps it may be ``"bedtime"`` or ``"night"``, a further sleep of the night. Without a
        forecast: ``now`` and ``reason``. There is no forecast if no sleep or feed is logged yet, if the last sleep or feed was
        more than 36 hours before, or if no running sleep could end.

    Raises
    ------
    MalformedInput, InvalidArgument
    """
    with spelled(_LOG):
        return shared().forecast(log=events, now=now, kind=kind, born=born, zone=zone, coverage=coverage)


def backtest(
    events: Log,
    kind: ForecastKind = "nap",
    *,
    at: Sequence[Instant] | None = None,
    born: str | date | None = None,
    zone: str | None = None,
    seed: int = 1,
) -> Any:
    """Forecasts at past moments of a log, each from the data known at that moment.

    Parameters
    ----------
    events, kind, born, zone
        As for :func:`forecast`.
    at : list of str, datetime or date, optional
        The instants. Default: every waking by day, feed, or start of a sleep, with at least a week of log before it.
    seed : int, optional
        The seed of the bootstrap over days, for the bounds of the measures. Default: 1.

    Returns
    -------
    list of dict, or dict
        With ``at`` a forecast for each instant; otherwise ``measures`` and ``forecasts``.
    """
    with spelled(_LOG):
        return shared().backtest(log=events, kind=kind, at=at, born=born, zone=zone, seed=seed)


class Baby(BabyMethods):
    """One baby's log in a store: forecasts cost only the changes since the last forecast.

    The queries are the methods of :class:`kin.Engine` about a log, without ``user``, ``baby`` and ``zone``.

    Parameters
    ----------
    engine : Engine
        The engine, on a file or in memory.
    user, baby : str
        The ids of the person and of their baby.
    zone : str, optional
        The local time zone for times with an offset, in events too. Default: the time zone of the person's preferences.

    Examples
    --------
    >>> baby = kin.Baby(kin.Engine("people.db"), "u42", "b1")
    >>> baby.put([{"id": "e1", "type": "sleep", "start": "2026-03-05T06:40", "end": "2026-03-05T08:10"}], born="2026-01-02")
    >>> baby.forecast("2026-03-05T09:00")["point"]
    """

    def put(
        self,
        events: Iterable[Mapping[str, Any]] | _arrow_reader.ArrowStream | ImportedLog = (),
        *,
        name: str | None = None,
        born: str | date | None = None,
    ) -> dict[str, Any]:
        """Inserts or replaces events, a table's rows, or a log of :func:`read_log`, and the baby's name and day of birth
        if given or in that log.

        Each event needs an ``id``; the events of a log get one from their content, so the same log again adds nothing.

        The zone of a table's columns is stored with the events, and with the baby if the call writes the baby's record.

        Returns
        -------
        dict
            The number of records of each kind.
        """
        zone, columns_zone = self.zone, None
        if isinstance(events, ImportedLog):
            columns_zone, born = events.get("time_zone"), born or events.get("date_of_birth")
            zone, name = zone or columns_zone, name or events.get("name") or None
            events = events["events"]
        if isinstance(events, _arrow_reader.ArrowStream):
            events, columns_zone = _arrow_reader.records_and_zone(events)
            zone = zone or columns_zone
        key = {"user_id": self.user, "baby": self.baby, **({} if zone is None else {"time_zone": zone})}
        records: list[Mapping[str, Any]] = [{"care_event": {**key, "event": event}} for event in events]
        if name is not None or born is not None:
            given = {"name": name, "date_of_birth": born, "time_zone": columns_zone}
            changes = {name: value for name, value in given.items() if value is not None}
            records.insert(0, {"baby": {"user_id": self.user, "id": self.baby, **changes}, "merge": True})
        names = {"date_of_birth": "born", "time_zone": "zone", "user_id": "user"}
        first = int(name is not None or born is not None)
        with spelled(
            (r"records\[\d+\]\.(?:baby|care_event)\.(name|date_of_birth|time_zone|user_id|baby)\b", lambda found: names.get(found[1], found[1])),
            (r"records\[(\d+)\]\.care_event(\.event)?", lambda found: f"events[{int(found[1]) - first}]"),
        ):
            return self.engine.put(records)

    def remove(self, event: str) -> bool:
        """Removes an event by its id; returns whether it existed."""
        removed: bool = self.engine.remove(kind="care_event", user=self.user, baby=self.baby, id=event)["removed"]
        return removed
