"""Filters: which vectors a search may return."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin import _arrays, _arrow_reader, _names
from kin._arrays import address
from kin._library import Handle, create_handle, library
from kin.errors import InvalidArgument

if TYPE_CHECKING:
    from kin.index import Index


class Filter:
    """The vectors that a search may return: a set of ids, or an expression about their attributes.

    One filter serves any number of searches, indexes and threads. ``search`` also accepts an array, so this class is
    for filters that are used more than once::

        mine = kin.Filter([3, 5, 8])
        index.search(q, 10, filter=mine)

    Parameters
    ----------
    allowed : array of int, str or bool, set of int or str, or str
        Ids, shape (n,), in any order. Or a mask with one Boolean for each id, shape (n,). Or an expression about
        attributes, such as ``"user = 'u42' and start >= 2026-01-01 and state in (drift, mastery)"``.

        Element i of a mask applies to the vector with id i, so an index accepts a mask only if its ids are 0 … n − 1.
        For other ids pass the ids themselves: ``kin.Filter(ids[mask])``. A mask takes 1/64 of the memory of ids.
    """

    _mask_length: int | None = None
    """The number of Booleans of a mask; None for ids and expressions."""

    _has_numbers = False
    """Whether the filter has ids that are numbers, or a mask."""

    _texts: list[str] | None = None
    """Ids that are texts, whose numbers differ from index to index; then there is no handle."""

    def __init__(self, allowed: ArrayLike | Set[int] | Set[str] | str) -> None:
        if isinstance(allowed, str):
            expression = _arrays.text(allowed, "filter")
            self._handle = create_handle(library.kin_filter_free, library.kin_filter_create_expression, expression)
            return
        array = ids_or_truths(allowed)
        if isinstance(array, list):
            self._texts = array
            return
        self._has_numbers = array.size > 0
        if array.dtype == np.bool_:
            if array.ndim != 1:
                raise InvalidArgument(f"filter has {array.ndim} dimensions; it has 1")
            bits = np.packbits(array, bitorder="little")
            words = np.zeros((bits.size + 7) // 8, dtype=np.uint64)
            words.view(np.uint8)[: bits.size] = bits
            create = library.kin_filter_create_bitmap
            self._mask_length = array.size
        else:
            words = _arrays.ids(array, "filter").view(np.uint64)
            if words.size > 2 and words.max() <= 1:
                raise InvalidArgument(f"filter has {words.size} numbers that are all 0 or 1; pass a mask as Booleans: filter.astype(bool)")
            create = library.kin_filter_create_ids
        self._handle = create_handle(library.kin_filter_free, create, address(words), words.size)

    @classmethod
    def _of(cls, handle: Handle, mask_length: int | None) -> Filter:
        filter = cls.__new__(cls)
        filter._handle, filter._mask_length = handle, mask_length
        return filter


def ids_or_truths(allowed: ArrayLike | Set[int] | Set[str]) -> NDArray[Any] | list[str]:
    """The ids or Booleans of a filter that is not an expression: an array, or a list of texts."""
    values: Any = list(allowed) if isinstance(allowed, (set, frozenset)) else allowed
    column = _arrays.one_column(values, "filter")
    if column.dtype.kind not in "UT":
        return column
    # A mix of texts and numbers is texts by now.
    ids = _names.ids_or_texts(column if _arrow_reader.is_lent(values) else values, "filter")
    return ids if isinstance(ids, list) else column


def filter_for(index: Index, allowed: FilterLike) -> Filter:
    """A filter for searches of an index, which accepts a mask only if its ids are 0 … n − 1."""
    filter = allowed if isinstance(allowed, Filter) else Filter(allowed)  # type: ignore[arg-type]
    if filter._texts is not None:
        words = index._numbers(filter._texts, "filter")
        return Filter._of(create_handle(library.kin_filter_free, library.kin_filter_create_ids, address(words), words.size), None)
    if filter._has_numbers:
        index._require_kind(False, "filter")
    length, version = filter._mask_length, index._version
    if length is not None and index._accepted_mask != (version, length):
        ids = index.ids.view(np.uint64)
        require_mask(length, ids.size, int(ids.min(initial=(1 << 64) - 1)), int(ids.max(initial=0)))
        index._accepted_mask = version, length
    return filter


def require_mask(length: int, rows: int, first: int, last: int) -> None:
    """Raises InvalidArgument unless different ids from ``first`` to ``last`` are 0 … n − 1, for a mask of length n."""
    if rows == length and last < max(rows, 1):
        return
    ids = f" with ids from {first} to {last}" if rows else ""
    raise InvalidArgument(
        f"filter: element i of a mask is about id i, so a mask of {length} truths needs the ids 0 to {length - 1}, but the index has "
        f"{rows} vectors{ids}; pass ids instead: kin.Filter(ids[mask]), where ids are those given to add"
    )


FilterLike: TypeAlias = Filter | ArrayLike | Set[int] | Set[str] | str | None
