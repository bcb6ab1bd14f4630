"""Loads libkin_engine and calls it: by ctypes, which releases the global interpreter lock during every call, or, for
the shortest calls, by the extension module ``kin._calls`` (calls.c)."""

import contextlib
import ctypes
import importlib
import json
import os
import threading
from pathlib import Path
from typing import Any, Callable, Self

import numpy as np
from numpy.typing import NDArray

from kin._arrays import address
from kin._signatures import ABI_VERSION, SIGNATURES
from kin.errors import InvalidArgument, error


def _load() -> ctypes.CDLL:
    """The libkin_engine in this package, or the library that the environment variable KIN_LIBRARY names."""
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


class CtypesOnly:
    """Replaces the module ``kin._calls`` if it is not built: every call uses ctypes."""

    @staticmethod
    def _none(*_: Any) -> None:
        return None

    bind = search = range_search = names = texts = choose = learn = predict = _none


def _load_calls() -> Any:
    """The module for calls that ctypes is too slow for, unless the environment variable KIN_CALLS is ``ctypes``.

    Free-threaded Python has no such module.
    """
    if os.environ.get("KIN_CALLS") != "ctypes":
        with contextlib.suppress(ImportError):
            return importlib.import_module("kin._calls")
    return CtypesOnly


calls = _load_calls()
"""The functions return None for arguments that need a conversion or are invalid."""


def bind_calls(choice: type, event: type) -> None:
    """Passes ``calls`` the library's functions, in the order of the structure in calls.c, and the tuple types of a policy."""
    names = """index_search index_count index_dimension index_range_search index_names matches_offsets matches_ids matches_distances
        matches_free policy_choose policy_learn clustering_create clustering_assign clustering_free"""
    functions = (getattr(library, f"kin_{name}") for name in names.split())
    calls.bind(tuple(ctypes.cast(function, ctypes.c_void_p).value for function in functions), choice, event)


def check(status: int) -> None:
    """Raises the exception for a failed call's status."""
    if status:
        raise error(status, library.kin_last_error().decode())


class Handle:
    """A handle of the library, freed when nothing refers to it any more.

    Functions receive the object itself, never a number, so the handle lives as long as the call, even if a different
    thread drops it. For handles that are closed explicitly see :class:`ClosableHandle`.
    """

    __slots__ = ("_as_parameter_", "_free")

    def __init__(self, free: Callable[[int], Any], address: int) -> None:
        self._free: Callable[[int], Any] | None = free
        self._as_parameter_ = address

    def __reduce__(self) -> Any:
        raise TypeError("a handle of the library is this process's own; it is neither copied nor pickled: create the object again where it is used")

    def __getattr__(self, name: str) -> Any:
        # The collector finalises the objects of a cycle, and all objects at exit, in any order: other finalisers may
        # still use this object.
        if name == "_as_parameter_":
            raise InvalidArgument("the handle was freed by Python's garbage collector, before the object that uses it")
        raise AttributeError(name)

    def __del__(self) -> None:
        # A handle that was never initialised has nothing to free.
        free, self._free = getattr(self, "_free", None), None
        if free is not None:
            address = self._as_parameter_
            del self._as_parameter_
            free(address)


class ClosableHandle(Handle):
    """A handle that can be freed while other threads call: closing waits for the calls that have begun."""

    __slots__ = ("_change", "_inside", "_is_closed", "_process")

    def __init__(self, free: Callable[[int], Any], address: int) -> None:
        super().__init__(free, address)
        self._change = threading.Condition()
        # The threads inside a call, and the depth of their calls: a signal handler may call from within a call.
        self._inside: dict[int, int] = {}
        self._is_closed = False
        self._process = os.getpid()

    def call(self, function: Callable[..., int], *arguments: Any) -> int:
        """Calls a function with the handle as its first argument: its status, or InvalidArgument if it is closed."""
        self._enter()
        try:
            return function(self, *arguments)
        finally:
            self._leave()

    def close(self) -> None:
        """Frees the handle when the last call has ended; new calls fail.

        A second caller of this method waits too, and then does nothing.
        """
        me = threading.get_ident()
        if os.getpid() != self._process:
            # The handle is the parent's. Its lock may be held by a thread that this process does not have.
            self._free = None
            return
        with self._change:
            if me in self._inside:
                raise InvalidArgument("the engine is being closed within one of its own calls, such as by a signal's handler; close it later")
            self._is_closed = True
            self._change.wait_for(lambda: not self._inside)
            free, self._free = self._free, None
            status = free(self._as_parameter_) if free is not None else 0
        check(status)

    def _enter(self) -> None:
        if os.getpid() != self._process:
            raise InvalidArgument(
                "the engine was opened before this process was forked, and belongs to its parent; open another one in a new "
                'process ("spawn" in multiprocessing)'
            )
        me = threading.get_ident()
        with self._change:
            if self._is_closed or self._free is None:
                raise InvalidArgument("the engine is closed; open another one")
            self._inside[me] = self._inside.get(me, 0) + 1

    def _leave(self) -> None:
        me = threading.get_ident()
        with self._change:
            depth = self._inside.pop(me) - 1
            if depth:
                self._inside[me] = depth
            elif not self._inside:
                self._change.notify_all()


