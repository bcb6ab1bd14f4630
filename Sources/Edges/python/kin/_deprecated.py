"""Names of release 0.1.0 that were replaced; they work until release 0.3.0 and raise a DeprecationWarning."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

from kin._methods import DEPRECATED_METHODS, DEPRECATED_PARAMETERS

MEMBERS = {
    **{f"Engine.{old}": new for old, new in DEPRECATED_METHODS.items()},
    "Matcher.kindred": "similar_souls",
    "Policy.fade": "discount",
    "Policy.lessons": "observations",
}
"""Methods and properties, each with the name that replaces it."""

ARGUMENTS = {
    **{f"Engine.{method}": names for method, names in DEPRECATED_PARAMETERS.items()},
    "Matcher.matches": {"evidence": "coverage"},
    "Matcher.similar_souls": {"evidence": "coverage"},
    "Policy.__init__": {"memory": "effective_window", "uniform_share": "epsilon"},
    "Policy.discount": {"share": "factor"},
}
"""Keyword arguments by function, each with the name that replaces it."""


def install(*owners: type) -> None:
    """Gives classes the deprecated names that the two tables list for them."""
    for owner in owners:
        prefix = owner.__name__ + "."
        for qualified, names in ARGUMENTS.items():
            if qualified.startswith(prefix):
                name = qualified.removeprefix(prefix)
                setattr(owner, name, _with_arguments(getattr(owner, name), qualified, names))
        for qualified, replacement in MEMBERS.items():
            if qualified.startswith(prefix):
                setattr(owner, qualified.removeprefix(prefix), _member(getattr(owner, replacement), qualified, replacement))


def _with_arguments(function: Callable[..., Any], qualified: str, names: dict[str, str]) -> Callable[..., Any]:
    @functools.wraps(function)
    def renamed(*positional: Any, **named: Any) -> Any:
        for old in names.keys() & named.keys():
            warn(f"the argument {old!r} of {qualified}", repr(names[old]))
            if names[old] in named:
                raise TypeError(f"{qualified} got {names[old]!r} and its deprecated name {old!r}")
            named[names[old]] = named.pop(old)
        return function(*positional, **named)

    return renamed


def _member(member: Any, qualified: str, replacement: str) -> Any:
    def read(self: Any) -> Any:
        warn(qualified, replacement)
        return getattr(self, replacement)

    def call(self: Any, *positional: Any, **named: Any) -> Any:
        warn(qualified, replacement)
        return getattr(self, replacement)(*positional, **named)

    return property(read) if isinstance(member, property) else call


def warn(old: str, new: str) -> None:
    """Warns of a deprecated name, at the call of the function that calls this one."""
    warnings.warn(f"{old} is deprecated and goes with release 0.3.0; use {new}", DeprecationWarning, stacklevel=3)
