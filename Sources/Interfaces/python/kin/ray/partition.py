"""The shard of a vector, and lower bounds of the distances between a query and the vectors of a shard."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, assert_never, get_args

import numpy as np
from numpy.typing import NDArray

from kin._arrays import Doubles, Floats, IDs, number_of
from kin._signatures import Metric
from kin.ray.generator import split_mix

PartitionKind = Literal["range", "hash"]

_PIECE = 512


@dataclass(frozen=True)
class Partition:
    """The shard of a vector: by its position ("range"), or by its id ("hash").

    A range partition splits space like the first splits of a median tree, each across the widest axis. Shards are
    therefore disjoint boxes with about the same number of rows, and most queries need few of them.
    """

    shards: int
    tree: Any = None
    """A shard's number, or ``[axis, threshold, below, above]`` with trees below and above; None for "hash"."""

    @property
    def kind(self) -> str:
        """The name of the partition."""
        return "hash" if self.tree is None else "range"

    def encode(self) -> dict[str, Any]:
        """The partition in JSON's types."""
        return {"kind": self.kind, "shards": self.shards, "tree": self.tree}

    @classmethod
    def decode(cls, facts: dict[str, Any]) -> Self:
        """The partition from the result of :meth:`encode`."""
        return cls(facts["shards"], facts["tree"])

    @classmethod
    def of(cls, kind: str, shards: int, metric: Metric, sample: Floats) -> Self:
        """A partition into a number of shards; for "range", split at the medians of a sample of the rows."""
        number_of(kind, get_args(PartitionKind), "partition")
        if kind == "hash":
            return cls(shards)
        place = _place(sample, metric)
        return cls(shards, _split(place[np.isfinite(place).all(axis=1)], 0, shards))

    def shard(self, x: Floats, ids: IDs, metric: Metric) -> NDArray[np.int64]:
        """The shard of each vector, shape (n,)."""
        if self.tree is None:
            return hash_partition(ids, self.shards)
        found = np.empty(len(ids), dtype=np.int64)
        place = _place(x, metric)
        waiting: list[tuple[Any, NDArray[np.intp]]] = [(self.tree, np.arange(len(ids)))]
        while waiting:
            node, rows = waiting.pop()
            if isinstance(node, int):
                found[rows] = node
                continue
            axis, threshold, below, above = node
            is_below = place[rows, axis] < threshold
            waiting += [(below, rows[is_below]), (above, rows[~is_below])]
        return found


def hash_partition(ids: IDs, shards: int) -> NDArray[np.int64]:
    """A number below `shards` for each id, which looks random."""
    return (split_mix(ids.view(np.uint64)) % np.uint64(shards)).astype(np.int64)


def _place(x: Floats, metric: Metric) -> NDArray[Any]:
    """The positions of vectors: the vectors, or for cosine their directions."""
    if metric != "cosine":
        return x
    doubles = x.astype(np.float64)
    # A zero vector, which the index that receives it rejects, becomes NaN.
    with np.errstate(invalid="ignore"):
        directions: Doubles = doubles / np.linalg.norm(doubles, axis=1, keepdims=True)
    return directions


def _split(rows: NDArray[Any], first: int, shards: int) -> Any:
    if shards == 1:
        return first
    below = shards // 2
    if len(rows) == 0:
        return [0, 0.0, _split(rows, first, below), _split(rows, first + below, shards - below)]
    axis = int(np.argmax(rows.max(axis=0).astype(np.float64) - rows.min(axis=0)))
    values = rows[:, axis]
    threshold = float(np.partition(values, len(values) * below // shards)[len(values) * below // shards])
    is_below = values < threshold
    return [
        axis,
        threshold,
        _split(rows[is_below], first, below),
        _split(rows[~is_below], first + below, shards - below),
    ]


def box(x: Floats, metric: Metric) -> tuple[Doubles, Doubles]:
    """The corners of the smallest box around vectors, for cosine around their directions; x has at least one row."""
    place = _place(x, metric)
    return place.min(axis=0).astype(np.float64), place.max(axis=0).astype(np.float64)


class Bounds:
    """Lower bounds of the distances between queries and the vectors of each shard.

    They are proved to include rounding: no distance that the library computes is below them. With u = 2⁻⁵³ and d
    dimensions, a sum of d products in double precision, in any order, has an error of at most (d + 2) u times the sum
    of their magnitudes (Higham, "Accuracy and stability of numerical algorithms", section 3.1). That holds for the
    library's distance and for the bound; a multiple of both errors is subtracted. For cosine, the distance is half the
    squared distance of two directions. Each coordinate of a direction has an error of (d + 4) u and a gap twice that. A
    sum of d gaps, each at most 2, has an error of less than 16 (d + 8)² u.
    """

    def __init__(self, metric: Metric, boxes: Sequence[tuple[Sequence[float], Sequence[float]]]) -> None:
        self._metric = metric
        self._low = [np.array(low) for low, _ in boxes]
        self._high = [np.array(high) for _, high in boxes]

    def __call__(self, q: Floats) -> Doubles:
        """The bounds for queries, shape (n, dimension): shape (n, shards)."""
        found = np.empty((len(q), len(self._low)))
        # In pieces that fit into the cache.
        for start in range(0, len(q), _PIECE):
            self._bound(q[start : start + _PIECE], found[start : start + _PIECE])
        return found

    def _bound(self, q: Floats, found: Doubles) -> None:
        place = _place(q, self._metric).astype(np.float64)
        share = (q.shape[1] + 8) * 2.0**-49
        for shard, (low, high) in enumerate(zip(self._low, self._high)):
            match self._metric:
                case "l2":
                    found[:, shard] = _squared_gap(place, low, high) * (1 - share)
                case "cosine":
                    found[:, shard] = _squared_gap(place, low, high) / 2 - share * (q.shape[1] + 8)
                case "ip":
                    product = np.maximum(place * low, place * high).sum(axis=1)
                    size = np.abs(place) @ np.maximum(np.abs(low), np.abs(high))
                    found[:, shard] = -product - share * size
                case _:
                    assert_never(self._metric)


def _squared_gap(place: Doubles, low: Doubles, high: Doubles) -> Doubles:
    """The squared distances between points and a box."""
    gap = np.maximum(np.maximum(low - place, place - high), 0)
    squared: Doubles = np.einsum("ij,ij->i", gap, gap)
    return squared
