"""kin.sklearn compared with scikit-learn: the same interface and components, and clusters of equal or lower inertia."""

import copy
import pickle
import warnings

import kin
import kin.sklearn
import numpy as np
import pytest
from conftest import assert_raises
from scipy import sparse
from sklearn import cluster, config_context, decomposition, neighbors
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

CLASSES = [getattr(kin.sklearn, name) for name in kin.sklearn.__all__]
SEARCHING = [kind for kind in CLASSES if "Neighbors" in kind.__name__]
CLUSTERING = [kin.sklearn.KMeans, kin.sklearn.MiniBatchKMeans]

# scikit-learn exempts its own KMeans and MiniBatchKMeans from both.
OTHER_DRAWS = "rows that are repeated, and rows of weight 2, are drawn differently"
EXPECTED_FAILURES = {f"check_sample_weight_equivalence_on_{kind}_data": OTHER_DRAWS for kind in ("dense", "sparse")}


@parametrize_with_checks(
    [kind() for kind in CLASSES], expected_failed_checks=lambda estimator: EXPECTED_FAILURES if type(estimator) in CLUSTERING else {}
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataConversionWarning)
        check(estimator)


def theirs(kind):
    """scikit-learn's class with the same name as a class of Kin."""
    return next(getattr(module, kind.__name__) for module in (cluster, decomposition, neighbors) if hasattr(module, kind.__name__))


def made(kind):
    """Blobs, whole numbers with many ties, seconds since 1970, or correlated measurements on different scales in groups of different sizes."""
    random = np.random.default_rng(7)
    if kind == "blobs":
        return make_blobs(1500, 8, centers=12, cluster_std=1.5, random_state=3)
    if kind == "integers":
        return random.integers(0, 4, (900, 3)).astype(float), random.integers(0, 3, 900)
    if kind == "seconds":
        return 1.7e9 + 3600 * random.random((900, 2)), random.integers(0, 3, 900)
    latent = random.standard_normal((1200, 5)) @ random.standard_normal((5, 20))
    labels = random.choice(4, 1200, p=[0.6, 0.25, 0.1, 0.05])
    return (latent + 3 * labels[:, np.newaxis] + 0.1 * random.standard_normal((1200, 20))) * np.geomspace(0.01, 100, 20), labels


DATA = ["blobs", "measurements", "integers", "seconds"]


@pytest.mark.parametrize("kind", CLASSES)
def test_parameters_equal_scikit_learn(kind):
    assert kind().get_params() == theirs(kind)().get_params() and issubclass(kind, theirs(kind))
    assert repr(kind()) == f"{kind.__name__}()" and kind.__name__ in kind()._repr_html_()


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("k", [2, 8, 30])
def test_clusters_are_as_good_as_scikit_learns(data, k):
    x = made(data)[0]
    ours, reference = (module.KMeans(k, random_state=1).fit(x) for module in (kin.sklearn, cluster))
    assert ours.inertia_ <= reference.inertia_ * 1.005
    ours, reference = (module.KMeans(k, init=x[:k], n_init=1, tol=0, max_iter=1000).fit(x) for module in (kin.sklearn, cluster))
    assert ours.inertia_ <= reference.inertia_ * 1.01
    streamed, reference = (module.MiniBatchKMeans(k, random_state=1).fit(x) for module in (kin.sklearn, cluster))
    assert streamed.inertia_ <= reference.inertia_ * 1.02


@pytest.mark.parametrize("kind", CLUSTERING)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_clusters_have_the_attributes_of_scikit_learn(kind, dtype, blobs, random):
    x, weights = blobs.astype(dtype), random.random(len(blobs))
    ours, reference = (each(5, random_state=2).fit(x, sample_weight=weights) for each in (kind, theirs(kind)))
    for name in ("cluster_centers_", "labels_"):
        mine, other = getattr(ours, name), getattr(reference, name)
        assert mine.dtype == other.dtype and mine.shape == other.shape
    assert type(ours.inertia_) is float and type(ours.n_iter_) is int and ours.n_features_in_ == 6
    assert set(vars(reference)) - set(vars(ours)) <= {name for name in vars(reference) if name.startswith("_")}
    np.testing.assert_array_equal(ours.predict(x), ours.labels_)
    distances = ours.transform(x)
    assert distances.dtype == dtype
    np.testing.assert_allclose(distances, np.linalg.norm(x[:, np.newaxis] - ours.cluster_centers_, axis=2), rtol=1e-5)
    assert ours.inertia_ == pytest.approx((weights * distances.min(axis=1) ** 2).sum(), rel=1e-5)
    assert ours.score(x, sample_weight=weights) == pytest.approx(-ours.inertia_) and ours.score(x) < ours.score(x, sample_weight=weights)
    np.testing.assert_array_equal(kind(5, random_state=2).fit_predict(x, sample_weight=weights), ours.labels_)
    np.testing.assert_array_equal(kind(5, random_state=2).fit_transform(x, sample_weight=weights), distances)


