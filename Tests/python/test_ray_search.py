"""A sharded index gives the results of a single index, to the last bit."""

import kin
import numpy as np
import pytest
from conftest import assert_raises, assert_same, index_of
from ray_cluster import cluster, clustered, distributions, ray  # noqa: F401

import kin.ray
from kin.ray.partition import Bounds, Partition, box
from kin.ray.source import source_of

pandas = pytest.importorskip("pandas")

pytestmark = pytest.mark.usefixtures("cluster")


@pytest.mark.parametrize(
    ("shards", "partition"), [(1, "range"), (2, "hash"), (2, "range"), (3, "range"), (3, "hash"), (4, "range"), (7, "range")]
)
def test_results_are_bit_identical_to_one_index(tmp_path, random, shards, partition):
    name = ["uniform", "clustered", "ties"][shards % 3]
    metric = ["l2", "cosine", "ip"][(shards + (partition == "hash")) % 3]
    x = distributions(random, 6000)[name]
    ids = random.permutation(20_000)[:6000].astype(np.int64) * 2 - 10_000
    kind = "flat" if (shards, partition) == (2, "hash") else "ivf"
    index = index_of(x, ids, make=kin.FlatIndex if kind == "flat" else kin.IVFIndex, metric=metric)
    q = np.concatenate([x[::40], random.normal(size=(60, 16)).astype(np.float32) * 3])
    kin.ray.build(x, tmp_path, ids=ids, shards=shards, kind=kind, metric=metric, partition=partition)
    with kin.ray.open(tmp_path) as session:
        assert len(session) == len(index) and session.info()["partition"] == partition
        for k in (0, 1, 10, 6001 if shards == 3 else 40):
            assert_same(session.search(q, k), index.search(q, k))
        assert_same(session.search(q[0], 5), index.search(q[0], 5))
        allowed = ids[random.random(6000) < 0.02]
        assert_same(session.search(q, 10, filter=allowed), index.search(q, 10, filter=allowed))
        for truths in (random.random(40_000) < 0.1, random.random(6000) < 0.1):
            for search in (session.search, session.shards_asked, lambda q, k, **mask: session.range_search(q, 0.1, **mask)):
                assert_raises(kin.InvalidArgument, r"kin\.Filter\(ids\[mask\]\)", search, q, 10, filter=truths)
        radius = float(np.median(index.search(q, 8)[0][:, -1]))
        assert_same(session.range_search(q, radius), index.range_search(q, radius))
        assert_same(session.range_search(q, radius, filter=allowed), index.range_search(q, radius, filter=allowed))


@pytest.mark.parametrize("partition", ["range", "hash"])
def test_masks_of_dense_ids(tmp_path, random, partition):
    x = clustered(random, 3000)
    ids, q, mask = np.arange(3000), x[::50], random.random(3000) < 0.2
    index = index_of(x, ids)
    kin.ray.build(x, tmp_path, ids=ids, shards=3, partition=partition)
    with kin.ray.open(tmp_path) as session:
        assert_same(session.search(q, 10, filter=mask), index.search(q, 10, filter=mask))
        assert_same(session.range_search(q, 0.5, filter=mask), index.range_search(q, 0.5, filter=mask))
        assert session.explain(q[0], 3, filter=mask)["neighbors"] == index.explain(q[0], 3, filter=mask)["neighbors"]
        assert_same(next(session.stream([q], 4, filter=mask)), index.search(q, 4, filter=mask))
        assert_raises(kin.InvalidArgument, "mask of 2999", session.search, q, 3, filter=mask[1:])
        labelled = pandas.Series(mask[::-1], ids[::-1])
        assert_same(session.search(q, 10, filter=labelled), index.search(q, 10, filter=labelled))

def test_bounds_are_below_every_distance(random):
    for trial in range(60):
        metric = ("l2", "cosine", "ip")[trial % 3]
        dimension = (1, 3, 16, 100)[trial % 4]
        scale = 10.0 ** random.integers(-15, 15)
        x = (random.normal(size=(50, dimension)) * scale + scale * random.integers(0, 3)).astype(np.float32)
        q = np.concatenate([x[:5], (random.normal(size=(40, dimension)) * scale).astype(np.float32)])
        # Boxes of one vector each, whose bounds are as near to the distance as possible.
        boxes = [box(row[np.newaxis], metric) for row in x[:20]] + [box(x, metric)]
        bounds = Bounds(metric, boxes)(q)
        index = index_of(x, make=kin.FlatIndex, metric=metric)
        distances, ids = index.search(q, 50)
        by_id = np.empty_like(distances)
        np.put_along_axis(by_id, ids, distances, axis=1)
        assert (bounds[:, :20] <= by_id[:, :20]).all()
        assert (bounds[:, 20] <= distances[:, 0]).all()


