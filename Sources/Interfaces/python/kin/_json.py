"""Python values as the JSON that the library reads."""

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, time, timedelta
from decimal import Decimal
from fractions import Fraction
from numbers import Number
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from kin import _arrow_reader
from kin._arrays import is_missing
from kin._zones import length_text
from kin.errors import InvalidArgument


def encode(value: Any, name: str) -> bytes:
    """A value as JSON.

    An instant becomes its text with the offset, a naive time its text without one. Fields of records that are NaT or
    pandas.NA are left out, and such elements of lists become null. In a table, NaN is missing, too.

    Raises
    ------
    InvalidArgument
        A value has no JSON form, such as NaN, or a parameter is missing but not None. The text names record and field.
    """
    read: dict[int, Any] = {}

    def converted(value: Any) -> Any:
        result = _plain(value)
        if isinstance(value, Iterator):
            # The iterator is empty now. The reference prevents a new object from getting its id.
            read[id(value)] = value, result
        return result

    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, default=converted).encode()
    except (TypeError, ValueError, RecursionError):
        # A missing or an invalid value, whose position is found below.
        pass
    try:
        return json.dumps(_complete(value, "", read), ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as failure:
        if isinstance(failure, InvalidArgument):
            raise
        raise InvalidArgument(f"{name} cannot be written as JSON: {failure}") from None


def _plain(value: Any) -> Any:
    """Converts a value that JSON does not have. A table with Arrow's interface becomes its rows, a column its values."""
    if is_missing(value):
        raise ValueError("a missing value")
    if isinstance(value, (_arrow_reader.ArrowStream, _arrow_reader.ArrowArray)):
        if getattr(value, "ndim", 0) == 1 and getattr(getattr(value, "index", None), "inferred_type", "") == "string":
            # A series of pandas with names is the row of a data frame.
            fields: dict[str, Any] = value.to_dict()  # type: ignore[union-attr]
            return {name: field for name, field in fields.items() if not is_missing(field)}
        return _arrow_reader.records(value)
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return length_text(value)
    if isinstance(value, (UUID, ZoneInfo)):
        return str(value)
    if isinstance(value, (Decimal, Fraction, np.longdouble)):
        return float(value)
    if isinstance(value, (np.generic, np.ndarray)):
        return _times(value) if value.dtype.kind == "M" else value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        return list(value)
    raise TypeError(f"{value!r:.80} of type {type(value).__name__}")


def _times(values: Any) -> Any:
    """The texts of NumPy's times, None for NaT."""
    exact = np.asarray(values, "M8[us]" if values.dtype == "M8[ns]" else None)
    texts: NDArray[Any] = np.array(np.datetime_as_string(exact), object)
    texts[np.isnat(exact)] = None
    return texts.tolist()


def _complete(value: Any, place: str, read: dict[int, Any]) -> Any:
    """A value in JSON's types, without missing fields; `place` is the field's path, `read` the exhausted iterators."""
    if (isinstance(value, float) and math.isinf(value)) or (isinstance(value, Number) and value != value):
        raise InvalidArgument(f"{place} must be a finite number, not {value}")
    if is_missing(value):
        return None
    if isinstance(value, (str, int, float)):
        return value
    if isinstance(value, dict):
        parts = {key: part for key, part in value.items() if part is None or isinstance(part, Number) or not is_missing(part)}
        if not place and len(parts) < len(value):
            gone = min(value.keys() - parts.keys())
            raise InvalidArgument(f"{gone} is {value[gone]}; give it a value, or leave it out")
        return {key: _complete(part, f"{place}.{key}" if place else str(key), read) for key, part in parts.items()}
    if isinstance(value, (list, tuple)):
        return [_complete(part, f"{place}[{number}]", read) for number, part in enumerate(value)]
    try:
        return _complete(read[id(value)][1] if id(value) in read else _plain(value), place, read)
    except TypeError as failure:
        raise InvalidArgument(f"{place}: {failure} has no JSON") from None