class Owner:
    """An object that owns a handle; copies and pickles include its other attributes, such as those of a subclass."""

    _handle: Handle

    def _adopt(self, handle: Handle) -> Self:
        """Makes this object the owner of a handle."""
        raise NotImplementedError

    @classmethod
    def _of(cls, handle: Handle) -> Self:
        """A new object that owns a handle."""
        return cls.__new__(cls)._adopt(handle)

    def _copy_with(self, handle: Handle) -> Self:
        """A copy of this object that owns a different handle."""
        copy = type(self).__new__(type(self))
        copy.__dict__.update(self.__dict__)
        return copy._adopt(handle)

    def _encode(self) -> bytes:
        """The content of the handle as bytes."""
        raise NotImplementedError

    @staticmethod
    def _decode(state: bytes) -> Handle:
        """A handle with the content that :meth:`_encode` wrote."""
        raise NotImplementedError

    def __getstate__(self) -> tuple[bytes, dict[str, Any]]:
        return self._encode(), {name: value for name, value in self.__dict__.items() if name != "_handle"}

    def __setstate__(self, state: bytes | tuple[bytes, dict[str, Any]]) -> None:
        # Release 0.1.0 pickled only the first of the two.
        content, beside = (state, {}) if isinstance(state, bytes) else state
        self.__dict__.update(beside)
        self._adopt(self._decode(content))


def create(function: Callable[..., int], *arguments: Any) -> int:
    """Calls a function that writes the address of a new object, or of a text, to its last argument."""
    output = ctypes.c_void_p()
    check(function(*arguments, ctypes.addressof(output)))
    assert output.value is not None, "a call that succeeds writes its output"
    return output.value


def create_handle(free: Callable[[int], Any], function: Callable[..., int], *arguments: Any) -> Handle:
    """Calls a function that creates an object which is never closed explicitly."""
    return Handle(free, create(function, *arguments))


def encode_state(encode: Callable[..., int], handle: Handle) -> bytes:
    """The state of a handle as bytes."""
    return call_bytes(encode, (handle,), 0).tobytes()


def call_bytes(function: Callable[..., int], arguments: tuple[Any, ...], room: int, *rest: Any) -> NDArray[np.uint8]:
    """The bytes of a function that writes up to `room` of them, and reports their number; more bytes take a second call."""
    needed = ctypes.c_size_t()
    while True:
        buffer = np.empty(room, np.uint8)
        check(function(*arguments, address(buffer), room, ctypes.addressof(needed), *rest))
        if needed.value <= room:
            return buffer[: needed.value]
        room = needed.value


def call_json(function: Callable[..., int], *arguments: Any) -> Any:
    """Calls a function that writes JSON to its last argument, and returns the answer as Python values."""
    text = create(function, *arguments)
    try:
        return json.loads(ctypes.string_at(text).decode())
    finally:
        library.kin_string_free(text)


def build_info() -> dict[str, Any]:
    """Facts about the library: ``version``, ``abi``, ``commit``, ``simd`` (the instruction set in use) and ``blas``.

    The environment variable ``KIN_SIMD`` selects a lower instruction set before the first call.
    """
    info: dict[str, Any] = json.loads(library.kin_build_info().decode())
    return info
