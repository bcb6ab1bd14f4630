"""The arguments of a recommendation, as the library takes them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from kin import _arrays
from kin._arrays import Floats, IDs, Vectors, address
from kin._signatures import Recommendation

Examples: TypeAlias = ArrayLike | Sequence[object]
"""Vectors, ids of an index, or a list of both."""


class Wanted(Recommendation):
    """The structure of the library, with the arrays that it points into."""

    def __init__(self, positive: tuple[IDs, Floats], negative: tuple[IDs, Floats], excluded: IDs) -> None:
        super().__init__(ctypes.sizeof(Recommendation))
        self._arrays = (positive, negative, excluded)
        for side, (ids, rows) in (("positive", positive), ("negative", negative)):
            setattr(self, side, address(rows))
            setattr(self, f"{side}_count", rows.shape[0])
            setattr(self, f"{side}_ids", address(ids))
            setattr(self, f"{side}_id_count", ids.size)
        self.excluded, self.excluded_count = address(excluded), excluded.size


def examples(given: Examples, side: str, rows: Callable[[Vectors, str], tuple[Floats, int]]) -> tuple[IDs, Floats]:
    """The ids and the vectors among some examples; `rows` checks vectors of an index."""
    parts = list(given) if isinstance(given, Sequence) else [given]
    if parts and all(isinstance(part, float | np.floating) for part in parts):
        parts = [parts]
    arrays = [_arrays.array_of(part, side) for part in parts]
    ids = [_arrays.ids(array.reshape(-1), side) for array in arrays if array.dtype.kind in "iu"]
    vectors = [rows(np.atleast_2d(array), side)[0] for array in arrays if array.dtype.kind not in "iu" and array.size]
    none, _ = rows(np.empty((0, 0), np.float32), side)
    return np.concatenate([np.empty(0, np.int64), *ids]), np.concatenate([none, *vectors])
