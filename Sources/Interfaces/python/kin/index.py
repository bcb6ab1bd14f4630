"""Vector indexes."""

import ctypes
import os
import tempfile
from pathlib import Path
from typing import Any, Self, Sequence, Unpack, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin import _arrays, _names
from kin._arrays import Doubles, Floats, IDs, Vectors, address
from kin._contents import Contents
from kin._library import Handle, call_json, calls, check, create_handle, library
from kin._options import SearchOptions, file_options, fit, search_options
from kin._precision import PrecisionReport
from kin._progress import long_call
from kin._recommending import Examples, RecommendationRequest
from kin._signatures import INDEX_KINDS, METRICS, Metric
from kin.errors import CapacityExceeded, InvalidArgument, KinError
from kin.filter import Filter, FilterLike, filter_for

_search = library.kin_index_search

_CLASSES = {"flat": "kin.FlatIndex", "ivf": "kin.IVFIndex"}

_MOST_RESULTS = 1 << 26
"""The number of results, 1 GB, above which a search has no places for more neighbours than there are vectors."""

_SHORT = 1 << 24
"""The rows times dimensions that a search reads in a few milliseconds."""


class Index(Contents):
    """An index of vectors; :class:`kin.FlatIndex` and :class:`kin.IVFIndex` create its two layouts.

    Searches may run on several threads at once, including while one thread changes the index.

    Ids are 64-bit whole numbers, or texts of 1 to 1,024 bytes without control or invisible characters. The first load
    of an empty index decides. Results have numbers as int64, like FAISS (−1: no vector; ids from 2⁶³ are the negative
    numbers with the same bits), and texts as objects (None: no vector). Filter by texts with ``kin.Filter(texts)``.
    """

    def _adopt(self, handle: Handle) -> Self:
        self._handle = handle
        self._dimension = library.kin_index_dimension(handle)
        self._metric: Metric = METRICS[library.kin_index_metric(handle)]
        self._has_names = bool(library.kin_index_has_names(handle))
        return self

    @property
    def metric(self) -> Metric:
        """The name of the metric, such as ``"l2"``."""
        return self._metric

    def __repr__(self) -> str:
        return f"{type(self).__name__}(dimension={self.dimension}, metric={self.metric!r}) of {len(self)} vectors"

    # Changes

    def add(self, x: Vectors, ids: Vectors | None = None, *, threads: int | None = None) -> IDs:
        """Adds vectors: new ids are added, existing ids get the new vector. All of them or, on failure, none.

        Parameters
        ----------
        x : array of float, shape (n, dimension)
            Read in place if it is float32 and its rows are contiguous. Other numbers become float32; if this merges
            distinct values of a column, :class:`PrecisionWarning` reports how many.
        ids : array of int or str, shape (n,), optional
            Different ids. Default: new numbers, above all ids that the index has ever held.
        threads : int, optional
            The most threads to use for a large load of an :class:`IVFIndex`. Default: 1. The result does not depend on
            it.

        Returns
        -------
        array of int64 or str, shape (n,)
            The ids. Texts in an index of numbers, and numbers in an index of texts, raise TypeError.
        """
        vectors, stride = _arrays.rows_of(x, "x", self.dimension, PrecisionReport())
        n = vectors.shape[0]
        most = _arrays.threads(threads)
        if ids is None:
            first = ctypes.c_uint64()
            check(long_call(library.kin_index_append, self._handle, address(vectors), n, stride, most, ctypes.addressof(first)))
            self._version += 1
            return np.arange(n, dtype=np.int64) + np.uint64(first.value).astype(np.int64)
        given = _names.ids_or_texts(ids, rows=n)
        if n:
            self._require_kind(isinstance(given, list), "ids")
        arguments = (self._handle, address(vectors), n, stride)
        if isinstance(given, list):
            texts = _names.TextArray(given, "ids")
            check(long_call(library.kin_index_upsert_named, *arguments, texts.address, most, None))
        else:
            before = len(self)
            check(long_call(library.kin_index_upsert, *arguments, address(given), most))
            if len(self) > before:
                in_order = given[-1] == len(self) - 1 and bool((given[1:] > given[:-1]).all())
                self._is_shuffled = not in_order or (self._is_shuffled and before > 0)
        self._has_names, self._version = isinstance(given, list) if n else self._has_names, self._version + 1
        return cast(IDs, np.fromiter(given, object, n)) if isinstance(given, list) else given

    def remove(self, ids: Vectors) -> int:
        """Removes vectors and returns how many were removed; ids without a vector are ignored."""
        given = self._numbers(ids)
        removed = ctypes.c_size_t()
        check(library.kin_index_remove(self._handle, address(given), given.size, ctypes.addressof(removed)))
        self._version += 1
        return removed.value

    def reserve(self, n: int) -> None:
        """Announces about n vectors, so that the index grows in fewer steps."""
        check(library.kin_index_reserve(self._handle, _arrays.count(n, "n")))

    def compact(self) -> None:
        """Frees memory that was reserved for growth, and sorts the table that finds ids; ``ids`` keeps its order.

        Use it when the index will not change for a long time."""
        check(library.kin_index_compact(self._handle))

    # Searches

    @overload
    def search(
        self, q: Vectors, k: int = 10, *, radii: ArrayLike | None = None, attributes: None = None, **options: Unpack[SearchOptions]
    ) -> tuple[Doubles, IDs]: ...

    @overload
    def search(
        self, q: Vectors, k: int = 10, *, radii: ArrayLike | None = None, attributes: Sequence[str], **options: Unpack[SearchOptions]
    ) -> tuple[Doubles, IDs, dict[str, NDArray[Any]]]: ...

    def search(
        self,
        q: Vectors,
        k: int = 10,
        *,
        radii: ArrayLike | None = None,
        attributes: Sequence[str] | None = None,
        **options: Unpack[SearchOptions],
    ) -> tuple[Doubles, IDs] | tuple[Doubles, IDs, dict[str, NDArray[Any]]]:
        """Finds the k nearest vectors of each query: exactly, unless ``recall`` or ``probes`` is given.

        Parameters
        ----------
        q : array of float, shape (n, dimension) or (dimension,)
            Not copied if it is float32 and its rows are contiguous.
        k : int
            The number of neighbours.
        radii : array of float, shape (n,), or float, optional
            The largest distance of a neighbour for each query, inclusive, in the metric's own units as for
            :meth:`range_search`. A radius known in advance saves time.
        attributes : sequence of str, optional
            The attributes to return with the neighbours, as :meth:`columns` does.
        options
            The options by name, such as ``filter`` and ``threads``; :class:`kin.SearchOptions` describes each.

        Returns
        -------
        distances : array of float64, shape (n, k) or (k,)
            Nearest first; infinity after the last if there are fewer than k.
        ids : array of int64 or str, shape (n, k) or (k,)
            Equal distances in the order of ids, or of the first load of texts; −1 or None if there are fewer than k.
        columns : dict of arrays, shape (n, k) or (k,)
            The values by attribute, if ``attributes`` are given.
        """
        if attributes is not None:
            snapshot = self.copy()
            distances, ids = snapshot.search(q, k, radii=radii, **options)
            return distances, ids, snapshot.columns(ids, attributes)
        structure = search_options(self, options, radii)
        if structure is None or (structure.limits is None and structure.each is None):
            brief: tuple[Doubles, IDs] | None = calls.search(self._handle, q, k, structure)
            if brief is not None:
                if not self._has_names:
                    return brief
                names = self._named_if_present(brief[1])
                # If a thread removed vectors in the meantime, a snapshot is searched, which stays the same.
                return self._snapshot().search(q, k, **options) if names is None else (brief[0], names)
        queries, stride, is_single = self._queries(q)
        n, k = len(queries), _arrays.count(k, "k")
        shape = (k,) if is_single else (n, k)
        fit(structure, n)
        self._require_room(n, k)
        distances = np.empty(shape, dtype=np.float64)
        ids = np.empty(shape, dtype=np.int64)
        arguments = (self._handle, address(queries), n, stride, k, structure, address(ids), address(distances), None)
        # A single query is over in microseconds and reports no progress.
        status = _search(*arguments) if n == 1 else long_call(_search, *arguments)
        if status:
            check(status)
        names = self._named_if_present(ids)
        return self._snapshot().search(q, k, radii=radii, **options) if names is None else (distances, names)

    def _queries(self, q: Vectors) -> tuple[Floats, int, bool]:
        """Queries as rows, their stride in bytes, and whether there was a single query."""
        queries = _arrays.numbers(q, "q")
        is_single = queries.ndim == 1
        return *_arrays.rows_of(queries[np.newaxis] if is_single else queries, "q", self.dimension), is_single

    def _require_room(self, queries: int, k: int) -> None:
        """Raises CapacityExceeded for results that are mostly empty and fill the memory."""
        if k > _MOST_RESULTS // max(queries, 1) and k > len(self):
            raise CapacityExceeded(f"k must be at most {len(self)}, the number of vectors, for results of this size, not {k}")

    def explain(self, q: Vectors, k: int = 10, **options: Unpack[SearchOptions]) -> dict[str, Any]:
        """Searches for one query, shape (dimension,), and reports the plan and the amount of data read.

        The options are those of :meth:`search` except ``group_by``; the search uses one thread.

        Returns a dictionary: ``neighbors`` (a list of ``id`` and ``distance``), ``plan`` (a sentence), ``rows``, ``lists`` and
        ``lists_visited`` (of an :class:`IVFIndex`), ``blocks_screened``, ``survivors``, ``exact_distances``, ``bytes_read``, ``simd`` and
        ``code_bits``.
        """
        query, _ = _arrays.rows_of(_arrays.numbers(q, "q").reshape(1, -1), "q", self.dimension)
        arguments = (self._handle, address(query), _arrays.count(k, "k"), search_options(self, options))
        report: dict[str, Any] = call_json(library.kin_index_explain, *arguments)
        for neighbor in report["neighbors"] if self._has_names else ():
            neighbor["id"] = neighbor.pop("name")
        return report

    def range_search(
        self, q: Vectors, radius: float, *, filter: FilterLike = None, threads: int | None = None
    ) -> tuple[NDArray[np.int64], Doubles, IDs]:
        """Finds every vector within a distance of each query.

        Parameters
        ----------
        q : array of float, shape (n, dimension) or (dimension,)
        radius : float
            The largest distance, in the metric's own units: squared for ``"l2"``, negated for ``"ip"``.
        filter, threads
            As for :meth:`search`.

        Returns
        -------
        limits : array of int64, shape (n + 1,)
            Query i has the results ``limits[i]`` up to ``limits[i + 1]``.
        distances : array of float64, shape (limits[-1],)
            Nearest first for each query.
        ids : array of int64 or str, shape (limits[-1],)
        """
        options = search_options(self, {"filter": filter, "threads": threads})
        # A search that may take long reports its progress, and can be interrupted.
        if len(self) * self.dimension <= _SHORT:
            brief: tuple[NDArray[np.int64], Doubles, IDs] | None = calls.range_search(self._handle, q, radius, options)
            if brief is not None:
                names = self._named_if_present(brief[2])
                return self._snapshot().range_search(q, radius, filter=filter, threads=threads) if names is None else (*brief[:2], names)
        queries, stride, _ = self._queries(q)
        n = len(queries)
        arguments = (self._handle, address(queries), n, stride, _arrays.real(radius, "radius"), options)
        matches = create_handle(library.kin_matches_free, long_call, library.kin_index_range_search, *arguments)
        limits = _arrays.copied(library.kin_matches_offsets(matches), n + 1, np.int64)
        total = int(limits[n])
        distances = _arrays.copied(library.kin_matches_distances(matches), total, np.float64)
        names = self._named_if_present(_arrays.copied(library.kin_matches_ids(matches), total, np.int64))
        return self._snapshot().range_search(q, radius, filter=filter, threads=threads) if names is None else (limits, distances, names)

    def recommend(
        self,
        positive: Examples,
        negative: Examples | None = None,
        k: int = 10,
        *,
        negative_weight: float = 0.5,
        diversity: float = 0.0,
        per_category: tuple[str, int] | None = None,
        exclude: ArrayLike | None = None,
        filter: FilterLike = None,
        threads: int | None = None,
    ) -> tuple[Doubles, IDs]:
        """Selects a list of vectors like some examples, unlike others, different from each other, from many categories.

        The score of a vector is its mean distance from the positive examples less ``negative_weight`` times its mean
        distance from the negative ones. Smaller is better, and one positive example alone gives the plain search. With
        a ``diversity`` above 0 the list is chosen by maximal marginal relevance (Carbonell and Goldstein 1998). The
        best score comes first; each later choice minimizes ``(1 − diversity) · score − diversity · (distance from the
        nearest vector chosen)``. Exact: each choice is the best of all allowed vectors, without a pool of candidates.

        Parameters
        ----------
        positive, negative : array of float, shape (n, dimension) or (dimension,), array of int, shape (n,), or a list of both
            Examples that the list should be like, and unlike. Whole numbers and texts in one dimension are ids of the
            index, which the list leaves out; anything else is a vector or rows of vectors.
        k : int
            The number of vectors.
        negative_weight : float
            0 … 1; below 1 for distances that grow in every direction, such as ``"l2"``.
        diversity : float
            0 … below 1; for distances that grow in every direction below (1 − w) ∕ (2 − w), where w is the weight of
            negative examples: ½ without any.
        per_category : (str, int), optional
            An attribute, and how often the list may have each of its values. Vectors without a value are not limited.
        exclude : array of int or str, shape (n,), optional
            Ids that the list leaves out, such as items already seen.
        filter, threads
            As for :meth:`search`.

        Returns
        -------
        distances : array of float64, shape (k,)
            The scores, in the order of the choices; infinity after the last if there are fewer than k.
        ids : array of int64 or str, shape (k,)
            −1 or None after the last if there are fewer than k.
        """
        # A snapshot has the same texts in all calls, even if a different thread changes the index.
        index = self.copy() if self._has_names else self
        excluded = index._numbers([] if exclude is None else exclude, "exclude")
        request = RecommendationRequest(positive, () if negative is None else negative, excluded, self.dimension, index._numbers)
        request.negative_weight = _arrays.real(negative_weight, "negative_weight")
        request.diversity = _arrays.real(diversity, "diversity")
        if per_category is not None:
            if not isinstance(per_category, (tuple, list)) or len(per_category) != 2:
                raise InvalidArgument(f"per_category must be an attribute and a number, such as ('city', 2), not {per_category!r:.80}")
            request.limit_category(*per_category)
        size = _arrays.count(k, "k")
        self._require_room(1, size)
        distances, ids = np.empty(size, dtype=np.float64), np.empty(size, dtype=np.int64)
        arguments = (index._handle, request, size, search_options(index, {"filter": filter, "threads": threads}), address(ids), address(distances), None)
        check(long_call(library.kin_index_recommend, *arguments))
        return distances, index._named(ids)

    def prepare(self, filter: FilterLike, *, threads: int | None = None) -> Filter:
        """Prepares a filter for many searches of this index.

        An expression is evaluated. For an ``IVFIndex`` the allowed vectors are also copied into separate lists, unless
        they are more than a quarter of all vectors. The filter stays correct when the index changes, and is fast until
        then.
        """
        if filter is None:
            raise InvalidArgument("there is no filter to prepare; a search without one allows all vectors")
        plain = filter_for(self, filter)
        arguments = (self._handle, plain._handle, _arrays.threads(threads))
        return Filter._like([plain], library.kin_index_prepare, *arguments)

    # Files

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Saves the index, all or nothing: an existing file is replaced in one step. Equal indexes give equal bytes.

        A new file has mode 0600; one that replaces a file retains its mode. A file that is neither empty nor a saved index
        raises InvalidArgument, unless ``overwrite`` is true; a database always does.
        """
        arguments = (self._handle, _arrays.path(path), file_options(overwrite=overwrite))
        check(long_call(library.kin_index_save_with, *arguments))

    def to_bytes(self) -> bytes:
        """The index as bytes, in the format of :meth:`save`; :meth:`from_bytes` reads them.

        Both write a temporary file of this size, in the folder that ``tempfile`` chooses; so does pickling.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "index.kin")
            self.save(path)
            return path.read_bytes()

    @classmethod
    def from_bytes(cls, state: bytes) -> Self:
        """An index from the bytes of :meth:`to_bytes`, or of a file that :meth:`save` wrote.

        Raises
        ------
        InvalidArgument
            The bytes are an index of the other layout.
        UnsupportedFormat, CorruptFile
        """
        handle = cls._decode(state)
        kind = INDEX_KINDS[library.kin_index_kind(handle)]
        if cls._kind not in (None, kind):
            raise InvalidArgument(f"the bytes are an index of the kind {kind!r}; read them with {_CLASSES[kind]}.from_bytes")
        return cls._of(handle)

    _encode = to_bytes

    @staticmethod
    def _decode(state: bytes) -> Handle:
        with tempfile.TemporaryDirectory() as folder:  # the mapping outlives the file's name
            path = Path(folder, "index.kin")
            path.write_bytes(state)
            try:
                return create_handle(library.kin_index_free, library.kin_index_map, _arrays.path(path))
            except KinError as failure:
                raise type(failure)(str(failure).replace(f"file {path}", "the bytes")) from None
