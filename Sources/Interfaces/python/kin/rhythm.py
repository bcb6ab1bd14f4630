"""The next nap, feed, waking and bedtime of a baby, from a log of events."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, cast

from kin import _arrays, _arrow_reader
from kin._library import call_json, library
from kin._methods import BabyMethods, ForecastKind, Log, Record
from kin.engine import plain, shared
from kin.errors import InvalidArgument

LogSource = str | bytes | os.PathLike[str] | _arrow_reader.ArrowStream


class ImportedLog(dict[str, Any]):
    """A log that was read from a file or a table: ``name``, ``date_of_birth`` and ``events``, as :func:`forecast` takes it.

    Attributes
    ----------
    report : dict
        ``files``, each with ``source``, ``format``, ``runner_up``, ``text`` (encoding and separator), ``events``, ``columns`` (with their
        meanings), ``ignored`` (columns with data that are not used) and ``assumptions``; and ``repairs``, the rows that were repaired or left
        out, with the reason.
    """

    def __init__(self, log: Mapping[str, Any], report: dict[str, Any]) -> None:
        super().__init__(log)
        self.report = report


def read_log(
    source: LogSource,
    *,
    born: str | None = None,
    zone: str | None = None,
    dates: Literal["day-first", "month-first"] | None = None,
    unit: Literal["ml", "oz"] | None = None,
    strict: bool = False,
) -> ImportedLog:
    """Reads a baby's log as Kin or a tracker writes it.

    Encoding, separator, decimal mark, columns, dates, times and units are detected.

    Parameters
    ----------
    source : path, or table
        A file in CSV or JSON, a folder of such files with a type each, a file in Parquet or Arrow (read with pyarrow), or a data frame of
        pandas, Polars or Arrow.
    born : str, optional
        The day of birth.
    zone : str, optional
        The time zone whose clocks read times with an offset, if the log does not name one.
    dates : {"day-first", "month-first"}, optional
        The order of day and month in dates such as 03/04/2026. By default the dates of the log decide.
    unit : {"ml", "oz"}, optional
        The unit of amounts without one. By default they are millilitres if they cannot be ounces.
    strict : bool, default False
        Whether anything to report is an error.

    Raises
    ------
    InputOutput
        The file cannot be read.
    MalformedInput
        The log is not understood, or leaves open the order of day and month or the unit of amounts.
    """
    path = text = None
    if isinstance(source, (str, bytes, os.PathLike)):
        path = _arrays.path(source)
        table = _read_table(path.decode())
        if table is not None:
            path, source = None, table
    if path is None:
        if not _arrow_reader.is_lent(source):
            raise InvalidArgument(f"a log is a path or a table, not a {type(source).__name__}; pass lists of events to forecast")
        text = json.dumps(_arrow_reader.records(source), default=plain).encode()
    options = {"born": born, "zone": zone, "dates": dates, "unit": unit, "strict": bool(strict)}
    answer = call_json(library.kin_log_read, path, text, json.dumps(options).encode())
    return ImportedLog(answer["log"], answer["report"])


def _read_table(path: str) -> Any:
    """The table in a file of Parquet or Arrow; None for other files."""
    ending = os.path.splitext(path)[1].lower()
    module = {".parquet": "parquet", ".pq": "parquet", ".arrow": "feather", ".feather": "feather"}.get(ending)
    if module is None:
        return None
    try:
        reader = importlib.import_module(f"pyarrow.{module}")
    except ImportError:
        raise InvalidArgument(f"{path} is read with pyarrow, which is not installed; install it, or convert the file to CSV") from None
    return reader.read_table(path)


def _log(events: Log | LogSource, born: str | None, zone: str | None) -> Any:
    """The log of a path or a table; other logs as they are."""
    if isinstance(events, (str, bytes, os.PathLike)) or _arrow_reader.is_lent(events):
        return read_log(cast(LogSource, events), born=born, zone=zone)
    return events


def forecast(
    events: Log | LogSource,
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
    events : list of dict, dict, path or table
        The log: a file, folder or data frame, as :func:`read_log` takes it; or events with ``type``, ``start`` and what their type has, or an object of ``name``, ``date_of_birth``,
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
    return shared().forecast(log=_log(events, born, zone), now=now, kind=kind, born=born, zone=zone, coverage=coverage)


def backtest(
    events: Log | LogSource,
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
    return shared().backtest(log=_log(events, born, zone), kind=kind, at=at, born=born, zone=zone, seed=seed)


class Baby(BabyMethods):
    """One baby's log in a store, where it stays: forecasts cost what has changed since the last one.

    The questions are the methods of :class:`kin.Engine` about a log, without ``user``, ``baby`` and ``zone``.

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
