"""Affinity of souls, which are plain dictionaries: scores, connections and the parts that they are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kin.engine import Engine

Soul = Mapping[str, Any]


def affinity(
    a: Soul,
    b: Soul,
    *,
    weights: Mapping[str, float] | None = None,
    model: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The affinity of two souls, with its parts.

    A soul has a ``uid`` and any of ``goals``, ``realms`` and ``objects`` (names and amounts), ``patterns`` (``hours``: 24 numbers,
    ``minutes``, ``sessions_per_week``, ``streak``) and ``valence`` (-1 to 1). A part that either lacks is not compared.

    Parameters
    ----------
    a, b : mapping
        The souls.
    weights : mapping, optional
        How much each block counts, in any unit; the model's weights if not given.
    model : mapping, optional
        What ``affinity_model`` of an engine answers: the score is then that of its store, to the bit. If not given, the standard weights, every goal
        counting the same.

    Returns
    -------
    dict
        ``score`` (0 to 1), ``connection``, ``coverage`` (the share of all weight that could be compared, 0 to 1; a connection needs
        .60, a soul mirror .75) and ``blocks``.

    Raises
    ------
    InvalidArgument, MalformedInput
        A soul or a weight is not what it should be; the text names the field.
    """
    answer: dict[str, Any] = Engine().call(
        "affinity", a=dict(a), b=dict(b), weights=_plain(weights), model=_model(model)
    )
    return answer


class Matcher:
    """Exact matching among souls that the caller holds.

    Each call hands the souls to the library again; ``kin.Engine`` keeps them in a store.

    Parameters
    ----------
    souls : iterable of mapping
        As for :func:`affinity`, each with another ``uid``.
    weights : mapping, optional
        As for :func:`affinity`.
    every_goal_alike : bool, optional
        Whether goals count the same however rare; otherwise rare ones count more, the more so the more souls there are.
    model : mapping, optional
        As for :func:`affinity`; if not given, the standard weights and the rarity of goals among these souls.
    threads : int, optional
        The most threads to use for a call.
    """

    def __init__(
        self,
        souls: Iterable[Soul],
        *,
        weights: Mapping[str, float] | None = None,
        every_goal_alike: bool = False,
        model: Mapping[str, Any] | None = None,
        threads: int = 1,
    ) -> None:
        self._parameters = {
            "souls": [dict(soul) for soul in souls],
            "weights": _plain(weights),
            "every_goal_alike": True if every_goal_alike else None,
            "model": _model(model),
            "threads": threads,
        }
        self._engine = Engine()

    def similar_souls(self, user: str | None = None, *, k: int = 10, coverage: float = 0.0) -> list[dict[str, Any]]:
        """The k souls with the highest affinity to one person, or to each person when ``user`` is left out.

        Parameters
        ----------
        user : str, optional
            The ``uid`` of one soul.
        k : int
            The number of souls for each person, 1 or more.
        coverage : float
            The least share of all weight that has to be comparable, 0 to 1.

        Returns
        -------
        list of dict
            ``user``, ``other``, ``score``, ``connection``, ``coverage`` and ``compared``, the best first; equal scores by ascending id.

        Raises
        ------
        UnknownID
            There is no soul ``user``.
        """
        return self._call(user=user, k=k, coverage=coverage)

    def matches(self, above: float, user: str | None = None, *, coverage: float = 0.0) -> list[dict[str, Any]]:
        """All pairs whose affinity is at least ``above``, each once; with ``user`` those of one person.

        Arguments and answers are otherwise those of :meth:`similar_souls`.
        """
        return self._call(user=user, above=above, coverage=coverage)

    def _call(self, **parameters: Any) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._engine.call("match", **self._parameters, **parameters)
        return found


def _model(model: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if model is None else dict(model)


def _plain(weights: Mapping[str, float] | None) -> dict[str, float] | None:
    return None if weights is None else {name: float(weight) for name, weight in weights.items()}
