"""Every function that takes numbers gives the same answer for every layout of them in memory."""

import kin
import numpy as np
import pytest
from conftest import index_of


def frame(table):
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(table)


def gaps(table):
    wide = np.zeros((2 * len(table), *(size + 3 for size in table.shape[1:])), table.dtype)
    view = wide[::2, 1:-2] if table.ndim == 2 else wide[::2]
    view[:] = table
    return view


def read_only(table):
    copy = np.asfortranarray(table)
    copy.flags.writeable = False
    return copy


LAYOUTS = {
    "column by column": np.asfortranarray,
    "transposed twice": lambda table: np.ascontiguousarray(table.T).T,
    "rows with gaps": gaps,
    "rows backwards": lambda table: np.ascontiguousarray(table[::-1])[::-1],
    "columns backwards": lambda table: np.ascontiguousarray(table[..., ::-1])[..., ::-1],
    "read-only": read_only,
    "unaligned": lambda table: np.frombuffer(b"x" + table.tobytes(), np.uint8)[1:].view(table.dtype).reshape(table.shape),
    "other byte order": lambda table: table.astype(table.dtype.newbyteorder()),
    "list": lambda table: table.tolist(),
    "frame": frame,
}

# Only the first of them is read as float32 without a copy; the second is centred; the third is centred as whole numbers.
KINDS = {
    "float32": lambda table: table.astype(np.float32),
    "float64": lambda table: table + 1e6,
    "int64": lambda table: np.rint(1000 * table).astype(np.int64) + (1 << 40),
}


def kmeans(x, weights):
    model = kin.KMeans(5, seed=3).fit(x, sample_weight=weights)
    again = kin.KMeans(5, init=model.cluster_centers_, seed=3).fit(x)
    return [model.labels_, model.inertia_, model.cluster_centers_, model.predict(x), model.transform(x), model.score(x), again.labels_]


def minibatch(x, weights):
    model = kin.MiniBatchKMeans(5, seed=3).fit(x, sample_weight=weights)
    labels = model.predict(x)
    return [labels, model.transform(x), model.partial_fit(x).cluster_centers_]


def pca(x, weights):
    model = kin.PCA(3).fit(x)
    coordinates = model.transform(x)
    return [model.components_, model.explained_variance_, coordinates, model.inverse_transform(coordinates)]


def sklearn_estimators(x, weights):
    pytest.importorskip("sklearn")
    import kin.sklearn

    clusters = kin.sklearn.KMeans(5, random_state=3).fit(x, sample_weight=weights)
    axes = kin.sklearn.PCA(3).fit(x)
    near = kin.sklearn.NearestNeighbors(n_neighbors=3).fit(x)
    return [clusters.labels_, clusters.transform(x), axes.transform(x), *near.kneighbors(x)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("call", [kmeans, minibatch, pca, sklearn_estimators])
@pytest.mark.filterwarnings("ignore::kin.PrecisionWarning")
def test_estimators_read_any_layout(call, kind, random):
    centres = 10 * random.standard_normal((5, 4))
    table = KINDS[kind](np.repeat(centres, 60, axis=0) + random.standard_normal((300, 4)))
    weights = random.random(300)
    expected = call(table, weights)
    for name, layout in LAYOUTS.items():
        for found, right in zip(call(layout(table), gaps(weights)), expected, strict=True):
            # The means that are subtracted depend on the order of their sums in the last bits.
            np.testing.assert_allclose(found, right, rtol=1e-5, atol=1e-5, err_msg=name)


def test_indexes_read_any_layout(make, x, q):
    def answers(x, ids, q):
        index = index_of(x, ids, make=make)
        return [*index.search(q, 4), *index.search(q, 4, filter=ids[5:]), *index.recommend(q[:5], q[5:8], 4), index.vectors(ids)]

    ids = np.arange(3000) * 7
    expected = answers(x, ids, q)
    for name, layout in LAYOUTS.items():
        if name == "list":
            continue
        for found, right in zip(answers(layout(x), gaps(ids), layout(q)), expected, strict=True):
            np.testing.assert_array_equal(found, right, err_msg=name)


def test_policies_read_any_layout(random):
    contexts, rewards, arms = random.standard_normal((50, 6)), random.random(50), random.integers(0, 3, 50)

    def answers(layout):
        policy = kin.Policy("standard", 6, arms=3, seed=5)
        policy.learn_many(layout(contexts), gaps(rewards), gaps(arms))
        chosen = policy.choose_many(layout(contexts))
        return [*chosen, policy.expected_rewards(layout(contexts)), policy.probabilities(layout(contexts), draws=64)]

    expected = answers(np.asarray)
    for name, layout in LAYOUTS.items():
        for found, right in zip(answers(layout), expected, strict=True):
            np.testing.assert_array_equal(found, right, err_msg=name)


class Table:
    """A table that has no rows yet, as a lazy frame of Polars."""


@pytest.mark.parametrize("values", [Table(), {"a": [1.0]}, {1.0, 2.0}, (row for row in [[1.0]]), np.zeros(3, [("a", "f4"), ("b", "f4")])])
def test_values_without_rows_of_numbers_are_refused_with_their_type(values):
    index = kin.FlatIndex(2)
    name = "no real numbers" if isinstance(values, np.ndarray) else f"a {type(values).__name__} holds no rows of numbers; convert it"
    for call in [lambda: index.add(values), lambda: index.search(values, 1), lambda: index.range_search(values, 1)]:
        with pytest.raises(kin.InvalidArgument, match=name):
            call()
