"""Mini-batch k-means clustering."""

import ctypes
from typing import Any, Self

from numpy.typing import ArrayLike

from kin import _arrays
from kin._arrays import Doubles, Floats, address, address_or_none
from kin._library import Handle, check, create_handle, encode_state, library
from kin._precision import PrecisionReport
from kin._progress import long_call
from kin._signatures import MiniBatchKMeansOptions
from kin.errors import InvalidArgument
from kin.kmeans import ClusterMetric, KMeans, cluster_count, weights_of


class MiniBatchKMeans(KMeans):
    """k-means of a stream of batches that need not fit into memory together; an estimator in scikit-learn's style.

    A centroid is the weighted mean of all points ever assigned to it. The inertia is slightly above that of
    :class:`KMeans`, in one pass. The first 3 k points are held back, and k-means finds the initial centroids among
    them. Coordinates are read as float32. If float32 does not represent the first batch, the medians of its columns
    far from zero are subtracted; see :class:`KMeans`.

    Parameters
    ----------
    k : int
        The number of clusters, 1 or more.
    metric : {"l2", "cosine"}
        Squared Euclidean distance, or cosine distance to centroids of length 1 (spherical k-means).
    batch_size : int
        The points of a batch in ``fit``; ``partial_fit`` learns all its points at once.
    reassignment_ratio : float
        A centroid with less than this share of the largest centroid's weight is reassigned to a point of the batch; 0:
        never.
    seed : int
        The same batches and seed give the same centroids, bit for bit, with any number of threads.
    threads : int, optional
        The most threads to use. Default: 1.

    Attributes
    ----------
    centroids, cluster_centers_ : array of float32 or float64, shape (k, dimension)
        Present after ``fit``, or after 3 k points in ``partial_fit``.
    labels, labels_ : array of int64, shape (n,)
        The cluster of each point of the latest call, by the centroids after it.
    inertia, inertia_ : float
        The weighted sum of the distances from these points to their centroids.
    sizes_ : array of int64, shape (k,)
        The number of these points in each cluster.
    n_seen_ : int
        The points received since the latest ``fit``, or since the first ``partial_fit``.
    batch_inertia_ : float
        The mean distance of the latest batch's points to the centroids before its update. It stops falling once the
        stream has converged.
    """

    n_seen_: int
    batch_inertia_: float

    def __init__(
        self,
        k: int = 8,
        *,
        metric: ClusterMetric = "l2",
        batch_size: int = 4096,
        reassignment_ratio: float = 0.01,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        self.k = k
        self.metric = metric
        self.batch_size = batch_size
        self.reassignment_ratio = reassignment_ratio
        self.seed = seed
        self.threads = threads

    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learns points from the start, in batches of ``batch_size`` in their order.

        Parameters
        ----------
        X : array of float, shape (n, dimension), n ≥ k
            Shuffle the rows if they are sorted.
        y, sample_weight
            As for :meth:`KMeans.fit`.
        """
        points, stride, offset = self._first_table(X, centre=self.metric == "l2")
        n, dimension = points.shape
        k, size = cluster_count(self.k, n), _arrays.count(self.batch_size, "batch_size", least=1)
        weights = weights_of(sample_weight, n)
        stream = self._new_stream(k, dimension)
        for first in range(0, n, size):
            self._learn(stream, points[first : first + size], stride, None if weights is None else weights[first : first + size])
        latest = self._latest(stream, points, stride, weights)
        self._store_columns(X, dimension)
        self._store_latest(stream, latest, n, dimension, offset)
        self._stream = stream
        return self

    def partial_fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Learns one more batch; the parameters are those of the first batch.

        Centroids and labels are attributes once the stream has received 3 k points.

        Parameters
        ----------
        X : array of float, shape (n, dimension)
            A few thousand rows are a good size.
        y, sample_weight
            As for :meth:`KMeans.fit`.
        """
        stream: Handle | None = getattr(self, "_stream", None)
        if stream is None and self.__sklearn_is_fitted__():
            raise InvalidArgument("the centroids are not of a stream that could go on; fit again")
        if stream is None:
            points, stride, offset = self._first_table(X, centre=self.metric == "l2")
        else:
            offset = self._offset
            points, stride = self._same_columns(X, offset, PrecisionReport())
        n, dimension = points.shape
        weights, k = weights_of(sample_weight, n), _arrays.count(self.k, "k")
        if stream is None:
            stream = self._new_stream(k, dimension)
        self._learn(stream, points, stride, weights)
        if getattr(self, "_stream", None) is None:
            self._store_columns(X, dimension)
            self._stream, self._offset = stream, offset
        self.n_seen_ = library.kin_minibatch_kmeans_count(stream)
        if self.n_seen_ >= 3 * k:
            self._store_latest(stream, self._latest(stream, points, stride, weights), n, dimension, offset)
        return self

    def _new_stream(self, k: int, dimension: int) -> Handle:
        """A stream without points."""
        options = MiniBatchKMeansOptions(
            size=ctypes.sizeof(MiniBatchKMeansOptions),
            metric=self._metric(),
            threads=_arrays.threads(self.threads),
            reassignment_ratio=_arrays.real(self.reassignment_ratio, "reassignment_ratio"),
            seed=_arrays.count(self.seed, "seed"),
        )
        arguments = (k, dimension, ctypes.byref(options))
        return create_handle(library.kin_minibatch_kmeans_free, library.kin_minibatch_kmeans_create, *arguments)

    def _learn(self, stream: Handle, points: Floats, stride: int, weights: Doubles | None) -> None:
        # A batch without weights above 0 changes nothing.
        if weights is not None and not weights.any():
            return
        arguments = (stream, address(points), len(points), stride, address_or_none(weights))
        check(long_call(library.kin_minibatch_kmeans_partial_fit, *arguments))

    def _latest(self, stream: Handle, points: Floats, stride: int, weights: Doubles | None) -> Handle:
        """The clustering of the points of this call with the stream's centroids."""
        arguments = (stream, address(points), len(points), stride, address_or_none(weights))
        return create_handle(library.kin_clustering_free, long_call, library.kin_minibatch_kmeans_clustering, *arguments)

    def _store_latest(self, stream: Handle, latest: Handle, n: int, dimension: int, offset: Doubles | None) -> None:
        """Sets the attributes from a clustering of n points and from the stream."""
        self._store_clustering(latest, n, dimension, offset)
        self.n_seen_ = library.kin_minibatch_kmeans_count(stream)
        self.batch_inertia_ = library.kin_minibatch_kmeans_inertia(stream)

    def __getstate__(self) -> dict[str, Any]:
        """The attributes of the estimator, with the stream as bytes."""
        stream: Handle | None = getattr(self, "_stream", None)
        return self.__dict__ | ({} if stream is None else {"_stream": encode_state(library.kin_minibatch_kmeans_encode, stream)})

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_stream" in state:
            free, decode, content = library.kin_minibatch_kmeans_free, library.kin_minibatch_kmeans_decode, state["_stream"]
            self._stream = create_handle(free, decode, content, len(content), _arrays.threads(self.threads))
