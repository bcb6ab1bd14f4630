"""Index files built from batches of vectors."""

import numpy as np
import pytest

import kin
from conftest import assert_cancelled, assert_raises, index_of
from kin._signatures import METRICS


def whole(folder, x, ids=None, **options):
    path = folder / "whole.kin"
    index_of(x, ids, **options).save(path)
    return path.read_bytes()


@pytest.mark.parametrize("metric", METRICS)
def test_batches_build_the_same_file_as_all_vectors_at_once(tmp_path, random, metric):
    x = random.standard_normal((30_000, 16)).astype(np.float32)
    path = tmp_path / "built.kin"
    index = kin.IVFIndex.build(path, (x[i : i + 7_000] for i in range(0, 30_000, 7_000)), metric=metric, threads=2)
    assert len(index) == 30_000 and index.metric == metric
    assert path.read_bytes() == whole(tmp_path, x, metric=metric)
    _, ids = index.search(x[:50], 1)
    assert metric != "l2" or (ids[:, 0] == np.arange(50)).all()


def test_ids_and_other_types_come_in_pairs(tmp_path, random):
    x = random.standard_normal((6_000, 4))
    ids = random.permutation(6_000) * 1_000_003
    batches = [(x[:1_000], ids[:1_000]), (x[1_000:].tolist(), ids[1_000:].tolist())]
    kin.IVFIndex.build(tmp_path / "built.kin", batches, memory=1 << 24)
    assert (tmp_path / "built.kin").read_bytes() == whole(tmp_path, x, ids)


def test_columns_of_arrow_batches(tmp_path, random):
    pa = pytest.importorskip("pyarrow")
    x = random.standard_normal((5_000, 4)).astype(np.float32)
    column = pa.FixedSizeListArray.from_arrays(pa.array(x.reshape(-1)), 4)
    table = pa.table({"id": np.arange(5_000) + 7, "vector": column})
    pairs = ((batch["vector"], batch["id"]) for batch in table.to_batches(max_chunksize=900))
    kin.IVFIndex.build(tmp_path / "built.kin", pairs)
    assert (tmp_path / "built.kin").read_bytes() == whole(tmp_path, x, np.arange(5_000) + 7)


def test_invalid_batches_are_refused_and_the_old_file_stays(tmp_path):
    path = tmp_path / "a.kin"
    path.write_bytes(b"old")
    good = np.ones((3, 4), dtype=np.float32)
    bad = good.copy()
    bad[1, 1] = np.nan

    def failing():
        yield good
        raise RuntimeError("the source broke")

    cases = [
        (kin.NotFinite, [good, bad]),
        (kin.DimensionMismatch, [good, good[:, :3]]),
        (kin.DuplicateID, [(good, [1, 2, 3]), (good, [4, 5, 3])]),
        (kin.InvalidArgument, [(good, [1, 2])]),
        (kin.InvalidArgument, []),
        (RuntimeError, failing()),
    ]
    for kind, batches in cases:
        assert_raises(kind, None, kin.IVFIndex.build, path, batches, overwrite=True)
    assert_raises(kin.InvalidArgument, "16777216", kin.IVFIndex.build, path, [good], memory=1 << 20, overwrite=True)
    assert_raises(kin.InvalidArgument, "overwrite", kin.IVFIndex.build, path, [good])
    assert_raises(kin.InputOutput, None, kin.IVFIndex.build, tmp_path / "none" / "a.kin", [good])
    assert path.read_bytes() == b"old" and [file.name for file in tmp_path.iterdir()] == ["a.kin"]


def test_a_build_reports_progress_and_can_be_cancelled(tmp_path, random):
    x = random.standard_normal((60_000, 8)).astype(np.float32)
    seen = []
    with kin.progress(lambda done, total: seen.append((done, total))):
        kin.IVFIndex.build(tmp_path / "a.kin", [x])
    assert seen and max(done for done, _ in seen) > 0
    before = (tmp_path / "a.kin").read_bytes()
    assert_cancelled(kin.IVFIndex.build, tmp_path / "a.kin", [x])
    assert (tmp_path / "a.kin").read_bytes() == before and len(list(tmp_path.iterdir())) == 1


def test_ids_that_are_texts(tmp_path, random):
    x = random.standard_normal((6_000, 4)).astype(np.float32)
    ids = [f"id {i}" for i in random.permutation(6_000)]
    batches = ((x[i : i + 1_700], ids[i : i + 1_700]) for i in range(0, 6_000, 1_700))
    built = kin.IVFIndex.build(tmp_path / "built.kin", batches)
    assert (tmp_path / "built.kin").read_bytes() == whole(tmp_path, x, ids)
    assert built.search(x[17], 1)[1].tolist() == [ids[17]] and built.ids_where(ids[3:5]).tolist() == ids[3:5]
    for wrong, error in (
        ([(x[:2], ["a", "b"]), (x[:1], ["b"])], kin.DuplicateID),
        ([(x[:2], ["a", "b"]), (x[:1], [3])], kin.InvalidArgument),
        ([(x[:2], [1, 2]), (x[:1], ["b"])], kin.InvalidArgument),
        ([(x[:2], ["a", ""])], kin.InvalidArgument),
        ([(x[:2], ["a"])], kin.InvalidArgument),
    ):
        assert_raises(error, None, kin.IVFIndex.build, tmp_path / "wrong.kin", wrong)
    assert not (tmp_path / "wrong.kin").exists()


def test_one_array_is_no_batches(tmp_path):
    assert_raises(kin.InvalidArgument, r"pass it as \[x\]", kin.IVFIndex.build, tmp_path / "built.kin", np.eye(4))
