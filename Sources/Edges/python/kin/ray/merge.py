"""The results of shards as those of one index: nearest first, equally near ones by ascending id."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kin._arrays import Doubles, IDs

Matches = tuple[NDArray[np.int64], Doubles, IDs]
"""The results of a range search: limits, distances and ids."""


class Known:
    """The k nearest of each of n queries, among the vectors of the shards that have answered."""

    def __init__(self, n: int, k: int) -> None:
        self._k = k
        self._are_all_open = True
        self.distances = np.full((n, k), np.inf)
        self.ids = np.full((n, k), -1, dtype=np.int64)

    @property
    def furthest(self) -> Doubles:
        """The k-th distance of each query, shape (n, 1): nothing beyond it is a neighbour."""
        return self.distances[:, -1:] if self._k else np.full((len(self.distances), 1), -np.inf)

    def add(self, places: Sequence[NDArray[np.intp]], answers: Sequence[tuple[Doubles, IDs]]) -> None:
        """Takes in what shards have found, each for some of the queries."""
        n, k = self.distances.shape
        if self._are_all_open and len(answers) == 1 and len(places[0]) == n:
            # What comes from the object store cannot be written to.
            self.distances, self.ids, self._are_all_open = answers[0][0].copy(), answers[0][1].copy(), False
            return
        # Each query has as many groups of k as shards have answered it, after those that are known.
        groups = np.full(n, 0 if self._are_all_open else 1)
        for which in places:
            groups[which] += 1
        width = int(groups.max(initial=0)) * k
        distances, ids = np.full((n, width), np.inf), np.full((n, width), -1, dtype=np.int64)
        if not self._are_all_open:
            distances[:, :k], ids[:, :k] = self.distances, self.ids
        groups[:] = 0 if self._are_all_open else 1
        for which, (near, named) in zip(places, answers):
            if len(which) == n and (groups == groups[0]).all():
                columns = slice(groups[0] * k, (groups[0] + 1) * k)
                distances[:, columns], ids[:, columns] = near, named
            else:
                cells = which[:, np.newaxis], groups[which, np.newaxis] * k + np.arange(k)
                distances[cells], ids[cells] = near, named
            groups[which] += 1
        changed = np.flatnonzero(groups > 1)
        if len(changed) == n:
            self.distances, self.ids = _nearest(distances, ids, k)
        else:
            self.distances, self.ids = distances[:, :k].copy(), ids[:, :k].copy()
            self.distances[changed], self.ids[changed] = _nearest(distances[changed], ids[changed], k)
        self._are_all_open = False


def _nearest(distances: Doubles, ids: IDs, k: int) -> tuple[Doubles, IDs]:
    """The k nearest of each row of found vectors, in any order.

    The id "none" is the largest and comes with infinity, so that it sorts behind every vector. An order by distance is
    enough for all rows but those in which distances are equal, usually none.
    """
    order = np.argsort(distances, axis=1)
    sorted_ = np.take_along_axis(distances, order, axis=1)
    # The k-th may equal what comes after it.
    tied = np.flatnonzero(((sorted_[:, 1:] == sorted_[:, :-1]) & (sorted_[:, 1:] < np.inf))[:, :k].any(axis=1))
    if tied.size:
        order[tied] = np.lexsort((ids[tied].view(np.uint64), distances[tied]), axis=1)
        sorted_[tied] = np.take_along_axis(distances[tied], order[tied], axis=1)
    return np.ascontiguousarray(sorted_[:, :k]), np.take_along_axis(ids, order[:, :k], axis=1)


def merge_matches(parts: Sequence[tuple[NDArray[np.intp], Matches]], n: int) -> Matches:
    """The matches of n queries from those that shards have found, each for some of the queries."""
    rows = [np.repeat(asked, np.diff(limits)) for asked, (limits, _, _) in parts]
    query = np.concatenate([*rows, np.empty(0, dtype=np.intp)])
    distances = np.concatenate([*(part[1] for _, part in parts), np.empty(0)])
    ids = np.concatenate([*(part[2] for _, part in parts), np.empty(0, dtype=np.int64)])
    order = np.lexsort((ids.view(np.uint64), distances, query))
    limits = np.searchsorted(query[order], np.arange(n + 1)).astype(np.int64)
    return limits, distances[order], ids[order]
