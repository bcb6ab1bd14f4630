"""Columns of other libraries by Arrow's C data interface: pyarrow, Polars, pandas and any library with the interface.

Numbers are read in place. The structures are released when the last array that uses them is gone.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from kin._arrow import _STREAM, _Array, _capsule_pointer, _next, _Owner, _Schema, _Stream
from kin._zones import length_text, time_texts
from kin.errors import InvalidArgument


@runtime_checkable
class ArrowStream(Protocol):
    """A table, or a column in pieces, that can be exported as an Arrow stream."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


@runtime_checkable
class ArrowArray(Protocol):
    """A column or a batch in one piece that can be exported as an Arrow array."""

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...


class Column:
    """The values of a column as NumPy has them, the mask of missing values (or None), and the time zone of instants."""

    is_index = False
    """Whether it is an index of pandas."""

    def __init__(self, values: Any, missing: NDArray[np.bool_] | None, zone: str | None = None) -> None:
        self.values = values
        self.missing = missing if missing is not None and missing.any() else None
        self.zone = zone
        if self.missing is not None and not isinstance(values, dict) and values.dtype == object:
            values[self.missing] = None

    def __len__(self) -> int:
        return len(next(iter(self.values.values()), ())) if isinstance(self.values, dict) else len(self.values)

    def __getitem__(self, rows: Any) -> Column:
        missing = None if self.missing is None else self.missing[rows]
        if isinstance(self.values, dict):
            return Column({name: column[rows] for name, column in self.values.items()}, missing)
        return Column(self.values[rows], missing, self.zone)

    def complete(self, name: str) -> NDArray[Any]:
        """The values of a column without missing values."""
        if self.missing is not None:
            raise InvalidArgument(f"{name}: row {int(np.argmax(self.missing))} is null; fill it in, or leave the row out")
        array: NDArray[Any] = self.values
        return array

    def optional(self) -> Any:
        """The values, with NaN, NaT, None or a mask for missing values."""
        array = self.values
        if array.dtype == object:
            lists = [value.optional() for value in array if isinstance(value, Column)]
            if len({(part.shape, part.dtype) for part in lists}) != 1 or lists[0].dtype.kind not in "fM":
                return array
            rows = np.full((len(array), *lists[0].shape), "NaT" if lists[0].dtype.kind == "M" else np.nan, lists[0].dtype)
            rows[[value is not None for value in array]] = lists
            return rows
        if self.missing is None:
            return array
        if array.dtype.kind in "fM":
            array = array.copy()
            array[self.missing] = np.nan if array.dtype.kind == "f" else np.datetime64("NaT")
            return array
        return np.ma.masked_array(array, self.missing)

    def plain(self) -> list[Any]:
        """The values as JSON has them; None for missing values."""
        array = self.values
        if isinstance(array, dict):
            listed: list[Any] = _rows(array)
        elif array.dtype.kind == "M":
            listed = time_texts(array if self.missing is None else np.where(self.missing, np.zeros((), array.dtype), array), self.zone)
        elif array.dtype.kind == "m":
            listed = [None if length is None else length_text(length) for length in array.astype("m8[us]").tolist()]
        elif array.dtype == object:
            listed = [value.plain() if isinstance(value, Column) else value for value in array]
        else:
            listed = array.tolist()
            if array.dtype.kind == "f" and np.isnan(array).any():
                listed = [None if value != value else value for value in listed]
        return listed if self.missing is None else [None if gone else value for value, gone in zip(listed, self.missing)]


def _rows(columns: dict[str, Column]) -> list[dict[str, Any]]:
    """Columns as objects, without missing values."""
    rows = zip(*(column.plain() for column in columns.values()))
    return [{name: value for name, value in zip(columns, row) if value is not None} for row in rows]


def is_lent(value: object) -> bool:
    """Whether an object has Arrow's interface, or is an index or an array of pandas; NumPy's arrays are read directly."""
    if isinstance(value, (np.ndarray, list, tuple, dict, str)):
        return False
    return isinstance(value, (ArrowStream, ArrowArray)) or (hasattr(value, "isna") and hasattr(value, "to_numpy") and not hasattr(value, "levels"))


