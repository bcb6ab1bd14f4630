"""Vectors from files and tables."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from kin import _arrays, _arrow_reader, _json, _names, _pandas_reader
from kin._arrays import Floats, IDs, several
from kin._library import call_json, check, create_handle, library
from kin._precision import PrecisionReport
from kin._progress import long_call
from kin.errors import DimensionMismatch, DuplicateID, InvalidArgument, MalformedInput, NotFinite, spelled
from kin.logs import path_or_table

VectorSource = str | bytes | os.PathLike[str] | _arrow_reader.ArrowStream


@dataclass(frozen=True, eq=False)
class VectorTable:
    """Vectors that were read from a file or a table.

    Attributes
    ----------
    vectors : array of float32, shape (rows, dimensions)
        The vectors.
    ids : array of int64 or str, shape (rows,)
        Their ids, which are row numbers from 0 if the source has none.
    columns : list of str or None
        The names of the dimensions.
    labels : list of str or None
        A text for each row, if a column was chosen.
    attributes : dict of lists
        For each attribute a value for each row, None where it is missing; as ``set_attributes`` takes them.
    notes : list of str
        What to know about the way the source was read: columns that are ids or left out, numbers that float32 merges.
    """

    vectors: Floats
    ids: IDs
    columns: list[str] | None = None
    labels: list[str] | None = None
    attributes: dict[str, list[Any]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def read_vectors(
    source: VectorSource,
    *,
    id: str | None = None,
    label: str | None = None,
    columns: Sequence[str] = (),
    exclude: Sequence[str] = (),
    attributes: Sequence[str] = (),
    header: bool | None = None,
    format: Literal["csv", "npy", "fvecs", "bvecs", "ivecs"] | None = None,
    strict: bool = False,
) -> VectorTable:
    """Reads vectors with the rules of the command ``kin index build``.

        table = kin.read_vectors("places.csv", attributes=["city:category"])
        index = kin.FlatIndex(table.vectors.shape[1])
        index.add(table.vectors, table.ids)
        index.declare({"city": "category"})
        index.set_attributes(table.ids, table.attributes)

    The encoding, separator, decimal mark and header of a text are detected. A column that counts rows, and a
    named index of pandas, is not a dimension.

    Parameters
    ----------
    source : path, or table
        A file in CSV or other text with separators, NPY, fvecs, bvecs or ivecs, or a file in Parquet or Arrow (read
        with pyarrow). A table is a data frame of pandas, Polars or Arrow.
    id : str, optional
        The column of the ids: whole numbers, or texts. Default: the column ``id``, if there is one.
    label : str, optional
        A column of texts that is not a dimension.
    columns : sequence of str
        The columns of the vector, in this order, or one column of lists such as ``[0.1, 0.2]``. Default: all remaining
        columns.
    exclude : sequence of str
        Columns to leave out.
    attributes : sequence of str
        Attributes to read from a text, such as ``"city:category"``, ``"start:time=began"`` or
        ``"stay:time-range=from,to"``; a field of the kind ``tags`` is ``red|blue``. The columns of a table are attributes of an index by
        ``index.set_attributes(ids, table)``.
    header : bool, optional
        Whether the first line of a text names the columns. Default: detected.
    format : str, optional
        The format of a file. Default: by its name.
    strict : bool, default False
        Whether anything to note is an error.

    Raises
    ------
    InputOutput
        The file cannot be read.
    InvalidArgument
        There is no such column.
    MalformedInput, NotFinite, DuplicateID, UnsupportedFormat
        The content is invalid; the message has line and column, row or byte.
    """
    _arrays.boolean(strict, "strict")
    chosen, excluded, kinds = several(columns, "columns"), several(exclude, "exclude"), several(attributes, "attributes")
    path, table = path_or_table(
        source, f"source must be a path or a table, not a {type(source).__name__}; pass arrays to an index directly", format is None
    )
    if path is None:
        if kinds or header is not None:
            raise InvalidArgument("attributes and header are options of a text; for a table, call index.set_attributes(ids, table)")
        return _from_table(table, id, label, chosen, excluded, strict)
    options = {
        "id": id, "label": label, "columns": chosen, "exclude": excluded, "attributes": kinds,
        "header": header, "format": format, "strict": strict,
    }
    text = _json.encode(options, "an option")
    with spelled():
        handle = create_handle(library.kin_vectors_free, long_call, library.kin_vectors_read, path, text)
    vectors = np.empty((library.kin_vectors_count(handle), library.kin_vectors_dimension(handle)), np.float32)
    ids = np.empty(len(vectors), np.int64)
    check(library.kin_vectors_copy(handle, _arrays.address(vectors), _arrays.address(ids)))
    facts = call_json(library.kin_vectors_describe, handle)
    if "names" in facts:
        ids = np.array(facts["names"], object)
    return VectorTable(vectors, ids, facts.get("columns"), facts.get("labels"), facts["attributes"], facts["notes"])


def _from_table(source: Any, id: str | None, label: str | None, chosen: list[str], exclude: list[str], strict: bool) -> VectorTable:
    """The vectors of a table with Arrow's interface."""
    columns = _arrow_reader.table(source, with_index=True)
    for name in [*chosen, *exclude, *filter(None, (id, label))]:
        if name not in columns:
            raise InvalidArgument(f"{name!r} is not a column; the columns are {', '.join(columns)}")
    for name in chosen:
        if chosen.count(name) > 1:
            raise InvalidArgument(f"the column {name} is chosen for the vector twice")
    notes = []
    if id is None and (first := next((name for name in columns if name.lower() == "id"), label)) not in (*chosen, *exclude, label):
        id = first
        notes.append(f"ids are taken from column {id}")
    left_out = {id, label, *exclude}
    for name in columns:
        if name in left_out or chosen:
            continue
        if columns[name].is_index:
            left_out.add(name)
            notes.append(f"the index {name} is left out; choose it as id or in columns to use it")
        elif _pandas_reader.is_row_number(name, columns[name]):
            left_out.add(name)
            notes.append(f"column {name or '(unnamed)'} counts rows and is left out; choose it in columns to use it")
    names = [name for name in chosen or columns if name not in left_out]
    if not names:
        raise InvalidArgument("no column is left for the vector; exclude fewer columns")
    if id is None and (suspect := next((name for name in names if name.lower().endswith("id")), None)) is not None:
        notes.append(f"column {suspect} is used as a number of the vector; if it names the rows, choose it as the column of the ids")
    if strict and notes:
        raise MalformedInput(f"{notes[0]}; choose id and columns, or read it without strict")
    lists = _lists(columns[names[0]], names[0]) if len(names) == 1 else None
    array = _arrays.stacked({name: columns[name] for name in names}, "source") if lists is None else lists
    shown = names if lists is None else [f"{names[0]}[{place}]" for place in range(array.shape[1])]
    vectors = _arrays.array_of(array, "source", np.float32, shown)
    PrecisionReport().compare(array, vectors, "source", shown)
    wrong = np.argwhere(~np.isfinite(vectors))
    if len(wrong):
        row, column = wrong[0]
        raise NotFinite(f"source: row {row} of column {shown[column]!r} is not finite; fill it in, or leave the row out")
    ids = np.arange(len(vectors), dtype=np.int64)
    if id is not None:
        given = _names.ids_or_texts(columns[id].complete(f"source, column {id!r}"), f"column {id!r}")
        ids = np.array(given, object) if isinstance(given, list) else given
        order = np.argsort(ids, kind="stable")
        again = np.flatnonzero(ids[order][1:] == ids[order][:-1])
        if len(again):
            raise DuplicateID(f"source: row {order[again[0] + 1]} has the id {ids[order[again[0]]]} of row {order[again[0]]}")
    labels = None if label is None else [str(value) for value in columns[label].complete(f"column {label!r}")]
    return VectorTable(np.ascontiguousarray(vectors), ids, names if lists is None else None, labels, {}, notes)


def _lists(column: _arrow_reader.Column, name: str) -> np.ndarray[Any, Any] | None:
    """The rows of a column of lists; None for other columns."""
    values = column.values
    if isinstance(values, dict):
        return None
    if values.dtype == object:
        # Lists of numbers that are equally long and complete are rows of an array already.
        rows = column.complete(f"source, column {name!r}")
        sizes = {len(row) for row in rows if isinstance(row, (_arrow_reader.Column, list, tuple, np.ndarray))}
        if len(sizes) > 1:
            raise DimensionMismatch(f"source: the lists of column {name!r} have {min(sizes)} to {max(sizes)} numbers; they must be equally long")
    return values if values.dtype.kind in "iuf" and values.ndim == 2 else None
