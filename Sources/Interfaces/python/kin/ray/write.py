"""Changes of a sharded index: each commit writes a new version next to the open ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import ray

from kin import _arrays
from kin._arrays import IDs, Vectors
from kin._precision import PrecisionReport
from kin.errors import Busy
from kin.files import open as open_index
from kin.index import Index
from kin.ray.actors import NAMESPACE, pin
from kin.ray.build import cpus, remote_in_order, write_shard
from kin.ray.errors import failures
from kin.ray.folder import Folder, FolderLike
from kin.ray.manifest import Manifest, ShardFile
from kin.ray.shard import empty_index
from kin.ray.source import Block


def write(folder: FolderLike, *, threads: int = 1) -> Writer:
    """A writer of the next version of a sharded index.

    One writer at a time: if two start from the same version, the second commit raises :class:`kin.Busy`.

    Parameters
    ----------
    folder : str, path or Folder
    threads : int
        The most threads, and CPUs, of a task that writes a shard.
    """
    return Writer(Folder.of(folder), _arrays.threads(threads))


class Writer:
    """Collects changes, and writes them as a new version; created by :func:`kin.ray.write`.

    The changes have the same effect as the same calls on one index, in their order. Nothing is written before
    :meth:`commit`, and sessions stay on the version that they opened.
    """

    def __init__(self, folder: Folder, threads: int) -> None:
        self._folder, self._threads = folder, threads
        self._base = folder.read()
        self._begin()

    def _begin(self) -> None:
        self._changes: list[_Change] = []
        # Checks attributes as one index would.
        self._empty = empty_index(self._base.kind, self._base.dimension, self._base.metric)
        self._empty.declare(self._base.schema)

    @property
    def version(self) -> int:
        """The version that the next version is based on."""
        return self._base.version

    def declare(self, kinds: Mapping[str, str]) -> None:
        """Declares attributes: :meth:`kin.Index.declare`."""
        self._empty.declare(kinds)

    def upsert(self, x: Vectors, ids: Vectors, attributes: Mapping[str, ArrayLike] | None = None) -> None:
        """Adds vectors: new ids are added; existing ids get the new vector and keep attributes that are not given.

        Parameters
        ----------
        x : array of float, shape (n, dimension)
        ids : array of int, shape (n,)
            Different ids.
        attributes : mapping of names to arrays, optional
            As for :meth:`kin.Index.set_attributes`.
        """
        rows, named = np.array(_arrays.numbers(x, "x", PrecisionReport()), ndmin=2), _arrays.ids(ids).copy()
        values = {name: _column(column) for name, column in (attributes or {}).items()}
        # An index of only these rows reports their errors.
        trial = self._empty.copy()
        trial.add(rows, named)
        trial.set_attributes(named, values)
        self._changes.append(_Change(named, Block(rows, named, values)))

    def remove(self, ids: Vectors) -> None:
        """Removes vectors; ids without a vector are ignored."""
        self._changes.append(_Change(_arrays.ids(ids).copy()))

    def commit(self) -> int:
        """Writes the changed shards and then the manifest, and returns the number of the new version.

        Without changes it returns the current version. A commit that fails, or a writer process that ends, leaves no
        version behind; the changes remain in the writer, to be committed again.

        Raises
        ------
        Busy
            A different writer has published a version since this writer started.
        """
        if not self._changes and self._empty.schema == self._base.schema:
            return self._base.version
        base, count = self._base, len(self._base.shards)
        newest = self._folder.versions()[-1]
        if newest != base.version:
            raise Busy(f"version {newest} has come since version {base.version}, which these changes are for; write again")
        upserted, target = self._targets()
        moves: list[_Moves] = [_Moves() for _ in range(count)]
        if base.partition.kind == "range":
            for shard, (held, to) in enumerate(self._run(_leaving_rows, [(shard, upserted, target) for shard in range(count)])):
                moves[shard].out = held.ids
                for number in np.unique(to):
                    moves[number].into.append(held[to == number])
        draft = base.next(base.shards, self._empty.schema)
        shards = self._run(_rewrite_shard, [(shard, moves[shard], self._share(shard, upserted, target), draft) for shard in range(count)])
        made = base.next(tuple(shards), self._empty.schema)
        self._folder.publish(made)
        self._base = made
        self._begin()
        return made.version

    def _targets(self) -> tuple[IDs, NDArray[np.int64]]:
        """The added ids, ascending, and the shard of each one's last vector."""
        blocks = [change.block for change in reversed(self._changes) if change.block is not None]
        ids = np.concatenate([*(block.ids for block in blocks), np.empty(0, dtype=np.int64)])
        x = np.concatenate([*(block.x for block in blocks), np.empty((0, self._base.dimension), dtype=np.float32)])
        unique, last = np.unique(ids, return_index=True)
        return unique, self._base.partition.shard(x[last], unique, self._base.metric)

    def _share(self, shard: int, upserted: IDs, target: NDArray[np.int64]) -> list[_Change]:
        """The changes of one shard, in order."""
        shares = []
        for change in self._changes:
            # Ids that are only removed may be in any shard.
            own = np.ones(len(change.ids), dtype=bool)
            if len(upserted):
                place = np.minimum(np.searchsorted(upserted, change.ids), len(upserted) - 1)
                own = (upserted[place] != change.ids) | (target[place] == shard)
            if own.any():
                shares.append(_Change(change.ids[own], None if change.block is None else change.block[own]))
        return shares

    def _run(self, work: Any, arguments: list[tuple[Any, ...]]) -> list[Any]:
        """The results of a task for each shard."""
        task = ray.remote(work).options(num_cpus=self._threads, max_retries=3, scheduling_strategy="SPREAD")
        calls = (partial(task.remote, self._folder, self._base, *given, self._threads) for given in arguments)
        with failures("the commit", "failed; commit again"):
            return list(remote_in_order(calls, max(1, cpus() // max(1, self._threads))))


def vacuum(folder: FolderLike, *, keep: int = 2) -> list[int]:
    """Deletes versions, and the shard files that no other version has.

    Versions that a session of this cluster has open are not deleted; sessions of other clusters are unknown here. A
    running writer is not disturbed.

    Parameters
    ----------
    folder : str, path or Folder
    keep : int
        The number of newest versions to keep, 1 or more.

    Returns
    -------
    list of int
        The deleted versions.
    """
    where, newest = Folder.of(folder), _arrays.count(keep, "keep", least=1)
    versions = where.versions()
    kept = set(versions[-newest:]) | (_pinned(where, versions) if ray.is_initialized() else set())
    # All manifests are read before anything is deleted.
    names = set().union(*(where.read(version).names for version in kept))
    # Files of a future version belong to a writer.
    last = max(versions, default=0)
    old = [name for name in where.shard_names() if name not in names and name[:8].isdigit() and int(name[:8]) <= last]
    gone = [version for version in versions if version not in kept]
    where.remove(shards=old, versions=gone)
    return gone


def _pinned(folder: Folder, versions: list[int]) -> set[int]:
    actors = [actor["name"] for actor in ray.util.list_named_actors(all_namespaces=True) if actor["namespace"] == NAMESPACE]
    return {version for version in versions if any(name.startswith(pin(folder, version)) for name in actors)}


@dataclass
class _Change:
    """Added vectors, or without a block removed ids."""

    ids: IDs
    block: Block | None = None


@dataclass
class _Moves:
    """Rows that move to a different shard, as in the previous version."""

    out: IDs = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    into: list[Block] = field(default_factory=list)


def _column(values: ArrayLike) -> NDArray[Any]:
    return values.copy() if isinstance(values, np.ndarray) else np.asarray(values, dtype=object)


def _open_shard(folder: Folder, manifest: Manifest, shard: int) -> Index:
    file = manifest.shards[shard]
    if not file.rows:
        return empty_index(manifest.kind, manifest.dimension, manifest.metric, manifest.lists)
    with folder.fetched(file, verify=True) as path:
        return open_index(path)


def _leaving_rows(
    folder: Folder, manifest: Manifest, shard: int, upserted: IDs, target: NDArray[np.int64], threads: int
) -> tuple[Block, NDArray[np.int64]]:
    """The rows of a shard that move to other shards, and their new shards."""
    index = _open_shard(folder, manifest, shard)
    moves = index.contains(upserted) & (target != shard)
    ids = upserted[moves]
    return Block(index.vectors(ids), ids, index.columns(ids)), target[moves]


def _rewrite_shard(
    folder: Folder, base: Manifest, shard: int, moves: _Moves, changes: list[_Change], draft: Manifest, threads: int
) -> ShardFile:
    """A shard of the next version: its new file, or the old one if it does not change."""
    index = _open_shard(folder, base, shard)
    removed = index.remove(moves.out)
    is_same = not moves.into and removed == 0 and index.schema == draft.schema
    index.declare(draft.schema)
    for block in moves.into:
        index.add(block.x, block.ids, threads=threads)
        index.set_attributes(block.ids, block.attributes)
    for change in changes:
        if change.block is None:
            is_same &= index.remove(change.ids) == 0
        else:
            is_same = False
            index.add(change.block.x, change.block.ids, threads=threads)
            index.set_attributes(change.block.ids, change.block.attributes)
    if is_same:
        return base.shards[shard]
    if len(index) == 0:
        return ShardFile()
    index.compact()
    ids = index.ids
    return write_shard(index, index.vectors(ids), ids, folder, draft)
