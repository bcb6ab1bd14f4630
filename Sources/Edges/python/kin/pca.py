"""Principal component analysis."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin import _arrays
from kin._arrays import Doubles, Floats, address
from kin._estimator import Estimator
from kin._library import Handle, check, library, made
from kin.errors import InvalidArgument


class PCA(Estimator):
    """The orthogonal directions in which data varies most; a transformer of scikit-learn's kind.

    Mean, covariance and eigenvectors are computed in double precision. Of the two signs a component could have, its
    element of largest magnitude is positive. Tables are read as float32.

    Parameters
    ----------
    components : int, optional
        How many to keep, 1 … min(n, dimension); all of them when left out.
    threads : int, optional
        The most threads to use, 1 when left out. The result does not depend on it.

    Attributes
    ----------
    components_ : array of float64, shape (components, dimension)
        Orthonormal rows, largest variance first.
    mean_ : array of float64, shape (dimension,)
    explained_variance_ : array of float64, shape (components,)
        The variance of the data along each component (divided by n − 1).
    explained_variance_ratio_ : array of float64, shape (components,)
        The same as shares of the total variance.
    n_components_ : int
    """

    components_: Doubles
    mean_: Doubles
    explained_variance_: Doubles
    explained_variance_ratio_: Doubles
    total_variance_: float
    n_components_: int

    def __init__(self, components: int | None = None, *, threads: int | None = None) -> None:
        self.components = components
        self.threads = threads

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Finds the components.

        Parameters
        ----------
        X : array of float, shape (n, dimension), n ≥ 2
            Read where it is when it is float32 and its rows are contiguous.
        y : ignored
        """
        data, stride = self._first_table(X, least_rows=2)
        n, dimension = data.shape
        components = _arrays.count(self.components, "components", default=0)
        if components > min(n, dimension):
            raise InvalidArgument(
                f"there are no {components} components with n_samples={n} and n_features={dimension}; "
                f"components is 1 to {min(n, dimension)}"
            )
        handle = made(
            library.kin_pca_free,
            library.kin_pca_fit,
            address(data),
            n,
            dimension,
            stride,
            components,
            _arrays.count(self.threads, "threads"),
        )
        k = self.n_components_ = library.kin_pca_count(handle)
        self.components_ = np.empty((k, dimension))
        self.mean_ = np.empty(dimension)
        self.explained_variance_ = np.empty(k)
        check(library.kin_pca_components(handle, address(self.components_)))
        check(library.kin_pca_mean(handle, address(self.mean_)))
        check(library.kin_pca_explained_variance(handle, address(self.explained_variance_)))
        self.total_variance_ = library.kin_pca_total_variance(handle)
        total = self.total_variance_
        self.explained_variance_ratio_ = np.minimum(self.explained_variance_ / total, 1) if total > 0 else np.zeros(k)
        return self

    def _pca(self) -> Handle:
        """The components as the library takes them. They are copied each time, so that pickling needs no care."""
        mean, components, variance = (
            np.require(array, dtype=np.float64, requirements=["C", "A"])
            for array in (self.mean_, self.components_, self.explained_variance_)
        )
        return made(
            library.kin_pca_free,
            library.kin_pca_create,
            address(mean),
            address(components),
            address(variance),
            self.total_variance_,
            *components.shape,
        )

    def transform(self, X: ArrayLike) -> Floats:
        """The coordinates of rows along the components: y = ⟨component, x − mean⟩, shape (n, components)."""
        data, stride = self._next_table(X)
        n = data.shape[0]
        coordinates = np.empty((n, self.n_components_), dtype=np.float32)
        check(
            library.kin_pca_transform(self._pca(), address(data), n, stride, address(coordinates), 0)
        )
        return coordinates

    def inverse_transform(self, X: ArrayLike) -> Floats:
        """The rows that coordinates, shape (n, components), stand for: shape (n, dimension)."""
        self._require_fitted()
        coordinates, stride = _arrays.rows(X, "X")
        n, k = coordinates.shape
        if k != self.n_components_:
            raise ValueError(f"X has {k} features, but {self.n_components_} components were fitted")
        data = np.empty((n, self.n_features_in_), dtype=np.float32)
        check(
            library.kin_pca_inverse_transform(self._pca(), address(coordinates), n, stride, address(data), 0)
        )
        return data

    def fit_transform(self, X: ArrayLike, y: object = None) -> Floats:
        """``fit(X).transform(X)``."""
        return self.fit(X).transform(X)

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """Names of the columns that ``transform`` gives."""
        self._require_fitted()
        return np.array([f"pca{i}" for i in range(self.n_components_)], dtype=object)

    def __sklearn_tags__(self) -> Any:
        return self._tags(None)
