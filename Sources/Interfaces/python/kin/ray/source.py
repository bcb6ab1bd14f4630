"""The rows of an index to build, in pieces that fit into memory: from an array, from files, or from a Ray Dataset."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin import _arrays
from kin._arrays import Floats, IDs
from kin._columns import named_columns
from kin._disk import failures
from kin._precision import PrecisionReport
from kin._signatures import Metric
from kin.errors import DimensionMismatch, InvalidArgument, NotFinite, UnsupportedFormat, ZeroVector

PIECE = 65_536
"""The number of rows that are read at a time."""

Attributes: TypeAlias = Mapping[str, "str | tuple[str, ArrayLike]"]


@dataclass
class Block:
    """Some rows: vectors, ids, and the values of attributes by name."""

    x: Floats
    ids: IDs
    attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """The number of rows."""
        return len(self.x)

    def __getitem__(self, rows: Any) -> Block:
        return Block(self.x[rows], self.ids[rows], {name: values[rows] for name, values in self.attributes.items()})

    def checked(self, metric: Metric, first: int | None) -> Block:
        """The same rows, checked to fit into an index; `first` is the number of the first row in the source."""
        for is_wrong, kind, text in (
            (~np.isfinite(self.x).all(axis=1), NotFinite, "has a number that is NaN or infinite; leave it out"),
            (~self.x.any(axis=1) & (metric == "cosine"), ZeroVector, "is a zero vector, which has no direction; leave it out"),
        ):
            if is_wrong.any():
                row = int(np.argmax(is_wrong))
                where = f"the vector of id {int(self.ids[row])}" if first is None else f"row {first + row}"
                raise kind(f"{where} {text}")
        return self


@dataclass(frozen=True)
class Part:
    """Rows of a file, read by the task that uses them; `first` is the number of the first row in the source."""

    path: str
    first: int
    start: int
    stop: int
    """Row groups of a Parquet file; rows of other files."""
    count: int
    column: str
    ids: str | IDs | None
    attributes: tuple[str, ...]

    def read(self) -> Block:
        """The rows."""
        if self.path.endswith(".npy"):
            x = np.array(_map_npy(self.path)[self.start : self.stop], dtype=np.float32)
            return Block(x, _ids_of(self.ids, self.first, len(x)))
        names = {self.column, *self.attributes, *([self.ids] if isinstance(self.ids, str) else [])}
        table = _parquet(self.path).read_row_groups(list(range(self.start, self.stop)), columns=sorted(names))
        x = vectors(table[self.column])
        given = table[self.ids] if isinstance(self.ids, str) else self.ids
        return Block(x, _ids_of(given, self.first, len(x)), _columns_of(table, self.attributes))


Piece: TypeAlias = "Block | Part"


class Source:
    """Rows in pieces, each with the number of its first row if rows have numbers."""

    def __init__(self, dimension: int, kinds: Mapping[str, str]) -> None:
        self.dimension = dimension
        self.kinds = dict(kinds)
        """The kinds of the attributes, by name."""

    def pieces(self) -> Iterator[tuple[int | None, Piece]]:
        """The pieces, each with the number of its first row."""
        raise NotImplementedError

    def count(self) -> int:
        """The number of rows."""
        raise NotImplementedError

    def sample(self, count: int) -> Floats:
        """About this number of rows from all over the source."""
        raise NotImplementedError


def source_of(source: Any, ids: ArrayLike | str | None, column: str, attributes: Attributes) -> Source:
    """The rows of an argument: an array, paths of files, or a Ray Dataset."""
    kinds = {name: kind if isinstance(kind, str) else kind[0] for name, kind in attributes.items()}
    given = {name: kind[1] for name, kind in attributes.items() if not isinstance(kind, str)}
    if hasattr(source, "iter_batches"):
        if not isinstance(ids, str) or given:
            raise InvalidArgument(
                "the rows of a dataset have no fixed order: name the column of the ids, and give attributes by name and kind"
            )
        return DatasetSource(source, ids, column, kinds)
    if isinstance(source, (list, tuple)) and source and all(isinstance(path, (str, os.PathLike)) for path in source):
        if given:
            raise InvalidArgument("attributes of files are columns; give their names and kinds alone")
        return FileSource([os.fspath(path) for path in source], ids, column, kinds)
    if isinstance(ids, str) or given.keys() != kinds.keys():
        raise InvalidArgument("ids and attributes of an array are arrays; their names alone are for files and datasets")
    return ArraySource(source, ids, kinds, given)


class ArraySource(Source):
    """The rows of an array."""

    def __init__(self, source: Any, ids: ArrayLike | None, kinds: Mapping[str, str], attributes: Mapping[str, ArrayLike]) -> None:
        self._x = _arrays.array_of(source, "the source")
        if self._x.ndim != 2:
            raise InvalidArgument(f"the source has {self._x.ndim} dimensions; give 2, with a row for each vector")
        super().__init__(self._x.shape[1], kinds)
        self._ids = _numbers(ids, len(self._x))
        self._attributes = {name: _values(column, name, len(self._x)) for name, column in attributes.items()}

    def pieces(self) -> Iterator[tuple[int | None, Piece]]:
        report = PrecisionReport()
        for first in range(0, len(self._x), PIECE):
            rows = slice(first, first + PIECE)
            x = np.asarray(self._x[rows], dtype=np.float32)
            report.compare(self._x[rows], x, "the source")
            ids = _ids_of(None if self._ids is None else self._ids[rows], first, len(x))
            yield first, Block(x, ids, {name: column[rows] for name, column in self._attributes.items()})

    def count(self) -> int:
        return len(self._x)

    def sample(self, count: int) -> Floats:
        return np.asarray(self._x[:: max(1, len(self._x) // count)], dtype=np.float32)


class FileSource(Source):
    """The rows of NPY or Parquet files."""

    def __init__(self, paths: Sequence[str], ids: ArrayLike | str | None, column: str, kinds: Mapping[str, str]) -> None:
        self._parts: list[Part] = []
        widths: dict[int, str] = {}
        self._rows = 0
        for path in paths:
            for start, stop, count, width in _extents(path, column):
                self._parts.append(Part(path, self._rows, start, stop, count, column, None, tuple(kinds)))
                self._rows += count
                widths.setdefault(width, path)
        if len(widths) > 1:
            (a, one), (b, other), *_ = widths.items()
            raise DimensionMismatch(f"{one} has vectors of {a} dimensions, and {other} of {b}")
        if any(path.endswith(".npy") for path in paths) and (kinds or isinstance(ids, str)):
            raise InvalidArgument("NPY files have no columns for ids and attributes; give ids as an array, or Parquet files")
        super().__init__(next(iter(widths), 0), kinds)
        self._ids = ids if isinstance(ids, str) else _numbers(ids, self._rows)

    def pieces(self) -> Iterator[tuple[int | None, Piece]]:
        for part in self._parts:
            ids = self._ids[part.first : part.first + part.count] if isinstance(self._ids, np.ndarray) else self._ids
            yield part.first, replace(part, ids=ids)

    def count(self) -> int:
        return self._rows

    def sample(self, count: int) -> Floats:
        parts = self._parts[:: max(1, len(self._parts) * PIECE // (4 * count))]
        rows = [part.read().x[:: max(1, self._rows // count)] for part in parts]
        return np.concatenate([*rows, np.empty((0, self.dimension), dtype=np.float32)])


class DatasetSource(Source):
    """The rows of a Ray Dataset, which have no numbers."""

    def __init__(self, dataset: Any, ids: str, column: str, kinds: Mapping[str, str]) -> None:
        self._dataset, self._ids, self._column = dataset, ids, column
        super().__init__(vectors(dataset.take_batch(1)[column]).shape[1], kinds)

    def pieces(self) -> Iterator[tuple[int | None, Piece]]:
        read = self._reader()
        for table in self._dataset.iter_batches(batch_size=PIECE, batch_format="pyarrow"):
            yield None, read(table)

    def send(self, work: Callable[[Block], None]) -> int:
        """Runs work on each piece in the task that has it, and returns the number of rows."""
        done = partial(_done, work, self._reader())
        counts = self._dataset.map_batches(done, batch_size=PIECE, batch_format="pyarrow").iter_batches()
        return sum(int(found["rows"].sum()) for found in counts)

    def count(self) -> int:
        return int(self._dataset.count())

    def sample(self, count: int) -> Floats:
        share = min(1.0, count / max(1, self._dataset.count()))
        rows = self._dataset if share == 1 else self._dataset.random_sample(share, seed=0)
        found = [vectors(table[self._column]) for table in rows.iter_batches(batch_format="pyarrow") if len(table)]
        return np.concatenate([*found, np.empty((0, self.dimension), dtype=np.float32)])

    def _reader(self) -> Callable[[Any], Block]:
        """A function from tables to blocks that tasks can run without the dataset."""
        return partial(_block, self._ids, self._column, tuple(self.kinds))


def _block(ids: str, column: str, attributes: tuple[str, ...], table: Any) -> Block:
    return Block(vectors(table[column]), _arrays.ids(table[ids]), _columns_of(table, attributes))


def _done(work: Callable[[Block], None], read: Callable[[Any], Block], table: Any) -> dict[str, Any]:
    work(read(table))
    return {"rows": np.array([len(table)])}


def vectors(column: Any) -> Floats:
    """A column of vectors as rows: lists of numbers, lists of one length, Ray's tensors, or an array of arrays."""
    rows = _arrays.one_column(column, "the vectors")
    if rows.ndim != 2 or rows.dtype.kind not in "iufb":
        raise DimensionMismatch("the vectors do not have one length, or are no numbers")
    return np.ascontiguousarray(rows, dtype=np.float32)


