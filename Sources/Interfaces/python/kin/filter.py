"""Filters: which vectors a search may return."""

from __future__ import annotations

from collections.abc import Set
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin import _arrays
from kin._arrays import address
from kin._library import Handle, create_handle, library
from kin.errors import InvalidArgument


class Filter:
    """The vectors that a search may return: a set of ids, or an expression about their attributes.

    One filter serves any number of searches, indexes and threads. ``search`` makes one by itself from an array, so this
    class is for filters that are used more than once::

        mine = kin.Filter([3, 5, 8])
        index.search(q, 10, filter=mine)

    Parameters
    ----------
    allowed : array of int or bool, set of int, or str
        Ids, shape (n,), in any order; or one truth for each id 0, 1, 2 …, shape (largest id + 1,): for dense ids this
        takes 64 times less memory; or an expression about the attributes of vectors, as
        ``"user = 'u42' and start >= 2026-01-01 and state in (drift, mastery)"``.
    """

    def __init__(self, allowed: ArrayLike | Set[int] | str) -> None:
        if isinstance(allowed, str):
            expression = _arrays.text(allowed, "filter")
            self._handle = create_handle(library.kin_filter_free, library.kin_filter_create_expression, expression)
            return
        array = ids_or_truths(allowed)
        if array.dtype == np.bool_:
            if array.ndim != 1:
                raise InvalidArgument(f"filter has {array.ndim} dimensions; it has 1")
            bits = np.packbits(array, bitorder="little")
            words = np.zeros((bits.size + 7) // 8, dtype=np.uint64)
            words.view(np.uint8)[: bits.size] = bits
            create = library.kin_filter_create_bitmap
        else:
            words = _arrays.ids(array, "filter").view(np.uint64)
            create = library.kin_filter_create_ids
        self._handle = create_handle(library.kin_filter_free, create, address(words), words.size)

    @classmethod
    def _of(cls, handle: Handle) -> Filter:
        filter = cls.__new__(cls)
        filter._handle = handle
        return filter


def ids_or_truths(allowed: ArrayLike | Set[int]) -> NDArray[Any]:
    """The ids or truths of a filter that is no text, as an array."""
    return _arrays.array_of(list(allowed) if isinstance(allowed, (set, frozenset)) else allowed, "filter")


FilterLike: TypeAlias = Filter | ArrayLike | Set[int] | str | None
