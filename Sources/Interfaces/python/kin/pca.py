"""Principal component analysis."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from kin import _arrays
from kin._arrays import Doubles, Floats, address
from kin._estimator import Estimator
from kin._library import Handle, check, create_handle, library
from kin._progress import long_call
from kin.errors import DimensionMismatch, InvalidArgument


class PCA(Estimator):
    """The orthogonal directions of largest variance in the data; a transformer in scikit-learn's style.

    Mean, covariance and eigenvectors are computed in double precision. The sign of a component is chosen so that its
    element of largest magnitude is positive. Tables are read as float32. If float32 does not represent a table, the
    medians of its columns far from zero are first subtracted in double precision, so these keep their differences.

    Parameters
    ----------
    components : int, optional
        The number of components, 1 … min(n, dimension). Default: the maximum.
    threads : int, optional
        The most threads to use. Default: 1. The result does not depend on it.

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
    _learned, _prefix = "components_", "pca"

    def __init__(self, components: int | None = None, *, threads: int | None = None) -> None:
        self.components = components
        self.threads = threads

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Finds the components.

        Parameters
        ----------
        X : array of float, shape (n, dimension), n ≥ 2
            Read in place if it is float32 and its rows are contiguous.
        y : ignored
        """
        data, stride, offset = self._first_table(X, least_rows=2)
        n, dimension = data.shape
        components = _arrays.count(self.components, "components", default=min(n, dimension))
        if not 1 <= components <= min(n, dimension):
            raise InvalidArgument(
                f"there are no {components} components with n_samples={n} and n_features={dimension}; "
                f"components is 1 to {min(n, dimension)}"
            )
        arguments = (address(data), n, dimension, stride, components, _arrays.threads(self.threads))
        handle = create_handle(library.kin_pca_free, long_call, library.kin_pca_fit, *arguments)
        # Filled before they become attributes, because a different thread may fit the same estimator.
        k, total = library.kin_pca_count(handle), library.kin_pca_total_variance(handle)
        found, mean, variance = np.empty((k, dimension)), np.empty(dimension), np.empty(k)
        check(library.kin_pca_components(handle, address(found)))
        check(library.kin_pca_mean(handle, address(mean)))
        check(library.kin_pca_explained_variance(handle, address(variance)))
        self._store_columns(X, dimension)
        self._offset = offset
        self.n_components_, self.components_, self.explained_variance_ = k, found, variance
        self.mean_ = mean if offset is None else mean + offset
        self.total_variance_ = total
        self.explained_variance_ratio_ = np.minimum(variance / total, 1) if total > 0 else np.zeros(k)
        return self

    def _pca(self, offset: Doubles | None) -> tuple[Handle, int, int]:
        """The components of a table less an offset, in the library's form, and the numbers of components and columns.

        They are copied each time, so that pickling needs no extra code.
        """
        mean, components, variance = (
            np.require(array, dtype=np.float64, requirements=["C", "A"])
            for array in (self.mean_, self.components_, self.explained_variance_)
        )
        k, dimension = components.shape
        if mean.shape != (dimension,) or variance.shape != (k,):
            raise InvalidArgument(
                f"components_ has the shape {components.shape}, mean_ {mean.shape} and explained_variance_ {variance.shape}: "
                "they are not of one fit"
            )
        if offset is not None:
            mean = mean - offset
        arguments = (address(mean), address(components), address(variance), self.total_variance_, k, dimension)
        return create_handle(library.kin_pca_free, library.kin_pca_create, *arguments), k, dimension

    def transform(self, X: ArrayLike) -> Floats:
        """The coordinates of rows along the components: y = ⟨component, x − mean⟩, shape (n, components)."""
        offset = self._offset
        data, stride = self._next_table(X, offset)
        handle, k, dimension = self._pca(offset)
        n = data.shape[0]
        if data.shape[1] != dimension:
            raise DimensionMismatch(f"X has {data.shape[1]} features, and components_ {dimension}")
        coordinates = np.empty((n, k), dtype=np.float32)
        check(library.kin_pca_transform(handle, address(data), n, stride, address(coordinates), 0))
        return coordinates

    def inverse_transform(self, X: ArrayLike) -> Floats | Doubles:
        """Converts coordinates, shape (n, components), to rows, shape (n, dimension).

        The rows are float64 if float32 does not represent the fitted table.
        """
        self._require_fitted()
        offset = self._offset
        coordinates, stride = _arrays.rows(X, "X")
        handle, fitted, dimension = self._pca(offset)
        n, k = coordinates.shape
        if k != fitted:
            raise DimensionMismatch(f"X has {k} features, but {fitted} components were fitted")
        data = np.empty((n, dimension), dtype=np.float32)
        check(library.kin_pca_inverse_transform(handle, address(coordinates), n, stride, address(data), 0))
        return data if offset is None else data + offset

    def fit_transform(self, X: ArrayLike, y: object = None) -> Floats:
        """``fit(X).transform(X)``."""
        return self.fit(X).transform(X)
