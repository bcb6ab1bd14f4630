"""Experiments: the assignment of variants, tests of their effects, and the number of people they need."""

from collections.abc import Iterable, Mapping, Sequence
from ctypes import c_char_p
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from kin._arrays import Doubles, IDs, address, count, doubles, pair, real, several, text
from kin._library import check, library
from kin.errors import DimensionMismatch, InvalidArgument, NotFinite


class Experiment:
    """The assignment of people to variants by a keyed hash.

        experiment = kin.Experiment("slower-evenings", key, {"control": 1, "treatment": 1})
        variants = experiment.assign(["u1", "u2"])         # array of names

    Nothing is stored: the same names, key and weights give the same variants, in any order of the variants. A variant
    that is added or gets more weight takes people from the other variants, and no person moves between the others.
    Experiments with different names or keys are independent.

    Parameters
    ----------
    name : str
        The name of the experiment.
    key : bytes
        The secret, 16 bytes or more.
    variants : mapping of str to float, or sequence of str
        The names with their weights, or names with equal weights.
    """

    def __init__(self, name: str, key: bytes, variants: Mapping[str, float] | Sequence[str]) -> None:
        self.name = name
        self.variants: tuple[str, ...] = tuple(several(variants, "variants"))
        """The names of the variants."""
        weights = [variants[each] for each in self.variants] if isinstance(variants, Mapping) else [1.0] * len(self.variants)
        self._weights = np.array(weights, dtype=np.float64)
        if not isinstance(key, (bytes, bytearray, memoryview)):
            raise TypeError(f"the key must be 16 or more bytes, not a {type(key).__name__}")
        self._key = bytes(key)
        self._codes([])

    def assign(self, people: Iterable[str]) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
        """The names of the variants of people, in the order of the people."""
        names: np.ndarray[tuple[int], np.dtype[np.str_]] = np.array(self.variants)
        return names[self._codes(several(people, "people"))]

    def _codes(self, people: Sequence[str]) -> IDs:
        """The indexes of the variants of people."""
        assigned = np.empty(len(people), np.int64)
        check(
            library.kin_experiment_assign(
                text(self.name, "the experiment's name"),
                self._key,
                len(self._key),
                _texts(self.variants),
                address(self._weights),
                len(self.variants),
                _texts(people),
                len(people),
                address(assigned),
            )
        )
        return assigned


class SequentialResult(NamedTuple):
    """The result of a test that is valid at all times."""

    effect: float
    """An unbiased estimate of the treatment's mean outcome less the control's, around which the interval is: the mean of
    z (y - m), with z = 1 / share for the treatment and -1 / (1 - share) for the control, and the mean m of the earlier
    outcomes y. The difference of the two observed means differs from it, less with more people. With few people it can be
    outside the interval, and beyond every possible difference."""
    lower: float
    upper: float
    p_value: float
    """The always-valid p-value after the last outcome."""
    p_values: Doubles
    """The always-valid p-value after each outcome."""


def sequential_test(
    outcomes: ArrayLike,
    treated: ArrayLike,
    *,
    share: float = 0.5,
    range: tuple[float, float] = (0.0, 1.0),
    confidence: float = 0.95,
) -> SequentialResult:
    """Tests the effect of a treatment, with p-values and intervals that are valid at all times.

    They stay valid however often the results are checked, and whenever the experiment stops. The only assumption about
    outcomes is their range (Howard et al. 2021, "Time-uniform, nonparametric, nonasymptotic confidence sequences").

    Parameters
    ----------
    outcomes : array of float, shape (n,)
        One per person, in the order of their arrival.
    treated : array of bool, shape (n,)
        Whether each person had the treatment: Booleans, or 0 and 1.
    share : float
        The probability of the treatment; for two variants its weight over the sum of both.
    range : (float, float)
        The lowest and the highest possible outcome.
    """
    values = doubles(outcomes, "outcomes")
    given = doubles(treated, "treated")
    if np.isnan(given).any():
        raise NotFinite("treated has a NaN, which says neither yes nor no")
    if not np.isin(given, (0, 1)).all():
        raise InvalidArgument(f"treated must be Booleans, or 0 and 1, not {given[~np.isin(given, (0, 1))][0]:g}")
    marks = given.astype(np.uint8)
    if values.ndim != 1 or marks.shape != values.shape:
        raise DimensionMismatch(f"outcomes and treated have the shapes {values.shape} and {marks.shape}; both are (n,)")
    series, result = np.empty(len(values)), np.empty(4)
    settings = (real(share, "share"), *pair(range, "range"), real(confidence, "confidence"))
    check(library.kin_experiment_test(address(values), address(marks), len(values), *settings, address(series), address(result)))
    effect, lower, upper, p_value = result.tolist()
    return SequentialResult(effect, lower, upper, p_value, series)


class BothTests(NamedTuple):
    """A number for a test that is evaluated once, at the end, and a number for :func:`sequential_test`."""

    fixed: float
    sequential: float


def sample_size(
    baseline: float, effect: float, *, share: float = 0.5, significance: float = 0.05, power: float = 0.8
) -> BothTests:
    """The number of people, of both variants together, needed to detect an effect.

    Parameters
    ----------
    baseline : float
        The mean outcome under the control, 0 to 1.
    effect : float
        The treatment's mean outcome minus the baseline, not 0.
    share : float
        The probability of the treatment.
    significance : float
        The probability of detecting an effect if there is none.
    power : float
        The probability of detecting this effect.
    """
    return _both(library.kin_experiment_size, real(baseline, "baseline"), real(effect, "effect"), share, significance, power)


def detectable_effect(
    baseline: float, size: int, *, share: float = 0.5, significance: float = 0.05, power: float = 0.8
) -> BothTests:
    """The smallest increases that ``size`` people, of both variants together, can detect; see :func:`sample_size`."""
    return _both(library.kin_experiment_effect, real(baseline, "baseline"), count(size, "size"), share, significance, power)


def _both(call: Any, baseline: float, other: float, share: float, significance: float, power: float) -> BothTests:
    result = np.empty(2)
    check(call(baseline, other, real(share, "share"), real(significance, "significance"), real(power, "power"), address(result)))
    return BothTests(*result.tolist())


def _texts(values: Sequence[str]) -> object:
    return (c_char_p * len(values))(*(text(value, repr(value)) for value in values))
