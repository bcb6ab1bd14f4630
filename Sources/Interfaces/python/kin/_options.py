"""Conversion of arguments to the library's options."""

from __future__ import annotations

import ctypes
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from kin import _arrays, _signatures
from kin._signatures import FileOptions
from kin.errors import InvalidArgument
from kin.filter import Filter, FilterLike


class SearchOptions(TypedDict, total=False):
    """The options of a search, which every call that searches accepts by name."""

    filter: FilterLike
    """Which vectors may be returned; see :class:`kin.Filter`."""
    threads: int | None
    """The most threads to use. Default: 1. The result does not depend on it."""
    recall: float | None
    """Reads the fewest blocks whose calibrated mean recall is at least this, above 0 and at most 1; see :meth:`kin.IVFIndex.calibrate`."""
    probes: int | None
    """The number of nearest lists of an inverted file to read; more are read while fewer than k vectors are found, unless a query has a
    radius."""


def file_options(*, overwrite: bool = False, unmapped: bool = False) -> FileOptions:
    """Options for a file that is written or opened."""
    return FileOptions(ctypes.sizeof(FileOptions), int(bool(overwrite)), int(bool(unmapped)))


def search_options(radii: ArrayLike | None = None, **options: Unpack[SearchOptions]) -> _signatures.SearchOptions | None:
    """The library's structure of options, with references to the objects that it points at; None if every option is missing or None."""
    if radii is None and not options:
        return None
    if unknown := options.keys() - SearchOptions.__annotations__.keys():
        raise TypeError(f"a search has no option {unknown.pop()!r}; its options are {', '.join(SearchOptions.__annotations__)}")
    if radii is None and all(value is None for value in options.values()):
        return None
    allowed, recall = options.get("filter"), options.get("recall")
    if allowed is not None and not isinstance(allowed, Filter):
        allowed = Filter(allowed)
    structure = _signatures.SearchOptions(
        ctypes.sizeof(_signatures.SearchOptions),
        None if allowed is None else allowed._handle._as_parameter_,
        _arrays.threads(options.get("threads")),
        0 if recall is None else float(recall),
        _arrays.count(options.get("probes"), "probes", default=0, least=1),
    )
    if recall is not None and structure.recall == 0:
        raise InvalidArgument("recall and probes are above 0; leave them out for an exact search")
    # They live as long as the structure that points at them.
    structure.allowed, structure.limits = allowed, None
    if radii is not None:
        # A number is the radius of a single query. The search compares the number of radii with that of queries.
        structure.limits = np.atleast_1d(_arrays.doubles(radii, "radii"))
        if structure.limits.ndim != 1:
            raise InvalidArgument(f"radii have {structure.limits.ndim} dimensions; they have 1: a number for each query")
        structure.radii = _arrays.address(structure.limits)
    return structure
