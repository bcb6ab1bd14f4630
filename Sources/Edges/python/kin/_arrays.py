"""NumPy arrays as the library takes them: an address, a count and a stride."""

from __future__ import annotations

import base64
import os
from ctypes import addressof, c_char
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin import _arrow_reader
from kin._masks import unmasked
from kin.errors import InvalidArgument

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
IDs = NDArray[np.int64]

_FLOAT = np.dtype(np.float32)


def address(array: NDArray[Any]) -> int:
    """The address of an array's first element.

    By the buffer protocol, four times faster than ``array.ctypes.data``, where that works: for writable packed arrays.
    """
    try:
        return addressof(c_char.from_buffer(array))  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError):
        start: int = array.__array_interface__["data"][0]
        return start


Vectors = ArrayLike | _arrow_reader.ArrowStream | _arrow_reader.ArrowArray
"""What rows of numbers are taken from: arrays, or columns that lend themselves by Arrow's C data interface."""


def numbers(values: Vectors, name: str) -> NDArray[Any]:
    """Values as an array, which is theirs where they have one of this type; none of them may be masked."""
    if _arrow_reader.is_lent(values):
        try:
            values = _arrow_reader.matrix(values, name)
        except ImportError:
            # pandas without Arrow: its arrays are NumPy's.
            pass
    return np.asarray(unmasked(values, name), dtype=_FLOAT)


def rows(values: Vectors, name: str) -> tuple[Floats, int]:
    """Values as rows of floats, and their stride in bytes (0 when packed).

    Nothing is copied when they are a NumPy array of float32 whose rows are contiguous, even when rows lie apart (a
    slice like ``x[::2]`` or ``x[:, :16]``), or an Arrow column of lists of them in one piece.
    """
    array = numbers(values, name)
    if array.ndim != 2:
        raise InvalidArgument(f"{name} has {array.ndim} dimensions; it has 2: one row for each vector")
    if array.flags.c_contiguous and array.flags.aligned:
        return array, 0
    stride = array.strides[0]
    row = array.shape[1] * 4
    if array.flags.aligned and array.strides[1] == 4 and stride >= row and stride % 4 == 0:
        return array, stride
    return np.require(array, requirements=["C", "A"]), 0


def doubles(values: ArrayLike, name: str) -> Doubles:
    """Values as a packed array of doubles, none of which may be masked."""
    return np.require(unmasked(values, name), dtype=np.float64, requirements=["C", "A"])


def packed(values: ArrayLike, name: str) -> str:
    """Numbers as JSON has them in one text: the Base64 of 32-bit floats, the lowest byte first."""
    try:
        array = np.ascontiguousarray(unmasked(values, name), dtype="<f4")
    except (TypeError, ValueError) as failure:
        raise InvalidArgument(f"{name} are no numbers: {failure}") from None
    return base64.b64encode(array.data).decode("ascii")


def unpacked(text: str, columns: int) -> Floats:
    """The rows of floats that such a text has."""
    return np.frombuffer(base64.b64decode(text), dtype="<f4").astype(_FLOAT, copy=False).reshape(-1, max(columns, 1))


def ids(values: Vectors, name: str = "ids", *, rows: int | None = None) -> IDs:
    """Values as a packed row of 64-bit ids, one for each of so many rows; unsigned ones keep their bits, none may be masked."""
    array = _one_column(values, name) if _arrow_reader.is_lent(values) else np.asarray(unmasked(values, name))
    if array.dtype == np.uint64:
        array = array.view(np.int64)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise InvalidArgument(f"{name} are of type {array.dtype}; ids are whole numbers")
    if array.ndim != 1:
        raise InvalidArgument(f"{name} has {array.ndim} dimensions; it has 1")
    if rows is not None and array.size != rows:
        raise InvalidArgument(f"{rows} vectors need as many ids, but {array.size} were given")
    return np.require(array, dtype=np.int64, requirements=["C", "A"])


def _one_column(values: Any, name: str) -> NDArray[Any]:
    try:
        column = _arrow_reader.read(values)
    except ImportError:
        return np.asarray(values)
    if isinstance(column, dict):
        raise InvalidArgument(f"{name} is a table; give one column of it")
    return column.complete(name)


def count(value: int | None, name: str, default: int | None = None) -> int:
    """A number from 0 to 2⁶⁴ − 1, as the library's size_t; None stands for the default, where there is one."""
    if value is None and default is not None:
        return default
    number = -1 if value is None else int(value)
    if number != value or not 0 <= number < 1 << 64:
        raise InvalidArgument(f"{name} is {value}; it is a whole number from 0 on, below 2**64")
    return number


def threads(value: int | None) -> int:
    """A number of threads; None for one."""
    return count(value, "threads", default=1)


def text(value: str, name: str) -> bytes:
    """A text as UTF-8."""
    if "\0" in value:
        raise InvalidArgument(f"{name} has a character 0 in it")
    return value.encode()


def path(value: str | bytes | os.PathLike[str]) -> bytes:
    """A path as UTF-8."""
    name = os.fsencode(value)
    try:
        return text(name.decode(), "path")
    except UnicodeDecodeError:
        raise InvalidArgument(f"the path {name!r} is not UTF-8, which the library takes alone") from None