def _columns_of(table: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Columns of an Arrow table as the values of attributes."""
    return dict(named_columns({name: table[name] for name in names}))


def _numbers(ids: ArrayLike | None, n: int) -> IDs | None:
    return None if ids is None else _arrays.ids(ids, rows=n)


def _ids_of(ids: Any, first: int, count: int) -> IDs:
    return np.arange(first, first + count, dtype=np.int64) if ids is None else _arrays.ids(ids)[:count]


def _values(column: ArrayLike, name: str, n: int) -> NDArray[Any]:
    found = column if isinstance(column, np.ndarray) else np.asarray(column, dtype=object)
    if len(found) != n:
        raise InvalidArgument(f"attribute {name}: {n} ids need as many values, but {len(found)} were given")
    return found


def _open_file(reader: Callable[[str], Any], path: str) -> Any:
    """A file as its reader has it; InputOutput if it cannot be read, UnsupportedFormat if it is something else."""
    try:
        with failures(path):
            return reader(path)
    except ValueError as failure:
        raise UnsupportedFormat(f"{path}: {failure}") from None


def _map_npy(path: str) -> NDArray[Any]:
    found: NDArray[Any] = _open_file(partial(np.load, mmap_mode="r"), path)
    if found.ndim != 2:
        raise DimensionMismatch(f"{path} has {found.ndim} dimensions; give 2, with a row for each vector")
    return found


def _parquet(path: str) -> Any:
    from pyarrow import parquet

    return _open_file(parquet.ParquetFile, path)


def _extents(path: str, column: str) -> Iterator[tuple[int, int, int, int]]:
    """Start, stop, rows and dimension of each piece of a file."""
    if path.endswith(".npy"):
        n, width = _map_npy(path).shape
        for start in range(0, n, PIECE):
            stop = min(start + PIECE, n)
            yield start, stop, stop - start, width
        return
    if Path(path).suffix != ".parquet":
        raise UnsupportedFormat(f"{path}: vectors are read from NPY and Parquet files")
    file = _parquet(path)
    if column not in file.schema_arrow.names:
        raise InvalidArgument(f"{path} has no column {column!r}; it has {', '.join(file.schema_arrow.names)}")
    width = 0
    start = rows = 0
    for group in range(file.num_row_groups):
        if rows == 0:
            start = group
        rows += file.metadata.row_group(group).num_rows
        if width == 0 and rows:
            first = next(file.iter_batches(batch_size=1, columns=[column]))
            width = vectors(first[column]).shape[1]
        if rows >= PIECE or (rows and group == file.num_row_groups - 1):
            yield start, group + 1, rows, width
            rows = 0
