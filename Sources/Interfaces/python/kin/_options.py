"""Conversion of arguments to the library's options."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict, cast

import numpy as np
from numpy.typing import ArrayLike

from kin import _arrays, _signatures
from kin._signatures import FileOptions
from kin.errors import InvalidArgument
from kin.filter import Filter, FilterLike, filter_for, filters_for, is_list_of_filters

if TYPE_CHECKING:
    from kin.index import Index


class SearchOptions(TypedDict, total=False):
    """The options that every search accepts by name.

    Attributes
    ----------
    filter : Filter, array of ids, array of bool, str, or list of Filter
        Which vectors may be returned; an array of bool needs the ids 0 … n − 1 in order. See :class:`kin.Filter`. A list has a
        Filter or None for each query, and the queries are then searched one by one.
    threads : int
        The most threads to use. Default: 1. The result does not depend on it.
    recall : float
        Reads the fewest blocks whose calibrated mean recall is at least this, above 0 and at most 1; see
        :meth:`kin.IVFIndex.calibrate`. Queries unlike the vectors may find far fewer neighbours. The search is exact in
        a flat index, for more than 100 neighbours or groups, and if a filter rejects many of the nearest vectors.
    probes : int
        The number of nearest lists of an :class:`kin.IVFIndex` to read. More lists are read until k vectors are found,
        unless a query has a radius.
    group_by : str
        An integer or category attribute, such as the document of a passage: the search then finds the k nearest groups
        of vectors with the same value, and returns the nearest vector of each. A vector without a value is a group of
        its own. A query takes a few searches.
    """

    filter: FilterLike | Sequence[Filter | None]
    threads: int | None
    recall: float | None
    probes: int | None
    group_by: str | None


_NAMES = frozenset(SearchOptions.__annotations__)
_SIZE = ctypes.sizeof(_signatures.SearchOptions)


def file_options(*, overwrite: bool = False, unmapped: bool = False, verify: int = 0) -> FileOptions:
    """Options for a file that is written or opened."""
    return FileOptions(ctypes.sizeof(FileOptions), int(_arrays.boolean(overwrite, "overwrite")), int(unmapped), verify, 0)


def search_options(index: Index, options: SearchOptions, radii: ArrayLike | None = None) -> _signatures.SearchOptions | None:
    """The options of a search of this index, with references to the objects they point at; None if no option is set."""
    if not options and radii is None:
        return None
    if not _NAMES.issuperset(options):
        unknown = min(options.keys() - _NAMES)
        raise TypeError(f"a search has no option {unknown!r}; its options are {', '.join(SearchOptions.__annotations__)}")
    if radii is None and all(value is None for value in options.values()):
        return None
    structure = _signatures.SearchOptions(size=_SIZE, threads=_arrays.threads(options.get("threads")))
    # The references keep the objects alive as long as the structure that points at them.
    structure.allowed, structure.limits, structure.each = None, None, None
    allowed = options.get("filter")
    if is_list_of_filters(allowed):
        structure.each = filters_for(index, cast(Sequence[Filter | None], allowed))
        handles = [0 if filter is None else filter._handle._as_parameter_ for filter in structure.each]
        structure.handles = np.array(handles, np.uintp)
        structure.filters = _arrays.address(structure.handles)
    elif allowed is not None:
        structure.allowed = filter_for(index, cast(FilterLike, allowed))
        structure.filter = structure.allowed._handle._as_parameter_
    if (recall := options.get("recall")) is not None:
        structure.recall = _arrays.real(recall, "recall")
        if structure.recall == 0:
            raise InvalidArgument("recall and probes are above 0; leave them out for an exact search")
    if (probes := options.get("probes")) is not None:
        structure.probes = _arrays.count(probes, "probes", least=1)
    if (group_by := options.get("group_by")) is not None:
        structure.group_by = _arrays.text(group_by, "group_by")
    if radii is not None:
        structure.limits = _arrays.array_of(radii, "radii", np.float64)
    return structure


def fit(structure: _signatures.SearchOptions | None, queries: int) -> None:
    """Fits options to a number of queries: checks the numbers of radii and filters, and gives each query its radius."""
    if structure is None:
        return
    if structure.limits is not None:
        limits = np.full(queries, structure.limits) if structure.limits.ndim == 0 else structure.limits
        if limits.ndim != 1:
            raise InvalidArgument(f"radii have {limits.ndim} dimensions; they have 1: a number for each query")
        if limits.size != queries:
            raise InvalidArgument(f"there are {limits.size} radii for {queries} queries; give each one, or all of them one number")
        structure.limits = np.require(limits, requirements=["C", "A"])
        structure.radii = _arrays.address(structure.limits)
    if structure.each is not None and len(structure.each) != queries:
        raise InvalidArgument(f"there are {len(structure.each)} filters for {queries} queries; each has one")
