"""Who is like whom: souls as plain dictionaries in, scores that explain themselves out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kin.engine import Engine

Soul = Mapping[str, Any]


def affinity(a: Soul, b: Soul, *, weights: Mapping[str, float] | None = None) -> dict[str, Any]:
    """How alike two souls are, and why.

    A soul has a ``uid`` and any of ``goals``, ``realms`` and ``objects`` (names and amounts), ``patterns`` (``hours``: 24 numbers,
    ``minutes``, ``sessions_per_week``, ``streak``) and ``valence`` (-1 to 1). What either lacks is left out.

    Parameters
    ----------
    a, b : mapping
        The souls.
    weights : mapping, optional
        How much each block counts, in any unit; the standard weights if not given.

    Returns
    -------
    dict
        ``score``, ``connection``, ``evidence`` (the share of all weight that could be compared) and ``blocks``.

    Raises
    ------
    InvalidArgument, MalformedInput
        A soul or a weight is not what it should be; the text names the field.
    """
    bond: dict[str, Any] = Engine().call("affinity", a=dict(a), b=dict(b), weights=_plain(weights))
    return bond


class Matcher:
    """Everybody's matches among some souls, exactly.

    The souls are handed to the library anew for each question; ``kin.Engine`` keeps them in a store.

    Parameters
    ----------
    souls : iterable of mapping
        As for :func:`affinity`, each with another ``uid``.
    weights : mapping, optional
        As for :func:`affinity`.
    every_goal_alike : bool, optional
        Whether goals count the same however rare; otherwise, among 100 souls or more, rare ones count more.
    threads : int, optional
        How many threads may work on a question.
    """

    def __init__(
        self,
        souls: Iterable[Soul],
        *,
        weights: Mapping[str, float] | None = None,
        every_goal_alike: bool = False,
        threads: int = 1,
    ) -> None:
        self._parameters = {
            "souls": [dict(soul) for soul in souls],
            "weights": _plain(weights),
            "every_goal_alike": bool(every_goal_alike),
            "threads": threads,
        }
        self._engine = Engine()

    def kindred(self, user: str | None = None, *, k: int = 10, evidence: float = 0.0) -> list[dict[str, Any]]:
        """The k most like one person, or like everybody when nobody is named: ``user``, ``kindred``, ``score``, …"""
        return self._call(user=user, k=k, evidence=evidence)

    def matches(self, above: float, user: str | None = None, *, evidence: float = 0.0) -> list[dict[str, Any]]:
        """All pairs with at least this affinity, each once, or one person's matches."""
        return self._call(user=user, above=above, evidence=evidence)

    def _call(self, **parameters: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._engine.call("match", **self._parameters, **parameters)
        return found


def _plain(weights: Mapping[str, float] | None) -> dict[str, float] | None:
    return None if weights is None else {name: float(weight) for name, weight in weights.items()}