def test_rows_of_a_shard_are_in_its_box(random):
    x = clustered(random, 5000)
    partition = Partition.of("range", 7, "l2", x[::3])
    shard = partition.shard(x, np.arange(5000), "l2")
    assert np.bincount(shard, minlength=7).min() > 400
    again = Partition.decode(partition.encode())
    np.testing.assert_array_equal(again.shard(x, np.arange(5000), "l2"), shard)


def test_most_queries_visit_few_shards_of_a_range_partition(tmp_path, random):
    x = clustered(random, 8000)
    kin.ray.build(x, tmp_path, shards=6)
    with kin.ray.open(tmp_path) as session:
        assert session.shards_asked(x[::20]).mean() < 3
        report = session.explain(x[3], 4)
        assert report["shards_asked"] == len(report["shards"]) <= 6
        assert [match["id"] for match in report["neighbors"]] == index_of(x).search(x[3], 4)[1].tolist()


def test_attributes_and_sources(tmp_path, random):
    import pyarrow
    from pyarrow import parquet

    x = clustered(random, 3000)
    ids = np.arange(3000, dtype=np.int64) * 7 - 5000
    words = np.array(["drift", "mastery", None], dtype=object)[random.integers(0, 3, 3000)]
    day = np.datetime64("2026-01-01", "us") + random.integers(0, 300, 3000).astype("timedelta64[D]")
    kinds = {"state": "category", "start": "time"}
    index = index_of(x, ids)
    index.declare(kinds)
    index.set_attributes(ids, {"state": words, "start": day})
    table = pyarrow.table({"vector": list(x), "id": ids, "state": words, "start": day})
    half = tmp_path / "a.parquet", tmp_path / "b.parquet"
    parquet.write_table(table.slice(0, 1700), half[0], row_group_size=500)
    parquet.write_table(table.slice(1700), half[1], row_group_size=500)
    np.save(tmp_path / "c.npy", x[:1000])
    np.save(tmp_path / "d.npy", x[1000:])
    builds = {
        "array": lambda to: kin.ray.build(
            x, to, ids=ids, shards=3, attributes={"state": ("category", words), "start": ("time", day)}
        ),
        "parquet": lambda to: kin.ray.build(
            [str(path) for path in half], to, ids="id", shards=3, attributes=kinds, partition="hash"
        ),
        "dataset": lambda to: kin.ray.build(
            ray.data.from_arrow(table), to, ids="id", shards=3, attributes=kinds
        ),
        "npy": lambda to: kin.ray.build([tmp_path / "c.npy", tmp_path / "d.npy"], to, ids=ids, shards=3),
    }
    where = "state in (drift, mastery) and start >= 2026-06-01"
    for name, make in builds.items():
        make(tmp_path / name)
        with kin.ray.open(tmp_path / name) as session:
            assert_same(session.search(x[:50], 10), index.search(x[:50], 10))
            assert_same(session.search(table["vector"][:50], 10, filter={2, 9, -5000}), index.search(x[:50], 10, filter=[2, 9, -5000]))
            if name != "npy":
                assert_same(session.search(x[:50], 10, filter=where), index.search(x[:50], 10, filter=where))
                assert_raises(kin.InvalidArgument, "nobody", session.search, x[:50], 10, filter="nobody = 1")


def test_the_requested_recall_is_reached_overall(tmp_path, random):
    x = random.random((60_000, 16), dtype=np.float32)
    q = random.random((400, 16), dtype=np.float32)
    exact = index_of(x).search(q, 10)[1]
    kin.ray.build(x, tmp_path, shards=3)
    with kin.ray.open(tmp_path) as session:
        for wanted in (0.8, 0.95, 0.99):
            found = session.search(q, 10, recall=wanted)[1]
            hits = np.mean([len(np.intersect1d(a, b)) / 10 for a, b in zip(found, exact)])
            assert hits >= wanted - 0.01, (wanted, hits)
        assert session.search(q, 10, probes=1)[1].shape == (400, 10)


def test_a_large_batch_is_sent_in_parts(tmp_path, random):
    x = random.random((2000, 4), dtype=np.float32)
    q = random.random((40_000, 4), dtype=np.float32)
    index = index_of(x)
    kin.ray.build(x, tmp_path, shards=2, partition="hash")
    with kin.ray.open(tmp_path, replicas=2, threads=2) as session:
        assert_same(session.search(q, 3), index.search(q, 3))
        allowed = np.arange(1000)
        assert_same(session.search(q, 3, filter=allowed), index.search(q, 3, filter=allowed))
        parts = list(session.stream((q[a : a + 1000] for a in range(0, 40_000, 1000)), 3, filter=allowed))
        assert_same([np.concatenate(part) for part in zip(*parts)], index.search(q, 3, filter=allowed))


