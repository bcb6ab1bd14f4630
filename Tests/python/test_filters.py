"""Combined filters, filters of a batch, and the ids that a filter allows."""

import copy
import pickle

import kin
import numpy as np
import pytest
from conftest import assert_raises, assert_same, index_of


@pytest.fixture(params=["numbers", "texts"])
def cities(request, make, x):
    """An index with a city for every vector, and the ids of its rows."""
    ids = np.arange(3000) if request.param == "numbers" else np.array([f"id {i}" for i in range(3000)], object)
    index = index_of(x, ids, make=make)
    index.declare({"city": "category", "age": "integer"})
    index.set_attributes(ids, {"city": np.array(["Rome", "Oslo", None], object)[np.arange(3000) % 3], "age": np.arange(3000) % 80})
    return index, ids


def test_the_ids_that_a_filter_allows(cities):
    index, ids = cities
    for given in ("city = 'Rome'", kin.Filter("city = 'Rome'"), index.prepare("city = 'Rome'"), ids[::3]):
        found = index.ids_where(given)
        assert found.dtype == index.ids.dtype
        np.testing.assert_array_equal(found, ids[::3])
    np.testing.assert_array_equal(index.ids_where(None), ids)
    np.testing.assert_array_equal(index.ids_where(ids[[70, 3, 3]]), ids[[3, 70]])
    assert index.ids_where("age > 99").shape == (0,)
    assert_raises(kin.InvalidArgument, "did you mean city", index.ids_where, "citty = Rome")
    mask = np.zeros(3000, bool)
    mask[[8, 2]] = True
    if ids.dtype == object:
        assert_raises(TypeError, "whole numbers", index.ids_where, mask)
    else:
        np.testing.assert_array_equal(index.ids_where(mask), [2, 8])


def test_pickles_and_copies_allow_the_same_ids(cities):
    index, ids = cities
    mask = np.arange(3000) % 7 == 2
    some = kin.Filter(ids=ids[[70, 3, 8]])
    filters = [kin.Filter("city = 'Rome'"), some, kin.Filter(ids=ids[:0]), ~some, some | kin.Filter("age < 3"), ~(some & ~some)]
    filters += [] if ids.dtype == object else [kin.Filter(mask), kin.Filter(mask) & some, kin.Filter([0, 1])]
    for filter in filters:
        for other in (pickle.loads(pickle.dumps(filter)), copy.copy(filter), copy.deepcopy(filter)):
            np.testing.assert_array_equal(index.ids_where(other), index.ids_where(filter))
            assert (other._masks, other._kinds) == (filter._masks, filter._kinds)


def test_a_pickled_filter_is_as_it_was_made():
    ids = np.array([3, 5])
    filter = kin.Filter(ids=ids)
    ids[0] = 9
    index = index_of(np.zeros((10, 1)), make=kin.FlatIndex)
    assert index.ids_where(pickle.loads(pickle.dumps(filter))).tolist() == [3, 5]


def test_random_combinations(cities, x, q, random):
    index, ids = cities
    rows = np.arange(3000)

    def combination(depth):
        if depth and random.random() < 0.8:
            (a, allows_a), (b, allows_b) = combination(depth - 1), combination(depth - 1)
            return [(a & b, allows_a & allows_b), (a | b, allows_a | allows_b), (~a, ~allows_a)][random.integers(3)]
        some = random.random(3000) < random.random()
        kind = random.integers(4)
        if kind == 0:
            return kin.Filter("city = Oslo and age < 40"), (rows % 3 == 1) & (rows % 80 < 40)
        if kind == 1:
            return index.prepare("age between 10 and 20"), (rows % 80 >= 10) & (rows % 80 <= 20)
        if kind == 2 and ids.dtype != object:
            return kin.Filter(some), some
        return kin.Filter(ids=ids[some].tolist()), some

    for _ in range(40):
        filter, allows = combination(4)
        np.testing.assert_array_equal(index.ids_where(filter), ids[allows])
        expected = index.search(q, 5, filter=ids[allows].tolist())
        for same in (filter, index.prepare(filter)):
            assert_same(index.search(q, 5, filter=same), expected)
            assert_same(index.search(q[3], 5, filter=same), (expected[0][3], expected[1][3]))
    few = kin.Filter("city = Rome") & ~kin.Filter(ids=ids[:2990].tolist())
    assert set(index.range_search(q[0], 1e9, filter=few)[2]) == set(ids[2991::3])
    assert set(index.recommend(x[0], k=9, filter=few)[1]) - {None, -1} == set(ids[2991::3])


