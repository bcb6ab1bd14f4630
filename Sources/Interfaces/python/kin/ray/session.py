"""Searches of a sharded index by the actors of a session."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Self, Unpack

import numpy as np
from numpy.typing import NDArray

from kin import _arrays
from kin._arrays import Doubles, Floats, IDs, Vectors
from kin._options import SearchOptions
from kin.errors import InvalidArgument
from kin.filter import FilterLike, require_mask
from kin.ray.actors import Actors, Call
from kin.ray.folder import Folder, FolderLike
from kin.ray.manifest import Manifest
from kin.ray.merge import Matches, MergedNeighbors, merge_matches
from kin.ray.partition import Bounds
from kin.ray.request import Request, accepted, in_order, queries, shipped
from kin.ray.shard import empty_index
from kin.ray.source import vectors

_BATCH = 16_384
_UNDER_WAY = 3
# The number of queries per shard from which a second round costs less than it saves.
_LARGE = 500


def open(
    folder: FolderLike,
    *,
    replicas: int = 1,
    threads: int = 1,
    version: int | None = None,
    num_cpus: float = 0,
    timeout: float = 120,
    verify: bool = True,
) -> Session:
    """Opens a sharded index: starts the actors that hold its shards, and waits until all of them are ready.

    Parameters
    ----------
    folder : str, path or Folder
        The location given to :func:`kin.ray.build`; every node must be able to read it under this name.
    replicas : int
        Actors for each shard, spread over the nodes; a batch goes to the actor with the fewest calls.
    threads : int
        The most threads that an actor uses for one batch.
    version : int, optional
        The version to open. Default: the newest. The session stays on it, even if newer versions are written.
    num_cpus : float
        The CPUs that Ray reserves for an actor. Default: 0, so that other work in the cluster does not wait for the
        session to end.
    timeout : float
        The time limit in seconds of every call, including this one; a call without an answer fails with
        :class:`TimedOut`.
    verify : bool
        Whether to check every byte of the files against the checksums of the manifest; sizes are always checked.

    Raises
    ------
    InputOutput, CorruptFile
        A file is missing or damaged; the text names it.
    Unavailable, TimedOut
        An actor cannot be started, or there is no room for it.
    """
    where = Folder.of(folder)
    manifest = where.read(None if version is None else _arrays.count(version, "version"))
    counts = _arrays.count(replicas, "replicas", least=1), _arrays.threads(threads)
    if not timeout > 0:
        raise InvalidArgument(f"timeout must be above 0 seconds, not {timeout}")
    session = Session(Actors(where, manifest, *counts, num_cpus=num_cpus, verify=_arrays.boolean(verify, "verify")), manifest, timeout)
    session._start()
    return session


class Session:
    """A version of a sharded index, open for searches; created by :func:`kin.ray.open`, and a context manager.

    A search returns the same results as one index with all the vectors, bit for bit, for any number of shards and
    replicas; or it fails without a result. If an actor or its node is lost, Ray restarts the actor and the batch is
    repeated. Several threads may search at once. A session can be pickled for tasks of the same cluster; its actors end
    with the session that started them, or with that session's process.
    """

    def __init__(self, actors: Actors, manifest: Manifest, timeout: float) -> None:
        self._actors, self._manifest, self._timeout = actors, manifest, timeout
        self._present = [number for number, shard in enumerate(manifest.shards) if shard.rows]
        boxes = [(manifest.shards[number].low, manifest.shards[number].high) for number in self._present]
        # Rows that are distributed by id are everywhere, so bounds would never exclude a shard.
        self._bounds = Bounds(manifest.metric, boxes) if manifest.partition.kind == "range" else None
        self._empty = empty_index(manifest.kind, manifest.dimension, manifest.metric)
        self._empty.declare(manifest.schema)

    def __reduce__(self) -> tuple[Any, ...]:
        return Session, (self._actors, self._manifest, self._timeout)

    def _start(self) -> None:
        try:
            self._actors.start(self._present, time.monotonic() + self._timeout)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the actors. Closing twice, or a session that was pickled, does nothing."""
        self._actors.close()

    def __len__(self) -> int:
        """The number of vectors."""
        return self._manifest.rows

    def __repr__(self) -> str:
        return f"Session(version={self.version}, shards={len(self._manifest.shards)}) of {len(self)} vectors"

    @property
    def version(self) -> int:
        """The number of the open version."""
        return self._manifest.version

    @property
    def dimension(self) -> int:
        """The number of dimensions of every vector."""
        return self._manifest.dimension

    def info(self) -> dict[str, Any]:
        """Facts about the open version.

        ``version``, ``kind``, ``metric``, ``dimension``, ``rows``, ``bytes``, ``partition``, ``replicas``, ``schema``,
        and ``shards``: the ``rows``, ``bytes``, ``file`` and ``ids`` (the smallest and the largest) of each.
        """
        manifest = self._manifest
        return {
            **{name: getattr(manifest, name) for name in ("version", "kind", "metric", "dimension", "rows")},
            "bytes": sum(shard.bytes for shard in manifest.shards),
            "partition": manifest.partition.kind,
            "replicas": self._actors.replicas,
            "schema": dict(manifest.schema),
            "shards": [
                {"rows": shard.rows, "bytes": shard.bytes, "file": shard.name or None, "ids": [shard.first_id, shard.last_id]}
                for shard in manifest.shards
            ],
        }

    # Searches

    def search(
        self, q: Vectors, k: int = 10, *, timeout: float | None = None, **options: Unpack[SearchOptions]
    ) -> tuple[Doubles, IDs]:
        """Finds the k nearest vectors of each query: exactly, unless ``recall`` or ``probes`` is given.

        Parameters
        ----------
        q, k
            As for :meth:`kin.Index.search`; the results, distances and ids, are the same too.
        timeout : float, optional
            The time limit in seconds of this call. Default: the session's.
        options
            Those of :class:`kin.SearchOptions`, each for every shard and its actor. The recall of every shard is therefore
            that of the whole: the nearest vectors of a shard are the easiest to find. A filter is not a
            :class:`kin.Filter`.
        """
        rows, is_single = queries(q)
        request = self._request(options, timeout)
        # Checked before anything is sent, so that an error names the row of the whole table.
        k = self._check(rows, k, request)
        if len(rows) <= _BATCH:
            distances, ids, _ = self._search(rows, k, request)
        else:
            batches = (rows[first : first + _BATCH] for first in range(0, len(rows), _BATCH))
            found = in_order(lambda batch: self._search(batch, k, request)[:2], batches, _UNDER_WAY, request.is_over)
            distances, ids = (np.concatenate(parts) for parts in zip(*found))
        return (distances[0], ids[0]) if is_single else (distances, ids)

    def stream(
        self,
        batches: Iterable[Vectors],
        k: int = 10,
        *,
        timeout: float | None = None,
        **options: Unpack[SearchOptions],
    ) -> Iterator[tuple[Doubles, IDs]]:
        """Searches batch after batch, in order, with three batches in progress: memory does not grow with their number.

        Parameters and results are those of :meth:`search`; ``timeout`` applies to each batch. Leaving the loop cancels
        the batches in progress.
        """
        request = self._request(options, timeout)
        seconds = self._timeout if timeout is None else timeout

        def found(batch: Vectors) -> tuple[Doubles, IDs]:
            rows, _ = queries(batch)
            return self._search(rows, self._check(rows, k, request), request.for_batch(seconds))[:2]

        yield from in_order(found, batches, _UNDER_WAY, request.is_over)

    def range_search(
        self,
        q: Vectors,
        radius: float,
        *,
        filter: FilterLike = None,
        threads: int | None = None,
        timeout: float | None = None,
    ) -> Matches:
        """Finds every vector within a distance of each query; arguments and results are those of :meth:`kin.Index.range_search`."""
        rows, _ = queries(q)
        request = self._request({"filter": filter, "threads": threads}, timeout)
        self._empty.range_search(rows, radius, filter=accepted(request.filter), threads=threads)
        asked = self._all(len(rows)) if self._bounds is None else self._bounds(rows) <= radius
        places, calls = self._calls("range_search", shipped(rows), asked, lambda _: (float(radius),), request)
        return merge_matches(list(zip(places, self._actors.ask(calls, request.until, request.is_over))), len(rows))

    def explain(self, q: Vectors, k: int = 10, **options: Unpack[SearchOptions]) -> dict[str, Any]:
        """Searches for one query, shape (dimension,), and reports the data read in each shard. Options are those of :meth:`search`.

        Returns a dictionary: ``neighbors``, ``shards_asked``, and ``shards``, the reports of :meth:`kin.IVFIndex.explain` by number.
        """
        query = queries(q)[0].reshape(1, -1)
        request = self._request(options)
        k = self._check(query, k, request)
        distances, ids, asked = self._search(query, k, request)
        numbers = [self._present[column] for column in np.flatnonzero(asked[0])]
        calls = [(number, "explain", (query[0], k, request.sent, request.options)) for number in numbers]
        reports = self._actors.ask(calls, request.until, request.is_over)
        found = zip(ids[0].tolist(), distances[0].tolist())
        return {
            "neighbors": [{"id": id, "distance": distance} for id, distance in found if id != -1],
            "shards_asked": len(numbers),
            "shards": dict(zip(numbers, reports)),
        }

    def shards_asked(self, q: Vectors, k: int = 10, *, filter: FilterLike = None) -> NDArray[np.int64]:
        """The number of shards that an exact search needs for each query, shape (n,)."""
        rows, _ = queries(q)
        request = self._request({"filter": filter})
        counts: NDArray[np.int64] = self._search(rows, self._check(rows, k, request), request)[2].sum(axis=1)
        return counts

    def map_batches(
        self,
        dataset: Any,
        k: int = 10,
        *,
        column: str = "vector",
        batch_size: int = 4096,
        **options: Any,
    ) -> Any:
        """Searches for every row of a Ray Dataset: the dataset with columns ``neighbors`` and ``distances``, k of each in a row.

        As always in Ray, the work starts when the result is read; the session must stay open until then. Tasks of the
        dataset send their batches to the actors of this session. ``options`` are those of :meth:`search`, and of
        ``Dataset.map_batches``.
        """
        names = SearchOptions.__annotations__.keys() & options.keys()
        session, search_options = self, {name: options.pop(name) for name in names}

        def found(batch: Mapping[str, Any]) -> dict[str, Any]:
            distances, ids = session.search(vectors(batch[column]), k, **search_options)
            return {**batch, "neighbors": ids, "distances": distances}

        # Tasks wait for actors most of the time, and must not occupy the last CPU that the actors may need.
        return dataset.map_batches(found, batch_size=batch_size, **{"num_cpus": 0.25, **options})

    # How

    def _request(self, options: SearchOptions, timeout: float | None = None) -> Request:
        request = Request.of(options, self._timeout if timeout is None else timeout)
        if isinstance(request.filter, np.ndarray) and request.filter.dtype == np.bool_:
            shards = [self._manifest.shards[number] for number in self._present]
            first, last = min((shard.first_id for shard in shards), default=0), max((shard.last_id for shard in shards), default=0)
            require_mask(request.filter.size, len(self), first, last)
        return request

    def _check(self, rows: Floats, k: int, request: Request) -> int:
        """Fails as one index would: an empty index reads the whole request and finds nothing. Returns k as an int."""
        self._empty.search(rows, k, filter=accepted(request.filter), **request.options)
        return int(k)

    def _search(self, rows: Floats, k: int, request: Request) -> tuple[Doubles, IDs, NDArray[np.bool_]]:
        """Searches one batch in the nearest shards, then in those that can still hold a neighbour; reports the
        shards."""
        sent, known = shipped(rows), MergedNeighbors(len(rows), k)
        bounds, fresh = self._begin(rows)
        asked = np.zeros_like(fresh)
        while fresh.any():
            # No neighbour is beyond the k-th distance; probes count lists, whatever their contents.
            is_limited = asked.any() and "probes" not in request.options
            limits = known.furthest.ravel() if is_limited else None
            places, calls = self._calls(
                "search", sent, fresh, lambda which: (k, None if limits is None else limits[which]), request
            )
            known.add(places, self._actors.ask(calls, request.until, request.is_over))
            asked |= fresh
            # A bound equal to the k-th distance may hide a vector at the same distance with a smaller id.
            fresh = (bounds <= known.furthest) & ~asked
        return known.distances, known.ids, asked

    def _calls(
        self,
        method: str,
        sent: Any,
        asked: NDArray[np.bool_],
        arguments: Callable[[NDArray[np.intp]], tuple[Any, ...]],
        request: Request,
    ) -> tuple[list[NDArray[np.intp]], list[Call]]:
        """Plans the calls of a batch: the queries for each shard, with their arguments."""
        places, calls = [], []
        for column, number in enumerate(self._present):
            which = np.flatnonzero(asked[:, column])
            if which.size:
                rows = None if which.size == len(asked) else which
                places.append(which)
                calls.append((number, method, (sent, rows, *arguments(which), request.sent, request.options)))
        return places, calls

    def _all(self, n: int) -> NDArray[np.bool_]:
        return np.ones((n, len(self._present)), dtype=bool)

    def _begin(self, rows: Floats) -> tuple[Doubles, NDArray[np.bool_]]:
        """Bounds of the distances to each shard, and the shards to start with.

        The nearest shards come first. Without bounds all shards are searched, but each query of a large batch starts
        with one of them, so that the other searches have a radius.
        """
        if self._bounds is not None:
            bounds = self._bounds(rows)
            return bounds, bounds <= bounds.min(axis=1, initial=np.inf, keepdims=True)
        n, shards = len(rows), len(self._present)
        first = self._all(n) if n < _LARGE * shards else np.arange(shards) == np.arange(n)[:, np.newaxis] % shards
        return np.full((n, shards), -np.inf), first
