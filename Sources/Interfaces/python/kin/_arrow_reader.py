"""Columns of other libraries by Arrow's C data interface: pyarrow, Polars, pandas and any library with the interface.

Numbers are read in place. nanoarrow releases the memory when the last array that uses it is gone.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

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
        schema, arrays = _borrowed(value)
    except (ArithmeticError, ImportError, NotImplementedError, TypeError, ValueError):
        if not hasattr(value, "isna"):
            raise
        return _pandas_reader.read(value, with_index)
    column = _joined([_column(schema, array, 0, array.length) for array in arrays] or [_empty(schema)])
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
    from kin._pandas_reader import is_row_number

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


def _borrowed(value: Any) -> tuple[Any, list[Any]]:
    """The schema of a table or a column, and its pieces."""
    if not isinstance(value, (ArrowStream, ArrowArray)):
        raise ImportError("it has no interface of Arrow")
    import nanoarrow

    stream = nanoarrow.c_array_stream(value)
    try:
        schema, arrays = stream.get_schema(), list(stream)
    except RuntimeError as failure:
        raise InvalidArgument(f"an Arrow stream failed: {failure}") from None
    for array in arrays:
        _remove_buffers_of_nulls(schema, array)
    return schema, arrays


def _remove_buffers_of_nulls(schema: Any, array: Any) -> None:
    """Sets the number of buffers of columns of the null type to 0, as Arrow requires; Polars lends one, which nanoarrow refuses."""
    if schema.format == "n":
        ctypes.c_int64.from_address(array._addr() + 24).value = 0
    for number in range(schema.n_children):
        _remove_buffers_of_nulls(schema.child(number), array.child(number))


class _Slice:
    """Rows of a piece: its schema, the first row, counted from the start of its buffers, and their number."""

    def __init__(self, schema: Any, array: Any, offset: int, length: int) -> None:
        self.schema, self.array, self.first, self.length = schema, array, array.offset + offset, length
        self.format: str = schema.format
        # The view of an array holds its memory, but a nested view does not (nanoarrow 0.9).
        try:
            self.view = array.view()
        except RuntimeError as failure:
            raise InvalidArgument(f"{failure}; convert the columns of this Arrow type to numbers or text first") from None

    def buffer(self, number: int, kind: Any) -> NDArray[Any]:
        """A buffer as an array, which holds a reference to it."""
        lent = self.view.buffer(number)
        return np.frombuffer(lent, kind) if lent.size_bytes else np.empty(0, kind)

    def numbers(self, kind: Any, more: int = 0) -> NDArray[Any]:
        """A number for each row from the buffer of values, and some more after them."""
        return self.buffer(1, kind)[self.first : self.first + self.length + more]

    def bits(self, number: int) -> NDArray[np.bool_]:
        """A bit for each row."""
        packed = self.buffer(number, np.uint8)
        return np.unpackbits(packed, bitorder="little", count=self.first + self.length)[self.first :].view(np.bool_)

    def missing(self) -> NDArray[np.bool_] | None:
        """The mask of null rows, or None."""
        has_bits = self.array.null_count and self.array.n_buffers and self.view.buffer(0).size_bytes
        return ~self.bits(0) if has_bits else None

    def child(self, number: int, first: int, length: int) -> Column:
        """Rows of a nested column."""
        return _column(self.schema.child(number), self.array.child(number), first, length)


def _column(schema: Any, array: Any, offset: int, length: int) -> Column:
    """The rows from an offset on, which is added to the column's own offset."""
    if schema.metadata and b"pandas.period" in dict(schema.metadata.items()).values():
        # They are lent as counts since 1970.
        raise InvalidArgument(f"column {schema.name or ''!r} has periods; convert them to instants, in pandas by .dt.to_timestamp()")
    rows = _Slice(schema, array, offset, length)
    missing = rows.missing()
    if schema.dictionary:
        words = _column(schema.dictionary, array.dictionary, 0, array.dictionary.length)
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
    if schema.format[:2] in ("+w", "+l", "+L"):
        return Column(_cut(_empty(schema.child(0)), np.zeros(1, np.int64), _width(schema)), None)
    return Column({child.name: _empty(child) for child in schema.children} if schema.format == "+s" else np.empty(0), None)


_NUMBERS = {"c": "i1", "C": "u1", "s": "<i2", "S": "<u2", "i": "<i4", "I": "<u4", "l": "<i8", "L": "<u8", "e": "<f2", "f": "<f4", "g": "<f8"}
_TIMES = {f"t{kind}{unit[0]}": ("<i8", f"{name}[{unit}]") for kind, name in (("s", "M8"), ("t", "M8"), ("D", "m8")) for unit in ("s", "ms", "us", "ns")}
_TIMES |= {"tdD": ("<i4", "M8[D]"), "tdm": ("<i8", "M8[ms]"), "tts": ("<i4", "M8[s]"), "ttm": ("<i4", "M8[ms]")}


def _values(rows: _Slice) -> Any:
    if rows.format in _NUMBERS:
        return rows.numbers(_NUMBERS[rows.format])
    read = _times if rows.format[:3] in _TIMES else _READERS.get(rows.format.partition(":")[0])
    # nanoarrow lends no decimal numbers of 32 or 64 bits.
    if read is None or (read is _decimals and rows.format.split(",")[2:] in (["32"], ["64"])):
        raise InvalidArgument(f"column {rows.schema.name or ''!r} has the Arrow type {rows.format!r}, which is not read; convert it to text first, in pandas by .astype(str)")
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
    data = rows.buffer(2, np.uint8)[: ends[-1]].tobytes()
    return _objects(data[a:b].decode() for a, b in zip(ends[:-1], ends[1:]))


def _text_views(rows: _Slice) -> NDArray[Any]:
    """Texts of up to 12 bytes are stored in their view; longer texts have the number of a buffer and a place in it."""
    views = rows.numbers("V16").tobytes()
    longer = [rows.buffer(number, np.uint8) for number in range(2, rows.array.n_buffers - 1)]

    def text(view: bytes) -> str:
        size, _, buffer, place = (int.from_bytes(view[at : at + 4], "little") for at in (0, 4, 8, 12))
        return (view[4 : 4 + size] if size <= 12 else longer[buffer][place : place + size].tobytes()).decode()

    missing = rows.missing()
    return _objects(
        None if missing is not None and missing[row] else text(views[16 * row : 16 * row + 16]) for row in range(rows.length)
    )


def _equal_lists(rows: _Slice) -> NDArray[Any]:
    size = _width(rows.schema)
    return _cut(rows.child(0, rows.first * size, rows.length * size), np.arange(rows.length + 1) * size, size)


def _width(schema: Any) -> int:
    """The length of the lists of a fixed-length type; 0 for other types."""
    return int(schema.format.partition(":")[2] or 0)


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
    names = [child.name for child in rows.schema.children]
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