def test_each_query_has_its_filter(cities, q):
    index, ids = cities
    filters = [None, kin.Filter("city = Rome"), ~kin.Filter(ids=ids[:1500].tolist()), kin.Filter("age < 3")] * 10
    for options in ({}, {"threads": 2}, {"radii": np.linspace(0.1, 2, 40)}):
        found = index.search(q, 6, filter=filters, **options)
        for row, filter in enumerate(filters):
            alone = dict(options, radii=options["radii"][row]) if "radii" in options else options
            assert_same(index.search(q[row], 6, filter=filter, **alone), (found[0][row], found[1][row]))
    assert_same(index.search(q[1], 6, filter=(filters[1],)), index.search(q[1], 6, filter=filters[1]))
    for wrong in (filters[:39], filters[:2] * 1):
        assert_raises(kin.InvalidArgument, "filters for 40 queries", index.search, q, 6, filter=wrong)
    assert_raises(kin.InvalidArgument, "2 filters for 1 queries", index.search, q[0], 6, filter=filters[:2])
    assert_raises(TypeError, "element 1", index.search, q[:2], 6, filter=[filters[1], "city = Rome"])
    assert_raises(kin.InvalidArgument, "one filter", index.range_search, q, 1.0, filter=filters)
    with pytest.raises(kin.InvalidArgument, match="row 1.*did you mean city"):
        index.search(q[:2], 6, filter=[None, kin.Filter("ciy = Rome")])
    assert_same(index.search(q[:3], 2, filter=[None, None, None]), index.search(q[:3], 2))


def test_what_is_wrong_with_a_filter_is_said(make, x):
    mine = kin.Filter(ids=[1])
    for wrong in (lambda: mine & "city = Rome", lambda: mine | [3], lambda: mine & None):
        assert_raises(TypeError, r"write kin.Filter", wrong)
    for wrong in (lambda: np.array([True]) & mine, lambda: "city = Rome" | mine, lambda: kin.Filter(), lambda: kin.Filter([1], ids=[2])):
        assert_raises(TypeError, None, wrong)
    for wrong in (lambda: mine and mine, lambda: not mine):
        assert_raises(TypeError, "& | ~", wrong)
    with pytest.raises(TypeError, match="one kind"):
        mine & kin.Filter(ids=["a"])
    assert_raises(TypeError, "one text", kin.Filter, ids="a")
    assert_raises((TypeError, kin.InvalidArgument), None, kin.Filter, ids=[True, False])
    with pytest.raises(kin.MalformedInput, match="character 8"):
        kin.Filter("city = ") & mine
    numbers, texts = index_of(x[:3], make=make), index_of(x[:3], ["a", "b", "c"], make=make)
    for index, filter in ((numbers, ~kin.Filter(ids=["a"])), (texts, ~mine | mine), (texts, kin.Filter(np.ones(3, bool)) & mine)):
        assert_raises(TypeError, "the ids of this index are", index.search, x[0], 1, filter=filter)
    assert_raises(kin.InvalidArgument, "cannot be compared with the text a", numbers.search, x[0], 1, filter="id = a")
    assert_raises(kin.InvalidArgument, "ids of this index are texts", texts.search, x[0], 1, filter="id = 1")
    # A mask within a combination needs an index that fits it.
    with pytest.raises(kin.InvalidArgument, match="a mask of 4 truths"):
        numbers.search(x[0], 1, filter=mine & ~kin.Filter(np.ones(4, bool)))
    assert numbers.ids_where(~kin.Filter(np.array([True, False, True]))).tolist() == [1]
    many = mine
    with pytest.raises(kin.CapacityExceeded, match="conditions"):
        for _ in range(40):
            many = many & many
    assert texts.ids_where("id in (c, a, nobody)").tolist() == ["a", "c"] and texts.ids_where("id != a").tolist() == ["b", "c"]


