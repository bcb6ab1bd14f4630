"""Values of attributes in the library's form: an array whose layout depends on the kind, and a mask."""

import warnings
from collections.abc import Callable, Iterable, Mapping, Set
from functools import partial
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin import _arrow_reader
from kin._arrays import address, is_missing, number_of
from kin._library import Handle, call_bytes, library
from kin._signatures import ATTRIBUTE_KINDS
from kin.errors import InvalidArgument


def named_columns(columns: Mapping[str, Any] | _arrow_reader.ArrowStream) -> Iterable[tuple[str, Any]]:
    """The columns of a mapping or of a table with Arrow's interface, with their names."""
    if isinstance(columns, Mapping):
        return ((name, _values(name, values)) for name, values in columns.items())
    if not _arrow_reader.is_lent(columns):
        raise InvalidArgument(f"columns must be a mapping of names to arrays, or a data frame, not a {type(columns).__name__}")
    return ((name, column.optional()) for name, column in _arrow_reader.table(columns).items())


def _values(name: str, values: Any) -> Any:
    """The values of one attribute; for a column with Arrow's interface, with its missing values."""
    column = _arrow_reader.one_column(values, f"attribute {name}")
    return values if column is None else column.optional()


class Column:
    """Values of one attribute in memory that lives as long as this object."""

    def __init__(self, name: str, kind: str, values: ArrayLike, count: int) -> None:
        self.name, self.kind = name, kind
        try:
            if isinstance(values, Set):
                raise TypeError("a set has no order; give a list with a value for each id")
            self.values, self.present = _READERS[kind](_with_none(values))
        except (TypeError, ValueError) as failure:
            raise InvalidArgument(f"attribute {name}: {failure}") from None
        if len(self.present) != count:
            raise InvalidArgument(f"attribute {name}: {count} ids need as many values, but {len(self.present)} were given")

    @property
    def addresses(self) -> tuple[int, int]:
        """The addresses of the values, and of the Booleans that mark present values."""
        values = self.values.places if isinstance(self.values, _Words) else self.values
        return address(values), address(self.present)


class _Words:
    """Texts as addresses of zero-terminated UTF-8, 0 for None; repeated words are stored once."""

    def __init__(self, texts: list[Any]) -> None:
        first: dict[Any, int] = {}
        words: list[bytes] = []
        size = 0
        for text in texts:
            if text is None or (isinstance(text, str) and text in first):
                continue
            if not isinstance(text, str) or "\0" in text:
                raise TypeError(f"a category is a text without the character 0, not {text!r}")
            first[text] = size
            words.append(text.encode() + b"\0")
            size += len(words[-1])
        self._bytes = np.frombuffer(b"".join(words) or b"\0", np.uint8)
        start = address(self._bytes)
        first = {text: start + place for text, place in first.items()}
        first[None] = 0
        self.places: NDArray[np.uintp] = np.fromiter(map(first.__getitem__, texts), np.uintp, len(texts))


_PLAIN = {str, int, bool}


def _with_none(values: Any) -> Any:
    """Objects with None for NaN, NaT and pandas.NA, also within pairs; typed and masked arrays and texts unchanged."""
    if isinstance(values, (np.ma.MaskedArray, str, bytes)) or getattr(getattr(values, "dtype", None), "kind", "O") != "O":
        return values
    return [value if type(value) in _PLAIN else _pair_with_none(value) for value in values]


def _pair_with_none(value: Any) -> Any:
    if type(value) is float:
        return None if value != value else value
    if isinstance(value, (list, tuple)):
        return [part if type(part) in _PLAIN or not is_missing(part) else None for part in value]
    return None if is_missing(value) else value


Read = tuple[Any, NDArray[np.bool_]]


