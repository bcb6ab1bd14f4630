"""The seeded generator of Kin: a job on Ray draws the same numbers as one process."""

from __future__ import annotations

_MASK = (1 << 64) - 1


class SeededGenerator:
    """KinCore's SeededGenerator: xoshiro256++ (Blackman and Vigna 2021), seeded by SplitMix64."""

    def __init__(self, state: tuple[int, int, int, int]) -> None:
        self._state = state

    @classmethod
    def stream(cls, index: int, seed: int) -> SeededGenerator:
        first, _ = _split_mix(seed ^ ((index + 1) * 0xD1342543DE82EF95 & _MASK))
        state = []
        mixer = first
        for _ in range(4):
            word, mixer = _split_mix(mixer)
            state.append(word)
        return cls((state[0], state[1], state[2], state[3]))

    def copy(self) -> SeededGenerator:
        return SeededGenerator(self._state)

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


def _split_mix(state: int) -> tuple[int, int]:
    """The next number, and the state after it."""
    state = (state + 0x9E3779B97F4A7C15) & _MASK
    z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31), state
