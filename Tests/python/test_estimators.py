import copy
import pickle

import kin
import numpy as np
import pytest
from conftest import assert_raises
from sklearn.cluster import KMeans as ReferenceKMeans
from sklearn.utils.estimator_checks import parametrize_with_checks

# README.md gives the reason; scikit-learn's own KMeans is also exempt.
EXPECTED_FAILURES = {
    "KMeans": {
        "check_sample_weight_equivalence_on_dense_data": "k-means++ draws other points when rows are repeated",
    },
    "MiniBatchKMeans": {
        "check_sample_weight_equivalence_on_dense_data": "repeated rows are other batches",
    },
}


@parametrize_with_checks(
    [kin.KMeans(3), kin.MiniBatchKMeans(3), kin.PCA(2)],
    expected_failed_checks=lambda estimator: EXPECTED_FAILURES.get(type(estimator).__name__, {}),
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)


FAILING = {
    kin.KMeans: [(dict(k=500), {}), (dict(k=None), {}), (dict(k=2**64 + 2), {}), (dict(k=2, metric="ip"), {}), (dict(), dict(sample_weight=[1.0]))],
    kin.MiniBatchKMeans: [(dict(k=500), {}), (dict(k=0), {}), (dict(k=2, batch_size=0), {}), (dict(k=2), dict(sample_weight=[1.0]))],
    kin.PCA: [(dict(components=500), {}), (dict(components=0), {}), (dict(components=-1), {})],
}


@pytest.mark.parametrize("kind", FAILING)
def test_a_failed_fit_leaves_the_earlier_one(kind, blobs):
    for settings, given in FAILING[kind]:
        model = kind(**settings)
        assert_raises((ValueError, TypeError), None, model.fit, blobs, **given)
        assert not model.__sklearn_is_fitted__() and not hasattr(model, "n_features_in_")
        for name in {"predict", "transform", "score"} & set(dir(model)):
            assert_raises(ValueError, "not fitted yet", getattr(model, name), blobs)
        model = kind(**dict.fromkeys(settings.keys() & {"k", "components"}, 2)).fit(blobs)
        before = model.transform(blobs)
        model.set_params(**settings)
        assert_raises((ValueError, TypeError), None, model.fit, blobs[:, :3], **given)
        model.set_params(**kind().get_params())
        assert (model.transform(blobs) == before).all() and model.n_features_in_ == 6


def test_a_refused_batch_starts_no_stream(blobs):
    model = kin.MiniBatchKMeans(4)
    assert_raises(ValueError, None, model.partial_fit, blobs, sample_weight=[1.0])
    assert_raises(ValueError, None, model.set_params(k=0).partial_fit, blobs)
    model.set_params(k=4).partial_fit(blobs[:5])
    # The first batch determines the number of columns, even before there are centroids.
    assert_raises(ValueError, "6 features", model.partial_fit, blobs[:, :3])
    copies = [pickle.loads(pickle.dumps(model)), copy.deepcopy(model)]
    for batch in (blobs[5:90], blobs[90:]):
        model.partial_fit(batch)
        for other in copies:
            # The copy continues from the same state, before and after there are centroids.
            other.partial_fit(batch)
            assert other.n_seen_ == model.n_seen_ and (other.cluster_centers_ == model.cluster_centers_).all()
            assert (other.labels_ == model.labels_).all() and other.batch_inertia_ == model.batch_inertia_
        copies = [pickle.loads(pickle.dumps(other)) for other in copies]
    assert copies[0].fit(blobs).partial_fit(blobs).n_seen_ == 2 * len(blobs)
    assert model.predict(blobs).shape == (len(blobs),)


def test_a_stream_without_centroids_yet_is_not_fitted(blobs):
    model = kin.MiniBatchKMeans(4).partial_fit(blobs[:11])
    assert model.n_features_in_ == 6 and not model.__sklearn_is_fitted__()
    for call in (model.predict, model.transform, model.score, lambda _: model.centroids, lambda _: model.get_feature_names_out()):
        assert_raises(ValueError, "not fitted yet", call, blobs)
    model.partial_fit(blobs[11:12])
    assert model.__sklearn_is_fitted__() and model.predict(blobs).shape == (len(blobs),)


