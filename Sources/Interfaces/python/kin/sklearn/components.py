"""Principal component analysis for scikit-learn."""

from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import decomposition

import kin
from kin.sklearn._tables import all_threads, table_of


class PCA(decomposition.PCA):  # type: ignore[misc]
    """``sklearn.decomposition.PCA`` with components by :class:`kin.PCA`: exact for every ``svd_solver``.

    The table is read as float32, after medians of columns far from zero are subtracted in double precision. ``transform`` and ``inverse_transform`` are scikit-learn's
    products of matrices, in the precision of the table. Parameters and attributes: see ``sklearn.decomposition.PCA``.
    ``tol``, ``iterated_power``, ``n_oversamples``, ``power_iteration_normalizer`` and ``random_state`` belong to approximate solvers and have no effect.
    """

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Finds the components of the rows of X, shape (n, dimension)."""
        self._validate_params()
        table = table_of(self, X, reset=True, ensure_min_samples=2)
        n, dimension = table.shape
        most = min(n, dimension)
        wanted = self._wanted(n, dimension)
        is_share = isinstance(wanted, str) or (not isinstance(wanted, Integral) and 0 < wanted < 1)
        model = kin.PCA(most if is_share else max(int(wanted), 1), threads=all_threads()).fit(table)
        variance, ratio = model.explained_variance_, model.explained_variance_ratio_
        if isinstance(wanted, str):
            # Minka's estimate, by the function of scikit-learn's own PCA.
            from sklearn.decomposition._pca import _infer_dimension

            k = int(_infer_dimension(variance, n))
        elif is_share:
            k = min(int(np.searchsorted(np.cumsum(ratio), wanted, side="right")) + 1, most)
        else:
            k = int(wanted)
        kind = table.dtype
        self.n_samples_, self.n_components_ = n, k
        self.components_, self.mean_ = model.components_[:k].astype(kind), table.mean(axis=0, dtype=np.float64).astype(kind)
        self.explained_variance_ = variance[:k].astype(kind)
        self.explained_variance_ratio_ = ratio[:k].astype(kind)
        self.singular_values_ = np.sqrt(np.maximum(variance[:k], 0) * (n - 1)).astype(kind)
        rest = max(model.total_variance_ - variance[:k].sum(), 0)
        self.noise_variance_ = kind.type(rest / (most - k)) if k < most else 0.0
        return self

    def fit_transform(self, X: ArrayLike, y: object = None) -> NDArray[Any]:
        """``fit(X).transform(X)``."""
        coordinates: NDArray[Any] = self.fit(X).transform(X)
        return coordinates

    def _wanted(self, n: int, dimension: int) -> Any:
        """The number of components, the share of variance that they should explain, or "mle"."""
        solver = "full" if self.svd_solver == "auto" else self.svd_solver
        most, wanted = min(n, dimension), self.n_components
        truncates, strictly = solver in ("arpack", "randomized"), solver == "arpack"
        if wanted is None:
            return most - strictly
        if wanted == "mle":
            if truncates:
                raise ValueError(f"n_components='mle' cannot be a string with svd_solver={solver!r}; use svd_solver='full'")
            if n < dimension:
                raise ValueError("n_components='mle' is only supported if n_samples >= n_features")
        elif strictly and wanted == most:
            raise ValueError(f"n_components={wanted} must be strictly less than min(n_samples, n_features)={most} with svd_solver='arpack'")
        elif not int(truncates) <= wanted <= most:
            raise ValueError(
                f"n_components={wanted} must be between {int(truncates)} and min(n_samples, n_features)={most} with svd_solver={solver!r}"
            )
        return wanted
