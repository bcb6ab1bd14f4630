"""The interface of scikit-learn's estimators, without a dependency on scikit-learn.

It follows https://scikit-learn.org/stable/developers/develop.html by duck typing. Importing scikit-learn takes longer
than all of Kin's work, so Kin uses it only if it is already imported or if it requests its own types.
"""

import inspect
import sys
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kin import _arrow_reader
from kin._arrays import Doubles, Floats, array_of, is_missing, matrix, rows
from kin._precision import PrecisionReport, centred, offset_of
from kin.errors import DimensionMismatch, InvalidArgument, NotFinite


class NotFitted(InvalidArgument, AttributeError):
    """The estimator has not been fitted yet: call ``fit`` first."""


class Estimator:
    """Parameters by name, and the checks of tables, for all estimators."""

    n_features_in_: int
    _offset: Doubles | None = None
    """The numbers subtracted from the columns of the fitted table; None if float32 represents the table."""
    _learned = "n_features_in_"
    """The name of the attribute that marks an estimator as fitted, with a row for each column of ``transform``."""
    _prefix = ""
    """The beginning of the names of these columns."""
    _type: str | None = None
    """The type for scikit-learn, for example "clusterer"."""

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters of the constructor, by name."""
        return {name: getattr(self, name) for name in sorted(self._names())}

    def set_params(self, **params: Any) -> Self:
        """Sets parameters of the constructor, by name."""
        for name, value in params.items():
            if name not in self._names():
                raise InvalidArgument(f"Invalid parameter {name!r} for {self!r}; valid ones are {sorted(self._names())}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        shown = ", ".join(
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if not (value is defaults[name].default or _equal(value, defaults[name].default))
        )
        return f"{type(self).__name__}({shown})"

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, self._learned)

    def _require_fitted(self) -> None:
        if self.__sklearn_is_fitted__():
            return
        kind: type[Exception] = NotFitted
        if "sklearn.exceptions" in sys.modules:
            kind = sys.modules["sklearn.exceptions"].NotFittedError
        raise kind(f"this {type(self).__name__} is not fitted yet; call fit first")

    def _first_table(self, x: ArrayLike, least_rows: int = 1, centre: bool = True) -> tuple[Floats, int, Doubles | None]:
        """Reads the table to be fitted, and subtracts an offset that saves bits. Returns the table, its stride and the offset.

        Nothing is subtracted if float32 represents the table, or without ``centre``, for directions.
        """
        values, array, stride = _table(x)
        offset = offset_of(values, array) if centre else None
        if offset is not None:
            array, stride = centred(values, offset), 0
        PrecisionReport().compare(values, array, "X", _column_names(x))
        if array.shape[0] < least_rows:
            raise InvalidArgument(
                f"Found array with {array.shape[0]} sample(s) (shape={array.shape}) while a minimum of {least_rows} "
                f"is required by {type(self).__name__}."
            )
        return array, stride, offset

    def _store_columns(self, x: ArrayLike, count: int) -> None:
        """Stores the number and the names of the columns after a fit. They stay as they were if a fit fails."""
        self.n_features_in_ = count
        names = _column_names(x)
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _next_table(self, x: ArrayLike, offset: Doubles | None) -> tuple[Floats, int]:
        """A table with the columns of the fitted table, less an offset, and its stride."""
        self._require_fitted()
        return self._same_columns(x, offset)

    def _same_columns(self, x: ArrayLike, offset: Doubles | None, report: PrecisionReport | None = None) -> tuple[Floats, int]:
        """A table with the stored columns, less an offset, and its stride. The report is for a table to learn from."""
        self._compare_names(x)
        values, array, stride = _table(x)
        if array.shape[1] != self.n_features_in_:
            raise DimensionMismatch(
                f"X has {array.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input."
            )
        if offset is not None:
            array, stride = centred(values, offset), 0
        if report is not None:
            report.compare(values, array, "X", _column_names(x))
        return array, stride

    def _compare_names(self, x: ArrayLike) -> None:
        fitted, given = getattr(self, "feature_names_in_", None), _column_names(x)
        if fitted is None or given is None or np.array_equal(fitted, given):
            return
        unseen, missing = sorted(set(given) - set(fitted)), sorted(set(fitted) - set(given))
        lines = ["The feature names should match those that were passed during fit."]
        if unseen:
            lines += ["Feature names unseen at fit time:", *(f"- {name}" for name in unseen)]
        if missing:
            lines += ["Feature names seen at fit time, yet now missing:", *(f"- {name}" for name in missing)]
        if not unseen and not missing:
            lines += ["Feature names must be in the same order as they were in fit."]
        raise InvalidArgument("\n".join(lines) + "\n")

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """The names of the columns of ``transform``."""
        self._require_fitted()
        return np.array([f"{self._prefix}{i}" for i in range(len(getattr(self, self._learned)))], dtype=object)

    def __sklearn_tags__(self) -> Any:
        """The description that scikit-learn requests."""
        from sklearn.utils import Tags, TargetTags, TransformerTags

        transformer = TransformerTags(preserves_dtype=["float32"])
        return Tags(estimator_type=self._type, target_tags=TargetTags(required=False), transformer_tags=transformer)


def _equal(a: Any, b: Any) -> bool:
    return isinstance(a, (int, float, str)) and a == b


def _column_names(x: ArrayLike) -> Any:
    """The names of a data frame's columns if all are text, else None."""
    columns = getattr(x, "columns", None)
    if columns is None:
        return None
    names = np.asarray(columns, dtype=object)
    return names if names.size and all(isinstance(name, str) for name in names) else None


def _table(x: ArrayLike) -> tuple[NDArray[Any], Floats, int]:
    """Values as an array, as rows of finite floats, and their stride; errors have scikit-learn's wording."""
    if hasattr(x, "toarray") and hasattr(x, "nnz"):
        raise TypeError("Sparse data was passed, but dense data is required. Use '.toarray()' to convert to dense.")
    array = array_of(x, "X")
    if np.iscomplexobj(array):
        raise InvalidArgument("Complex data not supported")
    if array.dtype == object and array.ndim == 1 and _arrow_reader.is_lent(x):
        array = matrix(x, "X")[0]
    for place in np.flatnonzero([is_missing(value) for value in array.flat] if array.dtype == object else ()):
        raise NotFinite(f"Input X contains NaN or missing values, in row {place // (array.shape[-1] or 1)}.")
    if array.dtype.kind in "USO":
        # Texts that are numbers are converted; other texts raise an error with the reason.
        try:
            array = array.astype(np.float64)
        except ValueError as failure:
            raise InvalidArgument(f"X: {failure}") from None
    if array.ndim != 2:
        raise DimensionMismatch(
            f"Expected 2D array, got {array.ndim}D array instead. Reshape your data using array.reshape(-1, 1) if it "
            "has a single feature, or array.reshape(1, -1) if it is a single sample."
        )
    for length, what in zip(array.shape, ("sample(s)", "feature(s)")):
        if length == 0:
            raise InvalidArgument(f"Found array with 0 {what} (shape={array.shape}) while a minimum of 1 is required.")
    with np.errstate(over="ignore"):
        floats, stride = rows(array, "X")
    if not np.isfinite(floats.sum(dtype=np.float64)) and not np.isfinite(floats).all():
        what = "NaN" if np.isnan(floats).any() else "infinity or a value too large for dtype('float32')"
        raise NotFinite(f"Input X contains {what}.")
    return array, floats, stride