def test_attributes_come_with_the_neighbours(cities, q):
    index, ids = cities
    distances, found, columns = index.search(q, 4, attributes=["age", "city"], filter="age < 70", threads=2)
    assert_same((distances, found), index.search(q, 4, filter="age < 70"))
    assert list(columns) == ["age", "city"] and columns["age"].shape == columns["city"].shape == (40, 4)
    row_of = {id: row for row, id in enumerate(ids.tolist())}
    for row in range(40):
        for id, age, city in zip(found[row].tolist(), columns["age"][row].tolist(), columns["city"][row].tolist()):
            assert age == row_of[id] % 80 and city == ("Rome", "Oslo", None)[row_of[id] % 3]
    one = index.search(q[0], 3, attributes=["city"], filter=ids[:2].tolist())
    assert set(one[2]["city"][:2]) == {"Rome", "Oslo"} and one[2]["city"][2] is None
    with pytest.raises(kin.InvalidArgument, match="no attribute 'town'; the attributes are city, age"):
        index.search(q, 4, attributes=["town"])
    assert_raises(TypeError, "a list of names", index.search, q, 4, attributes="city")
    assert index.search(q, 4, attributes=[])[2] == {}


def test_columns_of_every_kind_come_back_as_they_were_set(make, x, random):
    index = index_of(x[:90], make=make)
    start = np.datetime64("2026-01-01", "us") + np.arange(90) * np.timedelta64(1, "h")
    given = {
        "integer": np.ma.masked_array(random.integers(-(2**62), 2**62, 90), np.arange(90) % 5 == 0),
        "number": np.where(np.arange(90) % 4 == 0, np.nan, random.standard_normal(90)),
        "category": np.array([None if i % 3 == 0 else f"ü{i % 7}" for i in range(90)], object),
        "time": np.where(np.arange(90) % 6 == 0, np.datetime64("NaT"), start),
        "boolean": np.ma.masked_array(np.arange(90) % 2 == 0, np.arange(90) % 7 == 0),
        "time-range": np.column_stack([start, start + np.timedelta64(9, "m")]),
    }
    index.declare({kind: kind for kind in given})
    index.set_attributes(np.arange(80), {kind: values[:80] for kind, values in given.items()})
    for shape in ((90,), (9, 10), (3, 1, 30)):
        order = random.permutation(90).reshape(shape)
        found = index.columns(order)
        assert list(found) == list(given)
        for kind, values in given.items():
            expected = values[order].copy()
            assert found[kind].dtype == expected.dtype and found[kind].shape == expected.shape
            missing = order >= 80
            if isinstance(expected, np.ma.MaskedArray):
                expected[missing] = np.ma.masked
                np.testing.assert_array_equal(found[kind].mask, expected.mask)
                np.testing.assert_array_equal(found[kind].compressed(), expected.compressed())
            else:
                expected[missing] = {"category": None, "number": np.nan}.get(kind, np.datetime64("NaT"))
                np.testing.assert_array_equal(found[kind], expected)
    assert index.columns([-1, 10**9], ["category"])["category"].tolist() == [None, None]
    assert index.columns([])["number"].shape == (0,)
    other = index_of(x[:3])
    other.declare(index.schema)
    other.set_attributes([0, 1], index.columns([7, 8]))
    assert other.attributes(0) == index.attributes(7) and other.attributes(1) == index.attributes(8)


def test_head_and_sample(cities, x):
    index, ids = cities
    found, vectors = index.head(3)
    np.testing.assert_array_equal(found, ids[:3])
    np.testing.assert_array_equal(vectors, x[:3])
    np.testing.assert_array_equal(index.head(2, filter="city = Oslo")[0], ids[[1, 4]])
    drawn, vectors = index.sample(20, seed=7)
    np.testing.assert_array_equal(vectors, index.vectors(drawn))
    np.testing.assert_array_equal(drawn, index.sample(20, 7)[0])
    assert len(set(drawn)) == 20 and set(drawn) != set(index.sample(20, 8)[0])
    assert set(index.sample(9999, filter="city = Rome")[0]) == set(ids[::3]) and len(index.sample(0)[0]) == 0
    assert_raises(kin.InvalidArgument, None, index.head, -1)


def test_an_index_goes_through_bytes(cities, q):
    index, _ = cities
    state = index.to_bytes()
    again = type(index).from_bytes(state)
    assert type(again) is type(index) and isinstance(state, bytes)
    assert_same(again.search(q, 5, filter="city = Rome"), index.search(q, 5, filter="city = Rome"))
    assert again.to_bytes() == state and kin.Index.from_bytes(state).to_bytes() == state
    other = kin.IVFIndex if isinstance(index, kin.FlatIndex) else kin.FlatIndex
    assert_raises(kin.InvalidArgument, f"read them with kin.{type(index).__name__}.from_bytes", other.from_bytes, state)
    for damaged in (b"", state[:100], b"text"):
        assert_raises(kin.KinError, None, type(index).from_bytes, damaged)
