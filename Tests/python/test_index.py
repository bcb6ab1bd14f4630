import copy
import threading
import time

import kin
import numpy as np
import pytest
from conftest import assert_raises, assert_same, index_of, nearest, squared_distances
from kin import _arrays
from kin._signatures import METRICS


def test_search_is_exact(index, x, q):
    expected = squared_distances(q, x)
    for threads in (None, 2):
        distances, ids = index.search(q, 12, threads=threads)
        assert distances.shape == ids.shape == (40, 12)
        assert distances.dtype == np.float64 and ids.dtype == np.int64
        np.testing.assert_array_equal(ids, nearest(expected, 12))
        np.testing.assert_allclose(distances, np.take_along_axis(expected, ids, axis=1), rtol=1e-12)
    one = index.search(q[3], 12)
    np.testing.assert_array_equal(one[1], ids[3])
    assert one[0].shape == one[1].shape == (12,)


@pytest.mark.parametrize("metric", METRICS)
def test_results_are_within_their_radii(make, metric, x, q):
    index = index_of(x, make=make, metric=metric)
    assert index.metric == metric and index.copy().metric == metric
    distances, ids = index.search(q, 12)
    radii = distances[np.arange(40), np.arange(40) % 12]
    is_within = distances <= radii[:, np.newaxis]
    for threads in (None, 2):
        found = index.search(q, 12, radii=radii, threads=threads)
        np.testing.assert_array_equal(found[0], np.where(is_within, distances, np.inf))
        np.testing.assert_array_equal(found[1], np.where(is_within, ids, -1))
    for radius in (radii[3], radii[3:4], radii[3].tolist()):
        np.testing.assert_array_equal(index.search(q[3], 12, radii=radius)[1], found[1][3])
    np.testing.assert_array_equal(index.search(q, 12, radii=np.repeat(radii, 2)[::2])[1], found[1])


def test_radii_are_checked(index, q):
    for radii in (q[:39, 0], np.ones((40, 1)), []):
        assert_raises(kin.InvalidArgument, "radii", index.search, q, 3, radii=radii)
    radii = np.ones(40)
    radii[7] = np.nan
    assert_raises(kin.NotFinite, "row 7", index.search, q, 3, radii=radii)
    assert_same(index.search(q, 3, radii=0.9), index.search(q, 3, radii=np.full(40, 0.9)))


def test_strided_rows_are_read_without_a_copy(x):
    for view in (x, x[::3], x[:, :8], x[10:500:7, 2:9]):
        array, stride = _arrays.rows(view, "x")
        assert np.shares_memory(array, view)
        assert stride == (0 if view.flags.c_contiguous else view.strides[0])
    for other in (x[::-1], x[:, ::2], x.T, x.astype(np.float64), np.asfortranarray(x), x.tolist()):
        array, stride = _arrays.rows(other, "x")
        assert stride == 0 and array.flags.c_contiguous
        np.testing.assert_array_equal(array, np.asarray(other, dtype=np.float32))


def test_filters(index, x, q):
    allowed = np.arange(0, 3000, 3)
    mask = np.zeros(3000, dtype=bool)
    mask[allowed] = True
    expected = allowed[nearest(squared_distances(q, x[allowed]), 6)]
    for kind in (allowed, allowed.astype(np.uint64), mask, kin.Filter(allowed), kin.Filter(mask), allowed.tolist()):
        np.testing.assert_array_equal(index.search(q, 6, filter=kind)[1], expected)
    distances, ids = index.search(q[0], 4, filter=[5, 9])
    assert set(ids[:2]) == {5, 9} and list(ids[2:]) == [-1, -1] and np.isinf(distances[2:]).all()
    assert (index.search(q[0], 4, filter=[])[1] == -1).all()


def test_range_search(index, x, q):
    expected = squared_distances(q, x)
    limits, distances, ids = index.range_search(q, 0.8)
    assert limits[0] == 0 and limits[-1] == (expected <= 0.8).sum() > 40
    for i in range(40):
        mine = slice(limits[i], limits[i + 1])
        assert set(ids[mine]) == set(np.flatnonzero(expected[i] <= 0.8))
        assert (np.diff(distances[mine]) >= 0).all()
    limits, _, ids = index.range_search(x[7], 0.0)
    assert list(limits) == [0, 1] and list(ids) == [7]


