"""Experiments: who has which variant, whether it makes a difference, and how many people that takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from ctypes import c_char_p
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from kin._arrays import Doubles, IDs, address, count, doubles, text
from kin._library import check, library
from kin.errors import DimensionMismatch, InvalidArgument, NotFinite


class Experiment:
    """The assignment of people to variants by a keyed hash.

        experiment = kin.Experiment("slower-evenings", key, {"control": 1, "treatment": 1})
        variants = experiment.assign(["u1", "u2"])         # array of names

    Nothing is stored: the same names, key and weights give the same variants, in any order of the variants. A variant that is added
    or gets more weight takes people from the others, and moves nobody between those. Experiments of other names or keys are
    independent.

    Parameters
    ----------
    name : str
        The name of the experiment.
    key : bytes
        The secret, 16 bytes or more.
    variants : mapping of str to float, or sequence of str
        The names with their weights, or of equal weights.
    """

    def __init__(self, name: str, key: bytes, variants: Mapping[str, float] | Sequence[str]) -> None:
        self.name = name
        self.variants: tuple[str, ...] = _several(variants, "variants")
        """The names of the variants."""
        weights = [variants[each] for each in self.variants] if isinstance(variants, Mapping) else [1.0] * len(self.variants)
        self._weights = np.array(weights, dtype=np.float64)
        if not isinstance(key, (bytes, bytearray, memoryview)):
            raise TypeError(f"the key is a {type(key).__name__}; it is bytes, 16 or more")
        self._key = bytes(key)
        self._codes([])

    def assign(self, people: Iterable[str]) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
        """The names of the variants of people, in their order."""
        names: np.ndarray[tuple[int], np.dtype[np.str_]] = np.array(self.variants)
        return names[self._codes(_several(people, "people"))]

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
    """A test that holds at all times."""

    effect: float
    """The treatment's mean outcome less the control's."""
    lower: float
    upper: float
    p_value: float
    """The always-valid p-value after the last outcome."""
    p_values: Doubles
    """The same after each outcome."""


def sequential_test(
    outcomes: ArrayLike,
    treated: ArrayLike,
    *,
    share: float = 0.5,
    range: tuple[float, float] = (0.0, 1.0),
    confidence: float = 0.95,
) -> SequentialResult:
    """Tests the effect of a treatment, whose p-values and intervals hold however often one looks and whenever one stops.

    Nothing is assumed of the outcomes but their range (Howard et al. 2021, "Time-uniform, nonparametric, nonasymptotic confidence
    sequences").

    Parameters
    ----------
    outcomes : array of float, shape (n,)
        One for each person, in the order of their arrival.
    treated : array of bool, shape (n,)
        Whether each had the treatment.
    share : float
        The probability of the treatment: of two variants its weight over the sum of both.
    range : (float, float)
        The least and the largest possible outcome.
    """
    values = doubles(outcomes, "outcomes")
    given = doubles(treated, "treated")
    if np.isnan(given).any():
        raise NotFinite("treated has a NaN, which says neither yes nor no")
    marks = (given != 0).astype(np.uint8)
    if values.ndim != 1 or marks.shape != values.shape:
        raise DimensionMismatch(f"outcomes and treated have the shapes {values.shape} and {marks.shape}; both are (n,)")
    series, result = np.empty(len(values)), np.empty(4)
    low, high = range
    check(
        library.kin_experiment_test(
            address(values), address(marks), len(values), share, low, high, confidence, address(series), address(result)
        )
    )
    effect, lower, upper, p_value = result.tolist()
    return SequentialResult(effect, lower, upper, p_value, series)


class BothTests(NamedTuple):
    """A number for a test at the end, which is looked at once, and for :func:`sequential_test`."""

    fixed: float
    sequential: float


def sample_size(
    baseline: float, effect: float, *, share: float = 0.5, significance: float = 0.05, power: float = 0.8
) -> BothTests:
    """How many people, of both variants together, find an effect.

    Parameters
    ----------
    baseline : float
        The mean outcome under the control, 0 to 1.
    effect : float
        The treatment's mean outcome less that, not 0.
    share : float
        The probability of the treatment.
    significance : float
        The probability of finding an effect where there is none.
    power : float
        The probability of finding this one.
    """
    result = np.empty(2)
    check(library.kin_experiment_size(baseline, effect, share, significance, power, address(result)))
    return BothTests(*result.tolist())


def detectable_effect(
    baseline: float, size: int, *, share: float = 0.5, significance: float = 0.05, power: float = 0.8
) -> BothTests:
    """The least increases that so many people, of both variants together, find; see :func:`sample_size`."""
    result = np.empty(2)
    check(library.kin_experiment_effect(baseline, count(size, "size"), share, significance, power, address(result)))
    return BothTests(*result.tolist())


def _several(values: Iterable[str], name: str) -> tuple[str, ...]:
    """Some texts, which a single one is not, though it has parts."""
    if isinstance(values, str):
        raise InvalidArgument(f"{name} is the text {values!r}; it is a list of texts")
    return tuple(values)


def _texts(values: Sequence[str]) -> object:
    return (c_char_p * len(values))(*(text(value, repr(value)) for value in values))
