"""k-means and mini-batch k-means for scikit-learn."""

import math
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import cluster
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted

import kin
from kin._arrays import Doubles
from kin._library import library
from kin._precision import PrecisionReport
from kin.sklearn._tables import all_threads, dense, seed_of, table_of, warn, weights_of

Table = NDArray[Any]

_SHARE = 0.1
"""The factor from scikit-learn's tolerance (of centroid movement) to Kin's (of inertia), for runs of about the same length."""
_SLIGHT = 1e-9
"""The weight of an initial centroid relative to the weight of a point."""


class _Model(kin.KMeans):
    """k-means that warns of repeated points as scikit-learn does, or not at all for a sample."""

    is_sample = False

    def _warn_of_repeats(self, k: int) -> None:
        if not self.is_sample:
            warn(f"Number of distinct clusters ({self.n_distinct_}) found smaller than n_clusters ({k}). Possibly due to duplicate points in X.",
                 ConvergenceWarning)


class _Clusters(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Initial centroids, and methods on fitted centroids."""

    _offset: Doubles | None
    """The numbers that Kin subtracts from the columns of a table."""

    def predict(self, X: ArrayLike) -> NDArray[np.int32]:
        """The nearest centroid of each row, shape (n,); of equally near centroids the one with the lowest number."""
        model, table = self._fitted(X)
        return model._assign(table)[0].astype(np.int32)

    def transform(self, X: ArrayLike) -> Table:
        """The Euclidean distance of each row to each centroid, shape (n, n_clusters)."""
        model, table = self._fitted(X)
        return model.transform(table).astype(table.dtype, copy=False)

    def fit_transform(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Table:
        """``fit(X, sample_weight=sample_weight).transform(X)``."""
        return self.fit(X, sample_weight=sample_weight).transform(X)  # type: ignore[no-any-return]

    def score(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> float:
        """The negated weighted sum of the squared distances from the rows to their nearest centroids."""
        model, table = self._fitted(X)
        distances, weights = model._assign(table)[1], weights_of(sample_weight, table)
        return -float(distances.sum() if weights is None else weights @ distances)

    def _fitted(self, X: ArrayLike) -> tuple[kin.KMeans, Table]:
        """The centroids as one of Kin's estimators, and a table to compare with them."""
        check_is_fitted(self)
        table = table_of(self, X)
        model = kin.KMeans(threads=all_threads())
        model.cluster_centers_, model.n_features_in_, model._offset = self.cluster_centers_, table.shape[1], self._offset
        return model, table

    def _store(self, model: kin.KMeans, kind: np.dtype[Any]) -> None:
        """Copies the centroids of a fitted model of Kin's."""
        self.cluster_centers_, self._offset = model.cluster_centers_.astype(kind, copy=False), model._offset
        self._n_features_out = len(self.cluster_centers_)

    def _store_labels(self, model: kin.KMeans) -> None:
        self.labels_, self.inertia_ = model.labels_.astype(np.int32), float(model.inertia_)
        if self.verbose:
            print(f"{type(self).__name__}: inertia {self.inertia_}")

    def _starts(self, table: Table, weights: Doubles | None, random: Any) -> Iterator[tuple[str | Table, int]]:
        """Initial centroids, or the method that finds them, and the number of runs."""
        self._check_params_vs_input(table)
        init = self.init
        if isinstance(init, str) and init == "k-means++":
            yield init, self._n_init
            return
        if self._has_given_start():
            init = dense(check_array(init, dtype=table.dtype, order="C", accept_sparse=True))
            self._validate_center_shape(table, init)
        drawn = np.ones(len(table)) if weights is None else weights
        for _ in range(self._n_init):
            yield self._init_centroids(table, x_squared_norms=None, init=init, random_state=random, sample_weight=drawn), 1

    def _has_given_start(self) -> bool:
        """Whether the initial centroids are a parameter."""
        return not isinstance(self.init, str) and not callable(self.init)


class KMeans(_Clusters, cluster.KMeans):  # type: ignore[misc]
    """``sklearn.cluster.KMeans`` by :class:`kin.KMeans`: Lloyd's iterations, and swaps of centroids after ``init="k-means++"``.

    Coordinates are read as float32; if float32 does not represent them, the medians of columns far from zero are first
    subtracted in double precision. A run ends when an iteration lowers the inertia by at most a tenth of the share ``tol``. Both
    values of ``algorithm`` give the same clusters, ``copy_x`` has no effect because X never changes, and ``verbose``
    prints the final inertia. Parameters and attributes: see ``sklearn.cluster.KMeans``.
    """

    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Clusters the rows of X, shape (n, dimension), which may have weights, shape (n,)."""
        self._validate_params()
        table = table_of(self, X, reset=True)
        random, weights = check_random_state(self.random_state), weights_of(sample_weight, table)
        best: _Model | None = None
        for start, runs in self._starts(table, weights, random):
            model = _Model(
                self.n_clusters, init=start, restarts=runs, max_iterations=self.max_iter, tolerance=_SHARE * self.tol, seed=seed_of(random),
                threads=all_threads(),
            )
            model.fit(table, sample_weight=weights)
            if best is None or model.inertia_ < best.inertia_:
                best = model
        assert best is not None, "there is at least one run"
        self._store(best, table.dtype)
        self._store_labels(best)
        # scikit-learn also counts the last pass, which moves nothing.
        self.n_iter_ = min(best.n_iter_ + int(best.converged_), self.max_iter)
        return self


class _Stream(kin.MiniBatchKMeans):
    def _centres(self) -> Table:
        """The current centroids of the stream."""
        point = np.zeros((1, self.n_features_in_), np.float32)
        self._store_latest(self._stream, self._latest(self._stream, point, 0, None), 1, self.n_features_in_, self._offset)
        return self.cluster_centers_


class MiniBatchKMeans(_Clusters, cluster.MiniBatchKMeans):  # type: ignore[misc]
    """``sklearn.cluster.MiniBatchKMeans`` by :class:`kin.MiniBatchKMeans`.

    ``fit`` reads batches in a random order, each row once per pass, until ``max_iter`` passes, ``max_no_improvement``
    or ``tol`` end it. With ``init="k-means++"`` it starts from the clusters of ``init_size`` rows, the best of
    ``n_init``. Coordinates are read as float32; see :class:`KMeans`. Parameters and attributes: see
    ``sklearn.cluster.MiniBatchKMeans``.
    """

    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Clusters the rows of X, shape (n, dimension), which may have weights, shape (n,)."""
        self._validate_params()
        table = table_of(self, X, reset=True)
        random, weights = check_random_state(self.random_state), weights_of(sample_weight, table)
        stream, n = self._new_stream(table, weights, random), len(table)
        points, stride = stream._same_columns(table, stream._offset, PrecisionReport())
        size, step, before = self._batch_size, 0, None
        steps = self.max_iter * n // size
        self._ewa_inertia = self._ewa_inertia_min = None
        self._no_improvement = 0
        for step, rows in enumerate(_batches(n, size, steps, random), 1):
            stream._learn(stream._stream, points[rows], 0, None if weights is None else weights[rows])
            moved = 0.0
            if self._tol > 0:
                centres = stream._centres()
                moved, before = math.inf if before is None else float(((centres - before) ** 2).sum()), centres
            inertia = size * library.kin_minibatch_kmeans_inertia(stream._stream)
            if self._mini_batch_convergence(step - 1, steps, n, moved, inertia):
                break
        # One point is enough to get the centroids.
        seen, counted = (points, weights) if self.compute_labels else (points[:1], None)
        latest = stream._latest(stream._stream, seen, stride, counted)
        stream._store_latest(stream._stream, latest, len(seen), points.shape[1], stream._offset)
        self._store(stream, table.dtype)
        self._stream, self.n_steps_, self.n_iter_ = stream, step, math.ceil(step * size / n)
        if self.compute_labels:
            self._store_labels(stream)
        else:
            self.inertia_ = float((self._ewa_inertia or 0) * (n if weights is None else weights.sum()))
        return self

    def partial_fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learns one more batch, X of shape (n, dimension); the parameters are those of the first batch."""
        self._validate_params()
        stream: _Stream | None = getattr(self, "_stream", None)
        table = table_of(self, X, reset=stream is None)
        weights = weights_of(sample_weight, table)
        if stream is None:
            stream = self._new_stream(table, weights, check_random_state(self.random_state))
        stream.partial_fit(table, sample_weight=weights)
        self._store(stream, table.dtype)
        self._stream, self.n_steps_ = stream, getattr(self, "n_steps_", 0) + 1
        if self.compute_labels:
            self._store_labels(stream)
        return self

    def _new_stream(self, table: Table, weights: Doubles | None, random: Any) -> _Stream:
        """A stream that starts from the best of some initial centroids."""
        best, least = None, math.inf
        for start, runs in self._starts(table, weights, random):
            if self._has_given_start():
                best = start
                break
            model = _Model(self.n_clusters, init=start, restarts=runs, seed=seed_of(random), threads=all_threads())
            model.is_sample = True
            rows = self._sample(len(table), weights, random)
            model.fit(table[rows], sample_weight=None if weights is None else weights[rows])
            if model.inertia_ < least:
                best, least = model.cluster_centers_, model.inertia_
        assert best is not None, "there is at least one start"
        stream = _Stream(self.n_clusters, reassignment_ratio=self.reassignment_ratio, seed=seed_of(random), threads=all_threads())
        # At the places of the centroids, as many points as a stream holds back before it finds its centroids.
        slight = _SLIGHT * (1 if weights is None else float(weights.max()))
        repeated = np.repeat(best, 3, axis=0)
        stream.partial_fit(repeated, sample_weight=np.full(len(repeated), slight))
        return stream

    def _sample(self, n: int, weights: Doubles | None, random: Any) -> NDArray[np.int64]:
        """The rows for finding and comparing initial centroids."""
        rows = np.arange(n) if weights is None else np.flatnonzero(weights)
        if len(rows) < self.n_clusters:
            rows = np.arange(n)
        return rows if self._init_size >= len(rows) else np.sort(random.choice(rows, self._init_size, replace=False))


def _batches(n: int, size: int, count: int, random: Any) -> Iterator[NDArray[np.int64]]:
    """Batches of rows in a random order. Every pass has each row once."""
    order = np.empty(0, np.int64)
    for _ in range(count):
        if len(order) < size:
            order = np.concatenate([order, random.permutation(n)])
        yield order[:size]
        order = order[size:]