def test_recommend(index, x):
    np.testing.assert_array_equal(index.recommend(x[7], k=9)[1], index.search(x[7], 9)[1])
    distances = squared_distances(x[[3, 5, 8]], x)
    scores = (distances[0] + distances[1]) / 2 - 0.25 * distances[2]
    scores[[5, 8, 11]] = np.inf
    found, ids = index.recommend([x[3], 5], [8], 6, negative_weight=0.25, exclude=[11])
    np.testing.assert_array_equal(ids, np.argsort(scores, kind="stable")[:6])
    np.testing.assert_allclose(found, scores[ids], rtol=1e-5, atol=1e-5)
    for same in ([3, np.uint64(5)], np.array([3, 5]), (3, 5)):
        np.testing.assert_array_equal(index.recommend(same, k=3)[1], index.recommend([5, 3], k=3)[1])
    for rows in (list(x[3]), [0.5, 0, 1] + [0.25] * 13, x[3].astype(object)):
        np.testing.assert_array_equal(index.recommend(rows, k=3)[1], index.search(np.array(rows, np.float32), 3)[1])
    # One dimension of whole numbers has ids; two have vectors.
    numbers = np.array([3, 5], object)
    np.testing.assert_array_equal(index.recommend(numbers, k=3)[1], index.recommend([5, 3], k=3)[1])
    for whole in (np.arange(16, dtype=np.uint8)[np.newaxis], np.arange(16)[np.newaxis], [list(range(16))], [np.float32(range(16)), tuple(range(16))]):
        np.testing.assert_array_equal(index.recommend(whole, k=3)[1], index.search(np.arange(16), 3)[1])
    index.declare({"kind": "integer"})
    index.set_attributes(np.arange(len(x)), {"kind": np.arange(len(x)) % 2})
    ids = index.recommend(x[3], k=5, per_category=("kind", 2))[1]
    assert sorted(ids[:4] % 2) == [0, 0, 1, 1] and ids[4] == -1
    for wrong in ("kind", ("kind",), 3):
        with pytest.raises(kin.InvalidArgument, match="per_category must be an attribute and a number"):
            index.recommend(x[3], per_category=wrong)
    assert_raises(kin.UnknownID, "positive example 1", index.recommend, [1, 10**9])
    assert_raises(kin.InvalidArgument, "0.5", index.recommend, x[3], diversity=0.5)
    assert_raises(kin.InvalidArgument, "at least one positive", index.recommend, [])
    assert_raises(kin.DimensionMismatch, None, index.recommend, x[3][:5])
    assert_raises(kin.DimensionMismatch, None, index.recommend, [1, x[3], x[3][:5]])


@pytest.mark.parametrize("ids", [[2**63, 1, 2], [2**64 - 2, 1, 5], (np.uint64(2**63), 1, 7), np.array([2**63, 1, 2], object)])
def test_lists_of_unsigned_ids_are_whole_numbers(make, x, ids):
    index = make(16)
    signed = np.array(list(ids), np.uint64).view(np.int64)
    np.testing.assert_array_equal(index.add(x[:3], ids), signed)
    assert index.contains(ids).all() and (index.vectors(ids) == x[:3]).all()
    assert set(index.search(x[0], 3, filter=ids)[1]) == set(signed)
    for wrong in ([2**63, -1, 2], [2**64, 1, 2], [2.0**63, 1, 2]):
        assert_raises(kin.InvalidArgument, "ids are whole numbers", index.add, x[:3], wrong)


