"""Masks as filters: a mask refers to rows, so every call refuses it unless the ids are 0 … n − 1 in order, or the labels of the mask."""

import copy
import pickle

import kin
import numpy as np
import pytest
from conftest import assert_raises, index_of, nearest, squared_distances

arrow = pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas", minversion="3")
polars = pytest.importorskip("polars")

SEARCHES = {
    "search": lambda index, q, mask: index.search(q, 6, filter=mask),
    "one query": lambda index, q, mask: index.search(q[0], 6, filter=mask),
    "recall": lambda index, q, mask: index.search(q, 6, filter=mask, recall=1.0),
    "radii": lambda index, q, mask: index.search(q, 6, filter=mask, radii=np.full(len(q), 9.0)),
    "range_search": lambda index, q, mask: index.range_search(q, 1.0, filter=mask),
    "explain": lambda index, q, mask: index.explain(q[0], filter=mask),
    "recommend": lambda index, q, mask: index.recommend([q[0]], k=6, filter=mask),
    "prepare": lambda index, q, mask: index.prepare(mask),
}
MASKS = {
    "numpy": lambda mask: mask,
    "list": lambda mask: mask.tolist(),
    "tuple": lambda mask: tuple(mask.tolist()),
    "NumPy truths": list,
    "objects": lambda mask: mask.astype(object),
    "strided": lambda mask: np.repeat(mask, 2)[::2],
    "arrow": arrow.array,
    "arrow pieces": lambda mask: arrow.chunked_array([mask[:7], mask[7:]]),
    "pandas": pandas.Series,
    "pandas nullable": lambda mask: pandas.Series(mask, dtype="boolean"),
    "polars": polars.Series,
    "filter": kin.Filter,
}


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("kind", MASKS)
def test_a_mask_of_other_ids_is_refused(make, x, q, search, kind):
    mask = MASKS[kind](np.arange(500) % 3 == 0)
    shifted = index_of(x[:500], np.arange(100, 600), make=make)
    with pytest.raises(kin.InvalidArgument, match=r"ids from 100 to 599; pass ids instead: kin\.Filter\(ids\[mask\]\)"):
        SEARCHES[search](shifted, q, mask)
    for rows in (499, 501):
        with pytest.raises(kin.InvalidArgument, match=f"the index has {rows} vectors"):
            SEARCHES[search](index_of(x[:rows], make=make), q, mask)


@pytest.mark.parametrize("kind", MASKS)
def test_a_mask_of_dense_ids_allows_their_vectors(make, x, q, kind, random):
    mask = random.random(500) < 0.3
    expected = np.flatnonzero(mask)
    for index in (index_of(x[:500], make=make), index_of(x[:500], np.arange(500), make=make)):
        found = expected[nearest(squared_distances(q, index.vectors(expected)), 6)]
        np.testing.assert_array_equal(index.search(q, 6, filter=MASKS[kind](mask))[1], found)
    ids = random.permutation(500) + 100
    rows = index_of(x[:500], ids, make=make)
    assert set(rows.search(x[:500], 1, filter=ids[mask])[1].ravel()) == set(ids[mask])


@pytest.mark.parametrize(("search", "kind"), [*((search, "numpy") for search in SEARCHES), *(("search", kind) for kind in MASKS)])
def test_a_mask_of_ids_in_a_different_order_is_refused(make, x, q, search, kind, random):
    mask, swapped = MASKS[kind](np.arange(500) % 3 == 0), np.arange(500)
    swapped[[3, 4]] = [4, 3]
    halves = make(16)
    halves.add(x[250:500], np.arange(250, 500))
    halves.add(x[:250], np.arange(250))
    for index in (index_of(x[:500], random.permutation(500), make=make), index_of(x[:500], swapped, make=make), halves):
        for other in (index, index.copy(), pickle.loads(pickle.dumps(index))):
            with pytest.raises(kin.InvalidArgument, match=r"in a different order; pass ids instead: kin\.Filter\(ids\[mask\]\)"):
                SEARCHES[search](other, q, mask)
    index.remove(index.ids)
    index.add(x[:500], np.arange(500))
    index.add(x[:9], np.arange(9)[::-1])
    SEARCHES[search](index, q, mask)


def test_lists_of_many_vectors_accept_a_mask_in_the_order_of_their_ids(random):
    x, mask = random.random((9000, 4), np.float32), random.random(9000) < 0.3
    for ids in (None, np.arange(9000)):
        index = kin.IVFIndex(4)
        index.add(x, ids)
        np.testing.assert_array_equal(index.ids_where(mask), np.flatnonzero(mask))
    index = kin.IVFIndex(4)
    index.add(x, random.permutation(9000))
    assert_raises(kin.InvalidArgument, "in a different order", index.ids_where, mask)


