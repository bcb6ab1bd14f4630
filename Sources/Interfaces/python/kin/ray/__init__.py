"""Kin beyond one machine: the same calls and the same results on a Ray cluster.

    import kin.ray

    kin.ray.build(x, "/shared/souls", shards=4)              # or files, or a Ray Dataset
    with kin.ray.open("/shared/souls") as index:
        distances, ids = index.search(q, k=10)               # what one index finds, bit for bit
        found = index.map_batches(dataset, k=10)             # a Ray Dataset

Importing :mod:`kin` does not import Ray; this module does. It needs the extra: ``pip install kin-engine[ray]``.
"""

from kin.ray.build import build
from kin.ray.errors import TimedOut, Unavailable
from kin.ray.folder import Folder
from kin.ray.jobs import backtest, forecasts, neighbors, replay, similar_souls
from kin.ray.kmeans import kmeans
from kin.ray.session import Session, open
from kin.ray.write import Writer, vacuum, write

__all__ = [
    "Folder", "Session", "TimedOut", "Unavailable", "Writer", "backtest", "build", "forecasts", "kmeans", "neighbors",
    "open", "replay", "similar_souls", "vacuum", "write",
]
