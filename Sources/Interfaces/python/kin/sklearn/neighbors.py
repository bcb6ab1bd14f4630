"""Nearest neighbours for scikit-learn."""

from typing import Any, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn import neighbors
from sklearn.base import BaseEstimator, is_classifier
from sklearn.exceptions import DataConversionWarning
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from kin.sklearn._search import Search
from kin.sklearn._tables import CHECKS, dense, table_of, warn

_METRICS = {"euclidean": "euclidean", "l2": "euclidean", "sqeuclidean": "sqeuclidean", "cosine": "cosine"}


class _Neighbors(BaseEstimator):  # type: ignore[misc]
    """The search of the four classes, which replaces scikit-learn's trees and scans."""

    def _fit(self, X: Any, y: Any = None) -> Self:
        """Called by the ``fit`` of each class."""
        if isinstance(self.metric, str) and self.metric == "precomputed":
            # Nothing to search: scikit-learn reads the distances.
            return super()._fit(X, y)  # type: ignore[no-any-return]
        metric = self._metric()
        fitted = getattr(X, "_fit_X", getattr(X, "data", None) if isinstance(X, (neighbors.KDTree, neighbors.BallTree)) else None)
        X = X if fitted is None else np.asarray(fitted)
        if get_tags(self).target_tags.required:
            X, y = validate_data(self, X, y, multi_output=True, **CHECKS)
            X = dense(X)
            self._store_targets(y)
        else:
            X = table_of(self, X, reset=True)
        self._search = Search(X, metric == "cosine")
        self._fit_X, self._tree, self._fit_method = X, None, "kin"
        self.n_samples_fit_, self.effective_metric_ = len(X), metric
        self.effective_metric_params_: dict[str, Any] = {}
        return self

    def _metric(self) -> str:
        """The distance by its shortest name."""
        settings = dict(self.metric_params or {})
        if "p" in settings and self.p is not None:
            warn("Parameter p is found in metric_params. The corresponding parameter from __init__ is ignored.", SyntaxWarning)
        p = settings.pop("p", self.p)
        weights = settings.pop("w", None)
        name = self.metric if isinstance(self.metric, str) else ""
        if name == "minkowski" and p in (2, None):
            name = "euclidean"
        if name not in _METRICS or weights is not None or settings:
            detail = f", p={p!r}" if name == "minkowski" else ""
            detail += f", metric_params={self.metric_params!r}" if self.metric_params else ""
            raise ValueError(
                f"metric={self.metric!r}{detail} is none of the distances of kin.sklearn.{type(self).__name__}: 'euclidean' ('minkowski' with p=2), "
                f"'sqeuclidean', 'cosine' and 'precomputed'; use sklearn.neighbors.{type(self).__name__} for others"
            )
        return _METRICS[name]

    def _store_targets(self, y: NDArray[Any]) -> None:
        """Stores the targets of the rows, and the classes of a classifier."""
        if not is_classifier(self):
            self._y = y
            return
        if y.ndim == 2 and y.shape[1] == 1:
            warn("A column-vector y was passed when a 1d array was expected. Please change the shape of y to (n_samples,), for example using ravel().",
                 DataConversionWarning)
        check_classification_targets(y)
        self.outputs_2d_ = y.ndim == 2 and y.shape[1] != 1
        columns = y.reshape(len(y), -1).T
        pairs = [np.unique(column, return_inverse=True) for column in columns]
        self.classes_: Any = [classes for classes, _ in pairs]
        self._y = np.stack([numbers for _, numbers in pairs], axis=1).astype(np.intp)
        if not self.outputs_2d_:
            self.classes_, self._y = self.classes_[0], self._y.ravel()

    def _queries(self, X: ArrayLike | None) -> NDArray[Any]:
        check_is_fitted(self)
        return self._fit_X if X is None else table_of(self, X)

    def kneighbors(self, X: ArrayLike | None = None, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
        """The nearest fitted rows of each row of X: distances if requested, and row numbers, shape (n, n_neighbors).

        Without X, the neighbours of the fitted rows; a row is not its own neighbour.
        """
        check_is_fitted(self)
        if self._fit_method != "kin":
            return super().kneighbors(X, n_neighbors, return_distance)
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        if not isinstance(k, (int, np.integer)):
            raise TypeError(f"n_neighbors does not take {type(k)} value, enter integer value")
        if k <= 0:
            raise ValueError(f"Expected n_neighbors > 0. Got {k}")
        queries = self._queries(X)
        count, is_own = self.n_samples_fit_, X is None
        if k + is_own > count:
            sign = "<" if is_own else "<="
            raise ValueError(
                f"Expected n_neighbors {sign} n_samples_fit, but n_neighbors = {k}, n_samples_fit = {count}, n_samples = {len(queries)}"
            )
        distances, ids = self._search.nearest(queries, int(k) + is_own, effective_n_jobs(self.n_jobs))
        if is_own:
            is_other = ids != np.arange(count)[:, np.newaxis]
            # Of many equal rows the first ones are found, perhaps not the row itself.
            is_other[is_other.all(axis=1), 0] = False
            distances, ids = distances[is_other].reshape(-1, k), ids[is_other].reshape(-1, k)
        if self.effective_metric_ == "sqeuclidean":
            distances **= 2
        return (distances, ids) if return_distance else ids


class NearestNeighbors(_Neighbors, neighbors.NearestNeighbors):  # type: ignore[misc]
    """``sklearn.neighbors.NearestNeighbors`` by a :class:`kin.FlatIndex`, for the metrics "euclidean", "sqeuclidean", "cosine" and "precomputed".

    Neighbours and distances are exact in double precision; equally near rows are in ascending order. ``algorithm`` and
    ``leaf_size`` have no effect. Parameters and attributes: see ``sklearn.neighbors.NearestNeighbors``.
    """

    def radius_neighbors(
        self, X: ArrayLike | None = None, radius: ArrayLike | None = None, return_distance: bool = True, sort_results: bool = False
    ) -> Any:
        """The fitted rows within a radius of each row of X: arrays of distances if requested, and of row numbers.

        With `sort_results` the nearest rows come first, otherwise rows are in ascending order.

        Without X, the neighbours of the fitted rows; a row is not its own neighbour.
        """
        check_is_fitted(self)
        if self._fit_method != "kin":
            return super().radius_neighbors(X, radius, return_distance, sort_results)
        if sort_results and not return_distance:
            raise ValueError("return_distance must be True if sort_results is True.")
        queries = self._queries(X)
        radii = np.broadcast_to(np.asarray(self.radius if radius is None else radius, np.float64), len(queries))
        is_squared = self.effective_metric_ == "sqeuclidean"
        radii = np.sqrt(radii) if is_squared else radii
        threads = effective_n_jobs(self.n_jobs)
        limits, distances, ids = self._search.within(queries, radii, threads, is_own=X is None, is_ordered=sort_results)
        lists = _lists(ids, limits)
        return (_lists(distances**2 if is_squared else distances, limits), lists) if return_distance else lists


class KNeighborsClassifier(_Neighbors, neighbors.KNeighborsClassifier):  # type: ignore[misc]
    """``sklearn.neighbors.KNeighborsClassifier`` with the neighbours of :class:`NearestNeighbors`."""


class KNeighborsRegressor(_Neighbors, neighbors.KNeighborsRegressor):  # type: ignore[misc]
    """``sklearn.neighbors.KNeighborsRegressor`` with the neighbours of :class:`NearestNeighbors`."""


class KNeighborsTransformer(_Neighbors, neighbors.KNeighborsTransformer):  # type: ignore[misc]
    """``sklearn.neighbors.KNeighborsTransformer``: the sparse graph of the neighbours of :class:`NearestNeighbors`."""


def _lists(values: NDArray[Any], limits: NDArray[np.int64]) -> NDArray[Any]:
    """An array of arrays: the values between each pair of adjacent limits."""
    lists = np.empty(len(limits) - 1, object)
    for row, part in enumerate(np.split(values, limits[1:-1])):
        lists[row] = part
    return lists
