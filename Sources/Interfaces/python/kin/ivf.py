"""The inverted-file index."""

import os
from collections.abc import Iterable
from typing import Self

from kin import _arrays, _names
from kin._arrays import Vectors, address, address_or_none
from kin._library import check, create_handle, library
from kin._options import file_options
from kin._precision import PrecisionReport
from kin._progress import long_call
from kin._signatures import METRICS, Metric
from kin.errors import DimensionMismatch, InvalidArgument
from kin.index import Index


class IVFIndex(Index):
    """An inverted-file index: exact like a :class:`FlatIndex`, but a search reads only lists that can hold a neighbour.

    No training is needed: lists split as the index grows, and a large first load is partitioned at once. If the data
    have any structure, an exact search takes a small part of the time of a scan; ``recall`` and ``probes`` trade recall
    for time. Memory for 16 dimensions: about 90 bytes per vector after one load, up to 105 after many small ones.

    Parameters
    ----------
    dimension : int
        Numbers in every vector, 1 … 65,536.
    metric : str
        The distance, as for :class:`FlatIndex`.
    lists : int, optional
        The number of k-means centroids, with one list each. Default: no centroids; lists split at the median of their
        widest axis.
    """

    _kind = "ivf"

    def __init__(self, dimension: int, metric: Metric = "l2", *, lists: int | None = None) -> None:
        size, number = _arrays.count(dimension, "dimension"), _arrays.number_of(metric, METRICS, "metric")
        centroids = _arrays.count(lists, "lists", default=0, least=1)
        self._adopt(create_handle(library.kin_index_free, library.kin_index_create_ivf, size, number, centroids))

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
    ) -> Self:
        """Builds and opens the file of an index with more vectors than memory holds.

            kin.IVFIndex.build("big.kin", np.load("big.npy", mmap_mode="r").reshape(-1, 10_000, 16))
            kin.IVFIndex.build("big.kin", ((batch["vector"], batch["id"]) for batch in pyarrow_reader), memory=4 << 30)

        Vectors are written to the disk of the file as they arrive, and from there, in several passes, to their lists:
        for a time they take twice the space of the file. The file has the same bytes that :meth:`save` writes for an
        index that received all vectors at once.

        Parameters
        ----------
        path : str or path
            The file to write. An existing file stays until the new one is complete.
        batches : iterable of arrays of float, shape (n, dimension), or of pairs with ids, shape (n,)
            Any n; a few thousand are faster than one. Arrow columns are read as in :meth:`add`. Ids are whole numbers or
            texts, as for :class:`Index`; texts stay in memory, at about 40 bytes each in addition to the text. Without
            ids, vectors are numbered from 0. :class:`PrecisionWarning` reports the first batch in which float32 merges distinct
            values of a column.
        metric, lists
            As for :class:`IVFIndex`.
        memory : int
            Bytes of vectors to hold in memory at a time, 16 MB or more. In addition the build takes about 12 bytes per
            vector, and more for unordered ids.
        threads : int, optional
            The most threads to use. Default: 1. The file does not depend on it.
        overwrite : bool, default False
            Whether to replace a file that is neither empty nor a saved index. A database is never replaced.

        Raises
        ------
        InvalidArgument
            The existing file is neither empty nor a saved index.
        DimensionMismatch, NotFinite, ZeroVector, DuplicateID, InputOutput, Cancelled
        """
        target, most, number = _arrays.path(path), _arrays.threads(threads), _arrays.number_of(metric, METRICS, "metric")
        count, budget = _arrays.count(lists, "lists", default=0, least=1), _arrays.count(memory, "memory", least=1)
        builder, dimension, report = None, 0, PrecisionReport()
        if getattr(batches, "ndim", 0) == 2:
            raise InvalidArgument("batches must be several arrays of vectors, not one; pass it as [x]")
        for batch in batches:
            x, given = batch if isinstance(batch, tuple) else (batch, None)
            vectors, stride = _arrays.rows(x, "x", report)
            n = vectors.shape[0]
            if vectors.shape == (0, 0):
                continue
            if builder is None:
                dimension = vectors.shape[1]
                free, create = library.kin_index_builder_free, library.kin_index_builder_create_with
                options = file_options(overwrite=overwrite)
                builder = create_handle(free, create, target, dimension, number, count, budget, options)
            if vectors.shape[1] != dimension:
                raise DimensionMismatch(f"the first batch has {dimension} dimensions, this one {vectors.shape[1]}")
            ids = None if given is None else _names.ids_or_texts(given, rows=n)
            if isinstance(ids, list):
                texts = _names.TextArray(ids, "ids")
                check(library.kin_index_builder_append_named(builder, address(vectors), n, stride, texts.address))
            else:
                check(library.kin_index_builder_append(builder, address(vectors), n, stride, address_or_none(ids)))
        if builder is None:
            raise InvalidArgument("there are no batches, so nothing tells the dimension")
        return cls._of(create_handle(library.kin_index_free, long_call, library.kin_index_builder_finish, builder, most))

    def calibrate(self, *, threads: int | None = None) -> None:
        """Measures how many blocks a search with ``recall`` has to read, with vectors of the index as queries.

        An :meth:`add` of at least as many vectors as the index has calibrates it too; other changes leave the last
        calibration as it is. Under the inner product, changes of more than a tenth of the vectors make such searches
        exact until the next calibration, since a few long vectors attract all queries. An index that was never
        calibrated, or has fewer than 10,000 vectors, is searched exactly. Time: a few thousand searches; other threads may search at the same time.

        Parameters
        ----------
        threads : int, optional
            The most threads to use. Default: 1. The result does not depend on it.
        """
        check(long_call(library.kin_index_calibrate, self._handle, _arrays.threads(threads)))
