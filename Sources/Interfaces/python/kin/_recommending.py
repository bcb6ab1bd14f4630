"""The arguments of a recommendation in the library's form."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from kin import _arrays
from kin._arrays import Floats, IDs, address
from kin._signatures import Recommendation
from kin.errors import InvalidArgument

Examples: TypeAlias = ArrayLike | Sequence[object]
"""Vectors, ids of an index, or a list of both."""


_IDS = "iuUT"
"""The kinds of NumPy's types for whole numbers and texts."""


class RecommendationRequest(Recommendation):
    """The structure of the library, with the arrays that it points into."""

    def __init__(self, positive: Examples, negative: Examples, excluded: IDs, dimension: int, numbers: Callable[..., IDs]) -> None:
        super().__init__(ctypes.sizeof(Recommendation))
        self._arrays: list[object] = [excluded]
        for side, examples in (("positive", positive), ("negative", negative)):
            ids, rows = _split(examples, side, dimension, numbers)
            self._arrays += [ids, rows]
            setattr(self, side, address(rows))
            setattr(self, f"{side}_count", rows.shape[0])
            setattr(self, f"{side}_ids", address(ids))
            setattr(self, f"{side}_id_count", ids.size)
        self.excluded, self.excluded_count = address(excluded), excluded.size

    def limit_category(self, name: str, count: int) -> None:
        """Limits how often each value of an attribute may be in the list."""
        self.category, self.per_category = _arrays.text(name, "per_category"), _arrays.count(count, "per_category")


def _split(examples: Examples, side: str, dimension: int, numbers: Callable[..., IDs]) -> tuple[IDs, Floats]:
    """The ids and the vectors among some examples; ``numbers`` converts ids to the numbers of the index."""
    parts = list(examples) if isinstance(examples, Sequence) and not isinstance(examples, str) else [examples]
    if parts and all(isinstance(part, float | np.floating) for part in parts):
        parts = [parts]
    arrays = [_arrays.array_of(part, side) for part in parts]
    if any(array.dtype.kind == "b" for array in arrays):
        raise InvalidArgument(f"{side} has truths; give ids or vectors, such as ids[mask]")
    ids = [numbers(array.reshape(-1), side, known=True) for array in arrays if array.dtype.kind in _IDS]
    vectors = [_arrays.rows_of(np.atleast_2d(array), side, dimension)[0] for array in arrays if array.dtype.kind not in _IDS and array.size]
    return np.concatenate([np.empty(0, np.int64), *ids]), np.concatenate([np.empty((0, dimension), np.float32), *vectors])
