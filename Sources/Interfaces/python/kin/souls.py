"""Affinity of souls, which are plain dictionaries: scores, connections and their parts."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from kin import _arrays
from kin._arrow_reader import ArrowStream, is_lent, records
from kin._methods import Record, Records
from kin.engine import Engine, shared
from kin.errors import DuplicateID, InvalidArgument, UnknownID, spelled

Soul = Mapping[str, Any]


def affinity(
    a: Soul,
    b: Soul,
    *,
    weights: Mapping[str, float] | None = None,
    model: Mapping[str, Any] | None = None,
    shrink: bool | None = None,
) -> Record:
    """The affinity of two souls, with its parts.

    A soul has a ``uid`` and any of ``goals``, ``realms`` and ``objects`` (names and amounts), ``patterns`` (``hours``:
    24 numbers, ``minutes``, ``sessions_per_week``, ``streak``) and ``valence`` (-1 to 1). A part is compared only if
    both souls have it.

    Parameters
    ----------
    a, b : mapping
        The souls.
    weights : mapping, optional
        The weight of each block, in any unit. Default: the model's weights.
    model : mapping, optional
        The answer of an engine's ``affinity_model``: the score is then equal to that store's score, bit for bit.
        Default: the standard weights, with equal weight for every goal.
    shrink : bool, optional
        Whether the score is lower while few events are known of the two. Default: the model's setting, and True without
        a model. With False the score of equal souls is 1.

    Returns
    -------
    dict
        ``score`` (0 to 1), ``connection``, ``coverage`` (the share of all weight that could be compared, 0 to 1; a
        connection needs 0.60, a soul mirror 0.75) and ``blocks``. ``shrinkage`` is the factor of the score for few events,
        and ``raise`` the smallest change for a stronger connection.

    Raises
    ------
    InvalidArgument, MalformedInput
        A soul or a weight is invalid; the text names the field.
    """
    with spelled():
        return shared().affinity(a, b, weights=weights, model=model, shrink=shrink)


def _by_uid(souls: Iterable[Soul] | ArrowStream) -> dict[str, Soul]:
    """Souls by their ids, which are all different."""
    if isinstance(souls, (str, bytes, Mapping)) or not (is_lent(souls) or isinstance(souls, Iterable)):
        raise InvalidArgument(f"souls must be a list of souls or a table, not a {type(souls).__name__}")
    listed: list[Any] = records(souls) if is_lent(souls) else list(souls)  # type: ignore[arg-type]
    for place, soul in enumerate(listed):
        if not isinstance(soul, Mapping) or not isinstance(soul.get("uid"), str):
            raise InvalidArgument(f'souls[{place}] must be an object with a text "uid", not {soul!r:.80}')
    for uid, count in Counter(soul["uid"] for soul in listed).items():
        if count > 1:
            raise DuplicateID(f'{count} souls have the "uid" {uid!r}; each person has one')
    return {soul["uid"]: soul for soul in listed}


class Matcher:
    """Exact matching among souls, which are stored in memory.

    Parameters
    ----------
    souls : iterable of mapping, or a table with Arrow's interface
        As for :func:`affinity`, each with a different ``uid``.
    weights : mapping, optional
        As for :func:`affinity`.
    every_goal_alike : bool, optional
        Whether all goals have equal weight. Otherwise rare goals have more weight, increasingly so with the number of
        souls.
    model : mapping, optional
        As for :func:`affinity`. Default: the standard weights, and the rarity of goals among these souls. With a model,
        every call sends the souls to the library; in a forked child it always does.
    threads : int, optional
        The most threads to use for a call.
    shrink : bool, optional
        As for :func:`affinity`.

    Raises
    ------
    DuplicateID
        Two souls have the same ``uid``; the text has it.
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
        shrink: bool | None = None,
    ) -> None:
        self._engine = Engine()
        self._threads = _arrays.threads(threads)
        every_goal_alike = _arrays.boolean(every_goal_alike, "every_goal_alike")
        # The souls and the settings, for matchers whose calls send them.
        self._sent: dict[Any, Soul] | None = None
        self._settings = {"weights": weights, "every_goal_alike": every_goal_alike or None, "model": model, "shrink": shrink}
        if model is not None or not self._has_store():
            self._sent = {}
        elif weights is not None or every_goal_alike or shrink is not None:
            with spelled():
                self._engine.keep_affinity_model(weights=weights, every_goal_alike=every_goal_alike, shrink=shrink)
        self.upsert(souls)

    def _has_store(self) -> bool:
        try:
            self._engine.affinity_model()
        except InvalidArgument:
            return False
        return True

    def upsert(self, souls: Iterable[Soul] | ArrowStream) -> None:
        """Inserts souls, replacing souls with the same ``uid``: all of them, or none."""
        fresh = _by_uid(souls)
        with spelled((r"records\[(\d+)\]\.soul\b", r"souls[\1]")):
            if self._sent is None:
                self._engine.put([{"soul": soul} for soul in fresh.values()])
                # Creates the matcher here, and not in the first query.
                for uid in list(fresh)[:1]:
                    self._engine.similar_souls(uid, k=1)
            else:
                # The new souls come first, so that an error has the caller's number of a soul.
                wanted = fresh | {uid: soul for uid, soul in self._sent.items() if uid not in fresh}
                # One query finds an invalid soul before it joins the souls that every query sends.
                for uid in list(fresh)[:1]:
                    self._engine.call("match", souls=list(wanted.values()), user=uid, k=1, **self._settings)
                self._sent = wanted

    def remove(self, user: str) -> None:
        """Removes the soul of a person.

        Raises
        ------
        UnknownID
            There is no soul with the id ``user``.
        """
        if self._sent is not None:
            is_removed = self._sent.pop(user, None) is not None
        else:
            is_removed = self._engine.remove(kind="soul", user=user)["removed"]
        if not is_removed:
            raise UnknownID(f"there is no soul {user!r}")

    def similar_souls(self, user: str | None = None, *, k: int = 10, coverage: float = 0.0) -> Records:
        """The k souls with the highest affinity to one person, or to each person if ``user`` is None.

        Parameters
        ----------
        user : str, optional
            The ``uid`` of one soul.
        k : int
            The number of souls for each person, 1 or more.
        coverage : float
            The smallest share of all weight that must be comparable, 0 to 1.

        Returns
        -------
        list of dict
            ``user``, ``other``, ``score``, ``connection``, ``coverage`` and ``compared``, the best first; equal scores
            by ascending id.

        Raises
        ------
        UnknownID
            There is no soul with the id ``user``.
        """
        return self._found(user, k=k, coverage=coverage)

    def matches(self, above: float, user: str | None = None, *, coverage: float = 0.0) -> Records:
        """All pairs whose affinity is at least ``above``, each once; with ``user`` only the pairs of that person.

        Arguments and answers are otherwise those of :meth:`similar_souls`.
        """
        return self._found(user, above=_arrays.real(above, "above"), coverage=coverage)

    def _found(self, user: str | None, **parameters: Any) -> Records:
        with spelled():
            if self._sent is not None:
                souls = list(self._sent.values())
                return self._engine._list(
                    "match", souls=souls, user=user, threads=self._threads, **self._settings, **parameters
                )
            if user is None:
                return self._engine._list("similar_pairs", threads=self._threads, **parameters)
            return self._engine._list("similar_souls", user=user, **parameters)
