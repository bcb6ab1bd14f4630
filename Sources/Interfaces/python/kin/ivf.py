"""The inverted-file index."""

from __future__ import annotations

import os
from typing import Any, Iterable

from numpy.typing import ArrayLike

from kin import _arrays
from kin._arrays import Doubles, IDs, Vectors, address
from kin._library import check, library, made
from kin._options import file_options, metric_number, search_options
from kin._progress import long_call
from kin.errors import DimensionMismatch, InvalidArgument
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
        centroids = _arrays.count(lists, "lists", default=0, least=1)
        self._take(made(library.kin_index_free, library.kin_index_create_ivf, size, metric_number(metric), centroids))

    @classmethod
    def build(
        cls,
        path: str | os.PathLike[str],
        batches: Iterable[Vectors | tuple[Vectors, Vectors]],
        *,
        metric: Metric = "l2",
        lists: int | None = None,
        memory: int = 1 << 30,
        threads: int | None = None,
        overwrite: bool = False,
    ) -> IVFIndex:
        """Builds an index file of more vectors than memory holds, and opens it.

            kin.IVFIndex.build("big.kin", np.load("big.npy", mmap_mode="r").reshape(-1, 10_000, 16))
            kin.IVFIndex.build("big.kin", ((batch["vector"], batch["id"]) for batch in pyarrow_reader), memory=4 << 30)

        Vectors go to the disk of the file as they come, and from there, in some passes, to their lists: for a time they take
        twice the space of the file. The file has the bytes that :meth:`save` writes for an index that was given all
        vectors at once.

        Parameters
        ----------
        path : str or path
            The file to write. What was there stays until it is complete.
        batches : iterable of arrays of float, shape (n, dimension), or of pairs with ids, shape (n,)
            Any n; some thousand are quicker than one. Arrow columns are read as in :meth:`add`. Without ids vectors are
            numbered from 0 on.
        metric, lists
            As for :class:`IVFIndex`.
        memory : int
            Bytes of vectors to hold in memory at a time, 16 MB or more. Some 12 bytes a vector come on top, and more for ids
            in no order.
        threads : int, optional
            The most threads to use, 1 when left out. The file does not depend on it.
        overwrite : bool, default False
            Whether a file is replaced that is neither empty nor a saved index; a database never is.

        Raises
        ------
        InvalidArgument
            There is a file of another kind.
        DimensionMismatch, NotFinite, ZeroVector, DuplicateID, InputOutput, Cancelled
        """
        target, most, number = _arrays.path(path), _arrays.threads(threads), metric_number(metric)
        count, budget = _arrays.count(lists, "lists", default=0, least=1), _arrays.count(memory, "memory", least=1)
        builder, dimension = None, 0
        for batch in batches:
            x, given = batch if isinstance(batch, tuple) else (batch, None)
            vectors, stride = _arrays.rows(x, "x")
            n = vectors.shape[0]
            if vectors.shape == (0, 0):
                continue
            if builder is None:
                dimension = vectors.shape[1]
                free, create = library.kin_index_builder_free, library.kin_index_builder_create_with
                options = file_options(overwrite=overwrite)
                builder = made(free, create, target, dimension, number, count, budget, options)
            if vectors.shape[1] != dimension:
                raise DimensionMismatch(f"the first batch has {dimension} dimensions, this one {vectors.shape[1]}")
            ids = None if given is None else _arrays.ids(given, rows=n)
            check(
                library.kin_index_builder_append(
                    builder, address(vectors), n, stride, None if ids is None else address(ids)
                )
            )
        if builder is None:
            raise InvalidArgument("there are no batches, so nothing tells the dimension")
        handle = made(
            library.kin_index_free, lambda *arguments: long_call(library.kin_index_builder_finish, *arguments), builder, most
        )
        return cls.__new__(cls)._take(handle)

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
        q, k, filter, threads, radii
            As for :meth:`Index.search`, and so are the results, distances and ids.
        recall : float, optional
            Reads the fewest blocks whose calibrated mean recall is at least this, above 0 and at most 1; see :meth:`calibrate`.
        probes : int, optional
            The number of nearest lists to read; more are read while fewer than k vectors are found, unless a query has a radius.
        """
        return self._search(q, k, search_options(filter, threads, recall, probes, radii))

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
        most = _arrays.threads(threads)
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

        Returns what :meth:`Index.explain` returns, and the numbers of ``lists`` and ``lists_visited``.
        """
        return self._explain(q, k, search_options(filter, None, recall, probes))
