"""Conversion of arguments to the library's options."""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import ArrayLike

from kin import _arrays
from kin._signatures import METRICS, FileOptions, SearchOptions
from kin.errors import InvalidArgument
from kin.filter import Filter, FilterLike


def metric_number(name: str) -> int:
    """The number of a metric."""
    if name not in METRICS:
        raise InvalidArgument(f"there is no metric {name!r}; use 'l2', 'ip' or 'cosine'")
    return METRICS.index(name)


def file_options(*, overwrite: bool = False, unmapped: bool = False) -> FileOptions:
    """Options for a file that is written or opened."""
    return FileOptions(ctypes.sizeof(FileOptions), int(bool(overwrite)), int(bool(unmapped)))


def search_options(
    filter: FilterLike,
    threads: int | None = None,
    recall: float | None = None,
    probes: int | None = None,
    radii: ArrayLike | None = None,
) -> SearchOptions | None:
    """Options for a search, which keep what they point at; None where all are left out."""
    if filter is None and threads is None and recall is None and probes is None and radii is None:
        return None
    if filter is not None and not isinstance(filter, Filter):
        filter = Filter(filter)
    options = SearchOptions(
        ctypes.sizeof(SearchOptions),
        None if filter is None else filter._handle._as_parameter_,
        _arrays.threads(threads),
        0 if recall is None else float(recall),
        _arrays.count(probes, "probes", default=0, least=1),
    )
    if recall is not None and options.recall == 0:
        raise InvalidArgument("recall and probes are above 0; leave them out for an exact search")
    # They live as long as the options that point at them.
    options.allowed = filter
    options.limits = None
    if radii is not None:
        # A number is the radius of a single query. Whoever knows how many queries there are compares the sizes.
        options.limits = np.atleast_1d(_arrays.doubles(radii, "radii"))
        if options.limits.ndim != 1:
            raise InvalidArgument(f"radii have {options.limits.ndim} dimensions; they have 1: a number for each query")
        options.radii = _arrays.address(options.limits)
    return options