def test_vectors_are_added_and_removed(make, x):
    index = make(16)
    assert len(index) == 0 and index.dimension == 16
    np.testing.assert_array_equal(index.add(x[:10]), np.arange(10))
    ids = np.array([3, 2**40, 2**63 + 5], dtype=np.uint64)
    index.add(x[10:13], ids)
    assert len(index) == 12
    assert set(index.ids) == {*range(10), 2**40, -(2**63) + 5} == set(index)
    assert 2**40 in index and np.uint64(2**63 + 5) in index and 11 not in index
    assert not any(id in index for id in (2**64, -(2**63) - 1, -1, 3.5, "3", None))
    np.testing.assert_array_equal(index.contains([3, 77]), [True, False])
    np.testing.assert_array_equal(index.vectors([3, 0]), x[[10, 0]])
    np.testing.assert_array_equal(index.search(x[12], 1)[1], ids[2:].view(np.int64))
    np.testing.assert_array_equal(index.vectors(ids[2:]), x[12:13])
    assert index.remove([0, 1, 999]) == 2
    index.reserve(1000)
    index.compact()
    assert len(index) == 10 and index.nbytes >= 10 * 88
    assert repr(index) == f"{type(index).__name__}(dimension=16, metric='l2') of 10 vectors"


def test_a_vector_is_read_by_its_id(index, x):
    for id in (0, 17, np.int64(2999), np.uint64(5)):
        np.testing.assert_array_equal(index[id], x[int(id)])
    assert index[3].shape == (16,) and index[3].dtype == np.float32
    index.remove([17])
    for unknown in (17, 3000, -1, 2**64 - 1):
        with pytest.raises(kin.UnknownID) as failure:
            index[unknown]
        assert isinstance(failure.value, KeyError)
    for wrong in ("17", 1.0, slice(3), [1, 2], None):
        with pytest.raises(TypeError, match="takes one id|whole numbers"):
            index[wrong]
    with pytest.raises(kin.InvalidArgument):
        index[2**64]


def test_a_copy_is_a_snapshot(index):
    for snapshot in (index.copy(), copy.copy(index), copy.deepcopy(index)):
        removed = int(index.ids[0])
        index.remove([removed])
        assert removed in snapshot and removed not in index


def test_files(index, q, tmp_path):
    path = tmp_path / "profiles.kin"
    index.save(path)
    mapped = kin.open(str(path))
    assert type(mapped) is type(index) and isinstance(mapped, kin.Index)
    assert_same(mapped.search(q, 5), index.search(q, 5))
    report = kin.verify(path)
    assert report["intact"] and report["facts"]["vectors"] == "3000"
    with pytest.raises(kin.InputOutput, match="nowhere") as caught:
        kin.open("/nowhere/at/all")
    assert isinstance(caught.value, OSError) and caught.value.code == 10
    (tmp_path / "text.kin").write_text("no index")
    assert_raises(kin.KinError, None, kin.open, tmp_path / "text.kin")


def test_copies_and_pickles_preserve_a_subclass(x):
    class Named(kin.FlatIndex):
        pass

    index = Named(16)
    index.add(x)
    index.name = "evenings"
    # The pickled form of release 0.1.0.
    former = kin.FlatIndex.__new__(kin.FlatIndex)
    former.__setstate__(index.__getstate__()[0])
    twin = Named.__new__(Named)
    twin.__setstate__(index.__getstate__())
    for copied in (index.copy(), copy.copy(index), copy.deepcopy(index), twin):
        assert type(copied) is Named and copied.name == "evenings" and len(copied) == 3000
    assert len(former) == 3000 and former.dimension == 16


