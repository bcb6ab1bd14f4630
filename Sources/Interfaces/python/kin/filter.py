"""Filters: which vectors a search may return."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence, Set
from typing import TYPE_CHECKING, Any, TypeAlias, cast

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

        Element i of a mask is about the i-th vector, so an index accepts a mask only if its ids are 0 … n − 1 and were
        added in this order. For other ids pass the ids themselves: ``kin.Filter(ids[mask])``. A mask takes 1/64 of the
        memory of ids. A mask of pandas with an index of its own is read by that index, which must have every id:
        ``frame.city == "Rome"`` for vectors that were added with ``ids=frame.index``.
    ids : array or set of int or str
        Ids, instead of ``allowed``. Ids without a vector are ignored.
    """

    __array_ufunc__ = None
    """An array has no operators with a filter."""

    _masks: frozenset[int | frozenset[int | str]] = frozenset()
    """The numbers of Booleans of the masks, or the labels of masks with an index."""

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
        if ids is None:
            array, labels = ids_or_truths(allowed)  # type: ignore[arg-type]
        else:
            array, labels = _names.ids_or_texts(list(ids) if isinstance(ids, Set) else ids), None  # type: ignore[arg-type]
        if labels is not None:
            self._masks = frozenset([frozenset(labels)])
        if len(array) if isinstance(array, list) else array.size:
            self._kinds = frozenset([isinstance(array, list)])
        if isinstance(array, list):
            self._recipe = _of_ids, (array,)
            texts = _names.TextArray(array, "filter")
            self._handle = create_handle(library.kin_filter_free, library.kin_filter_create_names, texts.address, len(array))
        elif array.dtype == np.bool_:
            if array.ndim != 1:
                raise InvalidArgument(f"filter has {array.ndim} dimensions; give 1")
            bits = np.packbits(array, bitorder="little")
            words = np.zeros((bits.size + 7) // 8, dtype=np.uint64)
            words.view(np.uint8)[: bits.size] = bits
            self._masks = frozenset([array.size])
            self._recipe = _of_mask, (bits, array.size)
            self._handle = create_handle(library.kin_filter_free, library.kin_filter_create_bitmap, address(words), words.size)
        else:
            words = _arrays.ids(array, "filter").view(np.uint64)
            if ids is None and words.size > 2 and words.max() <= 1:
                raise InvalidArgument(f"filter has {words.size} numbers that are all 0 or 1; pass a mask as Booleans: filter.astype(bool)")
            self._recipe = _of_ids, (words.copy(),)
            self._handle = create_handle(library.kin_filter_free, library.kin_filter_create_ids, address(words), words.size)
        if labels is not None:
            self._recipe = Filter, (cast(Any, allowed).copy(),)

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
        filter._masks = frozenset(mask for each in filters for mask in each._masks)
        filter._kinds = frozenset(is_text for each in filters for is_text in each._kinds)
        return filter


def _of_ids(ids: ArrayLike) -> Filter:
    return Filter(ids=ids)


def _of_mask(bits: NDArray[np.uint8], size: int) -> Filter:
    return Filter(np.unpackbits(bits, count=size, bitorder="little").view(np.bool_))


def _labels(mask: Any) -> list[Any] | None:
    """The labels of a mask of pandas; None for a mask without an index, and for the rows' numbers that pandas gives by default."""
    index: Any = getattr(mask, "index", None)
    if not hasattr(index, "is_unique") or (getattr(index, "start", None), getattr(index, "step", None)) == (0, 1):
        return None
    if not index.is_unique:
        raise InvalidArgument("filter: the index of the mask has a label twice, and must have each id once; pass ids instead: kin.Filter(ids[mask])")
    labels = _names.ids_or_texts(index, "the index of the filter")
    return labels if isinstance(labels, list) else labels.tolist()


def ids_or_truths(allowed: ArrayLike | Set[int] | Set[str]) -> tuple[NDArray[Any] | list[str], list[Any] | None]:
    """The ids or Booleans of a filter that is not an expression, an array or a list of texts, and the labels of a mask that became ids by them."""
    values: Any = list(allowed) if isinstance(allowed, Set) else allowed
    column = _arrays.one_column(values, "filter")
    if column.dtype == np.bool_ and (labels := _labels(values)) is not None:
        return _names.ids_or_texts(list(itertools.compress(labels, column)), "filter"), labels
    if column.dtype.kind not in "OUT":
        return column, None
    # A mix of texts and numbers is texts by now.
    return _names.ids_or_texts(column if _arrow_reader.is_lent(values) else values, "filter"), None


def filter_for(index: Contents, allowed: FilterLike) -> Filter:
    """A filter for searches of an index, which accepts a mask only if its ids are 0 … n − 1 in order, or are labels of the mask."""
    filter = allowed if isinstance(allowed, Filter) else Filter(allowed)
    for is_text in filter._kinds:
        index._require_kind(is_text, "filter")
    for mask in filter._masks:
        version = index._version
        if index._accepted_mask != (version, mask):
            if isinstance(mask, frozenset):
                _require_labels(index.ids.tolist(), mask)
            else:
                ids = index.ids.view(np.uint64)
                # The lists of an index have an order of their own.
                in_order = not index._is_shuffled and (index._kind == "ivf" or bool((ids[1:] > ids[:-1]).all()))
                require_mask(mask, ids.size, int(ids.min(initial=(1 << 64) - 1)), int(ids.max(initial=0)), in_order)
            index._accepted_mask = version, mask
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


def _require_labels(ids: list[int | str], labels: frozenset[int | str]) -> None:
    """Raises InvalidArgument unless the labels of a mask include all ids."""
    for id in ids:
        if id not in labels:
            raise InvalidArgument(
                f"filter: a mask of pandas is read by its index, which lacks the id {id!r}; set the index to the ids, or pass ids instead: "
                "kin.Filter(ids[mask])"
            )


def require_mask(length: int, rows: int, first: int, last: int, in_order: bool = True) -> None:
    """Raises InvalidArgument unless different ids from ``first`` to ``last`` are 0 … n − 1, in order, for a mask of length n."""
    if rows == length and last < max(rows, 1) and in_order:
        return
    ids = "" if not rows else f" with ids from {first} to {last}" + (" in a different order" if last < rows == length else "")
    raise InvalidArgument(
        f"filter: element i of a mask is about the i-th vector, so a mask of {length} truths needs the ids 0 to {length - 1} in order, but the "
        f"index has {rows} vectors{ids}; pass ids instead: kin.Filter(ids[mask]), where ids are those given to add"
    )


FilterLike: TypeAlias = Filter | ArrayLike | Set[int] | Set[str] | str | None
"""The values that stand for a filter."""
