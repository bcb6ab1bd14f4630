"""Ids that are texts."""

import copy
import pickle
import uuid

import kin
import numpy as np
import pytest
from conftest import assert_raises, index_of, nearest, squared_distances, together


@pytest.fixture
def ids(x):
    """UUIDs, the same on every run."""
    return [str(uuid.UUID(int=row * 0x9E3779B97F4A7C15F39CC0605CEDC835 % (1 << 128))) for row in range(len(x))]


@pytest.fixture
def named(make, x, ids):
    return index_of(x, ids, make=make)


def test_results_have_the_texts_that_were_added(named, x, q, ids):
    expected = np.array(ids, object)[nearest(squared_distances(q, x), 7)]
    for threads in (None, 2):
        distances, found = named.search(q, 7, threads=threads)
        assert found.dtype == object and found.shape == distances.shape == (40, 7)
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(named.search(q[3], 7)[1], expected[3])
    np.testing.assert_array_equal(named.search(list(q[3]), 7, recall=1.0)[1], expected[3])
    assert [neighbor["id"] for neighbor in named.explain(q[3], 7)["neighbors"]] == list(expected[3])
    limits, distances, found = named.range_search(q[:2], named.search(q[:2], 7)[0].min())
    assert limits[-1] == len(found) == 1 and found[0] in expected[:2, 0]
    limits, distances, found = named.range_search(q[3], named.search(q[3], 7)[0][-1])
    np.testing.assert_array_equal(found, expected[3])
    assert len(named) == 3000 and sorted(named.ids) == sorted(ids) and sorted(named) == sorted(ids)


def test_missing_results_are_none(make, x):
    index = index_of(x[:2], ["a", "b"], make=make)
    distances, found = index.search(x[0], 4)
    assert found.tolist() == ["a", "b", None, None] and np.isinf(distances[2:]).all()
    assert index.search(x[0], 2, filter=["nothing"])[1].tolist() == [None, None]
    index.remove(["a", "b"])
    assert index.search(x[0], 1)[1].tolist() == [None]


def test_vectors_are_read_replaced_and_removed_by_text(named, x, ids):
    np.testing.assert_array_equal(named[ids[5]], x[5])
    np.testing.assert_array_equal(named.vectors(ids[10:20]), x[10:20])
    assert ids[5] in named and "nothing" not in named and 5 not in named and None not in named
    np.testing.assert_array_equal(named.contains([ids[5], "nothing"]), [True, False])
    for unknown in (lambda: named["nothing"], lambda: named.vectors([ids[0], "nothing"]), lambda: named.attributes("nothing")):
        assert_raises(kin.UnknownID, "'nothing'", unknown)
    before = named.copy()
    assert named.add(x[7:8], [ids[5]]).tolist() == [ids[5]] and len(named) == 3000
    np.testing.assert_array_equal(named[ids[5]], x[7])
    np.testing.assert_array_equal(before[ids[5]], x[5])
    assert named.remove([ids[5], "nothing", ids[6]]) == 2
    assert ids[5] not in named and ids[5] in before and len(named) == 2998


def test_numbers_and_texts_do_not_mix(make, x, named, ids):
    plain = index_of(x[:3], make=make)
    wrong = [
        lambda: plain.add(x[:1], ["a"]),
        lambda: plain.remove(["a"]),
        lambda: plain.vectors(["a"]),
        lambda: plain["a"],
        lambda: plain.search(x[0], 1, filter=["a"]),
        lambda: plain.recommend("a", k=1),
        lambda: named.add(x[:1], [5]),
        lambda: named.remove([5]),
        lambda: named[5],
        lambda: named.search(x[0], 1, filter=[5]),
        lambda: named.search(x[0], 1, filter=np.ones(3000, bool)),
        lambda: named.recommend([5], k=1),
        lambda: named.recommend(x[0], exclude=[5], k=1),
        lambda: index_of(x[:2], ["a", 1], make=make),
        lambda: index_of(x[:2], np.array(["a", 1], object), make=make),
        lambda: named.remove(ids[0]),
        lambda: kin.Filter(["a", 1]),
    ]
    for number, call in enumerate(wrong):
        with pytest.raises(TypeError, match="whole numbers|belongs here"):
            call()
            pytest.fail(f"call {number} is accepted")
    assert_raises(kin.InvalidArgument, "text", named.add, x[:1])
    assert len(plain) == 3 and len(named) == 3000 and "a" not in plain and plain.search(x[0], 1)[1].dtype == np.int64


@pytest.mark.parametrize("bad, words", [("", "empty"), ("a\nb", "line feed"), ("\u202ea", "U\\+202E"), ("é" * 513, "1026 bytes"), ("a\0", "0"), ("\ud800", "surrogate")])
def test_invalid_text_ids_are_refused(make, x, bad, words):
    index = make(16)
    assert_raises(kin.InvalidArgument, words, index.add, x[:2], ["good", bad])
    assert_raises(kin.InvalidArgument, "missing", index.add, x[:2], ["good", None])
    assert_raises(kin.DuplicateID, "row 1: the id good", index.add, x[:2], ["good", "good"])
    assert_raises(kin.InvalidArgument, "2 vectors need", index.add, x[:2], ["good"])
    assert len(index) == 0 and "good" not in index
    index.add(x[:2], ["é" * 512, "good"])


