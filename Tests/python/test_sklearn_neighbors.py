"""The neighbours of kin.sklearn compared with all distances in double precision. test_sklearn_own.py tests votes and graphs."""

import warnings

import kin
import kin.sklearn
import numpy as np
import pytest
from conftest import assert_raises
from sklearn import neighbors
from test_sklearn import DATA, SEARCHING, made


def distances_of(q, x, metric):
    """Every distance in double precision, without the shortcut that loses digits: (queries, rows)."""
    q, x = q.astype(np.float64), x.astype(np.float64)
    if metric == "cosine":
        return np.maximum(1 - (q @ x.T) / np.sqrt((q**2).sum(axis=1)[:, np.newaxis] * (x**2).sum(axis=1)), 0)
    return ((q[:, np.newaxis] - x) ** 2).sum(axis=2) ** (1 if metric == "sqeuclidean" else 0.5)


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine"])
def test_neighbours_are_exact(data, dtype, metric):
    x = made(data)[0].astype(dtype) + (metric == "cosine")
    ours = kin.sklearn.NearestNeighbors(n_neighbors=7, metric=metric, n_jobs=2).fit(x)
    for q in (x[:40], x[:40] + dtype(0.25)):
        full = distances_of(q, x, metric)
        found, ids = ours.kneighbors(q)
        np.testing.assert_allclose(found, np.sort(full, axis=1)[:, :7], rtol=1e-9, atol=1e-14)
        np.testing.assert_allclose(found, np.take_along_axis(full, ids, axis=1), rtol=1e-9, atol=1e-14)
        assert found.dtype == np.float64 and ids.dtype == np.int64 and found.shape == ids.shape == (40, 7)
        assert ((np.diff(found) > 0) | (np.diff(ids) > 0)).all(), "of equally near rows the first comes first"
    radius = float(np.median(found[:, 3]))
    lists, ids = ours.radius_neighbors(q, radius, sort_results=True)
    for row in range(len(q)):
        surely, perhaps = (np.flatnonzero(full[row] <= radius * (1 + sign * 1e-9) + sign * 1e-14) for sign in (-1, 1))
        assert {*surely} <= {*ids[row]} <= {*perhaps}
        np.testing.assert_allclose(lists[row], np.sort(full[row][ids[row]]), rtol=1e-9, atol=1e-14)
    radii = np.linspace(0, 2 * radius, len(q))
    for one, many in zip((ours.radius_neighbors(q[[row]], radii[row], return_distance=False)[0] for row in range(40)),
                         ours.radius_neighbors(q, radii, return_distance=False)):
        np.testing.assert_array_equal(one, many)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine"])
@pytest.mark.parametrize("share", [0.2, 0.9, 1])
def test_equal_rows_are_all_neighbours(metric, share, dtype, random):
    x = (random.integers(1, 6, (300, 3)) / 10).astype(dtype)
    x[random.random(300) < share] = 0.1
    ours = kin.sklearn.NearestNeighbors(metric=metric).fit(x)
    for q in (x[:30], x[:30] + dtype(0.25)):
        full = distances_of(q, x, metric)
        for k in (1, 7, 60, 300):
            found, ids = ours.kneighbors(q, k)
            np.testing.assert_allclose(found, np.sort(full, axis=1)[:, :k], rtol=1e-6, atol=1e-15)
            np.testing.assert_allclose(found, np.take_along_axis(full, ids, axis=1), rtol=1e-6, atol=1e-15)
            assert ((np.diff(found) > 0) | (np.diff(ids) > 0)).all() and all(len(set(row)) == k for row in ids.tolist())
        for radius in (0.0, 0.15, 1.0):
            for row, ids in enumerate(ours.radius_neighbors(q, radius, return_distance=False)):
                surely, perhaps = (np.flatnonzero(full[row] <= radius + sign * 1e-7) for sign in (-1, 1))
                assert {*surely} <= {*ids} <= {*perhaps} and (np.diff(ids) > 0).all()
    reference = neighbors.NearestNeighbors(metric=metric, algorithm="brute").fit(x)
    np.testing.assert_allclose(ours.kneighbors(n_neighbors=9)[0], reference.kneighbors(n_neighbors=9)[0], atol=1e-3)
    assert (ours.kneighbors(n_neighbors=9)[1] != np.arange(300)[:, np.newaxis]).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_of_zeros_have_the_distance_1(dtype, random):
    x = random.normal(size=(80, 4)).astype(dtype)
    x[::7] = 0
    ours, reference = (kind(n_neighbors=9, metric="cosine").fit(x) for kind in (kin.sklearn.NearestNeighbors, neighbors.NearestNeighbors))
    q = np.concatenate([x[:20], random.normal(size=(20, 4)).astype(dtype)])
    for k in (9, 40, 80):
        found, ids = ours.kneighbors(q, k)
        np.testing.assert_allclose(found, reference.kneighbors(q, k)[0], atol=1e-6)
    assert found[0].tolist() == [1] * 80 and ids[0].tolist() == [*range(80)]
    for radius in (0.5, 1.0 + 1e-9):
        for mine, other in zip(ours.radius_neighbors(q, radius, return_distance=False), reference.radius_neighbors(q, radius, return_distance=False)):
            assert sorted(mine) == sorted(other)
    y = np.arange(80) % 3
    np.testing.assert_array_equal(kin.sklearn.KNeighborsClassifier(metric="cosine").fit(x * 0, y).predict(q), np.zeros(40))


