"""The failures that only a cluster has."""

from __future__ import annotations

from kin.errors import KinError


class Unavailable(KinError):
    """A shard's actor cannot be placed or started; the text has Ray's reason."""


class TimedOut(Unavailable, TimeoutError):
    """The cluster has not answered within the time that the call was given."""
