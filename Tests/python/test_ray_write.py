"""A writer's new version equals a single index after the same changes; readers stay on their version."""

import json
import os

import kin
import numpy as np
import pytest
from pyarrow import fs
from conftest import assert_raises, assert_same, index_of
from ray_cluster import alive, cluster, clustered, expect_none_besides, ray  # noqa: F401

import kin.ray
from kin.ray.folder import Folder

pytestmark = pytest.mark.usefixtures("cluster")
KINDS = {"word": "category", "count": "integer", "score": "number", "flag": "boolean", "at": "time", "visit": "time-range", "tags": "tags"}


def values(random, n):
    """Attributes of every kind, some of them missing."""
    at = np.datetime64("2026-01-01", "us") + random.integers(0, 10**9, n).astype("timedelta64[us]")
    at[::7] = "NaT"
    found = {
        "word": np.array(["a", "b", None], dtype=object)[random.integers(0, 3, n)],
        "count": np.array([None if r < 0.1 else int(r * 2**60) for r in random.random(n)], dtype=object),
        "score": np.where(random.random(n) < 0.1, np.nan, random.normal(size=n)),
        "flag": np.array([True, False, None], dtype=object)[random.integers(0, 3, n)],
        "at": at,
    }
    sets = [None, ["a"], ["a", "ü b"], []]
    found["tags"] = np.fromiter((sets[i] for i in random.integers(0, 4, n)), object, n)
    return found | {"visit": np.stack([at, at + np.timedelta64(90, "m")], axis=1)}


FILTERS = (
    None, "word = a", "count > 1000000000", "score < 0.2", "flag = true", "at >= 2026-01-01T00:05:00Z", "word is missing",
    "tags contains 'ü b'", "tags is missing", "visit overlaps [2026-01-01T00:01:00Z, 2026-01-01T00:02:00Z)",
)  # fmt: skip


@pytest.mark.parametrize("partition", ["range", "hash"])
def test_random_changes(tmp_path, random, partition):
    x, ids = clustered(random, 1500), random.permutation(3000)[:1500].astype(np.int64)
    given = values(random, 1500)
    index = index_of(x, ids)
    index.declare(KINDS)
    index.set_attributes(ids, given)
    attributes = {name: (kind, given[name]) for name, kind in KINDS.items()}
    kin.ray.build(x, tmp_path, ids=ids, shards=3, partition=partition, attributes=attributes)
    writer = kin.ray.write(tmp_path)
    for version in (2, 3):
        for _ in range(6):
            n = int(random.integers(1, 60))
            some = random.choice(3200, n, replace=False).astype(np.int64)
            if random.random() < 0.4:
                index.remove(some)
                writer.remove(some)
                continue
            # Far away, so that rows move to a different shard.
            rows = clustered(random, n) * 2
            fresh = values(random, n) if random.random() < 0.6 else {}
            fresh = {name: column for name, column in fresh.items() if random.random() < 0.7}
            index.add(rows, some)
            index.set_attributes(some, fresh)
            writer.upsert(rows, some, fresh)
        assert writer.commit() == version
        q = clustered(random, 60)
        with kin.ray.open(tmp_path) as session:
            assert session.version == version and len(session) == len(index)
            for filter in FILTERS:
                assert_same(session.search(q, 8, filter=filter), index.search(q, 8, filter=filter))
    assert writer.commit() == 3


def test_readers_stay_on_their_version(tmp_path, random):
    x = clustered(random, 900)
    index = index_of(x)
    kin.ray.build(x, tmp_path, shards=2)
    others = alive()
    with kin.ray.open(tmp_path) as session:
        before = index.search(x[:50], 5)
        for version in range(2, 6):
            writer = kin.ray.write(tmp_path)
            writer.remove(np.arange(version * 10, version * 10 + 10))
            assert writer.commit() == version
            assert_same(session.search(x[:50], 5), before)
        # Version 1 is open; 4 and 5 are the newest.
        assert kin.ray.vacuum(tmp_path) == [2, 3]
        # A restarted actor still finds its file.
        for handles in session._actors._handles.values():
            ray.kill(handles[0])
        assert_same(session.search(x[:50], 5), before)
    expect_none_besides(others)
    assert kin.ray.vacuum(tmp_path, keep=1) == [1, 4]
    names = Folder(tmp_path).read().names
    assert set(os.listdir(tmp_path / "shards")) == names
    index.remove(np.arange(20, 60))
    with kin.ray.open(tmp_path) as session:
        assert_same(session.search(x[:50], 5), index.search(x[:50], 5))
    assert_raises(kin.InvalidArgument, "no version 1", kin.ray.open, tmp_path, version=1)


def test_files_respect_the_umask(tmp_path, random):
    before = os.umask(0o027)
    try:
        kin.ray.build(clustered(random, 100), tmp_path, shards=1)
    finally:
        os.umask(before)
    # Actors write the shards, with the umask of the cluster.
    files = [tmp_path / "manifest-00000001.json", *(tmp_path / "shards").iterdir()]
    assert [file.stat().st_mode & 0o777 for file in files] == [0o640, 0o666 & ~before]


def test_shards_that_do_not_change_keep_their_files(tmp_path, random):
    x = clustered(random, 900)
    kin.ray.build(x, tmp_path, shards=3, partition="hash")
    before = Folder(tmp_path).read().names
    writer = kin.ray.write(tmp_path)
    writer.upsert(x[:1], [0])
    writer.commit()
    assert len(Folder(tmp_path).read().names & before) == 2