def _optional(values: ArrayLike, kind: type[np.generic]) -> Read:
    """Values, and a mask of those present; None and masked elements are missing."""
    mask = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    array = np.asarray(values)
    if array.dtype == object:
        given = _objects(values).tolist()
        mask = np.array([value is None for value in given], dtype=bool)
        array = np.array([kind().item() if value is None else value for value in given])
    if array.dtype == np.uint64 and kind is np.int64:
        present = array if mask is None else array[~mask]
        if present.size and present.max() >= 1 << 63:
            raise InvalidArgument(f"an integer attribute holds numbers up to 2**63 - 1, and one is {present.max()}")
    if array.dtype.kind == "f" and kind is np.int64:
        gone = np.isnan(array) if mask is None else np.isnan(array) | mask
        given = array[~gone]
        wrong = given[(np.abs(given) > 1 << 53) | (given != np.rint(given))]
        if wrong.size:
            raise TypeError(f"an integer attribute holds whole numbers, as floats up to 2**53, and one is {wrong[0]:g}; round it, or declare a number")
        mask = gone
        array = np.where(gone, 0, array).astype(np.int64)
    if array.size and not np.can_cast(array.dtype, kind, "same_kind"):
        raise TypeError(f"values of type {array.dtype} are given for {np.dtype(kind)}")
    present = np.ones(array.size, dtype=bool) if mask is None else ~mask
    return np.ascontiguousarray(_shaped(array), dtype=kind), np.ascontiguousarray(present)


def _shaped(array: NDArray[Any], dimensions: int = 1) -> NDArray[Any]:
    """The array, checked to have so many dimensions."""
    if array.ndim != dimensions:
        raise InvalidArgument(f"the values have {array.ndim} dimensions; they have {dimensions}")
    return array


def _objects(values: ArrayLike) -> NDArray[Any]:
    """The values as one-dimensional objects, with None for masked elements."""
    array = _shaped(np.array(values, dtype=object))
    if isinstance(values, np.ma.MaskedArray):
        array[np.ma.getmaskarray(values).ravel()] = None
    return array


def _filled(values: ArrayLike, kind: Any) -> ArrayLike:
    """The values with NaN or NaT for masked elements."""
    missing: Any = np.array("NaT" if kind != np.float64 else np.nan, kind)[()]
    if not isinstance(values, np.ma.MaskedArray):
        return values
    if values.dtype == object:
        values = np.ma.masked_array([missing if value is None else value for value in _objects(values)], dtype=kind)
    return np.ma.filled(values.astype(kind), missing)


def _types(values: ArrayLike) -> set[type]:
    """The types of the values: of objects without masked ones, or the scalar of an array's type."""
    given = np.asarray(values)
    if given.dtype.kind == "U" and isinstance(values, list):
        # Numbers among texts are texts by now.
        given = np.array(values, object)
    if given.dtype != object:
        return {given.dtype.type} if given.size else set()
    return set(map(type, np.ma.compressed(values if isinstance(values, np.ma.MaskedArray) else given)))


def _numbers(values: ArrayLike) -> Read:
    for kind in _types(values):
        if issubclass(kind, (str, bytes, np.datetime64, np.timedelta64)):
            raise TypeError(f"values of type {kind.__name__} are given for float64")
    array = _shaped(np.ascontiguousarray(_filled(values, np.float64), dtype=np.float64))
    given = np.ma.getdata(values)
    if given.dtype.kind in "iuO":
        large = np.flatnonzero(np.abs(array) >= 1 << 53)
        for number, rounded in zip(given[large].tolist(), array[large].tolist()):
            if isinstance(number, int) and number != rounded:
                raise InvalidArgument(f"{number} becomes {rounded:.0f} as a float64; declare the attribute as integer")
    return array, ~np.isnan(array)


def _categories(values: ArrayLike) -> Read:
    words = _Words(_objects(values).tolist())
    return words, words.places != 0


def _tags(values: Any) -> Read:
    if isinstance(values, np.ma.MaskedArray):
        none: Any = None
        values = np.where(np.ma.getmaskarray(values), none, values.data)
    words = _Words([_joined_tags(tags) for tags in values])
    return words, words.places != 0


