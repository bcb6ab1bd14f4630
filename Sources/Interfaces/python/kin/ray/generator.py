"""The seeded generator of Kin: a job on Ray draws the same numbers as one process."""

from typing import Self

_MASK = (1 << 64) - 1


class SeededGenerator:
    """KinCore's SeededGenerator: xoshiro256++ (Blackman and Vigna 2021), seeded by SplitMix64."""

    def __init__(self, state: tuple[int, int, int, int]) -> None:
        self._state = state

    @classmethod
    def stream(cls, index: int, seed: int) -> Self:
        first = _split_mix(seed ^ ((index + 1) * 0xD1342543DE82EF95 & _MASK), 1)
        a, b, c, d = (_split_mix(first, step) for step in range(1, 5))
        return cls((a, b, c, d))

    def copy(self) -> Self:
        return type(self)(self._state)

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


def _split_mix(seed: int, step: int) -> int:
    """The number at a step from 1 on."""
    z = (seed + step * 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)