def test_batches_without_weight_move_nothing(blobs):
    weights = np.ones(len(blobs))
    weights[100:200] = 0
    model = kin.MiniBatchKMeans(3, batch_size=100).fit(blobs, sample_weight=weights)
    assert len(model.labels_) == len(blobs)
    centroids = model.cluster_centers_.copy()
    with pytest.raises(kin.InvalidArgument, match="every sample weight is zero"):
        model.partial_fit(blobs[:50], sample_weight=np.zeros(50))
    assert (model.cluster_centers_ == centroids).all()
    assert_raises(kin.InvalidArgument, None, kin.MiniBatchKMeans(3).fit, blobs, sample_weight=np.zeros(len(blobs)))


def test_kmeans_agrees_with_scikit_learn(blobs):
    ours = kin.KMeans(5, restarts=3, seed=1, tolerance=0).fit(blobs)
    theirs = ReferenceKMeans(5, n_init=5, random_state=0, tol=0).fit(blobs)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-5)
    np.testing.assert_allclose(
        np.sort(ours.cluster_centers_, axis=0), np.sort(theirs.cluster_centers_, axis=0), rtol=1e-4
    )
    assert (ours.centroids is ours.cluster_centers_) and (ours.labels is ours.labels_)
    assert ours.inertia == ours.inertia_ and ours.converged_ and ours.n_iter_ >= 1
    np.testing.assert_array_equal(ours.sizes_, np.bincount(ours.labels_))
    np.testing.assert_array_equal(ours.predict(blobs), ours.labels_)
    assert ours.score(blobs) == pytest.approx(-ours.inertia_)
    distances = ours.transform(blobs)
    expected = np.linalg.norm(blobs[:, np.newaxis] - ours.cluster_centers_, axis=2)
    np.testing.assert_allclose(distances, expected, rtol=1e-5)
    np.testing.assert_array_equal(distances.argmin(axis=1), ours.labels_)


def test_kmeans_starts_from_given_centroids(blobs):
    start = blobs[::100]
    ours = kin.KMeans(4, init=start, max_iterations=3, tolerance=0).fit(blobs)
    theirs = ReferenceKMeans(4, init=start, n_init=1, max_iter=3, tol=0).fit(blobs)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-4)
    assert_raises(kin.InvalidArgument, "init must have the shape", kin.KMeans(5, init=start).fit, blobs)
    assert_raises(kin.InvalidArgument, "not 'random'", kin.KMeans(5, init="random").fit, blobs)


def test_kmeans_supports_cosine(blobs):
    fitted = kin.KMeans(5, metric="cosine", seed=2, threads=2).fit(blobs)
    np.testing.assert_allclose(np.linalg.norm(fitted.centroids, axis=1), 1, rtol=1e-6)
    normalised = blobs / np.linalg.norm(blobs, axis=1, keepdims=True)
    np.testing.assert_allclose(fitted.transform(blobs), 1 - normalised @ fitted.centroids.T, atol=1e-5)
    np.testing.assert_array_equal(fitted.predict(blobs), fitted.labels)
    assert_raises(kin.InvalidArgument, "no metric of clusters 'ip'", kin.KMeans(5, metric="ip").fit, blobs)


def test_kmeans_accepts_weights_and_is_reproducible(blobs):
    weights = np.arange(len(blobs)) % 3
    first = kin.KMeans(5, seed=4).fit(blobs, sample_weight=weights)
    again = kin.KMeans(5, seed=4, threads=2).fit(blobs, sample_weight=weights)
    np.testing.assert_array_equal(first.centroids, again.centroids)
    assert first.inertia == pytest.approx((weights * (first.transform(blobs) ** 2).min(axis=1)).sum(), rel=1e-5)
    for bad in (weights[1:], -np.ones(len(blobs)), np.zeros(len(blobs))):
        assert_raises(kin.InvalidArgument, None, kin.KMeans(5).fit, blobs, sample_weight=bad)