def _joined_tags(tags: Any) -> str | None:
    """A set of tags as the library reads it: with the unit separator between two of them."""
    if tags is None:
        return None
    tags = tags.optional() if isinstance(tags, _arrow_reader.Column) else tags
    if isinstance(tags, (str, bytes)) or not isinstance(tags, Iterable):
        raise TypeError(f"a set of tags is a list of texts, such as ['red'], not {tags!r}")
    listed = list(tags)
    for tag in listed:
        if not isinstance(tag, str) or not tag or _SEPARATOR in tag or "\0" in tag:
            raise TypeError(f"a tag is a text with at least one character and no control characters, not {tag!r}")
    return _SEPARATOR.join(listed)


_SEPARATOR = "\x1f"


def _instants(values: ArrayLike, dimensions: int) -> NDArray[Any]:
    for kind in _types(values):
        if issubclass(kind, (Number, np.bool_)):
            raise TypeError(f"times are datetime64, not {kind.__name__}; for seconds since 1970 give np.array(values, 'M8[s]')")
    with warnings.catch_warnings():
        # Offsets are applied; NumPy only warns that it does not store them.
        warnings.filterwarnings("ignore", "no explicit representation of timezones")
        array = np.ascontiguousarray(_filled(values, "datetime64[us]"), dtype="datetime64[us]")
    given = np.asarray(values)
    if given.dtype.kind == "M" and not np.array_equal(array.astype("M8[D]"), given.astype("M8[D]"), equal_nan=True):
        # Microseconds overflow in the year 294247, beyond the largest year of a time.
        raise InvalidArgument("a time is outside the years 0 to 9999")
    return _shaped(array, dimensions)


def _times(values: ArrayLike) -> Read:
    array = _instants(values, 1)
    return array.view(np.int64), ~np.isnat(array)


def _time_ranges(values: ArrayLike) -> Read:
    pairs: Any = [[None, None] if pair is None else pair for pair in values] if isinstance(values, list) else values
    array = _instants(pairs, 2)
    if array.shape[1] != 2:
        raise InvalidArgument(f"time ranges have a start and an end, not {array.shape[1]} times")
    gaps = np.isnat(array)
    if (open_ranges := gaps[:, 0] != gaps[:, 1]).any():
        raise InvalidArgument(f"time range {int(np.argmax(open_ranges))} has one end; give both, or none for a missing value")
    return array.view(np.int64), ~gaps[:, 0]


_READERS: dict[str, Callable[[Any], Read]] = {
    "integer": partial(_optional, kind=np.int64),
    "number": _numbers,
    "category": _categories,
    "time": _times,
    "boolean": partial(_optional, kind=np.bool_),
    "time-range": _time_ranges,
    "tags": _tags,
}

# Reading


def _split_tags(text: str) -> list[str]:
    return text.split(_SEPARATOR) if text else []


_DTYPES: dict[str, tuple[Any, tuple[int, ...]]] = {
    "integer": (np.int64, ()),
    "number": (np.float64, ()),
    "time": ("datetime64[us]", ()),
    "boolean": (np.bool_, ()),
    "time-range": ("datetime64[us]", (2,)),
}
"""The type and the shape of each value, for the kinds that are not texts."""


def read_column(handle: Handle, name: str, kind: str, ids: NDArray[np.int64], shape: tuple[int, ...]) -> NDArray[Any]:
    """The values of one attribute of vectors, as an array of a shape."""
    present = np.empty(ids.size, np.bool_)
    arguments = (handle, name.encode(), number_of(kind, ATTRIBUTE_KINDS, "kind of attributes"), address(ids), ids.size)
    found = call_bytes(library.kin_index_get_attribute, arguments, 16 * ids.size, address(present))
    if kind in ("category", "tags"):
        words: list[Any] = found.tobytes().decode().split("\0")[:-1]
        texts: NDArray[Any] = np.fromiter(words if kind == "category" else map(_split_tags, words), object, ids.size)
        texts[~present] = None
        return texts.reshape(shape)
    dtype, each = _DTYPES[kind]
    values: NDArray[Any] = found.view(dtype).reshape(ids.size, *each)
    if kind in ("integer", "boolean"):
        values = np.ma.masked_array(values, ~present)
    else:
        values[~present] = np.nan if kind == "number" else np.datetime64("NaT")
    return values.reshape(*shape, *each)
