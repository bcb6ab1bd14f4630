"""A store of records, with its queries and commands."""

import ctypes
import functools
import json
import os
import re
from collections.abc import Iterable
from typing import Any, Self

import numpy as np

from kin import _arrays, _json
from kin._library import ClosableHandle, call_json, create, library
from kin._methods import Methods
from kin._precision import PrecisionReport
from kin._progress import long_call
from kin._signatures import EngineOptions
from kin.errors import InvalidArgument, spelled
from kin.frame import Frame
from kin.logs import ImportedLog, is_source, read_log


class Engine(Methods):
    """A store of people, their sessions and the things around them: one SQLite file, or memory.

    ::

        with kin.Engine("people.db") as engine:
            engine.put([{"session": session}, {"profile": profile}])
            engine.near(session="s1", where="state = drift", k=5)
            engine.profile("u42", at="2026-11-20T06:30:00Z")
            polars.DataFrame(engine.frame("sessions", user="u42"))

    Answers are plain Python values; :meth:`frame` returns lists as columns. An instant is an ISO 8601 text or a
    ``datetime`` with a time zone, in records too. In logs, a ``date``, a ``datetime`` without a zone, and a text
    without an offset are the baby's local time. Elsewhere a ``date`` is its midnight in UTC, and a time without a zone is an error. NaT, ``pandas.NA`` and None are missing:
    left out if a field is optional, else an error. NaN is missing in a data frame, and an error elsewhere. NumPy numbers and arrays, Decimal, Fraction, UUID,
    paths, mappings, columns and other iterables are converted to JSON. Many threads may call one engine at once, and any of them may close it. A store
    does not survive a fork: start child processes of ``multiprocessing`` with ``"spawn"``, and open the store in them.
    If a server forks its workers, open the store in each worker, and use ``threads=1`` and no store before the fork:
    a child of a process that used more threads cannot open one.

    Parameters
    ----------
    path : str or path-like, optional
        The database file, created if it does not exist. Default: no file; records are in memory.
    read_only : bool, optional
        Whether to refuse commands; needs a path. Any number of processes may read while one writes.
    naming_key : bytes, optional
        The key of anonymous names, 16 to 4,096 bytes, stored by the caller. Default: the store's own key. Once set,
        every call that needs names requires the same key.
    memory_budget : int, optional
        The largest number of bytes for data derived from records: indexes, matchers, learned profiles. The least
        recently used data is dropped first; a single index above the budget is cached alone. Default: a quarter of the
        machine's memory, from 256 MiB to 2 GiB. :meth:`memory` reports the memory in use.
    answer_limit : int, optional
        The largest number of bytes of a query's JSON. A query with a larger answer raises
        :class:`kin.CapacityExceeded`; commands have no limit. Default: 1 GiB.

    Raises
    ------
    Busy
        Another process has the store open for writing.
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
        memory_budget: int | None = None,
        answer_limit: int | None = None,
    ) -> None:
        if _arrays.boolean(read_only, "read_only") and path is None:
            raise InvalidArgument("a new store in memory has nothing to read; read_only requires a path")
        file = None if path is None else _arrays.path(path)
        options = EngineOptions(ctypes.sizeof(EngineOptions), int(read_only))
        if naming_key is not None:
            key = ctypes.create_string_buffer(bytes(naming_key), max(len(naming_key), 1))
            options.naming_key, options.naming_key_length = ctypes.addressof(key), len(naming_key)
        for name, most in (("memory_budget", memory_budget), ("answer_limit", answer_limit)):
            if most is not None:
                setattr(options, name, max(_arrays.count(most, name), 1))
        self._handle = ClosableHandle(library.kin_engine_close, create(library.kin_engine_open_with, file, ctypes.byref(options)))

    def __reduce__(self) -> Any:
        return self._handle.__reduce__()

    def call(self, method: str, /, **parameters: Any) -> Any:
        """Calls a method by its name; :func:`methods` lists the names. Each is also a typed method of the engine.

        Raises
        ------
        InvalidArgument
            The method or parameter is unknown, or the engine is closed or belongs to a parent process.
        KinError
            The method failed; the text names method, parameter and record.
        """
        if isinstance(vector := parameters.get("embedding"), np.ndarray):
            parameters["embedding"] = _arrays.packed(vector, "the embedding's elements")
        if isinstance(file := parameters.get("path"), (str, bytes, os.PathLike)):
            parameters["path"] = _arrays.path(file).decode()
        if is_source(log := parameters.get("log")):
            imported = read_log(log, born=parameters.get("born"), zone=parameters.get("zone"))
            imported.warn()
            parameters["log"] = imported
        if isinstance(parameters.get("records"), ImportedLog):
            raise InvalidArgument("a log belongs to a baby; store it with kin.Baby(engine, user, baby).put(log)")
        request = _json.encode(parameters, "a parameter")
        return call_json(self._handle.call, _call, _arrays.text(method, "method"), request)

    def frame(self, method: str, /, **parameters: Any) -> Frame:
        """The answer of a method that returns a list, as columns for pandas, Polars or Arrow: see :class:`Frame`.

        Raises
        ------
        InvalidArgument
            The method does not return a list. Other errors are those of :meth:`call`.
        """
        answer = self.call(method, **parameters)
        if isinstance(answer, dict) and "nothing" in answer:
            answer = []
        if not isinstance(answer, list) or not all(isinstance(row, dict) for row in answer):
            raise InvalidArgument(f"{method} answers no list of rows; use call")
        return Frame(answer, _answer_types().get(method))

    def put_embeddings(
        self, users: Iterable[str], sessions: Iterable[str], vectors: _arrays.Vectors, *, model: str = "transcript"
    ) -> Any:
        """Stores an embedding for each of several sessions, all of one model.

        Parameters
        ----------
        users, sessions : iterable of str
            The person and the id of each session.
        vectors : array_like of shape (sessions, dimension)
            A row for each session, converted to 32-bit floats; 1 to 4,096 numbers that are not all zero.
        model : str, default "transcript"
            The label of the model.

        Returns
        -------
        dict
            The number of each kind, as :meth:`put` returns it.

        Raises
        ------
        InvalidArgument
            The numbers of rows, sessions and users differ. Other errors are those of :meth:`put`.
        """
        rows, _ = _arrays.rows(vectors, "vectors", PrecisionReport())
        users, sessions = _arrays.several(users, "users"), _arrays.several(sessions, "sessions")
        if not len(users) == len(sessions) == len(rows):
            raise InvalidArgument(f"there are {len(rows)} vectors of {len(sessions)} sessions and {len(users)} users")
        def name(found: re.Match[str]) -> str:
            return "model" if found[2] == "model" else f"{found[2] or 'session'}s[{found[1]}]"

        with spelled((r"records\[(\d+)\](?:\.session_embedding\.(user|session|model|vector)(?:_id)?)?", name)):
            return self.put([
                {"session_embedding": {"user_id": user, "session_id": session, "model": model,
                                       "vector": _arrays.packed(row, "vectors")}}
                for user, session, row in zip(users, sessions, rows)
            ])

    def session_vectors(
        self, model: str | None = None, *, user: str | None = None
    ) -> tuple[list[str], _arrays.Floats]:
        """The vectors of sessions as an array, without any of their text.

        Parameters
        ----------
        model : str, optional
            The model of the embeddings. Default: the points of the pleasure space.
        user : str, optional
            The person whose sessions to return. Default: all people.

        Returns
        -------
        tuple of list of str and ndarray of shape (sessions, dimension)
            The ids of the sessions, ascending, and a row for each.
        """
        with spelled():
            found = self.vectors(model=model, user=user)
        return found["sessions"], _arrays.unpacked(found["vectors"], found["dimension"])

    def close(self) -> None:
        """Saves the indexes next to the database and closes it, when the calls of other threads have ended.

        Closing twice does nothing. Later calls raise :class:`InvalidArgument`.
        """
        self._handle.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()


_call = functools.partial(long_call, library.kin_engine_call)


@functools.cache
def shared() -> Engine:
    """The engine of the functions that need no store; it stores nothing between calls."""
    return Engine()


# A forked child creates its own.
os.register_at_fork(after_in_child=shared.cache_clear)


@functools.cache
def _answer_types() -> dict[str, dict[str, str]]:
    """The types of the fields of answers, by the names of methods and fields."""
    table = json.loads(library.kin_engine_method_table().decode())
    listed = [method for group in table["groups"] for method in group["methods"]]
    return {method["name"]: {field["name"]: field["type"] for field in method["fields"]} for method in listed}


def methods() -> list[str]:
    """The names of all methods of an :class:`Engine`."""
    names: list[str] = json.loads(library.kin_engine_methods().decode())
    return names
