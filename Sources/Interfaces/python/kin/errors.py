"""The exceptions of Kin: one class for each code of the library, all of them ``KinError``."""

from __future__ import annotations

import sys


class KinError(Exception):
    """A failed call, which changed nothing.

    ``code`` is stable, with the same numbers in Swift and C. The text names the argument, row or file and the next
    step, and may be reworded in any release.
    """

    code = 0

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class InvalidArgument(KinError, ValueError):
    """An argument is outside its accepted range."""

    code = 1


class DimensionMismatch(KinError, ValueError):
    """A vector has the wrong number of dimensions."""

    code = 2


class NotFinite(KinError, ValueError):
    """A number is NaN or infinite."""

    code = 3


class ZeroVector(KinError, ValueError):
    """A vector of zeros, which has no direction (cosine)."""

    code = 4


class DuplicateID(KinError, ValueError):
    """One id appears twice in one call."""

    code = 5


class UnknownID(KinError, KeyError):
    """No vector has this id."""

    code = 6


class MalformedInput(KinError, ValueError):
    """Text that cannot be parsed."""

    code = 7


class CorruptFile(KinError, ValueError):
    """A file contradicts its format or its checksums."""

    code = 8


class UnsupportedFormat(KinError, ValueError):
    """A file of a format or version that this release does not read."""

    code = 9


class InputOutput(KinError, OSError):
    """The operating system refused a file operation."""

    code = 10


class CapacityExceeded(KinError, OverflowError):
    """A limit of the library is exceeded."""

    code = 11


class NumericalFailure(KinError, ArithmeticError):
    """A numerical method did not reach its answer."""

    code = 12


class Busy(KinError, BlockingIOError):
    """Another process holds the resource, such as a store open for writing."""

    code = 13


class Cancelled(KinError):
    """A handler of :func:`kin.progress` cancelled the call; nothing has changed."""

    code = 14


class PrecisionWarning(UserWarning):
    """Distinct values of a column became equal when the library stored them as float32.

    The text names the column and the numbers of distinct values before and after. Raise it by
    ``warnings.simplefilter("error", kin.PrecisionWarning)``.
    """


class LogWarning(UserWarning):
    """A log was read from a file or table with columns ignored, units assumed, or rows repaired or left out.

    The text names the first of these; the ``report`` of :func:`kin.read_log` lists all. Raise it by
    ``warnings.simplefilter("error", kin.LogWarning)``.
    """


def callers_level(*others: str) -> int:
    """The level of the first frame outside this package and others, for a warning."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] in ("kin", *others):
        level, frame = level + 1, frame.f_back
    return level


_CLASSES: dict[int, type[KinError]] = {kind.code: kind for kind in KinError.__subclasses__()}


def error(code: int, message: str) -> KinError:
    """The exception for a status of the library; a plain ``KinError`` for a code of a later release."""
    found = _CLASSES.get(code, KinError)(message)
    found.code = code
    return found
