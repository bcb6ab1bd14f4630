"""Precision lost in float32: a report of merged values, and tables that are shifted towards zero before they are narrowed."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kin.errors import PrecisionWarning, callers_level

# The number of sampled cells, of columns listed in a warning, and of rows whose medians are subtracted.
_SAMPLE, _LISTED, _SAMPLED_ROWS = 1 << 16, 3, 100
# The smallest float32 above 0.
_TINY = np.float32(2.0**-149)
# float32 represents every whole number up to this one.
_WHOLE = 1 << 24
# The spacing of float32, relative to the range of a column, above which it is coarse. Near 0 it is 2⁻²⁴ to 2⁻²³.
_COARSE = 2.0**-20


def is_narrow(kind: np.dtype[Any]) -> bool:
    """Whether float32 represents every number of a type."""
    return np.can_cast(kind, np.float32, "safe")


def is_exact(array: NDArray[Any], floats: NDArray[np.float32]) -> bool:
    """Whether float32 represents every number; for whole numbers, whether all are in the range without gaps."""
    if array.dtype.kind in "iu":
        return is_narrow(array.dtype) or bool(((array <= _WHOLE) & (array >= -_WHOLE)).all())
    return is_narrow(array.dtype) or bool((floats == array).all())


def centred(array: NDArray[Any], offset: NDArray[np.float64]) -> NDArray[np.float32]:
    """A table less an offset, subtracted before its numbers become float32. The result is packed by rows, also for a table in a different order."""
    difference = np.subtract(array, offset, dtype=np.float64)
    if array.dtype.kind == "i" and np.abs(difference).max(initial=0) < 1 << 62:
        # Exact for large whole numbers, which doubles would merge. An offset of 2⁶³ wraps, and so does the difference.
        with np.errstate(invalid="ignore"):
            difference = array - offset.astype(np.int64)
    return np.asarray(difference, np.float32, order="C")


def offset_of(array: NDArray[Any], floats: NDArray[np.float32]) -> NDArray[np.float64] | None:
    """The numbers to subtract from a table's columns before it is narrowed; None if float32 represents the table.

    The median of a sample if this makes the rounding errors of a column eight times smaller on average, else 0. A mean
    would follow an outlier, and the other numbers would get the spacing of float32 around it.
    """
    if is_exact(array, floats):
        return None
    sample = array[:: max(1, len(array) // _SAMPLED_ROWS)]
    medians = np.partition(sample, len(sample) // 2, axis=0)[len(sample) // 2].astype(np.float64)
    sample = sample.astype(np.float64)
    with np.errstate(all="ignore"):
        # Doubles hold no more than 29 bits beyond those of float32.
        before, after = (np.log2(np.maximum(np.abs(moved), np.abs(sample) * 2.0**-29).astype(np.float32) + _TINY).mean(axis=0)
                         for moved in (sample, sample - medians))
    return np.where(after <= before - 3, medians, 0)


class PrecisionReport:
    """Warns, once, that float32 merges distinct values of columns.

    In data that fills the range of float32's mantissa a few values merge by chance, such as one pair in a thousand
    random doubles. Such pairs are within rounding error and are not reported.
    """

    def __init__(self) -> None:
        self._has_warned = False

    def compare(self, array: NDArray[Any], floats: NDArray[np.float32], name: str, labels: Sequence[object] | None = None) -> None:
        """Warns if distinct values in a column of a table become equal as float32."""
        if self._has_warned or array.ndim != 2 or len(array) < 2 or is_narrow(array.dtype):
            return
        if array.dtype.kind in "US":
            array = array.astype(np.float64)
        with np.errstate(all="ignore"):
            merged, more = _merged_columns(array, floats)
        if not merged:
            return
        self._has_warned = True
        listed = [f"{before} distinct values became {after} in column {column if labels is None else repr(labels[column])}"
                  for column, before, after in merged]
        others = f", and {more} more columns lose values" if more else ""
        text = (f"{name} is stored as float32: {', '.join(listed)}{others}; subtract a constant such as its median from a column first, "
                "divide it into two, such as days and seconds, or leave out its outliers")
        warnings.warn(PrecisionWarning(text), stacklevel=callers_level())


def _merged_columns(array: NDArray[Any], floats: NDArray[np.float32]) -> tuple[list[tuple[int, int, int]], int]:
    """The first columns that lose values, with their distinct values before and after, and how many more columns do.

    A sample of the rows finds the columns to count, so that a large table of plain doubles costs a few milliseconds.
    """
    rows, columns = array.shape
    step = max(1, rows * columns // _SAMPLE)
    sample, narrow = np.sort(array[::step], axis=0), np.sort(floats[::step], axis=0)
    size = len(sample)
    lost = _distinct(sample) - _distinct(narrow)
    if step == 1 and not lost.any():
        return [], 0
    # Chance merges about size² / 2²⁶ values of a column with fine spacing, or any value of a small table with a
    # probability of 1 %.
    chance = 0 if size * size * columns < 1 << 18 else size * size / (1 << 20) + 8
    values = sample if sample.dtype.kind in "iuf" else sample.astype(np.float64)
    largest = np.maximum(-narrow[0], narrow[-1])
    is_coarse = np.spacing(largest) > (values[-1].astype(np.float64) - values[0].astype(np.float64)) * _COARSE
    is_whole = (values == np.rint(values)).all(axis=0)
    counted: list[tuple[int, int, int]] = []
    more = 0
    for column in np.flatnonzero((is_coarse | is_whole | (lost > chance)) & np.isfinite(largest)).tolist():
        if len(counted) == _LISTED:
            more += int(lost[column] > 0)
            continue
        if is_exact(array[:, column], floats[:, column]):
            continue
        after = int(_distinct(np.sort(floats[:, column])))
        before = after if after == rows else int(_distinct(np.sort(array[:, column])))
        if before > after:
            counted.append((column, before, after))
    return counted, more


def _distinct(ordered: NDArray[Any]) -> Any:
    """The number of distinct values in each column of a sorted table."""
    return 1 + (ordered[1:] != ordered[:-1]).sum(axis=0)
