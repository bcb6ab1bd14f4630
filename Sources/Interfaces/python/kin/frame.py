"""Answers as columns, which pandas, Polars and Arrow take by Arrow's C data interface."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kin import _arrow


class Frame:
    """The rows of an answer as columns.

    ::

        frame = engine.frame("near", session="s1", k=100)
        polars.DataFrame(frame)
        pyarrow.table(frame).to_pandas()
        pandas.DataFrame.from_arrow(frame)

    A column has truth values, whole numbers of 64 bits, numbers of double precision (also of whole numbers mixed with others) or texts.
    Objects, lists and mixtures of types become their JSON as text; instants are texts as in the answer. What a row does not have is null.

    Parameters
    ----------
    rows : sequence of mapping
        The rows, as a method answers them; the columns are in the order in which their names come first.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        names = dict.fromkeys(name for row in rows for name in row)
        self._length = len(rows)
        self._columns = {name: _Column([row.get(name) for row in rows]) for name in names}

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[str]:
        """The names of the columns."""
        return iter(self._columns)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column as a NumPy array, of objects where it has texts or nulls."""
        return np.array(self._columns[name].values)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The frame as an Arrow stream of one batch, for libraries that take one."""
        return _arrow.stream(
            [(name, column.format, column.nulls, column.buffers) for name, column in self._columns.items()], self._length
        )


class _Column:
    """The values of a column, its Arrow format, and the validity and values as Arrow lays them out."""

    def __init__(self, values: list[Any]) -> None:
        kinds = {type(value) for value in values if value is not None}
        if kinds == {int, float}:
            values, kinds = [None if value is None else float(value) for value in values], {float}
        is_wide = kinds == {int} and any(value is not None and not -(2**63) <= value < 2**63 for value in values)
        if is_wide or len(kinds) > 1 or not kinds <= _FORMATS.keys():
            values = [None if value is None else json.dumps(value, ensure_ascii=False) for value in values]
            kinds = {str}
        kind = kinds.pop() if kinds else str
        self.values = values
        self.format = _FORMATS[kind]
        self.nulls = values.count(None)
        validity = _bits([value is not None for value in values]) if self.nulls else None
        self.buffers = [validity, *_layout(kind, values)]


_FORMATS: dict[type, str] = {bool: "b", int: "l", float: "g", str: "U"}


def _layout(kind: type, values: list[Any]) -> list[NDArray[Any]]:
    if kind is str:
        texts = [b"" if value is None else value.encode() for value in values]
        offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        return [offsets, np.frombuffer(b"".join(texts) or b"\0", np.uint8)]
    filled = [0 if value is None else value for value in values]
    return [_bits(filled) if kind is bool else np.array(filled, np.int64 if kind is int else np.float64)]


def _bits(values: Sequence[Any]) -> NDArray[Any]:
    return np.packbits(np.array(values, bool), bitorder="little")
