"""Columns of pandas without pyarrow, which pandas needs for Arrow's interface, and its indexes and arrays."""

import contextlib
import json
from decimal import Decimal
from typing import Any

import numpy as np

from kin._arrow_reader import Column


def read(value: Any, with_index: bool) -> dict[str, Column] | Column:
    """The columns of a data frame by name, or a series as a column; named levels of the index come last, ``with_index``."""
    if value.ndim == 1:
        return _column(value)
    levels = [name for name in value.index.names if name is not None] if with_index else []
    columns = {str(name): _column(value[name]) for name in value.columns}
    for name in levels:
        columns[str(name)] = level = _column(value.index.get_level_values(name))
        level.is_index = True
    return columns


def index_columns(schema: Any) -> set[str]:
    """The columns that are a data frame's index, according to pandas' metadata in the schema."""
    notes = dict(schema.metadata.items()).get(b"pandas") if schema.metadata else None
    names = json.loads(notes).get("index_columns", []) if notes else []
    return {name for name in names if isinstance(name, str)}


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


def _column(values: Any) -> Column:
    """A series or an index as a column."""
    missing = np.asarray(values.isna())
    zone = getattr(values.dtype, "tz", None)
    if zone is not None:
        # The accessor of a series; an index has the methods itself.
        times = getattr(values, "dt", values).tz_convert(None)
        return Column(times.to_numpy(), missing, str(zone))
    # The nullable types of numbers and Booleans name NumPy's type.
    plain = getattr(values.dtype, "numpy_dtype", values.dtype)
    if plain is not values.dtype:
        return Column(values.to_numpy(plain, na_value=plain.type(0)), missing)
    if isinstance(plain, np.dtype) and plain != object:
        return Column(values.to_numpy(), missing)
    listed = list(values)
    if listed and not missing.any() and not isinstance(listed[0], str):
        # Objects that are all numbers, or lists of numbers.
        with contextlib.suppress(ValueError):
            numbers = np.array(listed, np.float64 if isinstance(listed[0], Decimal) else None)
            if numbers.dtype.kind in "iufb":
                return Column(numbers, None)
    return Column(np.array([*listed, None], object)[:-1], missing)
