"""NumPy arrays in the library's form: an address, a count and a stride."""

import base64
import contextlib
import os
from collections.abc import Iterable, Sequence
from ctypes import addressof, c_char
from numbers import Number
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin import _arrow_reader
from kin._precision import PrecisionReport
from kin.errors import DimensionMismatch, InvalidArgument, NotFinite

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
IDs = NDArray[np.int64]

_FLOAT = np.dtype(np.float32)


def address(array: NDArray[Any]) -> int:
    """The address of an array's first element.

    Uses the buffer protocol for writable packed arrays, four times faster than ``array.ctypes.data``. The library takes
    gaps between rows only, so an array whose rows are not packed is a mistake of the caller.
    """
    try:
        return addressof(c_char.from_buffer(array))  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError):
        if array.size > 1 and array.shape[-1] > 1 and array.strides[-1] != array.itemsize:
            raise InvalidArgument(f"the rows of an array of shape {array.shape} are not packed") from None
        start: int = array.__array_interface__["data"][0]
        return start


def address_or_none(array: NDArray[Any] | None) -> int | None:
    """The address of an optional array's first element."""
    return None if array is None else address(array)


def copied(start: int, count: int, kind: type[Any]) -> NDArray[Any]:
    """A copy of `count` 8-byte numbers in the library's memory."""
    if count == 0:
        return np.empty(0, dtype=kind)
    lent: Any = (c_char * (8 * count)).from_address(start)
    copy: NDArray[Any] = np.frombuffer(lent, dtype=kind).copy()
    return copy


Vectors = ArrayLike | _arrow_reader.ArrowStream | _arrow_reader.ArrowArray
"""Rows of numbers: arrays, or columns with Arrow's C data interface."""


def array_of(values: Any, name: str, dtype: Any = None, labels: Sequence[str] | None = None) -> NDArray[Any]:
    """Values as an array, without a copy if they are an array of this type; masked elements raise InvalidArgument.

    ``labels`` are the names of the columns, for errors.
    """
    if hasattr(values, "toarray") and hasattr(values, "nnz"):
        raise InvalidArgument(f"{name} is sparse; convert it by {name}.toarray()")
    if isinstance(values, np.ndarray):
        if isinstance(values, np.ma.MaskedArray):
            masked = np.argwhere(np.atleast_1d(np.ma.getmaskarray(values)))
            if len(masked):
                raise InvalidArgument(f"{name}: row {masked[0][0]} is masked; fill it in, or leave the row out")
    elif hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        try:
            values = np.from_dlpack(values)
        except (BufferError, RuntimeError, ValueError) as failure:
            raise InvalidArgument(f"{name}: the tensor is not lent: {failure}; copy it to the CPU") from None
    try:
        values = np.asarray(values)
        if dtype is not None and values.dtype.kind in "cmMV":
            raise TypeError(f"values of type {values.dtype} are no real numbers")
        with np.errstate(over="raise"):
            return np.asarray(values, dtype=dtype)
    except FloatingPointError:
        doubles = np.asarray(values, np.float64)
        place = tuple(np.argwhere(np.isfinite(doubles) & (np.abs(doubles) > np.finfo(np.float32).max))[0])
        row = f"row {place[0]}: " if doubles.ndim > 1 else ""
        row = f"row {place[0]} of column {labels[place[1]]!r}: " if labels else row
        raise NotFinite(f"{name}: {row}{doubles[place]:g} is too large for a 32-bit float") from None
    except (TypeError, ValueError, OverflowError) as failure:
        is_one = isinstance(values, np.ndarray) and values.dtype == object and values.ndim == 0
        reason = f"a {type(values.item()).__name__} holds no rows of numbers; convert it to an array or a table" if is_one else failure
        raise InvalidArgument(f"{name}: {reason}") from None


def numbers(values: Vectors, name: str, report: PrecisionReport | None = None) -> NDArray[Any]:
    """Values as an array of floats; fills in the report of merged values, if one is given."""
    if type(values) is np.ndarray and values.dtype == _FLOAT:
        return values
    labels = None
    if _arrow_reader.is_lent(values):
        # A library that needs a missing dependency may lend NumPy's arrays.
        with contextlib.suppress(ImportError):
            values, labels = matrix(values, name)
    if report is None:
        return array_of(values, name, _FLOAT, labels)
    array = array_of(values, name)
    if array.dtype == object:
        for place in np.argwhere([is_missing(value) for value in array.flat]):
            raise InvalidArgument(f"{name}: row {place[0] // (array.shape[-1] if array.ndim > 1 else 1)} has a missing number; fill it in, or leave the row out")
    floats = array_of(array, name, _FLOAT, labels)
    report.compare(array, floats, name, labels)
    return floats


