"""One search in the form that actors receive."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Iterable, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

import ray

from kin import _arrays
from kin._arrays import Floats, Vectors
from kin._options import SearchOptions
from kin.errors import InvalidArgument
from kin.filter import Filter, ids_or_truths, is_list_of_filters

Rows = NDArray[np.intp] | None
"""The queries of a batch that a shard searches; None for all."""

_INLINE = 1 << 16


@dataclass
class Request:
    """The filter, deadline and options that all batches of one search share."""

    filter: Any
    """The given filter: ids, a mask or text."""
    options: dict[str, Any]
    """The other options of the search, by name."""
    until: float
    """The deadline, by the monotonic clock."""
    is_over: threading.Event = field(default_factory=threading.Event)
    """Set when no caller waits for the result any more."""
    _sent: Any = None

    @classmethod
    def of(cls, options: SearchOptions, timeout: float) -> Self:
        """A request that starts now; options that are None are left out."""
        given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
        filter = given.pop("filter", None)
        if isinstance(filter, Filter) or is_list_of_filters(filter):
            raise InvalidArgument("a Filter stays in its process; give the ids, truths or text that it was made of")
        plain = filter if filter is None or isinstance(filter, str) else ids_or_truths(filter)[0]
        return cls(plain, given, time.monotonic() + timeout)

    @property
    def sent(self) -> Any:
        """The filter in the form that actors receive; sent once for all batches."""
        if self._sent is None:
            self._sent = shipped(self.filter) if isinstance(self.filter, np.ndarray) else self.filter
        return self._sent

    def for_batch(self, timeout: float) -> Self:
        """The same request with a time limit that starts now."""
        return replace(self, until=time.monotonic() + timeout)


def accepted(filter: Any) -> Any:
    """The filter of a request for one index. The session has compared a mask with the ids of all shards."""
    if not (isinstance(filter, np.ndarray) and filter.dtype == np.bool_):
        return filter
    plain = Filter(filter)
    plain._masks = frozenset()
    return plain


def shipped(values: NDArray[Any]) -> Any:
    """An array as an argument of several calls: stored once in the object store unless it is short."""
    return values if values.nbytes <= _INLINE else ray.put(values)


def queries(q: Vectors) -> tuple[Floats, bool]:
    """Queries as rows, and whether there was a single query."""
    found = _arrays.numbers(q, "q")
    return (found[np.newaxis], True) if found.ndim == 1 else (found, False)


Batch = TypeVar("Batch")
Found = TypeVar("Found")


def in_order(work: Callable[[Batch], Found], batches: Iterable[Batch], under_way: int, is_over: threading.Event) -> Iterator[Found]:
    """The results of work on batches, in order, with `under_way` batches in progress.

    A batch is read from its source when there is room for it. If a batch fails, or the reader stops, the rest is
    cancelled.
    """
    waiting: list[Future[Found]] = []
    with ThreadPoolExecutor(under_way) as pool:
        try:
            for batch in batches:
                waiting.append(pool.submit(work, batch))
                if len(waiting) == under_way:
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        finally:
            is_over.set()
            pool.shutdown(wait=True, cancel_futures=True)