def test_an_emptied_index_accepts_either_kind_of_id(make, x):
    index = index_of(x[:2], ["a", "b"], make=make)
    index.remove(["a", "b"])
    index.add(x[:2], [7, 8])
    assert index.remove([]) == 0 and index.vectors([]).shape == (0, 16)
    assert sorted(index.ids.tolist()) == [7, 8] and index.search(x[0], 1)[1].tolist() == [7]
    index.remove([7, 8])
    index.add(x[:1], ["a"])
    assert index.ids.tolist() == ["a"] and index.remove([]) == 0 and index.contains([]).size == 0


def test_attributes_and_recommendations(named, x, ids):
    named.declare({"city": "category"})
    named.set_attributes(ids[:3], {"city": ["Rome", "Oslo", None]})
    assert named.attributes(ids[1]) == {"city": "Oslo"} and named.attributes(ids[2]) == {}
    assert named.search(x[9], 3, filter="city = Rome")[1].tolist() == [ids[0], None, None]
    plain = index_of(x)
    expected = [ids[number] for number in plain.recommend([3, 5], [9], k=6, exclude=[11])[1]]
    assert named.recommend([ids[3], ids[5]], [ids[9]], k=6, exclude=[ids[11]])[1].tolist() == expected
    expected = [ids[number] for number in plain.recommend([x[4], 5], k=6)[1]]
    assert named.recommend([x[4], ids[5]], k=6)[1].tolist() == expected
    assert named.recommend(ids[3], k=1)[1].tolist() == [ids[number] for number in plain.recommend([3], k=1)[1]]
    found = named.search(x[3], 2)[1]
    expected = named.recommend(found.tolist(), [ids[9]], k=6)[1].tolist()
    for one in (found, np.array(found.tolist()), *columns(found)):
        assert named.recommend(one, columns([ids[9]])[0], k=6)[1].tolist() == expected
    assert_raises(kin.InvalidArgument, "row 1 is missing", named.recommend, np.array([ids[3], None], object))


def columns(ids):
    """Ids as columns and indexes of data frames."""
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    listed = list(ids)
    return [pandas.Index(listed), pandas.Series(listed), polars.Series(listed), pandas.array(listed), pandas.Categorical(listed), pandas.CategoricalIndex(listed)]


def test_every_form_of_texts_has_ids(make, x, q, ids):
    arrow, pandas = pytest.importorskip("pyarrow"), pytest.importorskip("pandas")
    ids[:2] = ["Zürich", "東京"]
    forms = [ids, tuple(ids), np.array(ids), np.array(ids, object), np.array(ids, np.dtypes.StringDType()), pandas.Series(ids, dtype="string")]
    forms += [arrow.array(ids), arrow.chunked_array([ids[:1], ids[1:]]), arrow.array(ids, arrow.large_string())]
    for column in [*forms, *columns(ids)]:
        index = make(16)
        assert index.add(x, column).tolist() == list(ids)
        assert index.contains(column[:3]).all() and (index.vectors(column[5:6]) == x[5]).all()
        for filter in (column[20:30], kin.Filter(column[20:30]), kin.Filter(ids=column[20:30])):
            assert set(index.search(q[0], 10, filter=filter)[1]) == set(ids[20:30])
        assert index.remove(column[:2]) == 2


def test_files_copies_and_pickles(named, x, q, ids, tmp_path):
    expected = named.search(q, 3)
    named.save(tmp_path / "a.kin")
    assert kin.verify(tmp_path / "a.kin")["intact"]
    for index in (kin.open(tmp_path / "a.kin"), pickle.loads(pickle.dumps(named)), copy.deepcopy(named)):
        for one, other in zip(index.search(q, 3), expected):
            np.testing.assert_array_equal(one, other)
        assert index.add(x[:1], ["new"]).tolist() == ["new"] and index.remove(["new", ids[2]]) == 2
        np.testing.assert_array_equal(index[ids[8]], x[8])
    assert ids[2] in named


def test_results_match_their_text_during_changes(make, x, ids):
    """A result never has the text of a different vector: here a vector and its text are chosen together."""
    index = index_of(x, ids, make=make)

    def search():
        for row in range(0, 3000, 3):
            distances, found = index.search(x[row], 1)
            assert found[0] in (None, ids[row]) or distances[0] > 0, row

    def change():
        for row in range(0, 1500, 2):
            index.remove([ids[row]])
            index.add(x[row : row + 1], [ids[row]])

    together(search, search, change)


def test_a_search_has_the_texts_of_vectors_that_a_thread_removes(make, x, q, ids):
    searches = {
        "search": lambda index: index.search(q, 20),
        "one": lambda index: index.search(q[0], 20),
        "range": lambda index: index.range_search(q, 0.9)[1:],
        "recommend": lambda index: index.recommend(q[:2], k=20),
    }
    for name, search in searches.items():
        for _ in range(8):
            index = index_of(x, ids, make=make)
            found = []
            together(lambda: found.append(search(index)), lambda: index.remove(ids[:2900]))
            distances, texts = found[0]
            assert ((texts == None) == np.isinf(distances)).all(), name  # noqa: E711