def test_the_second_of_two_writers_is_refused(tmp_path, random):
    x = clustered(random, 200)
    kin.ray.build(x, tmp_path, shards=2)
    one, other = kin.ray.write(tmp_path), kin.ray.write(tmp_path)
    one.remove([1])
    other.remove([2])
    assert one.commit() == 2
    assert_raises(kin.Busy, "version 2", other.commit)
    # Also if both have passed the first check.
    assert_raises(kin.Busy, "another writer", Folder(tmp_path).publish, Folder(tmp_path).read())


def test_a_writer_that_dies_leaves_no_version(tmp_path, random, monkeypatch):
    x = clustered(random, 300)
    kin.ray.build(x, tmp_path, shards=2)
    writer = kin.ray.write(tmp_path)
    writer.upsert(x[:100] + 1, np.arange(100))

    def die(self, manifest):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Folder, "publish", die)
        assert_raises(KeyboardInterrupt, None, writer.commit)
    assert Folder(tmp_path).versions() == [1]
    assert len(os.listdir(tmp_path / "shards")) > 2
    with kin.ray.open(tmp_path) as session:
        assert_same(session.search(x[:9], 3), index_of(x).search(x[:9], 3))
    # Files of a future version may belong to an active writer. Once that version exists, files that it does not use are
    # removed.
    kin.ray.vacuum(tmp_path)
    assert len(os.listdir(tmp_path / "shards")) > 2
    assert writer.commit() == 2
    kin.ray.vacuum(tmp_path)
    assert set(os.listdir(tmp_path / "shards")) == Folder(tmp_path).read(1).names | Folder(tmp_path).read(2).names


def test_invalid_changes_are_refused_at_once(tmp_path, random):
    x = clustered(random, 100)
    kin.ray.build(x, tmp_path, shards=2)
    assert_raises(kin.InvalidArgument, "already", kin.ray.build, x, tmp_path, shards=2)
    writer = kin.ray.write(tmp_path)
    for change, error in (
        (lambda: writer.upsert(x[:2, :5], [1, 2]), kin.DimensionMismatch),
        (lambda: writer.upsert(x[:2], [1, 1]), kin.DuplicateID),
        (lambda: writer.upsert(x[:2], [1]), kin.InvalidArgument),
        (lambda: writer.upsert(x[:2] * np.nan, [1, 2]), kin.NotFinite),
        (lambda: writer.upsert(x[:2], [1, 2], {"word": ["a", "b"]}), kin.InvalidArgument),
        (lambda: kin.ray.vacuum(tmp_path, keep=0), kin.InvalidArgument),
    ):
        assert_raises(error, None, change)
    assert writer.commit() == 1
    writer.declare({"word": "category"})
    writer.upsert(x[:2], [1, 2], {"word": ["a", "b"]})
    assert writer.commit() == 2
    with kin.ray.open(tmp_path) as session:
        assert session.search(x[0], 3, filter="word = b")[1].tolist() == [2, -1, -1]


def test_all_rows_can_be_removed_and_added_again(tmp_path, random):
    x = clustered(random, 60)
    kin.ray.build(x, tmp_path, shards=2)
    writer = kin.ray.write(tmp_path)
    writer.remove(np.arange(60))
    writer.commit()
    with kin.ray.open(tmp_path) as session:
        assert len(session) == 0 and session.search(x[0], 1)[1].tolist() == [-1]
    writer.upsert(x, np.arange(60))
    writer.commit()
    with kin.ray.open(tmp_path) as session:
        assert_same(session.search(x, 4), index_of(x).search(x, 4))


def test_a_file_system_that_is_not_local(tmp_path, random):
    """Like an object store: files are copied to the nodes, and a manifest is one put."""
    (tmp_path / "store").mkdir()
    store = Folder("souls", fs.SubTreeFileSystem(str(tmp_path / "store"), fs.LocalFileSystem()))
    x = clustered(random, 400)
    kin.ray.build(x, store, shards=2)
    writer = kin.ray.write(store)
    writer.upsert(x[:5] + 1, np.arange(5))
    assert writer.commit() == 2
    x[:5] += 1
    with kin.ray.open(store) as session:
        assert_same(session.search(x[:50], 4), index_of(x).search(x[:50], 4))
    assert_raises(kin.Busy, None, store.publish, store.read(2))
    assert kin.ray.vacuum(store, keep=1) == [1]
    name = next(iter(store.read().names))
    (tmp_path / "store" / "souls" / "shards" / name).unlink()
    assert_raises(kin.InputOutput, name, kin.ray.open, store)


@pytest.mark.parametrize("damage", ["bytes", "text", "format", "version"])
def test_a_damaged_manifest(tmp_path, damage):
    kin.ray.build(np.ones((4, 2), dtype=np.float32), tmp_path, shards=1)
    path = tmp_path / "manifest-00000001.json"
    text = path.read_text()
    path.write_text(
        {
            "bytes": text.replace('"rows": 4', '"rows": 5'),
            "text": text[: len(text) // 2],
            "format": text.replace('"format": 1', '"format": 9'),
            "version": text,
        }[damage]
    )
    if damage == "version":
        path.rename(tmp_path / "manifest-00000002.json")
    assert_raises(kin.UnsupportedFormat if damage == "format" else kin.CorruptFile, "manifest-", kin.ray.open, tmp_path)
    assert json.loads(text)["shards"][0]["rows"] == 4
