"""Losses from narrowing to float32 are reported, and estimators centre their tables first."""

import datetime
import decimal
import pickle
import warnings

import kin
import numpy as np
import pytest
from conftest import assert_raises, session

DAY = datetime.datetime(2026, 3, 5, tzinfo=datetime.timezone.utc).timestamp()
# Columns of 24 values with fewer distinct values as float32, and the number that remain.
COLUMNS = {
    "seconds": DAY + np.arange(24.0),
    "shuffled": DAY + np.random.default_rng(1).permutation(24.0 * np.arange(24)),
    "milliseconds": (1000 * DAY + np.arange(24)).astype(np.int64),
    "nanoseconds": np.int64(1e18 * 1.7) + np.arange(24),
    "ids": 2**62 + np.arange(24, dtype=np.uint64),
    "just too large": (1 << 24) + np.arange(24, dtype=np.int32),
    "degrees": 52.52 + np.arange(24) * 1e-7,
    "one pair": np.array([*range(22), 23, 23 + 1e-9]),
    "tiny": np.arange(24) * 1e-50,
    "negative": -DAY - np.arange(24.0),
    "decimals": np.array([decimal.Decimal("100000000.1") + n for n in range(24)]),
    "large whole numbers": np.array([2**70 + n for n in range(24)]),
    "long doubles": np.longdouble(DAY) + np.arange(24),
    "texts": np.array([str(DAY + n) for n in range(24)]),
    "grid and repeats": np.repeat(DAY + np.arange(12.0), 2),
}


