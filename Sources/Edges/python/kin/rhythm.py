"""The next nap and feed of a baby, from a log of events."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from kin.engine import Engine

Log = Mapping[str, Any] | Sequence[Mapping[str, Any]]


@functools.cache
def _engine() -> Engine:
    """An engine without a store: it keeps nothing between calls."""
    return Engine()


def _call(method: str, log: Log, **parameters: Any) -> Any:
    given = {name: value for name, value in parameters.items() if value is not None}
    return _engine().call(method, log=log if isinstance(log, Mapping) else list(log), **given)


def forecast(
    events: Log, now: str | None = None, kind: str = "nap", *, born: str | None = None, coverage: float | None = None
) -> dict[str, Any]:
    """When the next nap or feed is, by what was known at an instant.

    Parameters
    ----------
    events : list of dict, or dict
        The log: events with ``type``, ``start`` and what their type has, or an object of ``name``, ``date_of_birth`` and
        ``events``. Times go by the clock on the baby's wall.
    now : str, optional
        The instant, ``"2026-01-05T12:00"``; the log's last unless given.
    kind : {"nap", "feed"}
    born : str, optional
        The day of birth: better forecasts in the first days.
    coverage : float, optional
        What the interval is to hold; 0.8 unless given.

    Returns
    -------
    dict
        ``now``, ``point``, ``lower``, ``upper``, ``confidence``, ``duration_minutes`` and ``kind`` (``"feed"``, or ``"nap"``,
        ``"bedtime"`` or ``"night"``, another sleep of the night), or ``now`` and ``reason`` when nothing is logged yet or the
        last sleep or feed was more than 36 hours before.

    Raises
    ------
    MalformedInput, InvalidArgument
    """
    answer: dict[str, Any] = _call("forecast", events, now=now, kind=kind, born=born, coverage=coverage)
    return answer


def backtest(
    events: Log, kind: str = "nap", *, at: Sequence[str] | None = None, born: str | None = None, seed: int | None = None
) -> Any:
    """Forecasts at past moments of a log, each by what was known then.

    Parameters
    ----------
    events, kind, born
        As for :func:`forecast`.
    at : list of str, optional
        The instants; every waking by day, or feed, that a week lies before unless given.
    seed : int, optional
        Of the bootstrap by days that bounds the measures; 1 unless given.

    Returns
    -------
    list of dict, or dict
        With ``at`` a forecast for each instant; else ``measures`` and ``forecasts``.
    """
    return _call("backtest", events, kind=kind, at=None if at is None else list(at), born=born, seed=seed)
