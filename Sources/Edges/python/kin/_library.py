"""Loads libkin_engine and calls it. ctypes releases the global interpreter lock during every call."""

from __future__ import annotations

import ctypes
import json
import os
from pathlib import Path
from typing import Any, Callable

from kin._signatures import ABI_VERSION, SIGNATURES
from kin.errors import error


def _load() -> ctypes.CDLL:
    """The libkin_engine in this package, or the one that the environment variable KIN_LIBRARY names."""
    path = os.environ.get("KIN_LIBRARY") or str(Path(__file__).with_name(f"libkin_engine.so.{ABI_VERSION}"))
    try:
        library = ctypes.CDLL(path)
    except OSError as failure:
        raise ImportError(f"{failure}; install the package with pip, or name a libkin_engine by KIN_LIBRARY") from None
    found = library.kin_abi_version()
    if found != ABI_VERSION:
        raise ImportError(f"{path} has the binary interface {found}, and this package needs {ABI_VERSION}")
    for name, (result, arguments) in SIGNATURES.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


library = _load()


def check(status: int) -> None:
    """Raises the exception for the status of a call that failed."""
    if status:
        raise error(status, library.kin_last_error().decode())


class Handle:
    """A handle of the library, given back when nothing refers to it any more.

    It is passed to functions as it is, never as a number: so it lives for as long as the call.
    """

    __slots__ = ("_as_parameter_", "_free")

    def __init__(self, free: Callable[[int], Any], address: int) -> None:
        self._free: Callable[[int], Any] | None = free
        self._as_parameter_ = address

    def give_back(self) -> Any:
        """Gives the handle back now, and returns what the library says to that."""
        free, self._free = self._free, None
        return free(self._as_parameter_) if free else None

    def __del__(self) -> None:
        self.give_back()


def made(free: Callable[[int], Any], create: Callable[..., int], *arguments: Any) -> Handle:
    """Calls a function that writes a new handle to its last argument."""
    place = ctypes.c_void_p()
    check(create(*arguments, ctypes.addressof(place)))
    assert place.value is not None, "a call that succeeds writes its handle"
    return Handle(free, place.value)


def text(place: ctypes.c_void_p) -> Any:
    """The JSON that a call has written, as Python values; gives its memory back."""
    assert place.value is not None, "a call that succeeds writes its text"
    try:
        return json.loads(ctypes.string_at(place.value).decode())
    finally:
        library.kin_string_free(place.value)


def build_info() -> dict[str, Any]:
    """What the library is: ``version``, ``abi``, ``commit``, ``simd`` (the instruction set in use) and ``blas``.

    The environment variable ``KIN_SIMD`` chooses a lower instruction set before the first call.
    """
    info: dict[str, Any] = json.loads(library.kin_build_info().decode())
    return info
