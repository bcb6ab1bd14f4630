"""The inverted-file index."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from kin import _arrays
from kin._arrays import Doubles, IDs, Vectors
from kin._library import check, library, made
from kin._options import metric_number, search_options
from kin._progress import long_call
from kin.filter import FilterLike
from kin.index import Index, Metric


class IVFIndex(Index):
    """An inverted-file index: a search reads the lists that can hold a neighbour, and finds what a :class:`FlatIndex` finds.

    There is nothing to train: lists split as the index grows, and a large first load is divided at once. Where data have any
    structure, an exact search takes a small part of the time of a scan; ``recall`` and ``probes`` trade recall for time.
    Memory for 16 dimensions: some 94 bytes a vector.

    Parameters
    ----------
    dimension : int
        Numbers in every vector, 1 … 65,536.
    metric : {"l2", "ip", "cosine"}
        The distance, as for :class:`FlatIndex`.
    lists : int, optional
        The number of k-means centroids, each with a list; when left out, lists split at the median of their widest axis.
    """

    def __init__(self, dimension: int, metric: Metric = "l2", *, lists: int | None = None) -> None:
        size = _arrays.count(dimension, "dimension")
        lists = _arrays.count(lists, "lists", default=0)
        self._take(made(library.kin_index_free, library.kin_index_create_ivf, size, metric_number(metric), lists))

    def search(
        self,
        q: Vectors,
        k: int = 10,
        *,
        recall: float | None = None,
        probes: int | None = None,
        filter: FilterLike = None,
        threads: int | None = None,
        radii: ArrayLike | None = None,
    ) -> tuple[Doubles, IDs]:
        """Finds the k nearest vectors of each query: exactly, unless ``recall`` or ``probes`` says otherwise.

        Parameters
        ----------
        q : array of float, shape (n, dimension) or (dimension,)
            Read where it is when it is float32 and its rows are contiguous.
        k : int
            How many neighbours are wanted.
        recall : float, optional
            Reads the fewest blocks whose calibrated mean recall is at least this, above 0 and at most 1; see :meth:`calibrate`.
        probes : int, optional
            The number of nearest lists to read; more are read while fewer than k vectors are found, unless a query has a radius.
        filter : Filter, array of ids, array of bool, or str, optional
            Which vectors may be returned; see :class:`Filter`.
        threads : int, optional
            The most threads to use, 1 when left out. The result does not depend on it.
        radii : array of float, shape (n,), or float, optional
            The largest distance of a neighbour for each query, in the metric's own units as for :meth:`range_search`; a
            vector at this very distance is one. A radius that is known from elsewhere saves time.

        Returns
        -------
        distances : array of float64, shape (n, k) or (k,)
            Nearest first; infinity where there are fewer than k.
        ids : array of int64, shape (n, k) or (k,)
            Equal distances in ascending order of id; −1 where there are fewer than k.
        """
        plain = filter is None and threads is None and recall is None and probes is None and radii is None
        return self._search(q, k, None if plain else search_options(filter, threads, recall, probes, radii))

    def calibrate(self, *, threads: int | None = None) -> None:
        """Measures how many blocks a search with ``recall`` has to read, with vectors of the index as queries.

        An :meth:`add` of at least as many vectors as there were measures too; other changes keep the last calibration. An index
        that was never calibrated, or has less than 10,000 vectors, is searched exactly. Time: some thousand searches; other
        threads may search meanwhile.

        Parameters
        ----------
        threads : int, optional
            The most threads to use, 1 when left out. The result does not depend on it.
        """
        most = _arrays.count(threads, "threads")
        check(long_call(library.kin_index_calibrate, self._handle, most))

    def explain(
        self,
        q: Vectors,
        k: int = 10,
        *,
        recall: float | None = None,
        probes: int | None = None,
        filter: FilterLike = None,
    ) -> dict[str, Any]:
        """Searches for one query, shape (dimension,), and reports the plan and what was read.

        Returns what :meth:`FlatIndex.explain` returns, and the numbers of ``lists`` and ``lists_visited``.
        """
        return self._explain(q, k, search_options(filter, None, recall, probes))
