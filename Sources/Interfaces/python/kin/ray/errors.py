"""The failures that only a cluster has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ray import exceptions as lost

from kin.errors import KinError


class Unavailable(KinError):
    """A shard's actor cannot be placed or started; the text has Ray's reason."""


class TimedOut(Unavailable, TimeoutError):
    """The cluster has not answered within the time that the call was given."""


@contextmanager
def failures(work: str, loss: str) -> Iterator[None]:
    """Raises, for an error of Ray's, that of this package which is behind it, or Unavailable: the work failed, or lost a process."""
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
    """The error of this package that is behind a failed task; those of datasets have wrappers of Ray's around it."""
    # A wrapper of an error of this package is one itself, with a remote traceback for its text.
    while isinstance(failure, lost.RayTaskError) or (failure is not None and not isinstance(failure, KinError)):
        failure = failure.cause if isinstance(failure, lost.RayTaskError) else failure.__cause__
    return failure
