"""Exact neighbours of rows in the precision of their tables, found by an index of float32."""

from __future__ import annotations

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

    If float32 represents the table and the queries, the result of the index is exact. If not, the index returns
    candidates, whose distances are computed in double precision. A bound on the rounding error of float32 proves that
    the candidates suffice. Equal rows never pass this bound, so queries among many of them search the different rows only.
    """

    def __init__(self, table: Table, is_cosine: bool) -> None:
        self._is_cosine, self._offset = is_cosine, None
        narrow = _rounded(table)
        self._is_exact = is_exact(table, narrow)
        self._table: Table = table if self._is_exact or not is_cosine else _directions(table)
        if not self._is_exact and not is_cosine:
            self._offset = offset_of(table, narrow)
        centred = self._centred(self._table)
        self._index = FlatIndex(table.shape[1], metric="cosine" if is_cosine else "l2")
        self._index.add(_narrow(centred))
        self._error = 0.0 if is_cosine else float(self._errors(self._table, centred).max())
        self._repeats: _Repeats | None = None

    def nearest(self, q: Table, k: int, threads: int) -> tuple[Doubles, IDs]:
        """The distances and rows of the k nearest neighbours of each query, shape (n, k); ties by ascending row."""
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
            rows = rows[~is_settled]
            if len(rows) and m == k + _MORE and self._has_repeats():
                distances[rows], ids[rows] = self._among_different(q, rows, k, threads)
            elif len(rows):
                pending.append((rows, min(4 * m, count)))
        return distances, ids

    def _has_repeats(self) -> bool:
        """Whether the table has equal rows; looks for them once, if queries need it."""
        if self._repeats is None:
            self._repeats = _Repeats(self._table)
        return len(self._repeats.first) < len(self._table)

    def _among_different(self, q: Table, rows: NDArray[np.int64], k: int, threads: int) -> tuple[Doubles, IDs]:
        """The nearest rows of some queries, by the different rows of the table."""
        repeats = self._repeats
        assert repeats is not None
        if repeats.search is None:
            repeats.search = Search(self._table[repeats.first], self._is_cosine)
            repeats.search._repeats = _Repeats(repeats.search._table)
        m = min(k, len(repeats.first))
        distances, ids = np.empty((len(rows), k)), np.empty((len(rows), k), np.int64)
        size = max(1, _PAIRS // (m * k))
        for start in range(0, len(rows), size):
            some = rows[start : start + size]
            _, near = repeats.search.nearest(q[some], m, threads)
            exact = self._distances(q, np.repeat(some, m), repeats.first[near].ravel())
            # Up to k rows equal to each of them.
            members = repeats.members(near.ravel(), k)
            apart = np.where(members < len(self._table), exact[:, np.newaxis], np.inf).reshape(len(some), m * k)
            members = members.reshape(apart.shape)
            order = np.lexsort((members, apart))[:, :k]
            distances[start : start + size] = np.take_along_axis(apart, order, axis=1)
            ids[start : start + size] = np.take_along_axis(members, order, axis=1)
        return distances, ids

    def within(self, q: Table, radii: Doubles, threads: int, is_own: bool, is_ordered: bool) -> tuple[NDArray[np.int64], Doubles, IDs]:
        """All rows within the radius of each query, by distance or by row: query i has limits[i] up to limits[i + 1].

        If the queries are the table itself, a query's own row is left out.
        """
        q, narrow, errors = self._prepared(q)
        reach = min(float((radii + errors).max()) * (1 + 1e-9), 1e150)
        limits, _, near = self._index.range_search(narrow, reach if self._is_cosine else reach**2, threads=threads)
        rows = np.repeat(np.arange(len(q)), np.diff(limits))
        distances = self._distances(q, rows, near)
        is_in = (distances <= radii[rows]) & ((near != rows) | (not is_own))
        rows, distances, near = rows[is_in], distances[is_in], near[is_in]
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
        return distances if self._is_cosine else np.sqrt(distances)

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
                b /= np.maximum(_norms(b), 1e-300)[:, np.newaxis]
                distances[some] = np.maximum(1 - np.einsum("ij,ij->i", a, b), 0)
            else:
                distances[some] = _norms(a - b)
        return distances


class _Repeats:
    """The equal rows of a table: the first of each, in order, and those equal to it."""

    def __init__(self, table: Table) -> None:
        rows = np.ascontiguousarray(table).view(np.dtype((np.void, table.shape[1] * table.itemsize))).ravel()
        _, first, group = np.unique(rows, return_index=True, return_inverse=True)
        self.first: NDArray[np.int64] = np.sort(first)
        # Groups are numbered in the order of their first rows.
        group = np.argsort(np.argsort(first))[group]
        self._rows = np.append(np.argsort(group, kind="stable"), len(table))
        self._limits = np.concatenate([[0], np.cumsum(np.bincount(group))])
        self.search: Search | None = None

    def members(self, groups: NDArray[np.int64], k: int) -> NDArray[np.int64]:
        """The first k rows of each group, shape (groups, k); the number of rows of the table where there are no more."""
        places = self._limits[groups][:, np.newaxis] + np.arange(k)
        places[places >= self._limits[groups + 1][:, np.newaxis]] = len(self._rows) - 1
        found: NDArray[np.int64] = self._rows[places]
        return found


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


def _directions(table: Table) -> Table:
    """Rows of length 1; rows of zeros are unchanged, and the index rejects them."""
    wide = table.astype(np.float64)
    wide /= np.maximum(np.abs(wide).max(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    directions: Table = wide / np.maximum(_norms(wide), 1e-300)[:, np.newaxis]
    return directions
