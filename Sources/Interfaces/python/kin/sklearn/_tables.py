"""Tables, weights and seeds in scikit-learn's form."""

import warnings
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.validation import _check_sample_weight, validate_data

from kin._arrays import Doubles
from kin.errors import callers_level


def warn(text: str, category: type[Warning]) -> None:
    """Warns at the line of the caller's program."""
    warnings.warn(text, category, stacklevel=callers_level("sklearn"))


def table_of(estimator: Any, X: ArrayLike, *, reset: bool = False, **checks: Any) -> NDArray[Any]:
    """A dense table of float32 or float64 after scikit-learn's checks, which store the columns with `reset`."""
    return dense(validate_data(estimator, X, reset=reset, **CHECKS, **checks))


CHECKS: dict[str, Any] = {"accept_sparse": ("csr", "csc"), "dtype": [np.float64, np.float32], "order": "C"}
"""The requirements on tables in scikit-learn's checks."""


def dense(table: Any) -> NDArray[Any]:
    """A dense table; warns if it converts a sparse one."""
    if issparse(table):
        rows, columns = table.shape
        size = rows * columns * table.dtype.itemsize / 1e6
        warn(f"the sparse table of {rows} × {columns} is converted to a dense one of {size:.3g} MB, as Kin computes on dense tables",
             DataConversionWarning)
        table = table.toarray()
    result: NDArray[Any] = table
    return result


def weights_of(sample_weight: ArrayLike | None, table: NDArray[Any]) -> Doubles | None:
    """The weights of a table's rows; None if all are equal."""
    if sample_weight is None:
        return None
    weights: Doubles = _check_sample_weight(sample_weight, table, dtype=np.float64)
    return weights


def seed_of(random: Any) -> int:
    """A seed for Kin from scikit-learn's random numbers."""
    return int(random.randint(np.iinfo(np.int32).max))


def all_threads() -> int:
    """The number of processors of this process, or 1 within a joblib job."""
    return int(effective_n_jobs(-1))
