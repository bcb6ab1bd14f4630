"""The seeded generator of Kin: a job on Ray draws the same numbers as one process."""

import numpy as np
from numpy.typing import NDArray

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


class SeededGenerator:
    """KinCore's SeededGenerator: xoshiro256++ (Blackman and Vigna 2021), seeded by SplitMix64.

    Streams with different indexes, such as restarts, are independent of each other.
    """

    def __init__(self, index: int, seed: int) -> None:
        first = split_mix(np.array([seed ^ ((index + 1) * 0xD1342543DE82EF95 & _MASK)], np.uint64))
        a, b, c, d = split_mix(first + np.uint64(_GOLDEN) * np.arange(4, dtype=np.uint64)).tolist()
        self._state: tuple[int, int, int, int] = a, b, c, d

    def uniform(self) -> float:
        a, b, c, d = self._state
        total = (a + d) & _MASK
        result = (((total << 23) | (total >> 41)) + a) & _MASK
        shifted = (b << 17) & _MASK
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = ((d << 45) | (d >> 19)) & _MASK
        self._state = a, b, c, d
        return float(result >> 11) * 2.0**-53


def split_mix(states: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The next number of SplitMix64 after each state (Steele, Lea and Flood, OOPSLA 2014)."""
    z = states + np.uint64(_GOLDEN)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: NDArray[np.uint64] = z ^ (z >> np.uint64(31))
    return mixed