@pytest.mark.parametrize("kind", CLUSTERING)
def test_parameters_are_checked_as_scikit_learn_does(kind, blobs):
    for wrong in ({"n_clusters": 0}, {"init": "other"}, {"tol": -1}, {"max_iter": 0}, {"n_init": 0}, {"random_state": "x"}):
        assert_raises(ValueError, f"The '{[*wrong][0]}' parameter", kind(**wrong).fit, blobs)


@pytest.mark.parametrize("kind", CLUSTERING)
def test_random_states_behave_like_scikit_learn(kind, blobs):
    def centres(state):
        return kind(20, random_state=state).fit(blobs).cluster_centers_

    np.testing.assert_array_equal(centres(3), centres(np.random.RandomState(3)))
    state = np.random.RandomState(3)
    assert (centres(state) != centres(state)).any(), "a generator goes on"
    assert (centres(3) != centres(4)).any() and np.isfinite(centres(None)).all()


def test_repeated_points_are_reported():
    with pytest.warns(ConvergenceWarning, match=r"distinct clusters \(2\) found smaller than n_clusters \(3\)") as found:
        kin.sklearn.KMeans(3).fit([[0.0], [0.0], [1.0], [1.0]])
    assert found[0].filename == __file__


def test_given_centroids_keep_their_order(random):
    corners = np.array([[0, 0], [10, 0], [0, 10], [10, 10], [5, 5]], float)
    points = np.repeat(corners, 80, axis=0) + random.uniform(-0.3, 0.3, (400, 2))
    for seed in range(10):
        given = corners[random.permutation(5)]
        for model in (kin.sklearn.KMeans, kin.sklearn.MiniBatchKMeans):
            for init in (given, lambda x, k, random_state, given=given: given):
                found = model(5, init=init, n_init=1, random_state=seed).fit(points)
                assert np.abs(found.cluster_centers_ - given).max() < 1
                np.testing.assert_array_equal(found.predict(given), np.arange(5))
        streamed = kin.sklearn.MiniBatchKMeans(5, init=given, random_state=seed).partial_fit(points)
        assert np.abs(streamed.cluster_centers_ - given).max() < 1