LABELLED = {
    "series": lambda mask, labels: pandas.Series(mask, labels),
    "nullable": lambda mask, labels: pandas.Series(mask, labels, dtype="boolean"),
    "objects": lambda mask, labels: pandas.Series(mask.astype(object), labels),
    "filter": lambda mask, labels: kin.Filter(pandas.Series(mask, labels)),
    "pickled": lambda mask, labels: pickle.loads(pickle.dumps(kin.Filter(pandas.Series(mask, labels)))),
    "twice inverted": lambda mask, labels: ~kin.Filter(~pandas.Series(mask, labels)),
}


@pytest.mark.parametrize(("search", "kind"), [*((search, "series") for search in SEARCHES), *(("search", kind) for kind in LABELLED)])
def test_a_series_is_read_by_its_index(make, x, q, search, kind, random):
    mask, order = random.random(500) < 0.3, random.permutation(500)
    texts = np.array([f"id {number}" for number in range(500)], object)
    for ids in (order, order + 100, texts[order], np.arange(500)[::-1]):
        index = index_of(x[:500], ids, make=make)
        expected = kin.Filter(ids[mask])
        for rows in (np.arange(500), random.permutation(500)):
            series = LABELLED[kind](mask[rows], ids[rows])
            assert set(index.ids_where(series)) == set(ids[mask])
            if search != "prepare":
                found, known = SEARCHES[search](index, q, series), SEARCHES[search](index, q, expected)
                assert found["neighbors"] == known["neighbors"] if search == "explain" else all(map(np.array_equal, found, known))
        # Labels of other vectors are ignored, as in pandas; a vector without a label is an error.
        more = np.array([*ids, "other"], object) if ids.dtype == object else np.append(ids, 5000)
        assert set(index.ids_where(LABELLED[kind](np.append(mask, True), more))) == set(ids[mask])
        with pytest.raises(kin.InvalidArgument, match="which lacks the id"):
            SEARCHES[search](index, q, LABELLED[kind](mask[1:], ids[1:]))
        assert_raises(kin.InvalidArgument, "a label twice", LABELLED[kind], mask, np.repeat(ids[:250], 2)) if kind == "filter" else None


def test_a_mask_is_compared_with_the_ids_of_each_search(make, x, q):
    index, mask = index_of(x[:500], make=make), kin.Filter(np.arange(500) % 2 == 0)
    prepared = index.prepare(mask)
    assert not (index.search(q, 3, filter=mask)[1] % 2).any()
    changes = [
        lambda index: index.remove([499]),
        lambda index: index.add(x[:1]),
        lambda index: (index.remove([7]), index.add(x[:1], [500])),
    ]
    for change in changes:
        for other in (index.copy(), copy.deepcopy(index), pickle.loads(pickle.dumps(index))):
            assert not (other.search(q, 3, filter=mask)[1] % 2).any()
            change(other)
            for filter in (mask, prepared):
                assert_raises(kin.InvalidArgument, "mask of 500", other.search, q, 3, filter=filter)
    index.remove([499])
    index.add(x[:1], [499])
    assert not (index.search(q, 3, filter=prepared)[1] % 2).any()
    empty = make(16)
    assert (empty.search(q, 2, filter=np.zeros(0, bool))[1] == -1).all()
    assert_raises(kin.InvalidArgument, "has 0 vectors; pass", empty.search, q, 2, filter=[True])


@pytest.mark.parametrize(
    ("filter", "text"),
    [
        (arrow.array([True, None, False]), "row 1 is null"),
        (polars.Series([True, None, False]), "row 1 is null"),
        (pandas.Series([True, None, False], dtype="boolean"), "row 1 is null"),
        (np.ma.masked_array([True, True, False], [False, True, False]), "row 1 is masked"),
        ([True, None, False], "row 1 is missing"),
        ([[True, True, False]], "2 dimensions"),
        (True, "0 dimensions"),
        ([1, 0, 1], "as Booleans"),
        (np.array([1, 0, 1, 1], np.uint8), "as Booleans"),
        (pandas.DataFrame({"a": [True, False, True]}), "one column"),
        (["True", "False", "True"], "whole numbers"),
    ],
)
def test_masks_that_are_not_complete_columns_are_refused(filter, text):
    index = index_of([[0], [1], [2]], make=kin.FlatIndex)
    assert_raises((kin.InvalidArgument, TypeError), text, index.search, [0], 1, filter=filter)


def test_masks_are_not_ids_or_examples(index):
    mask = np.ones(16, bool)
    for use in (index.remove, index.contains, index.vectors, lambda mask: index.recommend([3], exclude=mask)):
        assert_raises(kin.InvalidArgument, "whole numbers", use, mask)
    for examples in (mask, mask.tolist()):
        assert_raises(kin.InvalidArgument, r"ids\[mask\]", index.recommend, examples)