def read(value: Any, with_index: bool = False) -> dict[str, Column] | Column:
    """The columns of a table by name, or a single column; a pandas index only if it has a name, ``with_index``.

    A library that needs a missing dependency raises ImportError. The columns of pandas are then read without it, and if
    pyarrow does not convert them.
    """
    from kin import _pandas_reader

    if not getattr(getattr(value, "columns", None), "is_unique", True):
        raise _repeated(value.columns.tolist())
    try:
        owner, schema, arrays = _borrowed(value)
    except (ArithmeticError, ImportError, NotImplementedError, TypeError, ValueError):
        if not hasattr(value, "isna"):
            raise
        return _pandas_reader.read(value, with_index)
    column = _joined([_column(schema, array, 0, array.length, owner) for array in arrays] or [_empty(schema)])
    if isinstance(column.values, dict):
        for name in _pandas_reader.index_columns(schema) & column.values.keys():
            column.values[name].is_index = True
        return {
            name: part for name, part in column.values.items()
            if not ((part.is_index and not with_index) or name.startswith("__index_level_"))
        }
    return column


def records(value: Any) -> list[Any]:
    """The rows of a table as objects, without nulls, or the values of a column. Instants of a column with a zone have its offset."""
    columns = _lent(value, with_index=True)
    return columns.plain() if isinstance(columns, Column) else _records(columns)


def records_and_zone(value: Any) -> tuple[list[dict[str, Any]], str | None]:
    """The rows of a table as objects, and the time zone of its first column with one, unless it is UTC or an offset."""
    columns = table(value, with_index=True)
    zones = [column.zone for column in columns.values() if column.zone]
    return _records(columns), next((zone for zone in zones if "/" in zone and not zone.startswith("Etc/")), None)


def _records(columns: dict[str, Column]) -> list[dict[str, Any]]:
    return _rows({name: column for name, column in columns.items() if not is_row_number(name, column)})


def one_column(value: Any, name: str) -> Column | None:
    """A column with Arrow's interface; None for other values, and if a library needs a missing dependency. A table raises InvalidArgument."""
    if not is_lent(value):
        return None
    try:
        column = read(value)
    except ImportError:
        return None
    if isinstance(column, dict):
        raise InvalidArgument(f"{name} is a table; give one column of it")
    return column


def table(value: Any, with_index: bool = False) -> dict[str, Column]:
    """The columns of a table by name; a column, or a table that cannot be read, raises InvalidArgument."""
    columns = _lent(value, with_index)
    if isinstance(columns, Column):
        raise InvalidArgument("a column was given where a table is needed: one with a named column for each field")
    return columns


def _lent(value: Any, with_index: bool) -> dict[str, Column] | Column:
    try:
        return read(value, with_index)
    except ImportError as failure:
        raise InvalidArgument(f"the {type(value).__name__} does not lend its columns: {failure}") from None


def is_row_number(name: str, column: Column) -> bool:
    """Whether a column numbers rows: different whole numbers without a name or as `Unnamed: 0`, an ascending `row`, or a count from 0 or 1."""
    values = column.values
    is_frames = name in ("", "Unnamed: 0") or name.startswith("Unnamed: 0.")
    if not is_frames and name not in ("index", "row") and not name.startswith("Unnamed: "):
        return False
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "iu" or column.missing is not None:
        return False
    if name == "row":
        return len(values) > 0 and values[0] >= 0 and bool((values[1:] > values[:-1]).all())
    if not is_frames:
        return any((values == np.arange(first, first + len(values))).all() for first in (0, 1))
    return len(set(values.tolist())) == len(values)


def _borrowed(value: Any) -> tuple[_Owner, Any, list[Any]]:
    if not isinstance(value, (ArrowStream, ArrowArray)):
        raise ImportError("it has no interface of Arrow")
    owner = _Owner()
    if isinstance(value, ArrowStream):
        capsule: object = value.__arrow_c_stream__()
        stream = _Stream.from_address(_capsule_pointer(id(capsule), _STREAM))
        schema = owner.take(_next(stream, _Schema, stream.get_schema))
        arrays = []
        while (array := _next(stream, _Array, stream.get_next)).release:
            arrays.append(owner.take(array))
        return owner, schema, arrays
    # The structures are moved out of their capsules, which then release nothing.
    moved = []
    for capsule, name, kind in zip(value.__arrow_c_array__(), (b"arrow_schema", b"arrow_array"), (_Schema, _Array)):
        lent = kind.from_address(_capsule_pointer(id(capsule), name))
        moved.append(owner.take(kind.from_buffer_copy(lent)))
        lent.release = None
    return owner, moved[0], [moved[1]]


def _view(address: int | None, kind: Any, count: int, owner: _Owner) -> NDArray[Any]:
    """Numbers at an address; the array keeps the imported structures alive."""
    size = count * np.dtype(kind).itemsize
    if not address or size == 0:
        return np.empty(0, kind)
    memory = (ctypes.c_char * size).from_address(address)
    memory._owner = owner
    numbers = np.frombuffer(memory, kind)
    numbers.flags.writeable = False
    return numbers