@pytest.mark.parametrize("scale", [1e-42, 1e-20, 1, 1e15])
def test_neighbours_of_any_magnitude_are_exact(scale, random):
    x, q = scale * (random.random((400, 3)) + 3), scale * (random.random((20, 3)) + 3)
    for metric in ("euclidean", "cosine"):
        found, ids = kin.sklearn.NearestNeighbors(n_neighbors=5, metric=metric).fit(x).kneighbors(q)
        full = distances_of(q / scale, x / scale, metric) * (1 if metric == "cosine" else scale)
        np.testing.assert_allclose(found, np.sort(full, axis=1)[:, :5], rtol=1e-8, atol=1e-15 if metric == "cosine" else 0)


def test_numbers_beyond_float32_are_refused_by_row(random):
    x = random.random((20, 3))
    wide = np.where(np.arange(20)[:, np.newaxis] == 4, 1e39, x)
    fitted = kin.sklearn.NearestNeighbors().fit(x)
    for call in (fitted.fit, kin.sklearn.NearestNeighbors().fit(x).kneighbors, kin.sklearn.NearestNeighbors().fit(x).radius_neighbors):
        assert_raises(ValueError, "X: row 4 has a number of magnitude above 3.4e38", call, wide)
    assert fitted.kneighbors(x, 1)[1].ravel().tolist() == list(range(20)), "a fit that fails changes nothing"
    directions = kin.sklearn.NearestNeighbors(n_neighbors=1, metric="cosine").fit(1e300 * x)
    assert directions.kneighbors(1e-300 * x)[1].ravel().tolist() == list(range(20))


def test_rows_equal_in_float32_are_distinguished(random):
    # 1,000 rows within the spacing of float32, too close for centring to help.
    x = np.concatenate([1e-9 * random.permutation(1000) + 1, [-1, 3.0]])[:, np.newaxis]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, ids = kin.sklearn.NearestNeighbors(n_neighbors=3).fit(x).kneighbors(x[:50])
    np.testing.assert_array_equal(ids[:, 0], np.arange(50))
    np.testing.assert_allclose(found, np.sort(np.abs(x[:50] - x.T), axis=1)[:, :3], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("kind", SEARCHING)
def test_other_distances_are_refused_with_the_ones_that_work(kind, blobs):
    y = np.arange(len(blobs)) % 3
    for wrong in (
        {"p": 3}, {"p": 1}, {"metric": "manhattan"}, {"metric": distances_of}, {"metric_params": {"w": np.ones(6)}},
        {"metric": "minkowski", "p": None, "metric_params": {"p": 3}}, {"metric": "cosine", "metric_params": {"V": 1}},
    ):
        with pytest.raises(ValueError, match=f"'euclidean' .*'cosine' and 'precomputed'; use sklearn.neighbors.{kind.__name__} for others"):
            kind(**wrong).fit(blobs, y)
    for right in ({"metric": "l2"}, {"p": 2, "metric": "minkowski"}, {"algorithm": "ball_tree", "leaf_size": 3}, {"algorithm": "kd_tree"}):
        assert kind(**right).fit(blobs, y).effective_metric_ == "euclidean"


@pytest.mark.parametrize("jobs", [None, 1, 2, -1])
def test_n_jobs_behaves_like_scikit_learn(blobs, jobs):
    graph = kin.sklearn.KNeighborsTransformer(n_neighbors=3, n_jobs=jobs).fit_transform(blobs)
    assert (graph != kin.sklearn.KNeighborsTransformer(n_neighbors=3).fit_transform(blobs)).nnz == 0
