"""Kin inside scikit-learn's pipelines; importing this module imports scikit-learn.

    from sklearn.manifold import Isomap
    from sklearn.pipeline import make_pipeline
    from kin.sklearn import KNeighborsTransformer

    make_pipeline(KNeighborsTransformer(n_neighbors=15, mode="distance"), Isomap(metric="precomputed"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from kin import _arrays
from kin.flat import FlatIndex

if TYPE_CHECKING:
    from typing import Self


class KNeighborsTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A sparse graph of nearest neighbours, as ``sklearn.neighbors.KNeighborsTransformer`` gives it, found by Kin.

    The graph is exact. Distances are computed in double precision from coordinates that are read as float32.

    Parameters
    ----------
    mode : {"distance", "connectivity"}
        The graph's numbers: distances, with one neighbour more because each row is its own neighbour, or ones.
    n_neighbors : int
        Neighbours of each row.
    metric : {"euclidean", "sqeuclidean", "cosine"}
        The distance.
    n_jobs : int, optional
        The most threads to use, 1 when left out; -1 for as many as the process has processors.

    Attributes
    ----------
    n_samples_fit_ : int
        Rows of the table that was fitted: columns of the graph.
    effective_metric_ : str
        The metric.
    """

    def __init__(
        self,
        *,
        mode: Literal["distance", "connectivity"] = "distance",
        n_neighbors: int = 5,
        metric: Literal["euclidean", "sqeuclidean", "cosine"] = "euclidean",
        n_jobs: int | None = None,
    ) -> None:
        self.mode = mode
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.n_jobs = n_jobs

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Indexes the rows of X, shape (n, dimension)."""
        table = validate_data(self, X, order="C")
        if self.mode not in ("distance", "connectivity"):
            raise ValueError(f"mode is {self.mode!r}; it is 'distance' or 'connectivity'")
        if self.metric not in ("euclidean", "sqeuclidean", "cosine"):
            raise ValueError(f"metric is {self.metric!r}; it is 'euclidean', 'sqeuclidean' or 'cosine'")
        self._index = FlatIndex(table.shape[1], metric="cosine" if self.metric == "cosine" else "l2")
        self._index.add(table)
        self.n_samples_fit_ = table.shape[0]
        self.effective_metric_ = self.metric
        self._n_features_out = self.n_samples_fit_
        return self

    def transform(self, X: ArrayLike) -> csr_matrix:
        """The graph from the rows of X, shape (m, dimension), to the fitted ones: a sparse matrix of shape (m, n)."""
        check_is_fitted(self)
        table = validate_data(self, X, dtype=np.float32, order="C", reset=False)
        k = _arrays.count(self.n_neighbors, "n_neighbors", least=1) + (1 if self.mode == "distance" else 0)
        if k > self.n_samples_fit_:
            raise ValueError(
                f"Expected n_neighbors < n_samples_fit, but n_neighbors = {self.n_neighbors}, "
                f"n_samples_fit = {self.n_samples_fit_}, n_samples = {table.shape[0]}"
            )
        distances, ids = self._index.search(table, k, threads=effective_n_jobs(self.n_jobs))
        if self.mode == "connectivity":
            distances = np.ones_like(distances)
        elif self.metric == "euclidean":
            np.sqrt(distances, out=distances)
        rows = np.arange(0, ids.size + 1, k)
        return csr_matrix((distances.ravel(), ids.ravel(), rows), shape=(table.shape[0], self.n_samples_fit_))

    def fit_transform(self, X: ArrayLike, y: object = None) -> csr_matrix:
        """``fit(X).transform(X)``."""
        return self.fit(X).transform(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags
