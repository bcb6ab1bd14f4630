"""Affinity of souls, which are plain dictionaries: scores, connections and the parts that they are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kin._arrow_reader import ArrowStream, is_lent, records
from kin._methods import Record, Records
from kin.engine import Engine, shared
from kin.errors import DuplicateID, InvalidArgument, UnknownID

Soul = Mapping[str, Any]


def affinity(
    a: Soul,
    b: Soul,
    *,
    weights: Mapping[str, float] | None = None,
    model: Mapping[str, Any] | None = None,
) -> Record:
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
    return shared().affinity(a, b, weights=weights, model=model)


def _listed(souls: Iterable[Soul] | ArrowStream) -> list[Any]:
    return records(souls) if is_lent(souls) else list(souls)  # type: ignore[arg-type]


def _uid(soul: Any) -> str:
    """The id of a soul that stands among others."""
    uid = soul.get("uid") if isinstance(soul, Mapping) else None
    if not isinstance(uid, str):
        raise InvalidArgument('a soul among others is an object with a text "uid"')
    return uid


class Matcher:
    """Exact matching among souls, which are kept ready in memory.

    Parameters
    ----------
    souls : iterable of mapping, or a table that lends its columns by Arrow
        As for :func:`affinity`, each with another ``uid``.
    weights : mapping, optional
        As for :func:`affinity`.
    every_goal_alike : bool, optional
        Whether goals count the same however rare; otherwise rare ones count more, the more so the more souls there are.
    model : mapping, optional
        As for :func:`affinity`; if not given, the standard weights and the rarity of goals among these souls. With one the souls go to
        the library with every call, and so they do in a child of a fork.
    threads : int, optional
        The most threads to use for a call.

    Raises
    ------
    DuplicateID
        Two souls have one ``uid``.
    InvalidArgument, MalformedInput
        As for :func:`affinity`.
    """

    def __init__(
        self,
        souls: Iterable[Soul] | ArrowStream,
        *,
        weights: Mapping[str, float] | None = None,
        every_goal_alike: bool = False,
        model: Mapping[str, Any] | None = None,
        threads: int = 1,
    ) -> None:
        listed = _listed(souls)
        self._engine = Engine()
        self._threads = threads
        # The souls and the settings of the calls that have to send them.
        self._sent: dict[Any, Soul] | None = None
        self._settings = {"weights": weights, "every_goal_alike": every_goal_alike or None, "model": model}
        if model is not None or not self._has_store():
            self._sent = {}
        elif weights is not None or every_goal_alike:
            self._engine.keep_affinity_model(weights=weights, every_goal_alike=every_goal_alike)
        if len({_uid(soul) for soul in listed}) < len(listed):
            raise DuplicateID('two souls have the same "uid"; each person has one')
        self.upsert(listed)

    def _has_store(self) -> bool:
        try:
            self._engine.affinity_model()
        except InvalidArgument:
            return False
        return True

    def upsert(self, souls: Iterable[Soul] | ArrowStream) -> None:
        """Insert souls, in place of those with the same ``uid``; all of them, or none."""
        souls = _listed(souls)
        if self._sent is None:
            self._engine.put([{"soul": soul} for soul in souls])
            # The matcher is made here, and not by the first question.
            for soul in souls[:1]:
                self._engine.similar_souls(soul["uid"], k=1)
        else:
            wanted = self._sent | {_uid(soul): soul for soul in souls}
            # One question to the library finds what is wrong with a soul, before it is among those that every question sends.
            for uid in list(wanted)[-1:] if souls else []:
                self._engine.call("match", souls=list(wanted.values()), user=uid, k=1, **self._settings)
            self._sent = wanted

    def remove(self, user: str) -> None:
        """Remove the soul of a person.

        Raises
        ------
        UnknownID
            There is no soul ``user``.
        """
        if self._sent is not None:
            is_removed = self._sent.pop(user, None) is not None
        else:
            is_removed = self._engine.remove(kind="soul", user=user)["removed"]
        if not is_removed:
            raise UnknownID(f"there is no soul {user!r}")

    def similar_souls(self, user: str | None = None, *, k: int = 10, coverage: float = 0.0) -> Records:
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
        return self._found(user, k=k, coverage=coverage)

    def matches(self, above: float, user: str | None = None, *, coverage: float = 0.0) -> Records:
        """All pairs whose affinity is at least ``above``, each once; with ``user`` those of one person.

        Arguments and answers are otherwise those of :meth:`similar_souls`.
        """
        return self._found(user, above=above, coverage=coverage)

    def _found(self, user: str | None, **parameters: Any) -> Records:
        if self._sent is not None:
            souls = list(self._sent.values())
            return self._engine._list(
                "match", souls=souls, user=user, threads=self._threads, **self._settings, **parameters
            )
        if user is None:
            return self._engine._list("similar_pairs", threads=self._threads, **parameters)
        return self._engine._list("similar_souls", user=user, **parameters)
