"""Building a sharded index."""

import hashlib
import pickle
import tempfile
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import ray

from kin import _arrays
from kin._arrays import Floats, IDs
from kin._signatures import INDEX_KINDS, IndexKind, Metric
from kin.errors import DimensionMismatch, DuplicateID, InvalidArgument
from kin.index import Index
from kin.ray.errors import failures
from kin.ray.folder import Folder, FolderLike
from kin.ray.manifest import Manifest, ShardFile
from kin.ray.partition import Partition, PartitionKind, box, hash_partition
from kin.ray.shard import empty_index
from kin.ray.source import Attributes, Block, DatasetSource, Part, Piece, Source, source_of

_SAMPLE = 65_536


def build(
    source: Any,
    folder: FolderLike,
    *,
    shards: int,
    ids: ArrayLike | str | None = None,
    kind: IndexKind = "ivf",
    metric: Metric = "l2",
    attributes: Attributes | None = None,
    partition: PartitionKind = "range",
    lists: int | None = None,
    column: str = "vector",
    threads: int = 1,
) -> int:
    """Builds a sharded index: rows go to their shards piece by piece, and each shard is built by a separate task.

    A piece has 65,536 rows; twice as many pieces as the cluster has CPUs are in progress at a time. Pieces are stored
    in files until all have arrived, so the memory of a node holds only the shard that it builds, or one shard per CPU.
    Rows of an array pass through this process. Rows of files and datasets, except for a sample, go directly from the
    tasks that read them to their shards. The manifest is written last: a build that fails leaves a folder without an
    index.

    Parameters
    ----------
    source : array, list of paths, or Ray Dataset
        Vectors as rows; NPY or Parquet files that every node sees; or a dataset with a column of vectors.
    folder : str, path or Folder
        The location of the index, which must not contain one yet.
    shards : int
        The number of shards.
    ids : array of int or str, optional
        Different ids, or for Parquet files and datasets the name of the id column. Default: the numbers of the rows,
        which rows of a dataset do not have.
    kind, metric, lists
        As for :class:`kin.IVFIndex` and :class:`kin.FlatIndex`.
    attributes : mapping, optional
        The kind of each attribute by name (see :meth:`kin.Index.declare`), for columns of that name; or, with an array,
        pairs of kind and values.
    partition : {"range", "hash"}
        The shard of a vector: by its position, so that most queries need few shards; or by its id, so that all shards
        have equal work for all queries.
    column : str
        The name of the vectors' column.
    threads : int
        The most threads, and CPUs, of a task that builds a shard.

    Returns
    -------
    int
        The version, 1.

    Raises
    ------
    NotFinite, ZeroVector, DuplicateID, DimensionMismatch
        The text names the row or id.
    InputOutput, UnsupportedFormat, Unavailable
    """
    where, count = Folder.of(folder), _arrays.count(shards, "shards", least=1)
    threads = _arrays.threads(threads)
    _arrays.number_of(kind, INDEX_KINDS, "kind of index")
    where.create()
    if where.versions():
        raise InvalidArgument(f"{where} holds an index already; change it by kin.ray.write, or build in another folder")
    rows, centroids = source_of(source, ids, column, attributes or {}), _arrays.count(lists, "lists", default=0, least=1)
    empty_index(kind, rows.dimension, metric, centroids).declare(rows.kinds)
    sample = rows.sample(_SAMPLE)[: 2 * _SAMPLE] if partition == "range" else np.empty((0, rows.dimension), dtype=np.float32)
    split = Partition.of(partition, count, metric, sample)
    draft = Manifest(1, kind, metric, rows.dimension, centroids, split, (ShardFile(),) * count, rows.kinds)
    # Row numbers as ids are always different, and a hash brings equal ids to one shard, which rejects them.
    is_checked = ids is not None and partition == "range"
    builder = ray.remote(Builder).options(num_cpus=0, scheduling_strategy="SPREAD")
    builders = [builder.remote(where, draft, threads) for _ in range(min(count, max(1, cpus() // max(1, threads))))]
    # Builder s modulo the number of builders builds shard s.
    own = [builders[number % len(builders)] for number in range(count)]
    try:
        with failures(f"the build of {where}", "lost a process or node, and rows with it; build again"):
            total = _route(rows, draft, own)
            if is_checked:
                _check(own)
            files = list(remote_in_order((partial(each.finish.remote, number) for number, each in enumerate(own)), count))
        if total is not None and total != sum(file.rows for file in files):
            raise DuplicateID("a piece of the dataset comes twice, ids included; ids are different")
    finally:
        for each in builders:
            ray.kill(each)
    where.publish(replace(draft, shards=tuple(files)))
    return 1


class Builder:
    """The actor that collects the rows of some shards in files of its node, and builds these shards one by one."""

    def __init__(self, folder: Folder, manifest: Manifest, threads: int) -> None:
        self._folder, self._manifest, self._threads = folder, manifest, threads
        self._spool = tempfile.TemporaryDirectory(prefix="kin-build-")

    def append(self, shard: int, piece: str, block: Block) -> None:
        """Stores some rows; a piece that arrives twice is stored once."""
        draft = Path(self._spool.name, "draft")
        draft.write_bytes(pickle.dumps(block, protocol=5))
        draft.rename(Path(self._spool.name, f"{shard}-{piece}"))

    def ids_by_hash(self, shard: int, parts: int) -> list[IDs]:
        """The ids of a shard, divided so that equal ids of all shards meet."""
        ids = np.concatenate([*(block.ids for block in self._blocks(shard)), np.empty(0, dtype=np.int64)])
        part = hash_partition(ids, parts)
        return [ids[part == number] for number in range(parts)]

    def finish(self, shard: int) -> ShardFile:
        """Builds a shard, in the order of the pieces, and writes its file."""
        blocks = list(self._blocks(shard))
        if not blocks:
            return ShardFile()
        x, ids = np.concatenate([block.x for block in blocks]), np.concatenate([block.ids for block in blocks])
        index = empty_index(self._manifest.kind, self._manifest.dimension, self._manifest.metric, self._manifest.lists)
        index.add(x, ids, threads=self._threads)
        index.declare(self._manifest.schema)
        if self._manifest.schema:
            joined: Any = np.ma.concatenate
            columns = {name: joined([block.attributes[name] for block in blocks]) for name in self._manifest.schema}
            index.set_attributes(ids, columns)
        return write_shard(index, x, ids, self._folder, self._manifest)

    def _blocks(self, shard: int) -> Iterator[Block]:
        for path in sorted(Path(self._spool.name).glob(f"{shard}-*")):
            yield pickle.loads(path.read_bytes())


def write_shard(index: Index, x: Floats, ids: IDs, folder: Folder, manifest: Manifest) -> ShardFile:
    """Writes a shard's file under a unique name, and describes the file."""
    low, high = box(x, manifest.metric)
    with folder.scratch(manifest.version) as scratch:
        path = Path(scratch, "shard")
        path.touch()  # with the permissions of the umask, which an index file retains: other users may read the folder
        index.save(path)
        # The name is unique: a writer that ends early, or one that writes the same version at the same time, uses a
        # different name.
        name = f"{manifest.version:08}-{uuid.uuid4().hex}.kin"
        size, digest = folder.store(path, name)
    unsigned = ids.view(np.uint64)
    span = int(unsigned.min()), int(unsigned.max())
    return ShardFile(name, len(ids), size, digest, *span, tuple(low.tolist()), tuple(high.tolist()))


def remote_in_order(calls: Iterable[Callable[[], Any]], under_way: int) -> Iterator[Any]:
    """The results of remote calls in order, with `under_way` of them in progress; a failure cancels the rest."""
    waiting: deque[Any] = deque()
    try:
        for call in calls:
            waiting.append(call())
            if len(waiting) >= under_way:
                yield ray.get(waiting.popleft())
        while waiting:
            yield ray.get(waiting.popleft())
    finally:
        for reference in waiting:
            ray.cancel(reference)


def cpus() -> int:
    """The CPUs of the cluster."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _route(rows: Source, manifest: Manifest, builders: Sequence[Any]) -> int | None:
    """Sends every row to the builder of its shard, `builders[shard]`; returns the number of rows of a dataset."""
    if isinstance(rows, DatasetSource):
        return rows.send(partial(_send_of_dataset, builders, manifest))
    send = ray.remote(_send).options(num_cpus=1)
    pieces = enumerate(rows.pieces())
    for _ in remote_in_order((partial(send.remote, builders, manifest, f"{number:08}", *piece) for number, piece in pieces), 2 * cpus()):
        pass
    return None


def _send_of_dataset(builders: Sequence[Any], manifest: Manifest, block: Block) -> None:
    """Sends the rows of a piece of a dataset; a repeated task sends them under the same name."""
    digest = hashlib.sha256(block.ids.tobytes() + block.x.tobytes()).hexdigest()
    _send(builders, manifest, f"{digest}-{ray.get_runtime_context().get_task_id()}", None, block)


def _send(builders: Sequence[Any], manifest: Manifest, name: str, first: int | None, piece: Piece) -> None:
    """Sends the rows of a piece, which has a name, to the builders of their shards, and waits until these have stored them."""
    block = (piece.read() if isinstance(piece, Part) else piece).checked(manifest.metric, first)
    if block.x.shape[1] != manifest.dimension:
        raise DimensionMismatch(f"the vectors have {block.x.shape[1]} dimensions after others of {manifest.dimension}")
    shard = manifest.partition.shard(block.x, block.ids, manifest.metric)
    ray.get([builders[number].append.remote(number, name, block[shard == number]) for number in np.unique(shard).tolist()])


def _check(builders: Sequence[Any]) -> None:
    """Raises DuplicateID if an id is in two shards."""
    count = len(builders)
    if count == 1:
        return
    parts = [each.ids_by_hash.options(num_returns=count).remote(shard, count) for shard, each in enumerate(builders)]
    check = ray.remote(_repeated).options(num_cpus=1)
    for repeated in remote_in_order((partial(check.remote, *group) for group in zip(*parts)), cpus()):
        if repeated is not None:
            raise DuplicateID(f"the id {repeated} is given twice; ids are different")


def _repeated(*ids: IDs) -> int | None:
    """An id that occurs twice, or None."""
    found, counts = np.unique(np.concatenate(ids), return_counts=True)
    return int(found[np.argmax(counts > 1)]) if (counts > 1).any() else None
