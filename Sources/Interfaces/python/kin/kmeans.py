"""k-means clustering."""

import ctypes
import warnings
from typing import Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin import _arrays
from kin._arrays import Doubles, Floats, address
from kin._estimator import Estimator
from kin._library import Handle, calls, check, create_handle, library
from kin._precision import centred
from kin._progress import long_call
from kin._signatures import METRICS, KMeansOptions
from kin.errors import DimensionMismatch, InvalidArgument, callers_level
from kin.flat import FlatIndex


ClusterMetric = Literal["l2", "cosine"]


def weights_of(sample_weight: ArrayLike | None, n: int) -> Doubles | None:
    """The weights of n points in the library's form."""
    if sample_weight is None:
        return None
    weights = _arrays.doubles(sample_weight, "sample_weight")
    if weights.shape != (n,):
        raise InvalidArgument(f"sample_weight.shape == {weights.shape}, expected {(n,)}")
    if not weights.any():
        raise InvalidArgument("every sample weight is zero; give at least one point a positive weight")
    return weights


def cluster_count(k: int, n: int) -> int:
    """A number of clusters of n points."""
    number = _arrays.count(k, "k")
    if n < number:
        raise InvalidArgument(f"n_samples={n} points cannot be {number} clusters; k is 1 to n_samples")
    return number


def _less(values: ArrayLike, offset: Doubles | None, name: str) -> tuple[Floats, int]:
    """Rows of floats less an offset, and their stride."""
    if offset is None:
        return _arrays.rows(values, name)
    array = _arrays.array_of(values, name)
    if array.ndim != 2 or array.shape[1] != offset.size:
        return _arrays.rows(array, name)
    return centred(array.astype(np.float64) if array.dtype == object else array, offset), 0


