"""A store of records, with its queries and commands."""

from __future__ import annotations

import ctypes
import json
import os
from types import TracebackType
from typing import Any, Self

from kin import _arrays
from kin._library import ClosableHandle, library, made_as, text
from kin.errors import InvalidArgument


class Engine:
    """A store of people, their sessions and the things around them: one SQLite file.

    ::

        with kin.Engine("people.db") as engine:
            engine.call("put", records=[{"session": session}, {"profile": profile}])
            engine.call("near", session="s1", where="state = drift", k=5)
            engine.call("profile", user="u42", at="2026-11-20T06:30:00Z")

    Answers are plain Python values. Many threads may call one engine at once, and any of them may close it. A store does
    not survive a fork: child processes of ``multiprocessing`` are to be started by ``"spawn"`` and to open it themselves.

    Parameters
    ----------
    path : str or path-like, optional
        The database file, created when there is none. An engine without one has the methods that need no store.
    read_only : bool, optional
        Whether commands are refused. Any number of processes may read, beside the one that writes.
    naming_key : bytes, optional
        The key of anonymous names, 16 bytes or more, kept by the caller; by default the store has its own. From then on every call
        that needs names requires the same key.

    Raises
    ------
    Busy
        Another process has it open for writing.
    InvalidArgument
        The naming key is too short, or not the store's.
    CorruptFile, UnsupportedFormat, InputOutput
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        read_only: bool = False,
        naming_key: bytes | None = None,
    ) -> None:
        file = None if path is None else os.fsencode(path)
        if naming_key is None:
            self._handle = made_as(ClosableHandle, _release, library.kin_engine_open, file, int(read_only))
        else:
            self._handle = made_as(
                ClosableHandle,
                _release,
                library.kin_engine_open_keyed,
                file,
                int(read_only),
                bytes(naming_key),
                len(naming_key),
            )

    def call(self, method: str, /, **parameters: Any) -> Any:
        """Calls a method with its parameters; :func:`methods` names them, METHODS.md describes them.

        Raises
        ------
        InvalidArgument
            There is no such method or parameter, the engine is closed, or it is that of a parent process.
        KinError
            What the method fails with; the text names method, parameter and record.
        """
        try:
            request = json.dumps(parameters, ensure_ascii=False, allow_nan=False).encode()
        except (TypeError, ValueError) as failure:
            raise InvalidArgument(f"the parameters are not JSON: {failure}") from None
        answer = ctypes.c_void_p()
        self._handle.call(library.kin_engine_call, _arrays.text(method, "method"), request, ctypes.addressof(answer))
        return text(answer)

    def close(self) -> None:
        """Saves the indexes beside the database and closes it, when the calls of other threads have ended.

        Closing twice does nothing. What is called from now on raises :class:`InvalidArgument`.
        """
        self._handle.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _release(address: int) -> int:
    status: int = library.kin_engine_close(address)
    return status


def methods() -> list[str]:
    """The names of all methods of an :class:`Engine`."""
    names: list[str] = json.loads(library.kin_engine_methods().decode())
    return names