def test_minibatch_kmeans_learns_a_stream(blobs, random):
    shuffled = blobs[random.permutation(len(blobs))]
    whole = kin.KMeans(5, restarts=3, seed=1).fit(shuffled)
    stream = kin.MiniBatchKMeans(5, seed=1)
    stream.partial_fit(shuffled[:10])
    assert stream.n_seen_ == 10 and not hasattr(stream, "cluster_centers_"), "3 k points are held back"
    for first in range(10, len(shuffled), 30):
        batch = shuffled[first : first + 30]
        stream.partial_fit(batch)
        np.testing.assert_array_equal(stream.labels_, stream.predict(batch))
    assert stream.n_seen_ == len(blobs) and stream.batch_inertia_ > 0
    assert -stream.score(shuffled) < 1.05 * whole.inertia
    again = kin.MiniBatchKMeans(5, batch_size=64, seed=1, threads=2).fit(shuffled)
    np.testing.assert_array_equal(again.labels, again.predict(shuffled))
    np.testing.assert_array_equal(again.sizes_, np.bincount(again.labels_, minlength=5))
    assert again.inertia == pytest.approx(-again.score(shuffled)) and again.inertia < 1.05 * whole.inertia
    by_hand = kin.MiniBatchKMeans(5, seed=1)
    for first in range(0, len(shuffled), 64):
        by_hand.partial_fit(shuffled[first : first + 64])
    np.testing.assert_array_equal(by_hand.centroids, again.centroids)


def test_minibatch_kmeans_refuses_invalid_input(blobs):
    weights = np.arange(len(blobs)) % 3
    kin.MiniBatchKMeans(4, metric="cosine").fit(blobs, sample_weight=weights)
    with pytest.raises(kin.InvalidArgument, match="reassignment ratio must be at least 0 and below 1, not 1"):
        kin.MiniBatchKMeans(4, reassignment_ratio=1).fit(blobs)
    assert_raises(kin.InvalidArgument, "cannot be 4 clusters", kin.MiniBatchKMeans(4).fit, blobs[:3])
    assert_raises(ValueError, "X has 5 features", kin.MiniBatchKMeans(4).partial_fit(blobs).partial_fit, blobs[:, :5])
    made = kin.MiniBatchKMeans(4)
    made.cluster_centers_ = blobs[:4]
    assert_raises(kin.InvalidArgument, "not of a stream", made.partial_fit, blobs)


def test_parameters_are_shown_and_set_by_name():
    assert repr(kin.KMeans(4, seed=3)) == "KMeans(k=4, seed=3)" and repr(kin.PCA()) == "PCA()"
    assert_raises(ValueError, "Invalid parameter 'n'", kin.PCA().set_params, n=3)


@pytest.mark.parametrize("metric", ["l2", "cosine"])
@pytest.mark.parametrize(("n", "k"), [(1, 40), (3, 100), (40, 1), (300, 16), (300, 17), (200, 100)])
def test_distances_to_all_centroids_equal_double_precision(random, metric, n, k):
    # Far from the origin, with some points on a centroid.
    centroids = (random.random((k, 6)) + 100).astype(np.float32)
    points = (random.random((n, 6)) + 100).astype(np.float32)
    points[: min(n, k) // 2] = centroids[: min(n, k) // 2]
    estimator = kin.KMeans(1, metric=metric).fit(points)
    estimator.cluster_centers_ = centroids
    found = estimator.transform(points)
    x, c = points[:, np.newaxis].astype(np.float64), centroids.astype(np.float64)
    if metric == "l2":
        expected = np.sqrt(((x - c) ** 2).sum(axis=2))
    else:
        expected = 1 - (x * c).sum(axis=2) / (np.linalg.norm(x, axis=2) * np.linalg.norm(c, axis=1))
    assert found.dtype == np.float32 and found.shape == (n, k)
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7 if metric == "l2" else 1e-15)
