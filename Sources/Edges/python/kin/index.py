"""Vector indexes, and filters that say which vectors a search may return."""

from __future__ import annotations

import ctypes
import os
import tempfile
from ctypes import byref
from pathlib import Path
from typing import Any, Iterator, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin import _arrays
from kin._arrays import Doubles, Floats, IDs, address
from kin._library import Handle, check, library, made, text
from kin._signatures import METRICS, SearchOptions
from kin.errors import DimensionMismatch, InvalidArgument

Metric: TypeAlias = Literal["l2", "ip", "cosine"]


class Filter:
    """Which vectors a search may return: a set of ids that never changes.

    One filter serves any number of searches, indexes and threads. ``search`` makes one by itself from an array, so this
    class is for filters that are used more than once::

        mine = kin.Filter([3, 5, 8])
        index.search(q, 10, filter=mine)

    Parameters
    ----------
    allowed : array of int or bool
        Ids, shape (n,), in any order; or one truth for each id 0, 1, 2 …, shape (largest id + 1,): for dense ids this
        takes 64 times less memory.
    """

    def __init__(self, allowed: ArrayLike) -> None:
        array = np.asarray(allowed)
        if array.dtype == np.bool_:
            if array.ndim != 1:
                raise InvalidArgument(f"filter has {array.ndim} dimensions; it has 1")
            bits = np.packbits(array, bitorder="little")
            words = np.zeros((bits.size + 7) // 8, dtype=np.uint64)
            words.view(np.uint8)[: bits.size] = bits
            create = library.kin_filter_create_bitmap
        else:
            words = _arrays.ids(array, "filter").view(np.uint64)
            create = library.kin_filter_create_ids
        self._handle = made(library.kin_filter_free, create, address(words), words.size)


FilterLike: TypeAlias = Filter | ArrayLike | None


class FlatIndex:
    """An exact index: every search looks at every vector, the right choice up to millions of them.

    A search finds what a scan in double precision would find, for any data. Memory for 16 dimensions: 88 bytes a vector.
    Searches may run on several threads at once, also beside one that changes the index.

    Parameters
    ----------
    dimension : int
        Numbers in every vector, 1 … 65,536.
    metric : {"l2", "ip", "cosine"}
        The distance, where smaller is nearer: ``"l2"`` is Σ (x − q)², the square of the Euclidean distance; ``"ip"`` is
        −⟨x, q⟩; ``"cosine"`` is 1 − ⟨x, q⟩ / (‖x‖ ‖q‖), and refuses vectors of zeros.

    Ids are 64-bit whole numbers. They are given back as int64, as in FAISS: −1 stands for "no vector", and ids from 2⁶³ on
    appear as negative numbers of the same bits.
    """

    def __init__(self, dimension: int, metric: Metric = "l2") -> None:
        if metric not in METRICS:
            raise InvalidArgument(f"there is no metric {metric!r}; use 'l2', 'ip' or 'cosine'")
        self._handle = made(
            library.kin_index_free,
            library.kin_index_create_flat,
            _arrays.count(dimension, "dimension"),
            METRICS.index(metric),
        )
        self.dimension = dimension
        self.metric: Metric = metric

    @classmethod
    def _of(cls, handle: Handle) -> FlatIndex:
        index = cls.__new__(cls)
        index._handle = handle
        index.dimension = library.kin_index_dimension(handle)
        index.metric = METRICS[library.kin_index_metric(handle)]
        return index

    # What is in it

    def __len__(self) -> int:
        """The number of vectors."""
        count: int = library.kin_index_count(self._handle)
        return count

    def __repr__(self) -> str:
        return f"FlatIndex(dimension={self.dimension}, metric={self.metric!r}) of {len(self)} vectors"

    @property
    def nbytes(self) -> int:
        """Bytes that vectors, codes and ids take, in memory or mapped from a file."""
        total: int = library.kin_index_bytes(self._handle)
        return total

    @property
    def ids(self) -> IDs:
        """The ids of all vectors, shape (len,), in the order in which the index stores them."""
        # A snapshot, so that the index does not grow between the two calls.
        snapshot = self.copy()
        found = np.empty(len(snapshot), dtype=np.int64)
        total = ctypes.c_size_t()
        check(
            library.kin_index_ids(snapshot._handle, address(found), found.size, ctypes.addressof(total))
        )
        return found

    def contains(self, ids: ArrayLike) -> NDArray[np.bool_]:
        """Says for each of the ids, shape (n,), whether a vector has it: shape (n,)."""
        wanted = _arrays.ids(ids)
        found = np.empty(wanted.size, dtype=np.uint8)
        check(library.kin_index_contains(self._handle, address(wanted), wanted.size, address(found)))
        return found.view(np.bool_)

    def __contains__(self, id: int) -> bool:
        return bool(self.contains(np.array([id]))[0])

    def __iter__(self) -> Iterator[int]:
        """The ids, in the order in which the index stores them."""
        return iter(self.ids.tolist())

    def vectors(self, ids: ArrayLike) -> Floats:
        """Reads vectors back, exactly as they were put in.

        Parameters
        ----------
        ids : array of int, shape (n,)

        Returns
        -------
        array of float32, shape (n, dimension)

        Raises
        ------
        UnknownID
            No vector has one of the ids.
        """
        wanted = _arrays.ids(ids)
        found = np.empty((wanted.size, self.dimension), dtype=np.float32)
        check(library.kin_index_get(self._handle, address(wanted), wanted.size, address(found), 0))
        return found

    # Changing it

    def add(self, x: ArrayLike, ids: ArrayLike | None = None) -> IDs:
        """Puts vectors in: new ids are added, ids that are there get the new vector. All of them or, on failure, none.

        Parameters
        ----------
        x : array of float, shape (n, dimension)
            Read where it is when it is float32 and its rows are contiguous.
        ids : array of int, shape (n,), optional
            Different ids; fresh ones, above all that the index has ever held, when left out.

        Returns
        -------
        array of int64, shape (n,)
            The ids.
        """
        vectors, stride = self._rows(x, "x")
        n = vectors.shape[0]
        if ids is None:
            first = ctypes.c_uint64()
            check(
                library.kin_index_append(
                    self._handle, address(vectors), n, stride, ctypes.addressof(first)
                )
            )
            return np.arange(n, dtype=np.int64) + np.uint64(first.value).astype(np.int64)
        given = _arrays.ids(ids)
        if given.size != n:
            raise InvalidArgument(f"{n} vectors need as many ids, but {given.size} were given")
        check(library.kin_index_upsert(self._handle, address(vectors), n, stride, address(given)))
        return given

    def remove(self, ids: ArrayLike) -> int:
        """Takes vectors out, passing over ids that no vector has; returns how many there were."""
        given = _arrays.ids(ids)
        removed = ctypes.c_size_t()
        check(
            library.kin_index_remove(
                self._handle, address(given), given.size, ctypes.addressof(removed)
            )
        )
        return removed.value

    def reserve(self, n: int) -> None:
        """Tells the index that it will hold about n vectors, so that it grows in fewer steps."""
        check(library.kin_index_reserve(self._handle, _arrays.count(n, "n")))

    def compact(self) -> None:
        """Gives back memory that was set aside for growth. Worth it when the index will not change for long."""
        check(library.kin_index_compact(self._handle))

    def copy(self) -> FlatIndex:
        """A second index with the same contents, in no time: the two share all memory until one of them changes."""
        return self._of(made(library.kin_index_free, library.kin_index_copy, self._handle))

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> FlatIndex:
        return self.copy()

    # Searching it

    def search(
        self, q: ArrayLike, k: int = 10, *, filter: FilterLike = None, threads: int | None = None
    ) -> tuple[Doubles, IDs]:
        """Finds the k nearest vectors of each query.

        Parameters
        ----------
        q : array of float, shape (n, dimension) or (dimension,)
            Read where it is when it is float32 and its rows are contiguous.
        k : int
            How many neighbours are wanted.
        filter : Filter, array of ids, or array of bool, optional
            Which vectors may be returned; see :class:`Filter`.
        threads : int, optional
            The most threads to use, 1 when left out. The result does not depend on it.

        Returns
        -------
        distances : array of float64, shape (n, k) or (k,)
            Nearest first; infinity where there are fewer than k.
        ids : array of int64, shape (n, k) or (k,)
            Equal distances in ascending order of id; −1 where there are fewer than k.
        """
        queries = np.asarray(q, dtype=np.float32)
        flags = queries.flags
        if queries.ndim == 1 and queries.size == self.dimension and flags.c_contiguous and flags.aligned:
            n, stride = 1, 0
            shape: tuple[int, ...] = (k,)
        else:
            single = queries.ndim == 1
            queries, stride = self._rows(queries[np.newaxis] if single else queries, "q")
            n = queries.shape[0]
            shape = (k,) if single else (n, k)
        if k < 0:
            raise InvalidArgument(f"k is {k}; it counts neighbours, so it is 0 or more")
        distances = np.empty(shape, dtype=np.float64)
        ids = np.empty(shape, dtype=np.int64)
        options = None if filter is None and threads is None else byref(_options(filter, threads))
        status = _search(
            self._handle, address(queries), n, stride, k, options, address(ids), address(distances), None
        )
        if status:
            check(status)
        return distances, ids

    def range_search(
        self, q: ArrayLike, radius: float, *, filter: FilterLike = None, threads: int | None = None
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
        ids : array of int64, shape (limits[-1],)
        """
        queries = np.asarray(q, dtype=np.float32)
        queries, stride = self._rows(queries[np.newaxis] if queries.ndim == 1 else queries, "q")
        n = queries.shape[0]
        matches = made(
            library.kin_matches_free,
            library.kin_index_search_radius,
            self._handle,
            address(queries),
            n,
            stride,
            float(radius),
            byref(_options(filter, threads)),
        )
        limits = _copied(library.kin_matches_offsets(matches), n + 1, np.int64)
        total = int(limits[n])
        distances = _copied(library.kin_matches_distances(matches), total, np.float64)
        return limits, distances, _copied(library.kin_matches_ids(matches), total, np.int64)

    def explain(self, q: ArrayLike, k: int = 10, *, filter: FilterLike = None) -> dict[str, Any]:
        """Searches for one query, shape (dimension,), and tells what it took.

        Returns a dictionary: ``neighbors`` (a list of ``id`` and ``distance``), ``plan`` (what was done, in a sentence),
        ``rows``, ``blocks_screened``, ``survivors``, ``exact_distances``, ``bytes_read``, ``simd`` and ``code_bits``.
        """
        query, _ = self._rows(np.asarray(q, dtype=np.float32).reshape(1, -1), "q")
        place = ctypes.c_void_p()
        check(
            library.kin_index_explain(
                self._handle,
                address(query),
                _arrays.count(k, "k"),
                byref(_options(filter, None)),
                ctypes.addressof(place),
            )
        )
        report: dict[str, Any] = text(place)
        return report

    # Files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Saves the index, all or nothing: a file that was there is replaced in one step. The same index gives the same
        bytes."""
        check(library.kin_index_save(self._handle, _arrays.path(path)))

    def __getstate__(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "index.kin")
            self.save(path)
            return path.read_bytes()

    def __setstate__(self, state: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "index.kin")
            path.write_bytes(state)
            # The mapping outlives the file's name.
            self.__dict__.update(self._mapped(path).__dict__)

    @classmethod
    def _mapped(cls, path: str | os.PathLike[str]) -> FlatIndex:
        return cls._of(made(library.kin_index_free, library.kin_index_map, _arrays.path(path)))

    def _rows(self, values: ArrayLike, name: str) -> tuple[Floats, int]:
        array, stride = _arrays.rows(values, name)
        if array.shape[1] != self.dimension:
            raise DimensionMismatch(f"the index has {self.dimension} dimensions, {name} has {array.shape[1]}")
        return array, stride


_search = library.kin_index_search


def _options(filter: FilterLike, threads: int | None) -> SearchOptions:
    if filter is not None and not isinstance(filter, Filter):
        filter = Filter(filter)
    options = SearchOptions(
        ctypes.sizeof(SearchOptions),
        None if filter is None else filter._handle._as_parameter_,
        _arrays.count(threads, "threads"),
    )
    options.keep = filter
    return options


def _copied(place: int, count: int, kind: type[Any]) -> NDArray[Any]:
    """A copy of `count` 8-byte numbers of the library's."""
    return np.frombuffer(ctypes.string_at(place, 8 * count), dtype=kind)