def test_batches_are_learned_one_by_one(blobs, random):
    shuffled = blobs[random.permutation(len(blobs))]
    stream = kin.sklearn.MiniBatchKMeans(5, random_state=0, n_init=3)
    for step, first in enumerate(range(0, 400, 50), 1):
        batch = shuffled[first : first + 50]
        stream.partial_fit(batch)
        assert stream.n_steps_ == step and stream.labels_.shape == (50,)
        np.testing.assert_array_equal(stream.labels_, stream.predict(batch))
        if step == 4:
            stream = pickle.loads(pickle.dumps(copy.deepcopy(stream)))
    best = kin.sklearn.KMeans(5, random_state=0).fit(blobs).inertia_
    assert -stream.score(blobs) < 1.05 * best
    assert_raises(ValueError, "expecting 6 features", stream.partial_fit, blobs[:, :3])
    quick = kin.sklearn.MiniBatchKMeans(5, compute_labels=False, random_state=0, tol=1e-3).fit(blobs)
    assert not hasattr(quick, "labels_") and quick.inertia_ < 1.2 * best and -quick.score(blobs) < 1.05 * best
    with pytest.warns(RuntimeWarning, match="init_size=3 should be larger"):
        kin.sklearn.MiniBatchKMeans(5, init_size=3).fit(blobs)


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("whiten", [False, True])
@pytest.mark.parametrize("components", [None, 2, 0.9, "mle"])
def test_components_equal_scikit_learn(data, dtype, whiten, components):
    if data == "seconds" and dtype == np.float32:
        pytest.skip("float32 has no such seconds")
    x = made(data)[0].astype(dtype)
    ours = kin.sklearn.PCA(components, whiten=whiten).fit(x)
    reference = decomposition.PCA(components, whiten=whiten, svd_solver="full").fit(x.astype(np.float64))
    assert ours.n_components_ == reference.n_components_ and ours.n_samples_ == len(x)
    signs = np.sign((ours.components_ * reference.components_).sum(axis=1))[:, np.newaxis]
    np.testing.assert_array_equal(signs, 1)
    for name in ("components_", "explained_variance_ratio_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(reference, name), atol=1e-4)
    assert ours.noise_variance_ == pytest.approx(reference.noise_variance_, rel=1e-4, abs=1e-12)
    for name in ("mean_", "explained_variance_", "singular_values_"):
        scale = np.abs(getattr(reference, name)).max(initial=1e-12)
        np.testing.assert_allclose(getattr(ours, name) / scale, getattr(reference, name) / scale, atol=1e-5)
    assert all(getattr(ours, name).dtype == dtype for name in ("components_", "mean_", "explained_variance_", "singular_values_"))
    plane = ours.transform(x)
    expected = reference.transform(x.astype(np.float64))
    assert plane.dtype == dtype and plane.shape == expected.shape
    np.testing.assert_allclose(plane / np.abs(expected).max(), expected / np.abs(expected).max(), atol=2e-3 if dtype == np.float32 else 1e-4)
    np.testing.assert_array_equal(kin.sklearn.PCA(components, whiten=whiten).fit_transform(x), plane)
    assert list(ours.get_feature_names_out()) == [f"pca{i}" for i in range(ours.n_components_)]


def test_there_may_be_no_component(blobs):
    assert kin.sklearn.PCA(0).fit(blobs).transform(blobs).shape == (len(blobs), 0)


@pytest.mark.parametrize("kind", CLASSES)
def test_sparse_tables_are_converted_with_a_note(kind, blobs):
    y = np.arange(len(blobs)) // 80
    table = np.where(blobs > 3, blobs, 0)
    settings = {"random_state": 0} if "random_state" in kind().get_params() else {}
    for layout in (sparse.csr_matrix, sparse.csc_array, sparse.lil_matrix):
        with pytest.warns(DataConversionWarning, match="sparse table of 400 × 6 is converted to a dense one of 0.0096 MB") as notes:
            converted = kind(**settings).fit(layout(table), y)
        assert notes[0].filename == __file__
        plain = kind(**settings).fit(table, y)
        call = next(name for name in ("transform", "predict", "kneighbors") if hasattr(plain, name))
        mine, other = getattr(converted, call)(table), getattr(plain, call)(table)
        for a, b in zip(mine, other) if isinstance(mine, tuple) else [(mine, other)]:
            assert abs(a - b).max() < 1e-4


def test_estimators_work_in_pipelines_and_searches(blobs):
    y = np.arange(len(blobs)) // 80
    pipeline = make_pipeline(StandardScaler(), kin.sklearn.PCA(), kin.sklearn.KNeighborsClassifier())
    search = GridSearchCV(pipeline, {"pca__n_components": [2, 4], "kneighborsclassifier__n_neighbors": [3, 9]}).fit(blobs, y)
    assert search.best_score_ > 0.95
    labels = make_pipeline(StandardScaler(), kin.sklearn.KMeans(5, random_state=0)).fit_predict(blobs)
    assert len({*zip(labels, y)}) == 5, "each cluster is one blob"
    with config_context(enable_metadata_routing=True):
        weights = np.where(y == 0, 0.0, 1.0)
        routed = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), kin.sklearn.KMeans(4, random_state=0).set_fit_request(sample_weight=True))
        centres = routed.fit(blobs, sample_weight=weights)[-1].cluster_centers_
        direct = kin.sklearn.KMeans(4, random_state=0).fit(StandardScaler().fit_transform(blobs), sample_weight=weights)
        np.testing.assert_array_equal(centres, direct.cluster_centers_)
