"""The arguments of a recommendation in the library's form."""

import ctypes
from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin import _arrays
from kin._arrays import Floats, IDs, address
from kin._signatures import Recommendation
from kin.errors import InvalidArgument

Examples: TypeAlias = ArrayLike | Sequence[object]
"""Vectors, ids of an index, or a list of both."""

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
    if parts and all(isinstance(part, Real) for part in parts) and not all(isinstance(part, Integral) for part in parts):
        parts = [parts]
    arrays = [_arrays.array_of(part, side) for part in parts]
    arrays = [_arrays.one_column(part, side) if array.dtype == object and array.ndim == 1 else array for part, array in zip(parts, arrays)]
    if any(array.dtype.kind == "b" for array in arrays):
        raise InvalidArgument(f"{side} has truths; give ids or vectors, such as ids[mask]")
    is_id = [_has_ids(part, array) for part, array in zip(parts, arrays)]
    ids = [numbers(array.reshape(-1), side, known=True) for array, are in zip(arrays, is_id) if are]
    vectors = [_arrays.rows_of(np.atleast_2d(array), side, dimension)[0] for array, are in zip(arrays, is_id) if not are and array.size]
    return np.concatenate([np.empty(0, np.int64), *ids]), np.concatenate([np.empty((0, dimension), np.float32), *vectors])


def _has_ids(part: object, array: NDArray[Any]) -> bool:
    """Whether a part has ids: one text, a column of texts, or whole numbers that are not a row of a list of rows."""
    if array.ndim > 1 or array.dtype.kind not in "iuUTO":
        return False
    return array.ndim == 1 if array.dtype == object else array.dtype.kind in "UT" or not isinstance(part, (list, tuple))
