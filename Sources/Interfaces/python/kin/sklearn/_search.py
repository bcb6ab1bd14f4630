"""Exact neighbours of rows in the precision of their tables, found by an index of float32."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kin._arrays import Doubles, Floats, IDs
from kin._precision import is_exact, offset_of
from kin.flat import FlatIndex

Table = NDArray[Any]

_PAIRS = 1 << 21
"""The number of elements of the row pairs compared at once."""
_MORE = 8
"""The number of candidates beyond the requested neighbours."""


class Search:
    """A table whose rows are searched by Euclidean or cosine distance.

    If float32 represents the table and the queries, the result of the index is exact for Euclidean distances. If not,
    the index returns candidates, whose distances are computed in double precision. A bound on the rounding error of
    float32 proves that the candidates suffice. Of equal rows the index has the first only.
    """

    def __init__(self, table: Table, is_cosine: bool) -> None:
        self._is_cosine, self._offset = is_cosine, None
        narrow = _rounded(table)
        self._is_exact = not is_cosine and is_exact(table, narrow)
        if not self._is_exact and not is_cosine:
            self._offset = offset_of(table, narrow)
        table = _directions(table) if is_cosine else table
        first, self._groups = _equal_rows(table)
        self._sizes = np.bincount(self._groups)
        self._members = np.argsort(self._groups, kind="stable")
        self._starts = np.cumsum(self._sizes) - self._sizes
        self._table: Table = table[first]
        centred = self._centred(table)
        self._index = FlatIndex(table.shape[1], metric="ip" if is_cosine else "l2")
        self._index.add(_narrow(centred)[first])
        self._error = 0.0 if is_cosine else float(self._errors(table, centred).max())

    def nearest(self, q: Table, k: int, threads: int) -> tuple[Doubles, IDs]:
        """The distances and rows of the k nearest neighbours of each query, shape (n, k); ties by ascending row."""
        distances, groups = self._nearest(q, min(k, len(self._table)), threads)
        width = min(k, int(self._sizes.max()))
        if width == 1:
            return distances, self._members[self._starts[groups]]
        # The k first of the rows in the nearest groups, of which each has at most k.
        near, ids = np.empty((len(q), k)), np.empty((len(q), k), np.int64)
        size = max(1, _PAIRS // (groups.shape[1] * width))
        for start in range(0, len(q), size):
            some = slice(start, start + size)
            places = np.arange(width) + np.zeros_like(groups[some])[:, :, np.newaxis]
            is_in = places < self._sizes[groups[some]][:, :, np.newaxis]
            rows = self._members[np.where(is_in, places + self._starts[groups[some]][:, :, np.newaxis], 0)].reshape(len(places), -1)
            each = np.where(is_in, distances[some][:, :, np.newaxis], np.inf).reshape(len(places), -1)
            order = np.lexsort((rows, each))[:, :k]
            near[some], ids[some] = np.take_along_axis(each, order, axis=1), np.take_along_axis(rows, order, axis=1)
        return near, ids

    def _nearest(self, q: Table, k: int, threads: int) -> tuple[Doubles, IDs]:
        """As :meth:`nearest`, of different rows by their first occurrence."""
        narrow = _rounded(q)
        if self._is_exact and is_exact(q, narrow):
            distances, ids = self._index.search(narrow, k, threads=threads)
            return self._in_units(distances), ids
        q, narrow, errors = self._prepared(q)
        distances, ids = np.empty((len(q), k)), np.empty((len(q), k), np.int64)
        count = len(self._table)
        pending = [(np.arange(len(q)), min(k + _MORE, count))]
        while pending:
            rows, m = pending.pop()
            size = max(1, _PAIRS // m)
            if len(rows) > size:
                pending += [(rows[first : first + size], m) for first in range(0, len(rows), size)]
                continue
            rough, near = self._index.search(narrow[rows], m, threads=threads)
            exact = self._distances(q, np.repeat(rows, m), near.ravel()).reshape(near.shape)
            order = np.lexsort((near, exact))[:, :k]
            exact, last = np.take_along_axis(exact, order, axis=1), self._in_units(rough[:, -1])
            # All other rows are farther than the last candidate, less the rounding error.
            is_settled = (exact[:, -1] < last - errors[rows]) | (m == count)
            settled = rows[is_settled]
            distances[settled] = exact[is_settled]
            ids[settled] = np.take_along_axis(near, order, axis=1)[is_settled]
            if len(settled) < len(rows):
                pending.append((rows[~is_settled], min(4 * m, count)))
        return distances, ids

    def within(self, q: Table, radii: Doubles, threads: int, is_own: bool, is_ordered: bool) -> tuple[NDArray[np.int64], Doubles, IDs]:
        """All rows within the radius of each query, by distance or by row: query i has limits[i] up to limits[i + 1].

        If the queries are the table itself, a query's own row is left out.
        """
        q, narrow, errors = self._prepared(q)
        reach = min(float((radii + errors).max()) * (1 + 1e-9), 1e150)
        limits, _, groups = self._index.range_search(narrow, reach - 1 if self._is_cosine else reach**2, threads=threads)
        rows = np.repeat(np.arange(len(q)), np.diff(limits))
        distances = self._distances(q, rows, groups)
        is_in = distances <= radii[rows]
        rows, distances, groups = rows[is_in], distances[is_in], groups[is_in]
        sizes = self._sizes[groups]
        places = np.arange(sizes.sum()) + np.repeat(self._starts[groups] - np.cumsum(sizes) + sizes, sizes)
        rows, distances, near = np.repeat(rows, sizes), np.repeat(distances, sizes), self._members[places]
        if is_own:
            is_other = near != rows
            rows, distances, near = rows[is_other], distances[is_other], near[is_other]
        order = np.lexsort((near, distances, rows) if is_ordered else (near, rows))
        limits = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(q)))])
        return limits, distances[order], near[order]

    def _prepared(self, q: Table) -> tuple[Table, Floats, Doubles]:
        """Queries in double precision and in the index's form, and the largest error of a distance."""
        if self._is_cosine:
            q = _directions(q)
            return q, _narrow(q), np.full(len(q), 2.0**-20)
        centred = self._centred(q)
        return q, _narrow(centred), self._errors(q, centred) + self._error

    def _centred(self, table: Table) -> Table:
        return table if self._offset is None else np.subtract(table, self._offset, dtype=np.float64)

    def _in_units(self, distances: Doubles) -> Doubles:
        """The index's distances in the user's units."""
        return 1 + distances if self._is_cosine else np.sqrt(distances)

    @staticmethod
    def _errors(table: Table, centred: Table) -> Doubles:
        """The largest distance that centring and rounding to float32 can move each row."""
        tiny: Doubles = _norms(centred) * 2.0**-23 + _norms(table) * 2.0**-50 + 2.0**-148 * table.shape[1]
        return tiny

    def _distances(self, q: Table, rows: NDArray[np.int64], near: IDs) -> Doubles:
        """The distances of pairs of a query and a row."""
        distances = np.empty(len(rows))
        size = max(1, _PAIRS // q.shape[1])
        for first in range(0, len(rows), size):
            some = slice(first, first + size)
            a, b = q[rows[some]].astype(np.float64), self._table[near[some]].astype(np.float64)
            if self._is_cosine:
                distances[some] = np.maximum(1 - np.einsum("ij,ij->i", a, b), 0)
            else:
                distances[some] = _norms(a - b)
        return distances


def _rounded(table: Table) -> Floats:
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(table, np.float32)


def _narrow(table: Table) -> Floats:
    """A table in the index's form; the numbers must be in the range of float32."""
    floats = _rounded(table)
    is_wide = ~np.isfinite(floats).all(axis=1)
    if is_wide.any():
        row = int(is_wide.argmax())
        raise ValueError(f"X: row {row} has a number of magnitude above 3.4e38, the largest float32; divide the columns by a constant first")
    return floats


def _norms(table: Table) -> Doubles:
    """The lengths of rows."""
    wide = table.astype(np.float64, copy=False)
    norms: Doubles = np.sqrt(np.einsum("ij,ij->i", wide, wide))
    return norms


def _equal_rows(table: Table) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first rows of all groups of equal rows, ascending, and the group of each row."""
    words = np.ascontiguousarray(table).view(f"u{table.itemsize}")
    keys = np.zeros(len(table), np.uint64)
    for column in words.T:
        keys = (keys ^ column) * np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(32)
    _, first, groups = np.unique(keys, return_index=True, return_inverse=True)
    if len(first) == len(table) or (words[first[groups]] != words).any():
        # All rows are different, or two different rows have one key, which is rare.
        return np.arange(len(table)), np.arange(len(table))
    order = np.argsort(first)
    return first[order], np.argsort(order)[groups]


def _directions(table: Table) -> Table:
    """Rows of length 1; rows of zeros are unchanged, and have the distance 1 from all others."""
    wide = table.astype(np.float64)
    wide /= np.maximum(np.abs(wide).max(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    directions: Table = wide / np.maximum(_norms(wide), 1e-300)[:, np.newaxis]
    return directions
