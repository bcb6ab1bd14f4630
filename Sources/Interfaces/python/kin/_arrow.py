"""Columns for consumers of Arrow's C data interface: https://arrow.apache.org/docs/format/CDataInterface.html.

A consumer may move a structure and release it at its new address, so the data of a structure is looked up by the number
in its ``private_data``, and stays alive until the release.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

from kin.errors import InvalidArgument


class Column(NamedTuple):
    """A column to export. A column of lists has a child: the column of their elements."""

    name: str
    format: str
    length: int
    nulls: int
    buffers: Sequence[NDArray[Any] | None]
    children: Sequence[Column] = ()


class _Releasable(ctypes.Structure):
    release: Any
    private_data: Any
    n_children: Any
    children: Any


class _Schema(_Releasable):
    pass


class _Array(_Releasable):
    pass


class _Stream(_Releasable):
    n_children = 0


_END = [("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]
_Schema._fields_ = [
    *((name, ctypes.c_char_p) for name in ("format", "name", "metadata")),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.c_void_p),
    *_END,
]
_Array._fields_ = [
    *((name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.c_void_p),
    *_END,
]
_Stream._fields_ = [("get_schema", ctypes.c_void_p), ("get_next", ctypes.c_void_p), ("get_last_error", ctypes.c_void_p), *_END]

_NULLABLE = 2
_kept: dict[int, Any] = {}
_numbers = itertools.count(1)
# The streams of capsules, by their addresses.
_capsules: dict[int, _Stream] = {}


def stream(columns: Sequence[Column], length: int) -> object:
    """A capsule with a stream of one batch of columns."""
    made = _filled(_Stream(_address(_get_schema), _address(_get_next), _address(_get_error)), _release_stream, [columns, length])
    address = ctypes.addressof(made)
    _capsules[address] = made
    return _new_capsule(address, _STREAM, _address(_drop_capsule))


def _filled(made: Any, release: Any, kept: Any) -> Any:
    """A structure that owns an object until it is released."""
    made.private_data = next(_numbers)
    made.release = _address(release)
    _kept[made.private_data] = kept
    return made


def _pointers(children: Sequence[Any], kind: Any) -> Any:
    return (ctypes.POINTER(kind) * len(children))(*map(ctypes.pointer, children))


def _schema(format: str, name: str, flags: int, children: Sequence[_Schema] = ()) -> Any:
    texts, pointers = (format.encode(), name.encode()), _pointers(children, _Schema)
    return _filled(_Schema(*texts, None, flags, len(children), pointers), _release_schema, (texts, pointers, children))


def _array(length: int, nulls: int, buffers: Sequence[NDArray[Any] | None], children: Sequence[_Array] = ()) -> Any:
    addresses = (ctypes.c_void_p * len(buffers))(*[None if buffer is None else buffer.ctypes.data for buffer in buffers])
    pointers = _pointers(children, _Array)
    made = _Array(length, nulls, 0, len(buffers), len(children), addresses, pointers)
    return _filled(made, _release_array, (addresses, buffers, pointers, children))


def _address(function: Any) -> Any:
    return ctypes.cast(function, ctypes.c_void_p)


def _forever(kind: Any, function: Any) -> Any:
    """A C callback that is never freed: at the interpreter's exit, structures are released after this module."""
    callback = kind(function)
    _forever_kept(callback)
    return callback


_forever_kept = ctypes.PYFUNCTYPE(None, ctypes.py_object)(("Py_IncRef", ctypes.pythonapi))


def _releasing(kind: type[_Releasable], kept: dict[int, Any], addressof: Callable[[Any], int]) -> Any:
    # Uses no globals and no builtin functions, because they may be gone.
    def release(address: int) -> None:
        released = kind.from_address(address)
        number = released.n_children
        while number:
            number -= 1
            child = released.children[number].contents
            if child.release:
                release(addressof(child))
        kept.pop(released.private_data, None)
        released.release = None

    return _forever(ctypes.CFUNCTYPE(None, ctypes.c_void_p), release)


_release_schema, _release_array, _release_stream = (
    _releasing(kind, _kept, ctypes.addressof) for kind in (_Schema, _Array, _Stream)
)


def _writing(make: Callable[[list[Any]], Any]) -> Any:
    """A function of a stream that writes the result of `make`, called with the stream's columns and length."""

    def write(address: int, output: int) -> int:
        try:
            made = make(_kept[_Stream.from_address(address).private_data])
            ctypes.memmove(output, ctypes.addressof(made), ctypes.sizeof(made))
            return 0
        except Exception:  # noqa: BLE001, nothing may be raised into C
            return 12

    return _forever(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p), write)


def _struct(kept: list[Any]) -> Any:
    return _schema("+s", "", 0, [_column_schema(column) for column in kept[0]])


def _column_schema(column: Column) -> Any:
    return _schema(column.format, column.name, _NULLABLE, [_column_schema(child) for child in column.children])


def _column_array(column: Column) -> Any:
    return _array(column.length, column.nulls, column.buffers, [_column_array(child) for child in column.children])


def _batch(kept: list[Any]) -> Any:
    columns, length = kept
    if length is None:
        return _Array()
    kept[1] = None
    return _array(length, 0, [None], [_column_array(column) for column in columns])


_get_schema, _get_next = _writing(_struct), _writing(_batch)
_get_error = _forever(ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p), lambda address: None)

_STREAM = b"arrow_array_stream"
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi)
)
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))


def _dropping(pointer: Any, name: bytes, capsules: dict[int, _Stream], release: Any) -> Any:
    def drop(capsule: int) -> None:
        address = pointer(capsule, name)
        made = capsules.pop(address)
        if made.release:
            release(address)

    return _forever(ctypes.PYFUNCTYPE(None, ctypes.c_void_p), drop)


_drop_capsule = _dropping(_capsule_pointer, _STREAM, _capsules, _release_stream)


class _Owner:
    """Imported structures; releases them when nothing refers to them any more."""

    def __init__(self) -> None:
        self.lent: list[Any] = []

    def take(self, structure: Any) -> Any:
        self.lent.append((structure, _Release(structure.release), ctypes.addressof))
        return structure

    def __del__(self) -> None:
        for structure, release, addressof in self.lent:
            release(addressof(structure))


_Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Get = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_GetError = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)


def _next(stream: Any, kind: Any, get: int) -> Any:
    made = kind()
    failed = _Get(get)(ctypes.addressof(stream), ctypes.addressof(made))
    if failed:
        said = _GetError(stream.get_last_error)(ctypes.addressof(stream)) if stream.get_last_error else None
        raise InvalidArgument(f"an Arrow stream failed: {said.decode(errors='replace') if said else failed}")
    return made
