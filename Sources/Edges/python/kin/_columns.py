"""The values of attributes as the library takes them: an array whose layout depends on the kind, and which are present."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin import _arrow_reader
from kin._arrays import address
from kin._signatures import ATTRIBUTE_KINDS
from kin.errors import InvalidArgument


def kind_number(kind: str) -> int:
    """The number of a kind of attributes."""
    if kind not in ATTRIBUTE_KINDS:
        raise InvalidArgument(f"there is no kind {kind!r} of attributes; use one of {', '.join(ATTRIBUTE_KINDS)}")
    return ATTRIBUTE_KINDS.index(kind)


def named_columns(columns: Mapping[str, ArrayLike] | _arrow_reader.ArrowStream) -> Iterable[tuple[str, Any]]:
    """The columns of a mapping, or of a table or in a mapping lent by Arrow's interface, with their names."""
    if isinstance(columns, Mapping):
        return ((name, _values(name, values)) for name, values in columns.items())
    try:
        lent = _arrow_reader.read(columns)
    except ImportError as failure:
        raise InvalidArgument(f"the columns are not lent: {failure}; give a mapping of names to arrays") from None
    if isinstance(lent, _arrow_reader.Column):
        raise InvalidArgument("a column was given where a table is needed, whose columns have the names of attributes")
    return ((name, column.optional()) for name, column in lent.items())


def _values(name: str, values: Any) -> Any:
    """The values of one attribute, those of a column that is lent with what is missing."""
    if not _arrow_reader.is_lent(values):
        return values
    try:
        column = _arrow_reader.read(values)
    except ImportError:
        return values
    if isinstance(column, dict):
        raise InvalidArgument(f"attribute {name}: a table was given where a column is needed")
    return column.optional()


class Column:
    """Values of one attribute in memory that lives as long as this object."""

    def __init__(self, name: str, kind: str, values: ArrayLike, count: int) -> None:
        try:
            self.values, self.present = _READERS[kind](values)
        except (TypeError, ValueError) as failure:
            raise InvalidArgument(f"attribute {name}: {failure}") from None
        if len(self.present) != count:
            raise InvalidArgument(f"attribute {name}: {count} ids need as many values, but {len(self.present)} were given")

    @property
    def addresses(self) -> tuple[int, int]:
        """The addresses of the values and of a truth value for each, whether it is present."""
        values = self.values
        first = address(values) if isinstance(values, np.ndarray) else ctypes.addressof(values)
        return first, address(self.present)


Read = tuple[Any, NDArray[np.bool_]]


def _optional(values: ArrayLike, kind: type[np.generic]) -> Read:
    """Values of which None, and what a masked array masks, are missing."""
    mask = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    array = np.asarray(values)
    if array.dtype == object:
        missing = np.array([value is None for value in array.ravel()], dtype=bool)
        array = np.array([kind().item() if value is None else value for value in array.ravel()])
        mask = missing
    if array.size and not np.can_cast(array.dtype, kind, "same_kind"):
        raise TypeError(f"values of type {array.dtype} are given for {np.dtype(kind)}")
    if array.ndim != 1:
        raise ValueError(f"the values have {array.ndim} dimensions; they have 1")
    present = np.ones(array.size, dtype=bool) if mask is None else ~mask
    return np.ascontiguousarray(array, dtype=kind), np.ascontiguousarray(present)


def _filled(values: ArrayLike, kind: Any) -> ArrayLike:
    """The values with NaN or NaT in the places that a masked array masks."""
    missing: Any = np.array("NaT" if kind != np.float64 else np.nan, kind)[()]
    return np.ma.filled(values.astype(kind), missing) if isinstance(values, np.ma.MaskedArray) else values


def _integers(values: ArrayLike) -> Read:
    return _optional(values, np.int64)


def _booleans(values: ArrayLike) -> Read:
    return _optional(values, np.bool_)


def _numbers(values: ArrayLike) -> Read:
    array = np.ascontiguousarray(_filled(values, np.float64), dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"the values have {array.ndim} dimensions; they have 1")
    return array, ~np.isnan(array)


def _categories(values: ArrayLike) -> Read:
    texts = np.asarray(values, dtype=object).tolist()
    for text in texts:
        if text is not None and (not isinstance(text, str) or "\0" in text):
            raise TypeError(f"a category is a text without the character 0, not {text!r}")
    present = np.array([text is not None for text in texts], dtype=bool)
    encoded = [None if text is None else text.encode() for text in texts]
    return (ctypes.c_char_p * len(texts))(*encoded), present


def _instants(values: ArrayLike, dimensions: int) -> NDArray[Any]:
    array = np.ascontiguousarray(_filled(values, "datetime64[us]"), dtype="datetime64[us]")
    if array.ndim != dimensions:
        raise ValueError(f"the values have {array.ndim} dimensions; they have {dimensions}")
    return array


def _times(values: ArrayLike) -> Read:
    array = _instants(values, 1)
    return array.view(np.int64), ~np.isnat(array)


def _time_ranges(values: ArrayLike) -> Read:
    array = _instants(values, 2)
    if array.shape[1] != 2:
        raise ValueError(f"time ranges have a start and an end, not {array.shape[1]} times")
    return array.view(np.int64), ~np.isnat(array).any(axis=1)


_READERS = {
    "integer": _integers,
    "number": _numbers,
    "category": _categories,
    "time": _times,
    "boolean": _booleans,
    "time-range": _time_ranges,
}
