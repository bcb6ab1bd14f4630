"""Errors that occur only in a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager

from ray import exceptions as lost

from kin.errors import KinError


class Unavailable(KinError):
    """A shard's actor cannot be placed or started; the text has Ray's reason."""


class TimedOut(Unavailable, TimeoutError):
    """The cluster has not answered within the time limit of the call."""


@contextmanager
def failures(work: str, loss: str) -> Iterator[None]:
    """Converts an error of Ray's to the package's error that caused it, else to Unavailable."""
    try:
        yield
    except lost.RayTaskError as failure:
        own = _own_error(failure)
        if own is not None:
            raise own from None
        raise Unavailable(f"{work} failed: {failure.cause}") from failure
    except lost.RayError as failure:
        raise Unavailable(f"{work} {loss}: {failure}") from failure


def _own_error(failure: BaseException | None) -> KinError | None:
    """The package's error that caused a failed task; for datasets it is wrapped in errors of Ray's."""
    # A wrapper of a package error is a package error too, with a remote traceback as its text.
    while isinstance(failure, lost.RayTaskError) or (failure is not None and not isinstance(failure, KinError)):
        failure = failure.cause if isinstance(failure, lost.RayTaskError) else failure.__cause__
    return failure