def test_explain(index, q):
    report = index.explain(q[0], 3)
    assert [n["id"] for n in report["neighbors"]] == index.search(q[0], 3)[1].tolist()
    assert report["rows"] == 3000 and report["simd"] == kin.build_info()["simd"]


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda i: i.add(np.zeros((2, 5))), kin.DimensionMismatch, "16 dimensions, x has 5"),
        (lambda i: i.add(np.zeros(16)), kin.InvalidArgument, "x has 1 dimensions"),
        (lambda i: i.add(np.full((1, 16), np.nan)), kin.NotFinite, "row 0"),
        (lambda i: i.add(np.zeros((2, 16)), [1, 1]), kin.DuplicateID, "given twice"),
        (lambda i: i.add(np.zeros((2, 16)), [1]), kin.InvalidArgument, "as many ids"),
        (lambda i: i.add(np.zeros((1, 16)), [1.5]), kin.InvalidArgument, "whole numbers"),
        (lambda i: i.add(np.zeros((1, 16)), [[1]]), kin.InvalidArgument, "2 dimensions"),
        (lambda i: i.add(np.zeros((1, 16)), [-1]), kin.InvalidArgument, "no vector"),
        (lambda i: i.vectors([1, 4000]), kin.UnknownID, "no vector has the id 4000"),
        (lambda i: i.search(np.zeros(3)), kin.DimensionMismatch, "q has 3"),
        (lambda i: i.search(np.zeros((1, 1, 16))), kin.InvalidArgument, "q has 3 dimensions"),
        (lambda i: i.search(np.full(16, np.inf)), kin.NotFinite, "query"),
        (lambda i: i.search(np.zeros(16), -1), kin.InvalidArgument, "k must be .*, not -1"),
        (lambda i: i.search(np.zeros(16), threads=0), kin.InvalidArgument, "threads must be .*, not 0"),
        (lambda i: i.search(np.zeros(16), filter=[0.5]), kin.InvalidArgument, "whole numbers"),
        (lambda i: i.search(np.zeros(16), filter=np.zeros((2, 2), bool)), kin.InvalidArgument, "2 dimensions"),
        (lambda i: i.range_search(np.zeros(16), np.nan), kin.NotFinite, "radius"),
        (lambda i: kin.FlatIndex(0), kin.InvalidArgument, "dimension must be .*, not 0"),
        (lambda i: kin.FlatIndex(16, metric="l1"), kin.InvalidArgument, "no metric 'l1'"),
        (lambda i: kin.IVFIndex(65537), kin.InvalidArgument, "dimension must be .*, not 65537"),
        (lambda i: kin.FlatIndex(16).search(np.zeros(16), probes=2), kin.InvalidArgument, "a flat index has none"),
        (lambda i: kin.IVFIndex(16).search(np.zeros(16), recall=1.5), kin.InvalidArgument, "recall must be .*, not 1.5"),
        (lambda i: kin.IVFIndex(16).search(np.zeros(16), recall=0), kin.InvalidArgument, "recall and probes"),
        (lambda i: kin.IVFIndex(16).search(np.zeros(16), recall=0.5, probes=2), kin.InvalidArgument, "two ways"),
    ],
)
def test_errors_name_the_cause_and_change_nothing(index, call, kind, words):
    with pytest.raises(kind, match=words) as caught:
        call(index)
    assert caught.value.code == kind.code and isinstance(caught.value, kin.KinError)
    assert len(index) == 3000


def test_unknown_options_are_refused(index):
    for call in (index.search, index.explain):
        with pytest.raises(TypeError, match="no option 'probe'; its options are filter, threads, recall, probes"):
            call(np.zeros(16), probe=2)


def test_no_queries_or_no_neighbours_give_empty_results(index):
    distances, ids = index.search(np.empty((0, 16)), 3)
    assert distances.shape == ids.shape == (0, 3)
    distances, ids = index.search(np.zeros((2, 16)), 0)
    assert ids.shape == (2, 0)


@pytest.mark.parametrize("call", ["add", "search", "fit"])
def test_other_threads_run_during_a_long_call(call, random):
    x = random.random((100_000, 16), dtype=np.float32)
    flat = index_of(x, make=kin.FlatIndex)
    calls = {
        "add": lambda: kin.IVFIndex(16).add(x),
        "search": lambda: flat.search(x[:2000], 10),
        "fit": lambda: kin.KMeans(10).fit(x),
    }
    span = []

    def work():
        span.append(time.perf_counter())
        calls[call]()
        span.append(time.perf_counter())

    thread = threading.Thread(target=work)
    thread.start()
    instants = []
    while thread.is_alive():
        instants.append(time.perf_counter())
        time.sleep(0.001)
    # A call that holds the interpreter's lock leaves no such instant in its middle half.
    quarter = (span[1] - span[0]) / 4
    assert any(span[0] + quarter < instant < span[1] - quarter for instant in instants)


def test_approximate_search_visits_few_lists(random):
    x = random.random((20_000, 16), dtype=np.float32)
    index, q = index_of(x), x[:1]
    found = [index.explain(q[0], 10, **mode)["lists_visited"] for mode in ({"probes": 1}, {"recall": 0.5}, {})]
    assert found[0] == 1 and found == sorted(found)