def message(work):
    """The text of the only warning of some work, reported at the calling line."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        work()
    texts = [str(warning.message) for warning in found if warning.category is kin.PrecisionWarning]
    assert len(texts) <= 1 and all(warning.filename == __file__ for warning in found)
    return texts[0] if texts else None


def expected(column):
    """The numbers of distinct values before and after narrowing."""
    wide, narrow = len(set(column.tolist() if column.dtype != np.longdouble else column)), len(set(column.astype(np.float32).tolist()))
    assert narrow < wide
    return f"{wide} distinct values became {narrow} in column"


def build(tmp_path, x):
    return kin.IVFIndex.build(tmp_path / "built.kin", [np.zeros((3, x.shape[1])), x, x], overwrite=True)


CALLS = {
    "flat": lambda tmp_path, x: kin.FlatIndex(x.shape[1]).add(x),
    "lists": lambda tmp_path, x: kin.IVFIndex(x.shape[1]).add(x),
    "ids": lambda tmp_path, x: kin.FlatIndex(x.shape[1]).add(x, range(len(x))),
    "list": lambda tmp_path, x: kin.FlatIndex(x.shape[1]).add(x.tolist()),
    "build": build,
}


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("call", CALLS)
def test_merged_values_are_counted(tmp_path, kind, call):
    column = COLUMNS[kind]
    one = column[:, np.newaxis]
    assert message(lambda: CALLS[call](tmp_path, one)).startswith(f"x is stored as float32: {expected(column)} 0;")
    # The other columns have the same type, because a type that holds both may itself merge values.
    wide = np.column_stack([np.zeros(len(column)).astype(column.dtype), np.arange(len(column)).astype(column.dtype), column])
    assert f"{expected(column)} 2;" in message(lambda: CALLS[call](tmp_path, wide))


def test_reports_name_the_columns():
    arrow, pandas, polars = map(pytest.importorskip, ("pyarrow", "pandas", "polars"))
    table = {"score": np.linspace(0, 1, 24), "start": COLUMNS["seconds"], "key": COLUMNS["nanoseconds"]}
    for frame in (arrow.table(table), pandas.DataFrame(table), polars.DataFrame(table)):
        text = message(lambda frame=frame: kin.FlatIndex(3).add(frame))
        assert "24 distinct values became 1 in column 'start'" in text and "24 distinct values became 1 in column 'key'" in text
    many = np.column_stack([COLUMNS["seconds"]] * 5)
    assert "in column 2, and 2 more columns lose values" in message(lambda: kin.FlatIndex(5).add(many))


def test_embeddings_and_errors(x, engine):
    seconds = COLUMNS["seconds"][:, np.newaxis]
    engine.put([{"session": session(number)} for number in range(24)])
    users, sessions = ["u1"] * 24, [f"s{number}" for number in range(24)]
    assert "vectors is stored" in message(lambda: engine.put_embeddings(users, sessions, seconds))
    with warnings.catch_warnings():
        warnings.simplefilter("error", kin.PrecisionWarning)
        index = kin.FlatIndex(1)
        assert_raises(kin.PrecisionWarning, None, index.add, seconds)
        assert len(index) == 0
        index.add(seconds - seconds.mean())
        index.add(x[:, :1])
        index.search(seconds)


@pytest.mark.parametrize("seed", range(5))
def test_ordinary_numbers_are_not_reported(seed):
    random = np.random.default_rng(seed)
    for rows, columns in ((1, 1), (2, 3), (30, 4), (500, 1), (1000, 16), (100_000, 2), (70, 1536)):
        shape = (rows, columns)
        tables = [
            random.random(shape), random.normal(size=shape), random.lognormal(size=shape), random.normal(10, 1, shape),
            random.integers(0, 2, shape), random.integers(-(1 << 24), 1 << 24, shape), random.random(shape).astype(np.float32),
            random.integers(0, 100, shape) / 4 + 1e6, np.zeros(shape), random.random(shape) < 0.5, np.full(shape, DAY),
        ]  # fmt: skip
        for number, table in enumerate(tables):
            assert message(lambda table=table: kin.FlatIndex(columns).add(table)) is None, (seed, shape, number)


@pytest.mark.parametrize("seed", range(3))
def test_large_tables_are_sampled_and_counted(seed):
    random = np.random.default_rng(seed)
    column = DAY + random.integers(0, 86_400, 200_000)
    table = np.column_stack([random.random(200_000), column, random.integers(0, 9, 200_000)])
    wide, narrow = len(np.unique(column)), len(np.unique(column.astype(np.float32)))
    assert f"{wide} distinct values became {narrow} in column 1;" in message(lambda: kin.FlatIndex(3).add(table))
    clustered = np.where(random.random(200_000) < 0.5, 0, 1000 + random.random(200_000) / 1e4)
    assert "column 0" in message(lambda: kin.FlatIndex(1).add(clustered[:, np.newaxis]))


WIDE = {name: column for name, column in COLUMNS.items() if name not in ("one pair", "tiny", "texts", "large whole numbers", "ids")}


def shifted(column):
    """The same column around zero."""
    return np.array([float(value - column.min()) for value in column])[:, np.newaxis]


@pytest.mark.parametrize("kind", WIDE)
def test_estimators_centre_their_tables(kind):
    far = WIDE[kind][:, np.newaxis]
    near, least = shifted(WIDE[kind]), float(min(WIDE[kind]))
    scale = float(near.max())
    # Starts without ties between centroids, so that rounding decides nothing.
    starts = np.argsort(near.ravel())[[3, 10, 19]]
    one, other = (kin.KMeans(3, init=table[starts], swaps=False) for table in (far, near))
    other.fit(near)
    batches, others = kin.MiniBatchKMeans(3, seed=1), kin.MiniBatchKMeans(3, seed=1).fit(near)
    assert message(lambda: batches.fit(far)) is None
    assert batches.cluster_centers_.dtype == np.float64 and len(set(batches.labels_)) == 3
    assert 0.5 < batches.inertia_ / others.inertia_ < 2
    assert message(lambda: one.fit(far)) is None
    assert one.cluster_centers_.dtype == np.float64
    np.testing.assert_array_equal(one.labels_, other.labels_)
    np.testing.assert_allclose(one.inertia_, other.inertia_, rtol=1e-4)
    # The answer is a double, whose spacing at 1.7e18 is 256.
    np.testing.assert_allclose(one.cluster_centers_ - least, other.cluster_centers_, atol=1e-5 * scale + 2 * np.spacing(abs(least)))
    if kind != "nanoseconds":
        np.testing.assert_array_equal(one.predict(far), one.labels_)
        np.testing.assert_allclose(one.transform(far), other.transform(near), atol=1e-4 * scale)
        np.testing.assert_allclose(one.score(far), other.score(near), rtol=1e-3)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(one)).predict(far), one.labels_)
    one, other = kin.PCA(1), kin.PCA(1).fit(near)
    assert message(lambda: one.fit(far)) is None
    np.testing.assert_allclose(one.explained_variance_, other.explained_variance_, rtol=1e-4)
    np.testing.assert_allclose(one.mean_ - least, other.mean_, atol=1e-5 * scale + np.spacing(abs(least)))
    if kind != "nanoseconds":
        np.testing.assert_allclose(one.transform(far), other.transform(near), atol=1e-4 * scale)
        back = one.inverse_transform(one.transform(far))
        assert back.dtype == np.float64
        np.testing.assert_allclose(back - least, near, atol=1e-4 * scale)


@pytest.mark.parametrize("outlier", [1e5, 1e7, -1e9, 1e10 + 1 / 3, 1e12, 1e30])
@pytest.mark.parametrize("far", [0, DAY])
def test_an_outlier_costs_no_other_point_its_digits(outlier, far):
    pytest.importorskip("sklearn")
    import kin.sklearn as sklearn

    random = np.random.default_rng(0)
    # The third column has a spread between that of the points and the outlier.
    clusters = np.column_stack([np.repeat([far, far + 3], 100) + random.normal(0, 0.2, 200) for _ in range(2)] + [random.lognormal(0, 0.1, 200)])
    table = np.vstack([clusters[:150], [[outlier] * 3], clusters[150:]])
    bulk = np.arange(201) != 150
    places = [[*range(100)], [*range(100, 200)]]
    for model in (kin.KMeans(3, restarts=4), sklearn.KMeans(3, random_state=0), kin.MiniBatchKMeans(3), sklearn.MiniBatchKMeans(3, random_state=0)):
        found = model.fit(table)
        if "MiniBatch" not in repr(model):
            assert [np.flatnonzero(found.labels_[bulk] == found.labels_[row]).tolist() for row in (0, 199)] == places
        near = found.labels_ != found.labels_[150]
        assert near.sum() == 200
        exact = ((table - found.cluster_centers_[found.labels_]) ** 2)[near].sum()
        np.testing.assert_allclose(found.inertia_, exact, rtol=1e-3)
        np.testing.assert_array_equal(found.predict(table), found.labels_)
        reached = np.sqrt(((clusters[:, np.newaxis] - found.cluster_centers_) ** 2).sum(axis=2))
        np.testing.assert_allclose(found.transform(clusters), reached, rtol=1e-5)
    axes = kin.PCA(3).fit(table)
    np.testing.assert_allclose(axes.mean_, table.mean(axis=0), rtol=1e-6)


@pytest.mark.parametrize("seed", range(8))
def test_an_offset_never_costs_digits(seed):
    random = np.random.default_rng(seed)
    columns = [random.normal(0, 1, 999), random.normal(1, 1, 999), random.lognormal(0, 4, 999), random.standard_cauchy(999), random.normal(1e6, 1, 999),
               random.choice([0, 1e9], 999) + random.random(999), random.random(999) * (random.random(999) < 0.2), np.full(999, 0.1), random.random(999) * 1e-44,
               np.where(random.random(999) < 0.01, 1e12, DAY) + random.random(999), (random.random(999) - 0.5) * 6.8e38]
    table = np.column_stack(columns)
    model = kin.KMeans(1, swaps=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kin.PrecisionWarning)
        narrow, _, offset = model._first_table(table)
    plain = table.astype(np.float32)
    assert np.isfinite(narrow).all()

    def errors(floats, offset):
        """The median rounding errors of the columns, and the shares of numbers that are merged."""
        return np.median(np.abs(floats.astype(np.float64) + offset - table), axis=0), [len(set(column)) for column in floats.T.tolist()]

    after, before = errors(narrow, offset), errors(plain, 0)
    assert (after[0] <= before[0] * 1.01 + np.spacing(np.abs(table)).max(axis=0)).all()
    assert all(now >= then for now, then in zip(after[1], before[1]))


def test_streams_use_the_offset_of_their_first_batch():
    random = np.random.default_rng(4)
    batches = [DAY + random.choice([0, 100, 200], (60, 1)) + random.random((60, 1)) for _ in range(5)]
    stream = kin.MiniBatchKMeans(3, seed=2)
    for batch in batches:
        stream.partial_fit(batch)
    stream = pickle.loads(pickle.dumps(stream)).partial_fit(batches[0])
    np.testing.assert_allclose(np.sort(stream.cluster_centers_.ravel()) - DAY, [0.5, 100.5, 200.5], atol=0.2)
    assert (stream.predict(batches[1]) == stream.predict(batches[1].round(1))).mean() > 0.95


def test_later_batches_are_reported():
    stream = kin.MiniBatchKMeans(2, seed=2).partial_fit(np.arange(12.0)[:, np.newaxis])
    assert stream.cluster_centers_.dtype == np.float32
    batch = COLUMNS["seconds"][:, np.newaxis]
    assert "X is stored as float32: 24 distinct values became" in message(lambda: stream.partial_fit(batch))


def test_initial_centroids_use_the_units_of_the_table():
    far = COLUMNS["seconds"][:, np.newaxis]
    start = np.array([[DAY + 2], [DAY + 20]])
    found = kin.KMeans(2, init=start).fit(far)
    np.testing.assert_array_equal(found.labels_, np.arange(24) // 12)
    np.testing.assert_allclose(found.cluster_centers_.ravel(), [DAY + 5.5, DAY + 17.5])
    assert_raises(kin.InvalidArgument, "init must have the shape", kin.KMeans(2, init=start.repeat(2, axis=1)).fit, far)


def test_whole_numbers_of_64_bits_do_not_overflow():
    ends = np.array([[-(2**63)], [-(2**63) + 9], [2**63 - 9], [2**63 - 1]])
    with pytest.warns(kin.PrecisionWarning, match="4 distinct values became 2"):
        np.testing.assert_array_equal(np.diff(kin.KMeans(2).fit(ends).labels_) != 0, [False, True, False])
    found = kin.KMeans(2).fit(ends[2:])
    assert len(set(found.labels_)) == 2 and found.predict(ends[:1]).shape == (1,)


def test_directions_and_exact_tables_are_not_centred(x):
    for table in (x[:200], x[:200].astype(np.float64), (x[:200] * 100).astype(int)):
        exact = kin.KMeans(4, seed=3).fit(table)
        assert exact.cluster_centers_.dtype == np.float32
        np.testing.assert_array_equal(exact.cluster_centers_, kin.KMeans(4, seed=3).fit(table.astype(np.float32)).cluster_centers_)
    random = np.random.default_rng(5)
    directions = random.normal(size=(200, 3))
    cosine = kin.KMeans(4, metric="cosine", seed=3).fit(directions)
    np.testing.assert_array_equal(cosine.labels_, kin.KMeans(4, metric="cosine", seed=3).fit(directions.astype(np.float32)).labels_)
    far = np.column_stack([DAY + np.arange(24), np.ones(24)])
    assert "X is stored as float32" in message(lambda: kin.KMeans(2, metric="cosine").fit(far))