@pytest.mark.parametrize("partition", ["range", "hash"])
@pytest.mark.parametrize("name", ["uniform", "clustered", "ties"])
def test_large_batches_in_two_rounds(tmp_path, random, name, partition):
    x = distributions(random, 6000)[name]
    index = index_of(x)
    q = np.concatenate([x[:1500], random.normal(size=(500, 16)).astype(np.float32) * 2])
    kin.ray.build(x, tmp_path, shards=3, partition=partition)
    with kin.ray.open(tmp_path) as session:
        for k in (0, 1, 10, 300):
            assert_same(session.search(q, k), index.search(q, k))
        # Fewer vectors are allowed than requested, in some shards none.
        for allowed in (np.arange(0, 6000, 3), np.array([5, 700])):
            assert_same(session.search(q, 10, filter=allowed), index.search(q, 10, filter=allowed))
        exact = index.search(q, 10)[1]
        found = session.search(q, 10, recall=0.9)[1]
        assert np.mean([len(np.intersect1d(a, b)) / 10 for a, b in zip(found, exact)]) >= 0.89 or name == "ties"
        assert session.search(q, 10, probes=1)[1].shape == (2000, 10)


def test_ids_of_more_than_one_piece():
    ids = np.arange(70_000) * 3 + 1
    pieces = [piece for _, piece in source_of(np.zeros((70_000, 2), np.float32), ids, "", {}).pieces()]
    assert len(pieces) == 2 and (np.concatenate([piece.ids for piece in pieces]) == ids).all()


def test_masked_values_are_missing_in_every_piece(tmp_path, random):
    n = 66_000
    x, mask = random.random((n, 2), dtype=np.float32), random.random(n) < 0.5
    attributes = {
        "word": ("category", np.ma.masked_array(np.array(["a", "b"])[random.integers(0, 2, n)], mask)),
        "count": ("integer", np.ma.masked_array(random.integers(0, 9, n), mask)),
        "score": ("number", np.ma.masked_array(random.random(n), mask)),
    }
    kin.ray.build(x, tmp_path, shards=2, attributes=attributes)
    kin.ray.write(tmp_path).upsert(x[:9], np.arange(9), {name: column[:9] for name, (_, column) in attributes.items()})
    with kin.ray.open(tmp_path) as session:
        for name in attributes:
            found = session.range_search(x[0], 9.0, filter=f"{name} is missing")[2]
            np.testing.assert_array_equal(np.sort(found), np.flatnonzero(mask))


def test_masked_vectors_and_ids_are_refused(tmp_path, random):
    x = random.random((4, 2), dtype=np.float32)
    rows, ids = np.ma.masked_array(x, [[0, 0], [0, 1], [0, 0], [0, 0]]), np.ma.masked_array([1, 2, 3, 4], [0, 1, 0, 0])
    kin.ray.build(x, tmp_path, shards=1)
    writer = kin.ray.write(tmp_path)
    with kin.ray.open(tmp_path) as session:
        for call in (
            lambda: source_of(rows, None, "", {}),
            lambda: source_of(x, ids, "", {}),
            lambda: writer.upsert(rows, np.arange(4)),
            lambda: writer.upsert(x, ids),
            lambda: writer.remove(ids),
            lambda: session.search(rows, 1),
            lambda: session.search(x, 1, filter=ids),
            lambda: session.explain(rows[1], 1),
        ):
            assert_raises(kin.InvalidArgument, "row [01] is masked", call)


def test_fewer_rows_than_shards(tmp_path):
    x = np.ones((3, 4), dtype=np.float32)
    kin.ray.build(x, tmp_path, shards=5)
    with kin.ray.open(tmp_path) as session:
        assert_same(session.search(x, 5), index_of(x).search(x, 5))
        assert sum(shard["file"] is None for shard in session.info()["shards"]) >= 2
    kin.ray.build(x[:0], tmp_path / "none", shards=2)
    with kin.ray.open(tmp_path / "none") as session:
        assert_same(session.search(x, 2), index_of(x[:0]).search(x, 2))
        assert_same(session.range_search(x, 2), index_of(x[:0]).range_search(x, 2))


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"shards": 0}, kin.InvalidArgument),
        ({"partition": "none"}, kin.InvalidArgument),
        ({"metric": "l1"}, kin.InvalidArgument),
        ({"ids": np.zeros(100, dtype=np.int64)}, kin.DuplicateID),
        ({"ids": np.zeros(100, dtype=np.int64), "partition": "hash"}, kin.DuplicateID),
        ({"ids": np.arange(99)}, kin.InvalidArgument),
        ({"nan": 57}, kin.NotFinite),
        ({"zero": 57, "metric": "cosine"}, kin.ZeroVector),
    ],
)
def test_a_refused_build_leaves_no_index(tmp_path, random, given, error):
    x = random.random((100, 4), dtype=np.float32)
    row = None
    for name, value in (("nan", np.nan), ("zero", 0)):
        if name in given:
            row = given[name]
            x[row] = value
    with pytest.raises(error, match=None if row is None else f"row {row} "):
        kin.ray.build(x, tmp_path, **{"shards": 3} | {name: value for name, value in given.items() if name not in ("nan", "zero")})
    assert_raises(kin.InvalidArgument, "no sharded index", kin.ray.open, tmp_path)