class KMeans(Estimator):
    """k-means by Lloyd's iterations, exact and reproducible; a clusterer and transformer in scikit-learn's style.

    It minimizes over k centroids the inertia, the weighted sum of the distances from each point to its nearest
    centroid. The nearest centroid is the nearest in double precision. Coordinates are read as float32. If float32 does
    not represent them and the metric is ``"l2"``, the median of each column far from zero is first subtracted in double
    precision and added to the centroids, which are then float64. Unix seconds and similar numbers are therefore
    clustered without loss.

    Parameters
    ----------
    k : int
        The number of clusters, 1 … number of points.
    metric : {"l2", "cosine"}
        Squared Euclidean distance, or cosine distance to centroids of length 1 (spherical k-means).
    init : "k-means++", "k-means||" or array of float, shape (k, dimension)
        The initial centroids. "k-means||" is faster for thousands of clusters.
    swaps : bool
        Whether swaps follow the iterations: a centroid moves to a different cluster, which is split in two, as long as
        this lowers the inertia. With an array as ``init`` there are no swaps: its rows move by iterations alone.
        Without swaps, a start of scikit-learn is better, since it tries several points for each centroid: the inertia is
        up to 1.8 times as high if k is near the number of points.
    restarts : int
        Runs from different starts, each with its swaps; the run of lowest inertia is returned.
    max_iterations : int
        The most iterations of a run.
    tolerance : float
        A run ends when an iteration lowers the inertia by at most this share; at 0, when it no longer falls.
    seed : int
        The same seed gives the same clustering, bit for bit, with any number of threads.
    threads : int, optional
        The most threads to use. Default: 1.

    Attributes
    ----------
    centroids, cluster_centers_ : array of float32 or float64, shape (k, dimension)
    labels, labels_ : array of int64, shape (n,)
        The cluster of each point.
    inertia, inertia_ : float
    sizes_ : array of int64, shape (k,)
        The number of points in each cluster.
    n_iter_ : int
        The number of iterations that moved the centroids.
    converged_ : bool
        Whether the inertia converged.
    n_distinct_ : int
        The number of clusters with points of positive weight. If there are fewer than k different points, it is below k
        and ``fit`` warns.
    """

    cluster_centers_: Floats | Doubles
    labels_: NDArray[np.int64]
    inertia_: float
    sizes_: NDArray[np.int64]
    n_iter_: int
    converged_: bool
    n_distinct_: int
    # A stream has columns before it has centroids.
    _learned, _prefix, _type = "cluster_centers_", "kmeans", "clusterer"

    def __init__(
        self,
        k: int = 8,
        *,
        metric: ClusterMetric = "l2",
        init: Literal["k-means++", "k-means||"] | ArrayLike = "k-means++",
        swaps: bool = True,
        restarts: int = 1,
        max_iterations: int = 100,
        tolerance: float = 1e-4,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        self.k = k
        self.metric = metric
        self.init = init
        self.swaps = swaps
        self.restarts = restarts
        self.max_iterations = max_iterations
        self.tolerance = tolerance
        self.seed = seed
        self.threads = threads

    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Clusters points.

        Parameters
        ----------
        X : array of float, shape (n, dimension)
            Read in place if it is float32 and its rows are contiguous.
        y : ignored
        sample_weight : array of float, shape (n,), optional
            A point of weight 2 counts as two; a point of weight 0 is assigned but moves no centroid.
        """
        points, stride, offset = self._first_table(X, centre=self.metric == "l2")
        n, dimension = points.shape
        k = cluster_count(self.k, n)
        options = self._options(n, dimension, k, sample_weight, offset)
        arguments = (address(points), n, dimension, stride, k, ctypes.byref(options))
        handle = create_handle(library.kin_clustering_free, long_call, library.kin_kmeans_fit, *arguments)
        self._store_columns(X, dimension)
        self._store_clustering(handle, n, dimension, offset)
        self.n_iter_ = library.kin_clustering_iterations(handle)
        self.converged_ = bool(library.kin_clustering_is_converged(handle))
        self.n_distinct_ = library.kin_clustering_distinct(handle)
        if self.n_distinct_ < k:
            self._warn_of_repeats(k)
        return self

    def _warn_of_repeats(self, k: int) -> None:
        text = f"the points have only {self.n_distinct_} distinct clusters, fewer than k={k}: points repeat; lower k"
        warnings.warn(text, stacklevel=callers_level())

    def _store_clustering(self, handle: Handle, n: int, dimension: int, offset: Doubles | None) -> None:
        """Sets the attributes from a clustering of points less an offset."""
        # Filled before they become attributes, because a different thread may fit the same estimator.
        k = library.kin_clustering_k(handle)
        centroids = np.empty((k, dimension), dtype=np.float32)
        labels, sizes = np.empty(n, dtype=np.int64), np.empty(k, dtype=np.int64)
        check(library.kin_clustering_centroids(handle, address(centroids), 0))
        check(library.kin_clustering_labels(handle, address(labels)))
        check(library.kin_clustering_sizes(handle, address(sizes)))
        self._offset = offset
        self.cluster_centers_ = centroids if offset is None else centroids + offset
        self.labels_, self.sizes_ = labels, sizes
        self.inertia_ = library.kin_clustering_inertia(handle)

    def _options(
        self, n: int, dimension: int, k: int, sample_weight: ArrayLike | None, offset: Doubles | None
    ) -> KMeansOptions:
        """The options for points less an offset, with references to the arrays that they point into."""
        options = KMeansOptions(
            size=ctypes.sizeof(KMeansOptions),
            metric=self._metric(),
            threads=_arrays.threads(self.threads),
            restarts=_arrays.count(self.restarts, "restarts"),
            max_iterations=_arrays.count(self.max_iterations, "max_iterations"),
            tolerance=_arrays.real(self.tolerance, "tolerance"),
            seed=_arrays.count(self.seed, "seed"),
            swaps=_arrays.boolean(self.swaps, "swaps"),
        )
        if isinstance(self.init, str):
            if self.init not in ("k-means++", "k-means||"):
                raise InvalidArgument(f"init must be 'k-means++', 'k-means||' or an array of centroids, not {self.init!r}")
            options.parallel = self.init == "k-means||"
        else:
            start, stride = _less(self.init, offset, "init")
            if start.shape != (k, dimension):
                raise InvalidArgument(f"init must have the shape {(k, dimension)}, not {start.shape}")
            options.start, options.start_stride, options.kept_start = address(start), stride, start
        weights = weights_of(sample_weight, n)
        if weights is not None:
            options.weights, options.kept_weights = address(weights), weights
        return options

    def _metric(self) -> int:
        _arrays.number_of(self.metric, get_args(ClusterMetric), "metric of clusters")
        return METRICS.index(self.metric)

    def _clustering(self, dimension: int, offset: Doubles | None) -> Handle:
        """The centroids less an offset, in the library's form; copied each time, so pickling needs no extra code."""
        centroids, stride = _less(self.cluster_centers_, offset, "cluster_centers_")
        if centroids.shape[1] != dimension:
            raise DimensionMismatch(f"X has {dimension} features, and cluster_centers_ {centroids.shape[1]}")
        arguments = (address(centroids), *centroids.shape, stride, self._metric())
        return create_handle(library.kin_clustering_free, library.kin_clustering_create, *arguments)

    def _assign(self, X: ArrayLike) -> tuple[NDArray[np.int64], Doubles]:
        offset = self._offset
        points, stride = self._next_table(X, offset)
        n, dimension = points.shape
        labels = np.empty(n, dtype=np.int64)
        distances = np.empty(n, dtype=np.float64)
        # The reference lasts until the status is checked: a signal during the call then raises after it, not while the
        # handle is freed.
        clustering = self._clustering(dimension, offset)
        threads = _arrays.threads(self.threads)
        arguments = (clustering, address(points), n, stride, threads, address(labels), address(distances))
        check(long_call(library.kin_clustering_assign, *arguments))
        return labels, distances

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """The nearest centroid of each point, shape (n,); of equally near centroids the one with the lowest number."""
        if self.__sklearn_is_fitted__():
            labels: NDArray[np.int64] | None = calls.predict(
                self.cluster_centers_, self._metric(), X, _arrays.threads(self.threads)
            )
            if labels is not None:
                return labels
        return self._assign(X)[0]

    def score(self, X: ArrayLike, y: object = None) -> float:
        """The negated sum of the distances from the points to their nearest centroids."""
        return -float(self._assign(X)[1].sum())

    def fit_predict(
        self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None
    ) -> NDArray[np.int64]:
        """``fit(X).labels_``."""
        return self.fit(X, sample_weight=sample_weight).labels_

    def transform(self, X: ArrayLike) -> Floats:
        """The distance of each point to each centroid, shape (n, k): Euclidean (not squared) or cosine."""
        offset = self._offset
        points, stride = self._next_table(X, offset)
        centroids, _ = _less(self.cluster_centers_, offset, "cluster_centers_")
        n, k = len(points), len(centroids)
        by_cluster = np.empty((n, k), dtype=np.float32)
        # A search sorts its results: unless points are few, sorting a few centroids at a time costs less than to search
        # again.
        size = max(16, k // n)
        for first in range(0, k, size):
            some = FlatIndex(points.shape[1], metric=self.metric)
            some.add(centroids[first : first + size])
            distances, places = some.search(points, len(some), threads=self.threads)
            if self.metric == "l2":
                np.sqrt(distances, out=distances)
            np.put_along_axis(by_cluster[:, first : first + size], places, distances, axis=1)
        return by_cluster

    def fit_transform(
        self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None
    ) -> Floats:
        """``fit(X).transform(X)``."""
        return self.fit(X, sample_weight=sample_weight).transform(X)

    @property
    def centroids(self) -> Floats | Doubles:
        """``cluster_centers_``."""
        self._require_fitted()
        return self.cluster_centers_

    @property
    def labels(self) -> NDArray[np.int64]:
        """``labels_``."""
        self._require_fitted()
        return self.labels_

    @property
    def inertia(self) -> float:
        """``inertia_``."""
        self._require_fitted()
        return self.inertia_