class _Slice:
    """Rows of an imported array: its schema, the first row, counted from the start of its buffers, and their number."""

    def __init__(self, schema: Any, array: Any, offset: int, length: int, owner: _Owner) -> None:
        self.schema, self.array, self.first, self.length, self.owner = schema, array, array.offset + offset, length, owner
        self.format: str = schema.format.decode()

    def numbers(self, kind: Any, more: int = 0) -> NDArray[Any]:
        """A number for each row from the buffer of values, and some more after them."""
        return _view(self.array.buffers[1], kind, self.first + self.length + more, self.owner)[self.first :]

    def bits(self, buffer: int) -> NDArray[np.bool_]:
        """A bit for each row."""
        packed = _view(self.array.buffers[buffer], np.uint8, (self.first + self.length + 7) // 8, self.owner)
        return np.unpackbits(packed, bitorder="little", count=self.first + self.length)[self.first :].view(np.bool_)

    def child(self, number: int, first: int, length: int) -> Column:
        """Rows of a nested column."""
        return _column(self.schema.children[number].contents, self.array.children[number].contents, first, length, self.owner)


def _column(schema: Any, array: Any, offset: int, length: int, owner: _Owner) -> Column:
    """The rows from an offset on, which is added to the column's own offset."""
    rows = _Slice(schema, array, offset, length, owner)
    has_nulls = array.null_count and array.n_buffers and array.buffers[0]
    missing = ~rows.bits(0) if has_nulls else None
    if schema.dictionary:
        lent = _Array.from_address(array.dictionary)
        words = _column(_Schema.from_address(schema.dictionary), lent, 0, lent.length, owner)
        places = rows.numbers(_NUMBERS[rows.format]).astype(np.int64)
        return _looked_up(words, places, missing if missing is not None else np.zeros(length, bool))
    if rows.format == "n":
        return Column(np.full(length, None), np.ones(length, bool))
    zone = rows.format[4:] if rows.format[:2] == "ts" else ""
    return Column(_values(rows), missing, zone or None)


def _looked_up(words: Column, places: NDArray[Any], missing: NDArray[np.bool_]) -> Column:
    """The words at some places; places of missing values are meaningless."""
    if isinstance(words.values, np.ndarray) and words.values.dtype != object and len(words):
        places[missing] = 0
        found = words[places]
        return Column(found.values, missing if found.missing is None else missing | found.missing, words.zone)
    # The place of a missing value becomes the place of the None at the end.
    places[missing] = len(words)
    values = _objects([*words.optional(), None])[places]
    return Column(values, np.array([word is None for word in values], bool))


def _empty(schema: Any) -> Column:
    """A column without rows, for a stream without batches."""
    if schema.format[:2] in (b"+w", b"+l", b"+L"):
        return Column(_cut(_empty(schema.children[0].contents), np.zeros(1, np.int64), _width(schema)), None)
    children = [schema.children[number].contents for number in range(schema.n_children)] if schema.format == b"+s" else None
    return Column(np.empty(0) if children is None else {child.name.decode(): _empty(child) for child in children}, None)


_NUMBERS = {"c": "i1", "C": "u1", "s": "<i2", "S": "<u2", "i": "<i4", "I": "<u4", "l": "<i8", "L": "<u8", "e": "<f2", "f": "<f4", "g": "<f8"}
_TIMES = {f"t{kind}{unit[0]}": ("<i8", f"{name}[{unit}]") for kind, name in (("s", "M8"), ("t", "M8"), ("D", "m8")) for unit in ("s", "ms", "us", "ns")}
_TIMES |= {"tdD": ("<i4", "M8[D]"), "tdm": ("<i8", "M8[ms]"), "tts": ("<i4", "M8[s]"), "ttm": ("<i4", "M8[ms]")}


def _values(rows: _Slice) -> Any:
    if rows.format in _NUMBERS:
        return rows.numbers(_NUMBERS[rows.format])
    read = _times if rows.format[:3] in _TIMES else _READERS.get(rows.format.partition(":")[0])
    if read is None:
        name = (rows.schema.name or b"").decode()
        raise InvalidArgument(f"column {name!r} has the Arrow type {rows.format!r}, which is not read; convert it to text first, in pandas by .astype(str)")
    return read(rows)


def _times(rows: _Slice) -> NDArray[Any]:
    numbers, kind = _TIMES[rows.format[:3]]
    ticks = rows.numbers(numbers).astype(np.int64).view(kind)
    if rows.format[:2] == "tt":
        return _objects(text[11:] for text in np.datetime_as_string(ticks, "s").tolist())
    return ticks.astype("M8[D]") if rows.format == "tdm" else ticks


def _decimals(rows: _Slice) -> NDArray[Any]:
    """Decimal numbers as the nearest doubles; their bytes are whole numbers of units in the last place."""
    _, scale, size = (*map(int, rows.format[2:].split(",")), 128)[:3]
    data = rows.numbers(f"V{size // 8}").tobytes()
    units = (int.from_bytes(data[at : at + size // 8], "little", signed=True) for at in range(0, len(data), size // 8))
    return np.fromiter((unit / 10**scale for unit in units), np.float64, rows.length)


def _texts(rows: _Slice) -> NDArray[Any]:
    ends = rows.numbers(np.int64 if rows.format == "U" else np.int32, more=1).tolist() or [0]
    data = _view(rows.array.buffers[2], np.uint8, ends[-1], rows.owner).tobytes()
    return _objects(data[a:b].decode() for a, b in zip(ends[:-1], ends[1:]))


def _text_views(rows: _Slice) -> NDArray[Any]:
    """Texts of up to 12 bytes are stored in their view; longer texts have the number of a buffer and a place in it."""
    views = rows.numbers("V16").tobytes()

    def text(view: bytes) -> str:
        size, _, buffer, place = (int.from_bytes(view[at : at + 4], "little") for at in (0, 4, 8, 12))
        return (view[4 : 4 + size] if size <= 12 else ctypes.string_at(rows.array.buffers[2 + buffer] + place, size)).decode()

    present = rows.bits(0) if rows.array.buffers[0] else np.ones(rows.length, bool)
    return _objects(text(views[16 * row : 16 * row + 16]) if present[row] else None for row in range(rows.length))


def _equal_lists(rows: _Slice) -> NDArray[Any]:
    size = _width(rows.schema)
    return _cut(rows.child(0, rows.first * size, rows.length * size), np.arange(rows.length + 1) * size, size)


def _width(schema: Any) -> int:
    """The length of the lists of a fixed-length type; 0 for other types."""
    return int(schema.format.partition(b":")[2] or 0)


def _lists(rows: _Slice) -> NDArray[Any]:
    ends = rows.numbers(np.int64 if rows.format == "+L" else np.int32, more=1)
    ends = ends if len(ends) else np.zeros(1, np.int64)
    return _cut(rows.child(0, 0, int(ends[-1])), ends)


def _cut(inner: Column, ends: NDArray[Any], width: int = 0) -> NDArray[Any]:
    """Lists of a column's values: rows of one array if they are complete and equally long, else one column each.

    Without lists, the array has the given width.
    """
    # Values outside the lists belong to a different slice.
    inner, ends = inner[int(ends[0]) : int(ends[-1])], ends - ends[0]
    sizes = set(np.diff(ends).tolist()) or {width}
    is_complete = inner.missing is None or not inner.missing.any()
    if isinstance(inner.values, np.ndarray) and inner.values.dtype != object and is_complete and len(sizes) == 1:
        return inner.values.reshape(len(ends) - 1, sizes.pop(), *inner.values.shape[1:])
    return _objects(inner[a:b] for a, b in zip(ends[:-1].tolist(), ends[1:].tolist()))


def _structs(rows: _Slice) -> dict[str, Column]:
    names = [rows.schema.children[number].contents.name.decode() for number in range(rows.schema.n_children)]
    if len(set(names)) < len(names):
        raise _repeated(names)
    return {name: rows.child(number, rows.first, rows.length) for number, name in enumerate(names)}


def _repeated(names: list[Any]) -> InvalidArgument:
    name = next(name for name in names if names.count(name) > 1)
    return InvalidArgument(f"{names.count(name)} columns are named {name!r}; rename them, or pass the table as a NumPy array")


_READERS: dict[str, Callable[[_Slice], Any]] = {
    "b": lambda rows: rows.bits(1), "d": _decimals, "u": _texts, "U": _texts, "vu": _text_views, "+w": _equal_lists, "+l": _lists, "+L": _lists, "+s": _structs,
}


def _objects(values: Iterable[Any]) -> NDArray[Any]:
    return np.fromiter(values, object)


def _joined(parts: list[Column]) -> Column:
    """The pieces of a column joined; a single piece is not copied."""
    parts = [part for part in parts if len(part)] or parts[:1]
    if len(parts) == 1:
        return parts[0]
    missing = np.concatenate([np.zeros(len(part), bool) if part.missing is None else part.missing for part in parts])
    if isinstance(parts[0].values, dict):
        return Column({name: _joined([part.values[name] for part in parts]) for name in parts[0].values}, missing)
    pieces = [part.values for part in parts]
    if len({piece.shape[1:] for piece in pieces}) > 1:
        pieces = [piece if piece.ndim == 1 else _objects(Column(row, None, parts[0].zone) for row in piece) for piece in pieces]
    return Column(np.concatenate(pieces), missing, parts[0].zone)
