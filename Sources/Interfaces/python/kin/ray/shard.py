"""The actor that holds one shard."""

from typing import Any

from kin._arrays import Doubles, Floats
from kin._signatures import Metric
from kin.files import open as open_index
from kin.flat import FlatIndex
from kin.ivf import IVFIndex
from kin.ray.folder import Folder
from kin.ray.manifest import ShardFile
from kin.ray.request import Rows, accepted


class Shard:
    """One shard of a version: its file, mapped.

    If the process or node is lost, Ray runs the constructor again, on a different node if necessary. The constructor
    only stores the location of the file, so that a later failure is the error of a call and not a dead actor.
    """

    def __init__(self, folder: Folder, shard: ShardFile, threads: int, verify: bool) -> None:
        self._folder, self._shard, self._threads, self._verify = folder, shard, threads, verify
        self._open: FlatIndex | IVFIndex | None = None

    def load(self) -> int:
        """Opens the file, and returns its number of rows."""
        return len(self._index())

    def search(self, q: Floats, rows: Rows, k: int, radii: Doubles | None, filter: Any, options: dict[str, Any]) -> Any:
        """The k nearest vectors in this shard for some rows of q, each within its radius."""
        return self._index().search(_asked(q, rows), k, radii=radii, filter=accepted(filter), **{"threads": self._threads, **options})

    def range_search(self, q: Floats, rows: Rows, radius: float, filter: Any, options: dict[str, Any]) -> Any:
        """All vectors in this shard within a radius of some rows of q."""
        return self._index().range_search(_asked(q, rows), radius, filter=accepted(filter), **{"threads": self._threads, **options})

    def explain(self, q: Floats, k: int, filter: Any, options: dict[str, Any]) -> dict[str, Any]:
        """The report of a search for one query."""
        return self._index().explain(q, k, filter=accepted(filter), **options)

    def _index(self) -> FlatIndex | IVFIndex:
        if self._open is None:
            with self._folder.fetched(self._shard, verify=self._verify) as path:
                self._open = open_index(path)
        return self._open


def _asked(q: Floats, rows: Rows) -> Floats:
    return q if rows is None else q[rows]


def empty_index(kind: str, dimension: int, metric: Metric, lists: int = 0) -> FlatIndex | IVFIndex:
    """An index of a kind without vectors."""
    return FlatIndex(dimension, metric) if kind == "flat" else IVFIndex(dimension, metric, lists=lists or None)
