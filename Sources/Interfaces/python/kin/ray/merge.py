"""The results of shards as the results of one index: nearest first, equal distances by ascending id."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kin._arrays import Doubles, IDs

Matches = tuple[NDArray[np.int64], Doubles, IDs]
"""The results of a range search: limits, distances and ids."""


class MergedNeighbors:
    """The k nearest of each of n queries, among the vectors of the shards that have answered."""

    def __init__(self, n: int, k: int) -> None:
        self._k = k
        self.distances = np.full((n, k), np.inf)
        self.ids = np.full((n, k), -1, dtype=np.int64)

    @property
    def furthest(self) -> Doubles:
        """The k-th distance of each query, shape (n, 1): no neighbour is beyond it."""
        return self.distances[:, -1:] if self._k else np.full((len(self.distances), 1), -np.inf)

    def add(self, places: Sequence[NDArray[np.intp]], answers: Sequence[tuple[Doubles, IDs]]) -> None:
        """Adds the results of shards, each for some of the queries."""
        if self._k == 0:
            return
        for which, (distances, ids) in zip(places, answers):
            # With a radius, a shard finds nothing for most queries.
            found = np.flatnonzero(distances[:, 0] < np.inf)
            rows = which[found]
            is_new = self.distances[rows, 0] == np.inf
            self.distances[rows[is_new]], self.ids[rows[is_new]] = distances[found[is_new]], ids[found[is_new]]
            found, rows = found[~is_new], rows[~is_new]
            self.distances[rows], self.ids[rows] = _nearest(
                np.concatenate([self.distances[rows], distances[found]], axis=1),
                np.concatenate([self.ids[rows], ids[found]], axis=1),
                self._k,
            )


def _nearest(distances: Doubles, ids: IDs, k: int) -> tuple[Doubles, IDs]:
    """The k nearest of each row of found vectors, in any order.

    The id "none" is the largest and has the distance infinity, so it sorts after every vector. Sorting by distance is
    enough for all rows without equal distances, which usually means all rows.
    """
    order = np.argsort(distances, axis=1)
    sorted_ = np.take_along_axis(distances, order, axis=1)
    # The k-th may equal the next.
    tied = np.flatnonzero(((sorted_[:, 1:] == sorted_[:, :-1]) & (sorted_[:, 1:] < np.inf))[:, :k].any(axis=1))
    if tied.size:
        order[tied] = np.lexsort((ids[tied].view(np.uint64), distances[tied]), axis=1)
        sorted_[tied] = np.take_along_axis(distances[tied], order[tied], axis=1)
    return np.ascontiguousarray(sorted_[:, :k]), np.take_along_axis(ids, order[:, :k], axis=1)


def merge_matches(parts: Sequence[tuple[NDArray[np.intp], Matches]], n: int) -> Matches:
    """The matches of n queries, merged from the shards' matches for some of the queries each."""
    rows = [np.repeat(asked, np.diff(limits)) for asked, (limits, _, _) in parts]
    query = np.concatenate([*rows, np.empty(0, dtype=np.intp)])
    distances = np.concatenate([*(part[1] for _, part in parts), np.empty(0)])
    ids = np.concatenate([*(part[2] for _, part in parts), np.empty(0, dtype=np.int64)])
    order = np.lexsort((ids.view(np.uint64), distances, query))
    limits = np.searchsorted(query[order], np.arange(n + 1)).astype(np.int64)
    return limits, distances[order], ids[order]
