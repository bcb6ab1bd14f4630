"""Answers as columns, which pandas, Polars and Arrow read by Arrow's C data interface."""

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Frame:
    """The rows of an answer as columns.

    ::

        frame = engine.frame("near", session="s1", k=100)
        polars.DataFrame(frame)
        pyarrow.table(frame).to_pandas()
        pandas.DataFrame.from_arrow(frame)
        pandas.DataFrame(dict(frame))      # without pyarrow

    A column has Booleans, 64-bit whole numbers, double-precision numbers, texts, or lists of one of these. Whole
    numbers mixed with other numbers become doubles. Objects become columns named by the paths of their fields
    (``session.state``). An object that is the only field of every row replaces the row. Lists of objects, mixed types
    and larger whole numbers become JSON texts. Instants are texts as in the answer. Missing fields of a row are null.

    Parameters
    ----------
    rows : sequence of mapping
        The rows, as a method returns them; columns are in the order in which their names first appear.
    types : mapping of str to str, optional
        The declared types of fields, such as ``"number or null"``, for columns with only nulls. Default: text.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]], types: Mapping[str, str] | None = None) -> None:
        flat = [_flattened(row) for row in _unwrapped(rows)]
        names = dict.fromkeys(name for row in flat for name in row)
        self._length = len(rows)
        declared = {} if types is None else types
        self._values: dict[str, list[Any]] = {}
        self._kinds: dict[str, type | tuple[type, ...]] = {}
        for name in names:
            declared_kind = _DECLARED.get(declared.get(name, "").removesuffix(" or null"), str)
            self._values[name], self._kinds[name] = _typed([row.get(name) for row in flat], declared_kind)

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._values)

    def keys(self) -> list[str]:
        """The names of the columns, for ``dict(frame)``."""
        return self.columns

    def __array__(self, dtype: object = None, copy: object = None) -> NDArray[Any]:
        """Raises TypeError: pandas would read an array or the names alone as the rows."""
        raise TypeError("a Frame has columns of different types: pass dict(frame), or a column such as frame['name']")

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[str]:
        """The names of the columns."""
        return iter(self._values)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column as a NumPy array, of objects if it has texts, lists or nulls."""
        values = self._values[name]
        # NumPy would remove a character 0 at the end of a text.
        return np.fromiter(values, object, len(values)) if {str, list} & set(map(type, values)) else np.array(values)

    def __repr__(self) -> str:
        return f"Frame of {self._length} rows and {len(self._values)} columns: {', '.join(self._values)}"

    def _repr_html_(self) -> str:
        """The first rows as a table, for notebooks."""
        heads = "".join(f"<th>{html.escape(name)}</th>" for name in self._values)
        first = zip(*(values[:_SHOWN] for values in self._values.values()))
        rows = "".join(f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row)}</tr>" for row in first)
        more = f"<p>The first {_SHOWN} of {self._length} rows</p>" if self._length > _SHOWN else ""
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{more}"

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The frame as an Arrow stream of one batch, for libraries that read one."""
        import nanoarrow

        columns = {name: _column(values, self._kinds[name]) for name, values in self._values.items()}
        schema = nanoarrow.struct({name: column.schema for name, column in columns.items()})
        batch = nanoarrow.c_array_from_buffers(schema, self._length, [None], children=columns.values())
        return nanoarrow.c_array_stream(batch).__arrow_c_stream__()


_SHOWN = 20
"""The number of rows that a notebook shows."""


def _cell(value: Any) -> str:
    """A value in a table of HTML; a null is an empty cell."""
    return "" if value is None else html.escape(str(value))


def _unwrapped(rows: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Unwraps rows that consist of one object under one name. Other rows stay as they are."""
    names = {tuple(row) for row in rows}
    if len(names) != 1 or len(only := names.pop()) != 1 or not all(isinstance(row[only[0]], dict) for row in rows):
        return rows
    return [row[only[0]] for row in rows]


def _flattened(row: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The fields of a row and of its nested objects, by their paths."""
    fields: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict) and value:
            fields |= _flattened(value, f"{prefix}{name}.")
        else:
            fields[prefix + name] = None if value == {} else value
    return fields


_ARROW_TYPES: dict[type, str] = {bool: "bool_", int: "int64", float: "float64", str: "large_string"}
_DECLARED = {"boolean": bool, "integer": int, "number": float}


def _kind(values: Sequence[Any]) -> type | None:
    """The one type of values that are not None; None if Arrow has no type for them, NoneType if all are None."""
    kinds = {type(value) for value in values} - {type(None)}
    if kinds == {int, float}:
        return float
    if len(kinds) > 1 or not kinds <= _ARROW_TYPES.keys() | {list}:
        return None
    kind = kinds.pop() if kinds else type(None)
    return None if kind is int and not all(value is None or -(2**63) <= value < 2**63 for value in values) else kind


def _typed(values: list[Any], declared: type) -> tuple[list[Any], type | tuple[type, ...]]:
    """Values of one type, and the type; for lists, a pair with the type of their elements."""
    kind = _kind(values)
    if kind is list:
        elements = _kind([element for value in values if value is not None for element in value])
        if elements not in (None, list):
            values = [value and _doubles(value) for value in values] if elements is float else values
            return values, (list, str if elements is type(None) else elements)
        kind = None
    if kind is None:
        return [None if value is None else json.dumps(value, ensure_ascii=False) for value in values], str
    return _doubles(values) if kind is float else values, declared if kind is type(None) else kind


def _doubles(values: Sequence[Any]) -> list[float | None]:
    return [None if value is None else float(value) for value in values]


def _column(values: Sequence[Any], kind: type | tuple[type, ...]) -> Any:
    """The values as an array of nanoarrow."""
    import nanoarrow

    if not isinstance(kind, tuple):
        return nanoarrow.c_array(values, getattr(nanoarrow, _ARROW_TYPES[kind])())
    validity = np.packbits(np.array([value is not None for value in values], bool), bitorder="little")
    ends = np.cumsum([0, *(0 if value is None else len(value) for value in values)], dtype=np.int64)
    elements = _column([element for value in values if value is not None for element in value], kind[1])
    return nanoarrow.c_array_from_buffers(nanoarrow.large_list(elements.schema), len(values), [validity, ends], children=[elements])
