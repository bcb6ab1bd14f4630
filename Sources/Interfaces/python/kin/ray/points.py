"""The points of a k-means run on several nodes: each actor has the points at some consecutive positions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kin._arrays import Doubles, Floats, address
from kin._library import check, create_handle, library
from kin.ray.source import Block, Part, Piece

_TILE = 256


class Points:
    """The points at positions `first` ..< `last`: rows, numbers, clusters and distances to their centroids.

    The arithmetic is the same as in KinClustering: a cluster is summed in the order of positions within a block
    (`BlockTotals`), so blocks added in order give bit-identical results to one machine.
    """

    def __init__(self, first: int, last: int, dimension: int, threads: int) -> None:
        n = last - first
        self._first, self._last, self._threads = first, last, threads
        self._x = np.empty((n, dimension), dtype=np.float32)
        self._points = np.arange(first, last)
        self._labels = np.zeros(n, dtype=np.int64)
        self._distances = np.full(n, np.inf)

    def load(self, number: int, piece: Piece) -> None:
        """Stores the rows of a piece that are in its range; the piece starts at row `number` of the source."""
        block: Block = (piece.read() if isinstance(piece, Part) else piece).checked("l2", number)
        start, stop = max(number, self._first), min(number + len(block.x), self._last)
        self._x[start - self._first : stop - self._first] = block.x[start - number : stop - number]

    def reset(self) -> None:
        """Clears the assignment and the order; the rows must be loaded again."""
        self._labels[:], self._distances[:], self._points = 0, np.inf, np.arange(self._first, self._last)

    def labels(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The numbers of the points, and their clusters."""
        return self._points, self._labels

    # Samples as starts (SampledCentroids, PointDraws)

    def add_centroids(self, rows: Floats, first_label: int, blocks: list[tuple[int, int]]) -> list[float | Doubles]:
        """Adds centroids, and returns the masses of blocks of positions.

        For a block that extends beyond these positions it returns the distances, to be summed with the rest of the
        block.
        """
        labels, distances = self._nearest(rows)
        nearer = distances < self._distances
        self._labels[nearer], self._distances[nearer] = labels[nearer] + first_label, distances[nearer]
        found: list[float | Doubles] = []
        for start, stop in blocks:
            own = self._distances[max(start, self._first) - self._first : min(stop, self._last) - self._first]
            found.append(sequential_sum(own) if start >= self._first and stop <= self._last else own)
        return found

    def scan(self, rest: float, start: int, stop: int, are_equal: bool) -> tuple[float, Floats | None, float]:
        """The point that a draw selects, among the positions of a block that are here.

        A draw has the remainder of its mass, a block of positions, and whether all points have equal mass. The result
        has the remainder after these positions, −1 if the point is here, and its row and distance. Otherwise it has the last
        point with a mass, to be used if no later part has a point, or None.
        """
        own = slice(max(start, self._first) - self._first, min(stop, self._last) - self._first)
        mass = np.ones(own.stop - own.start) if are_equal else self._distances[own]
        left = np.subtract.accumulate(np.concatenate([[rest], mass]))
        hits, heavy = np.flatnonzero((mass > 0) & (left[:-1] < mass)), np.flatnonzero(mass > 0)
        rest = -1.0 if hits.size else float(left[-1])
        if not heavy.size:
            return rest, None, 0.0
        at = own.start + int(hits[0] if hits.size else heavy[-1])
        return rest, self._x[at], float(self._distances[at])

    # Iterations (Lloyd, BlockTotals, Repair)

    def assign(self, centroids: Floats, blocks: list[tuple[int, int]]) -> tuple[Any, int]:
        """Assigns every point to its nearest centroid: the totals of blocks, and the number of reassigned points."""
        labels, distances = self._nearest(centroids)
        changes = int((labels != self._labels).sum())
        self._labels, self._distances = labels, distances
        return self.totals(len(centroids), blocks, _TILE), changes

    def totals(self, k: int, blocks: list[tuple[int, int]], tile: int | None = None) -> list[tuple[Doubles, NDArray[np.int64], float]]:
        """Sums, sizes and inertia of the clusters in each block; the inertia in tiles of `tile` points, or at once."""
        found = []
        for start, stop in blocks:
            own = slice(start - self._first, stop - self._first)
            labels, x, distances = self._labels[own], self._x[own].astype(np.float64), self._distances[own]
            # bincount adds one point after the other.
            sums = np.stack([np.bincount(labels, weights=column, minlength=k) for column in x.T], axis=1, dtype=np.float64)
            width = tile or len(labels)
            parts = [sequential_sum(distances[at : at + width]) for at in range(0, len(labels), width)]
            found.append((sums, np.bincount(labels, minlength=k).astype(np.int64), sequential_sum(np.array(parts))))
        return found

    def worst(self, size: int) -> tuple[Doubles, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], Floats]:
        """The points farthest from their centroids: distances, numbers, positions, clusters and rows."""
        order = np.lexsort((self._points, -self._distances))[:size]
        order = order[self._distances[order] > 0]
        return self._distances[order], self._points[order], order + self._first, self._labels[order], self._x[order]

    def has_other(self, cluster: int, row: Floats) -> bool:
        """Whether a cluster has a point here that differs from a row."""
        return bool((self._x[self._labels == cluster] != row).any())

    def move(self, position: int, cluster: int) -> None:
        """Moves a point to a cluster and makes it the centroid of that cluster."""
        if self._first <= position < self._last:
            self._labels[position - self._first] = cluster

    def settle(self, positions: list[int]) -> None:
        """Marks points that are their own centroids."""
        own = [position - self._first for position in positions if self._first <= position < self._last]
        self._distances[own] = 0

    # Sorting by cluster (RunPoints)

    def sizes(self, k: int) -> NDArray[np.int64]:
        """The number of points of each cluster."""
        return np.bincount(self._labels, minlength=k)

    def outgoing(self, starts: NDArray[np.int64], bounds: list[int]) -> Any:
        """The points for each actor: new positions, rows and numbers; `starts` has each cluster's first position."""
        order = np.argsort(self._labels, kind="stable")
        labels = self._labels[order]
        sizes = np.bincount(labels, minlength=len(starts))
        position = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + starts[labels]
        parts = []
        for first, last in zip(bounds, bounds[1:]):
            goes = (position >= first) & (position < last)
            parts.append((position[goes], self._x[order[goes]], self._points[order[goes]], labels[goes]))
        return parts if len(parts) > 1 else parts[0]

    def incoming(self, *parts: tuple[NDArray[np.int64], Floats, NDArray[np.int64], NDArray[np.int64]]) -> None:
        """Receives the points of its positions from all actors."""
        x, points, labels = np.empty_like(self._x), np.empty_like(self._points), np.empty_like(self._labels)
        for position, rows, numbers, clusters in parts:
            at = position - self._first
            x[at], points[at], labels[at] = rows, numbers, clusters
        self._x, self._points, self._labels = x, points, labels

    def _nearest(self, centroids: Floats) -> tuple[NDArray[np.int64], Doubles]:
        return nearest(centroids, self._x, self._threads)


def nearest(centroids: Floats, x: Floats, threads: int) -> tuple[NDArray[np.int64], Doubles]:
    """The nearest centroid of each point (the first of equally near ones) and its distance."""
    clustering = create_handle(library.kin_clustering_free, library.kin_clustering_create, address(centroids), *centroids.shape, 0, 0)
    labels, distances = np.empty(len(x), dtype=np.int64), np.empty(len(x))
    check(library.kin_clustering_assign(clustering, address(x), len(x), 0, threads, address(labels), address(distances)))
    return labels, distances


def sequential_sum(values: Doubles) -> float:
    """The sum of numbers, added one after the other from 0."""
    return float(np.add.accumulate(values)[-1]) if len(values) else 0.0