def matrix(value: Any, name: str) -> tuple[NDArray[Any], list[str] | None]:
    """Rows of numbers: from a column of lists of equal length, or from a table of numeric columns, which have names."""
    columns = _arrow_reader.read(value)
    if isinstance(columns, _arrow_reader.Column):
        array = columns.complete(name)
        if array.dtype == object:
            raise InvalidArgument(f"{name}: the column holds no lists of numbers that are equally long and complete")
        return array, None
    return stacked(columns, name), list(columns)


def _is_numeric(values: NDArray[Any]) -> bool:
    return values.dtype.kind in "iufb" and values.ndim == 1


def stacked(columns: dict[str, _arrow_reader.Column], name: str) -> NDArray[Any]:
    """Numeric columns as one array, with a column for each of them."""
    wrong = [label for label, column in columns.items() if not _is_numeric(column.complete(f"{name}, column {label!r}"))]
    if wrong:
        # A text next to a column of lists is not part of the vector; the lists may be.
        label = min(wrong, key=lambda label: columns[label].values.dtype.kind in "iufb")
        remedy = "; choose the columns of the vector, or leave this one out" if len(columns) > 1 else ""
        raise InvalidArgument(f"{name}: column {label!r} holds no numbers{remedy}")
    parts = [column.values for column in columns.values()]
    if len({part.dtype for part in parts}) > 1 and any(part.dtype.kind in "iu" and (np.abs(part) > 1 << 53).any() for part in parts):
        # Doubles would merge some of these whole numbers.
        parts = [part.astype(np.longdouble) for part in parts]
    return np.column_stack(parts) if parts else np.empty((0, 0), np.float32)


def rows(values: Vectors, name: str, report: PrecisionReport | None = None) -> tuple[Floats, int]:
    """Values as rows of floats, and their stride in bytes (0 when packed).

    Nothing is copied for a NumPy array of float32 whose rows are contiguous, even with gaps between rows (a slice like
    ``x[::2]`` or ``x[:, :16]``), or for an Arrow column of lists of floats in one piece.
    """
    array = numbers(values, name, report)
    if array.ndim != 2:
        raise InvalidArgument(f"{name} has {array.ndim} dimensions; give 2, with a row for each vector")
    if array.flags.c_contiguous and array.flags.aligned:
        return array, 0
    stride = array.strides[0]
    row = array.shape[1] * 4
    if array.flags.aligned and array.strides[1] == 4 and stride >= row and stride % 4 == 0:
        return array, stride
    return np.require(array, requirements=["C", "A"]), 0


def rows_of(values: Vectors, name: str, dimension: int, report: PrecisionReport | None = None) -> tuple[Floats, int]:
    """As :func:`rows`, for vectors of an index with this dimension."""
    array, stride = rows(values, name, report)
    if array.shape == (0, 0):
        # A column of lists without a row has no list length.
        array = array.reshape(0, dimension)
    if array.shape[1] != dimension:
        raise DimensionMismatch(f"the index has {dimension} dimensions, {name} has {array.shape[1]}")
    return array, stride


Array = TypeVar("Array", bound=NDArray[Any])


def shaped(array: Array, name: str, *shape: int) -> Array:
    """The array, checked to have this shape."""
    if array.shape != shape:
        raise DimensionMismatch(f"{name} must have the shape {shape}, not {array.shape}")
    return array


def doubles(values: ArrayLike, name: str) -> Doubles:
    """Values as a packed array of doubles; masked elements raise InvalidArgument."""
    return np.require(array_of(values, name, np.float64), requirements=["C", "A"])


def packed(values: ArrayLike, name: str) -> str:
    """Numbers as one text for JSON: the Base64 of 32-bit floats, lowest byte first."""
    array = np.ascontiguousarray(array_of(values, name, "<f4"))
    return base64.b64encode(array.data).decode("ascii")


def unpacked(text: str, columns: int) -> Floats:
    """The rows of floats in a text of :func:`packed`."""
    return np.frombuffer(base64.b64decode(text), dtype="<f4").astype(_FLOAT, copy=False).reshape(-1, max(columns, 1))


