"""The exceptions of Kin: one class for each code of the library, all of them ``KinError``."""

import contextlib
import re
import sys
from collections.abc import Callable, Iterator


class KinError(Exception):
    """A failed call, which changed nothing.

    ``code`` is stable, with the same numbers in Swift and C. The text names the argument, row or file and the next
    step, and may be reworded in any release.
    """

    code = 0

    def __init_subclass__(cls, code: int | None = None) -> None:
        cls.code = cls.code if code is None else code

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class InvalidArgument(KinError, ValueError, code=1):
    """An argument is outside its accepted range."""


class DimensionMismatch(KinError, ValueError, code=2):
    """A vector has the wrong number of dimensions."""


class NotFinite(KinError, ValueError, code=3):
    """A number is NaN or infinite."""


class ZeroVector(KinError, ValueError, code=4):
    """A vector of zeros, which has no direction (cosine)."""


class DuplicateID(KinError, ValueError, code=5):
    """One id appears twice in one call."""


class UnknownID(KinError, KeyError, code=6):
    """No vector has this id."""


class MalformedInput(KinError, ValueError, code=7):
    """Text that cannot be parsed."""


class CorruptFile(KinError, ValueError, code=8):
    """A file contradicts its format or its checksums."""


class UnsupportedFormat(KinError, ValueError, code=9):
    """A file of a format or version that this release does not read."""


class InputOutput(KinError, OSError, code=10):
    """The operating system refused a file operation."""


class CapacityExceeded(KinError, OverflowError, code=11):
    """A limit of the library is exceeded."""


class NumericalFailure(KinError, ArithmeticError, code=12):
    """A numerical method did not reach its answer."""


class Busy(KinError, BlockingIOError, code=13):
    """Another process holds the resource, such as a store open for writing."""


class Cancelled(KinError, code=14):
    """A handler of :func:`kin.progress` cancelled the call; nothing has changed."""


class PrecisionWarning(UserWarning):
    """Distinct values of a column became equal when the library stored them as float32.

    The text names the column and the numbers of distinct values before and after. Make it an error by
    ``warnings.simplefilter("error", kin.PrecisionWarning)``.
    """


class LogWarning(UserWarning):
    """A log was read from a file or table with columns ignored, units assumed, or rows repaired or left out.

    The text names the first of these; the ``report`` of :func:`kin.read_log` lists all. Make it an error by
    ``warnings.simplefilter("error", kin.LogWarning)``.
    """


@contextlib.contextmanager
def spelled(*names: tuple[str, str | Callable[[re.Match[str]], str]]) -> Iterator[None]:
    """Errors of a method of the engine, with the names of the function that calls it.

    Each name is a pattern of the engine's name and its replacement, which applies once. The engine's method is left out,
    and so is a position in JSON that the caller did not write.
    """
    try:
        yield
    except KinError as failure:
        text = re.sub(r"^method \w+(, |: )", "", str(failure))
        if "file " not in text:
            text = re.sub(r", line 1, column \d+(?=: )", "", text)
        for pattern, name in names:
            text = re.sub(pattern, name, text, count=1)
        raise error(failure.code, text) from None


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
