"""The arguments of a recommendation in the library's form."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from kin import _arrays
from kin._arrays import Floats, IDs, address
from kin._signatures import Recommendation
from kin.errors import InvalidArgument

Examples: TypeAlias = ArrayLike | Sequence[object]
"""Vectors, ids of an index, or a list of both."""


class RecommendationRequest(Recommendation):
    """The structure of the library, with the arrays that it points into."""

    def __init__(self, positive: Examples, negative: Examples, exclude: ArrayLike, dimension: int) -> None:
        super().__init__(ctypes.sizeof(Recommendation))
        excluded = _arrays.ids(exclude, "exclude")
        self._arrays: list[object] = [excluded]
        for side, examples in (("positive", positive), ("negative", negative)):
            ids, rows = _split(examples, side, dimension)
            self._arrays += [ids, rows]
            setattr(self, side, address(rows))
            setattr(self, f"{side}_count", rows.shape[0])
            setattr(self, f"{side}_ids", address(ids))
            setattr(self, f"{side}_id_count", ids.size)
        self.excluded, self.excluded_count = address(excluded), excluded.size

    def limit_category(self, name: str, count: int) -> None:
        """Limits how often each value of an attribute may be in the list."""
        self.category, self.per_category = _arrays.text(name, "per_category"), _arrays.count(count, "per_category")


def _split(examples: Examples, side: str, dimension: int) -> tuple[IDs, Floats]:
    """The ids and the vectors among some examples."""
    parts = list(examples) if isinstance(examples, Sequence) else [examples]
    if parts and all(isinstance(part, float | np.floating) for part in parts):
        parts = [parts]
    arrays = [_arrays.array_of(part, side) for part in parts]
    if any(array.dtype.kind == "b" for array in arrays):
        raise InvalidArgument(f"{side} has truths; give ids or vectors, such as ids[mask]")
    ids = [_arrays.ids(array.reshape(-1), side) for array in arrays if array.dtype.kind in "iu"]
    vectors = [_arrays.rows_of(np.atleast_2d(array), side, dimension)[0] for array in arrays if array.dtype.kind not in "iu" and array.size]
    return np.concatenate([np.empty(0, np.int64), *ids]), np.concatenate([np.empty((0, dimension), np.float32), *vectors])
