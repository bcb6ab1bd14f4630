"""Filters: which vectors a search may return."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence, Set
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin import _arrays, _arrow_reader, _names
from kin._arrays import address
from kin._library import create_handle, library
from kin.errors import InvalidArgument

if TYPE_CHECKING:
    from kin._contents import Contents


class Filter:
    """The vectors that a search may return: a condition, a set of ids or a mask, or a combination of filters.

    One filter serves any number of searches, indexes and threads, and can be pickled unless an index prepared it.
    ``search`` also accepts an array or a text, so this class is for filters that are used more than once or combined.
    ``a & b`` needs both filters to allow a vector, ``a | b`` needs one of them, and ``~a`` allows the vectors that a
    does not allow::

        unseen = ~kin.Filter(ids=[3, 5, 8])
        index.search(q, 10, filter=kin.Filter("city = 'Rome'") & unseen)

    Parameters
    ----------
    allowed : array of int, str or bool, set of int or str, or str
        Ids, shape (n,), in any order. Or a mask with one Boolean for each id, shape (n,). Or an expression about
        attributes, such as ``"user = 'u42' and start >= 2026-01-01 and state in (drift, mastery)"``. Its ``id`` is the
        id of a vector, without a sign; ids that are texts are compared by ``=``, ``!=`` and ``in``.

        Element i of a mask applies to the vector with id i, so an index accepts a mask only if its ids are 0 … n − 1.
        For other ids pass the ids themselves: ``kin.Filter(ids[mask])``. A mask takes 1/64 of the memory of ids.
    ids : array or set of int or str
        Ids, instead of ``allowed``. Ids without a vector are ignored.
    """

    __array_ufunc__ = None
    """An array has no operators with a filter."""

    _masks: frozenset[int] = frozenset()
    """The numbers of Booleans of the masks."""

    _kinds: frozenset[bool] = frozenset()
    """Whether the ids are texts: one element for ids of one kind, none for an expression."""

    _recipe: tuple[Callable[..., Filter], tuple[Any, ...]] | None = None
    """A function that makes an equal filter, and its arguments, for pickles and copies; None for a prepared filter."""

    def __init__(
        self, allowed: ArrayLike | Set[int] | Set[str] | str | None = None, *, ids: ArrayLike | Set[int] | Set[str] | None = None
    ) -> None:
        if (allowed is None) == (ids is None):
            raise TypeError("a Filter is made of one thing: kin.Filter(a condition, ids or a mask), or kin.Filter(ids=...)")
        if isinstance(allowed, str):
            expression = _arrays.text(allowed, "filter")
            self._handle = create_handle(library.kin_filter_free, library.kin_filter_create_expression, expression)
            self._recipe = Filter, (allowed,)
            return
        array = ids_or_truths(allowed) if ids is None else _names.ids_or_texts(list(ids) if isinstance(ids, Set) else ids)  # type: ignore[arg-type]
        if len(array) if isinstance(array, list) else array.size:
            self._kinds = frozenset([isinstance(array, list)])
        if isinstance(array, list):
            self._recipe = _of_ids, (array,)
            texts = _names.TextArray(array, "filter")
            self._handle = create_handle(library.kin_filter_free, library.kin_filter_create_names, texts.address, len(array))
            return
        if array.dtype == np.bool_:
            if array.ndim != 1:
                raise InvalidArgument(f"filter has {array.ndim} dimensions; it has 1")
            bits = np.packbits(array, bitorder="little")
            words = np.zeros((bits.size + 7) // 8, dtype=np.uint64)
            words.view(np.uint8)[: bits.size] = bits
            create = library.kin_filter_create_bitmap
            self._masks = frozenset([array.size])
            self._recipe = _of_mask, (bits, array.size)
        else:
            words = _arrays.ids(array, "filter").view(np.uint64)
            if ids is None and words.size > 2 and words.max() <= 1:
                raise InvalidArgument(f"filter has {words.size} numbers that are all 0 or 1; pass a mask as Booleans: filter.astype(bool)")
            create = library.kin_filter_create_ids
            self._recipe = _of_ids, (words.copy(),)
        self._handle = create_handle(library.kin_filter_free, create, address(words), words.size)

    def __and__(self, other: Filter) -> Filter:
        """The filter that allows what both filters allow."""
        return self._with(other, library.kin_filter_create_and, operator.and_)

    def __or__(self, other: Filter) -> Filter:
        """The filter that allows what at least one of the filters allows."""
        return self._with(other, library.kin_filter_create_or, operator.or_)

    def __invert__(self) -> Filter:
        """The filter that allows what this filter does not allow."""
        inverse = self._like([self], library.kin_filter_create_not, self._handle)
        inverse._recipe = operator.invert, (self,)
        return inverse

    def __bool__(self) -> bool:
        raise TypeError("a Filter is neither true nor false: combine filters by & | ~ instead of and, or, not")

    def __reduce__(self) -> tuple[Callable[..., Filter], tuple[Any, ...]]:
        # A prepared filter belongs to its index, as its handle does.
        return self._recipe or self._handle.__reduce__()

    def _with(self, other: Filter, create: Callable[..., int], combine: Callable[..., Any]) -> Filter:
        if not isinstance(other, Filter):
            raise TypeError(f"a Filter is combined with a Filter, not with {other!r:.80}; write kin.Filter(...)")
        if len(self._kinds | other._kinds) == 2:
            raise TypeError("one filter has ids that are texts and the other has whole numbers; the ids of an index are of one kind")
        combined = self._like([self, other], create, self._handle, other._handle)
        combined._recipe = combine, (self, other)
        return combined

    @classmethod
    def _like(cls, filters: list[Filter], create: Callable[..., int], *arguments: Any) -> Filter:
        """A filter that fits the indexes that the given filters fit."""
        filter = cls.__new__(cls)
        filter._handle = create_handle(library.kin_filter_free, create, *arguments)
        filter._masks = frozenset(length for each in filters for length in each._masks)
        filter._kinds = frozenset(is_text for each in filters for is_text in each._kinds)
        return filter


def _of_ids(ids: ArrayLike) -> Filter:
    return Filter(ids=ids)


def _of_mask(bits: NDArray[np.uint8], size: int) -> Filter:
    return Filter(np.unpackbits(bits, count=size, bitorder="little").view(np.bool_))


def ids_or_truths(allowed: ArrayLike | Set[int] | Set[str]) -> NDArray[Any] | list[str]:
    """The ids or Booleans of a filter that is not an expression: an array, or a list of texts."""
    values: Any = list(allowed) if isinstance(allowed, Set) else allowed
    column = _arrays.one_column(values, "filter")
    if column.dtype.kind not in "OUT":
        return column
    # A mix of texts and numbers is texts by now.
    return _names.ids_or_texts(column if _arrow_reader.is_lent(values) else values, "filter")


def filter_for(index: Contents, allowed: FilterLike) -> Filter:
    """A filter for searches of an index, which accepts a mask only if its ids are 0 … n − 1."""
    filter = allowed if isinstance(allowed, Filter) else Filter(allowed)
    for is_text in filter._kinds:
        index._require_kind(is_text, "filter")
    for length in filter._masks:
        version = index._version
        if index._accepted_mask != (version, length):
            ids = index.ids.view(np.uint64)
            require_mask(length, ids.size, int(ids.min(initial=(1 << 64) - 1)), int(ids.max(initial=0)))
            index._accepted_mask = version, length
    return filter


def is_list_of_filters(allowed: object) -> bool:
    """Whether the value of an option is a list with a Filter or None for each query."""
    if not isinstance(allowed, (list, tuple)) or not allowed or not (allowed[0] is None or isinstance(allowed[0], Filter)):
        return False
    return any(isinstance(each, Filter) for each in allowed) or all(each is None for each in allowed)


def filters_for(index: Contents, allowed: Sequence[Filter | None]) -> list[Filter | None]:
    """The filters of a batch of queries."""
    for row, each in enumerate(allowed):
        if each is not None and not isinstance(each, Filter):
            raise TypeError(f"filter: element {row} is {each!r:.80}; a list of filters has a kin.Filter or None for each query")
    return [None if each is None else filter_for(index, each) for each in allowed]


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
"""The values that stand for a filter."""