def ids(values: Vectors, name: str = "ids", *, rows: int | None = None) -> IDs:
    """Values as packed 64-bit ids, one per row; unsigned ids keep their bits, masked ids raise InvalidArgument."""
    array = one_column(values, name)
    if array.dtype == np.uint64:
        array = array.view(np.int64)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind == "f" and (np.abs(array) <= 2**53).all() and (array == np.trunc(array)).all():
        # Whole numbers of a column that had a missing value.
        array = array.astype(np.int64)
    if array.dtype.kind in "UT" or (array.dtype == object and array.ndim == 1 and isinstance(array[0], str)):
        raise InvalidArgument(f"{name} must be whole numbers, not texts; np.unique({name}, return_inverse=True)[1] numbers them")
    if array.dtype.kind not in "iu":
        raise InvalidArgument(f"{name}: values of type {array.dtype} are given, but ids are whole numbers or texts, such as str(id)")
    if array.ndim != 1:
        raise InvalidArgument(f"{name} has {array.ndim} dimensions; give 1")
    if rows is not None and array.size != rows:
        raise InvalidArgument(f"{rows} vectors need as many ids, but {array.size} were given")
    return np.require(array, dtype=np.int64, requirements=["C", "A"])


def one_column(values: Any, name: str) -> NDArray[Any]:
    """One column of values, none of them missing."""
    column = _arrow_reader.one_column(values, name)
    if column is not None:
        return column.complete(name)
    array = array_of(values, name)
    if array.dtype.kind == "f" and isinstance(values, (list, tuple)) and all(isinstance(value, (int, np.integer)) for value in values):
        # NumPy makes doubles of a list with numbers from 2⁶³ on.
        with contextlib.suppress(OverflowError):
            return np.array(values, np.uint64)
    if array.dtype != object or array.ndim != 1:
        return array
    # Objects become an array of their type.
    for row, value in enumerate(array):
        if is_missing(value):
            raise InvalidArgument(f"{name}: row {row} is missing; fill it in, or leave the row out")
    return array_of(array.tolist(), name) if isinstance(values, list) else one_column(array.tolist(), name)


def is_missing(value: object) -> bool:
    """Whether a value is None, NaN, NaT or pandas.NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (Number, np.generic)) and bool(value != value)


def count(value: int | None, name: str, default: int | None = None, least: int = 0) -> int:
    """A whole number below 2⁶⁴, as the library's size_t; None means the default, if there is one."""
    if value is None and default is not None:
        return default
    try:
        number = int(value)  # type: ignore[arg-type]
        is_right = number == value and least <= number < 1 << 64
    except (TypeError, ValueError, OverflowError):
        is_right = False
    if not is_right:
        raise InvalidArgument(f"{name} must be a whole number from {least} on, below 2**64{', or left out' * (default is not None)}, not {value!r:.80}")
    return number


def real(value: float, name: str) -> float:
    """A number of any size; no text, although Python converts some."""
    try:
        if not isinstance(value, (str, bytes)):
            return float(value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InvalidArgument(f"{name} must be a number, not {value!r:.80}") from None


def pair(values: Sequence[float], name: str) -> tuple[float, float]:
    """Two numbers."""
    try:
        low, high = values
    except (TypeError, ValueError):
        raise InvalidArgument(f"{name} must be two numbers, such as (0, 1), not {values!r:.80}") from None
    return real(low, name), real(high, name)


def boolean(value: bool, name: str) -> bool:
    """True or False; any other value is an error."""
    if not isinstance(value, (bool, np.bool_)):
        raise InvalidArgument(f"{name} must be True or False, not {value!r:.80}")
    return bool(value)


def number_of(word: str, words: Sequence[str], what: str) -> int:
    """The number of a word in a vocabulary of the C headers."""
    if word not in words:
        raise InvalidArgument(f"there is no {what} {word!r:.80}; use one of {', '.join(words)}")
    return words.index(word)


def threads(value: int | None) -> int:
    """A number of threads; None means 1."""
    return count(value, "threads", default=1, least=1)


def text(value: str, name: str) -> bytes:
    """A text as UTF-8."""
    if not isinstance(value, str):
        raise InvalidArgument(f"{name} must be a text, not a {type(value).__name__}")
    if "\0" in value:
        raise InvalidArgument(f"{name} has a character 0 in it")
    try:
        return value.encode()
    except UnicodeEncodeError as failure:
        raise InvalidArgument(f"{name}: {failure}") from None


def several(values: Iterable[Any], name: str) -> list[Any]:
    """Texts as a list; a single text raises InvalidArgument."""
    if isinstance(values, str):
        raise InvalidArgument(f"{name} must be a list of texts, not {values!r:.80}; give [{values!r:.80}]")
    return list(values)


def path(value: str | bytes | os.PathLike[str]) -> bytes:
    """A path as UTF-8."""
    try:
        return text(os.fsencode(value).decode(), "path")
    except UnicodeError:
        raise InvalidArgument(f"the path {value!r} is not UTF-8, which the library takes alone") from None
