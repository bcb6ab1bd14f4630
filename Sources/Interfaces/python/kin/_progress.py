"""Progress and cancellation of long calls: imports, loads, batch searches, k-means, matching, backtests, policies."""

import contextlib
import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

from kin._library import library

Handler = Callable[[int, "int | None"], object]


@contextlib.contextmanager
def progress(handler: Handler) -> Iterator[None]:
    """Reports the progress of this thread's long calls, within a ``with`` block.

    ::

        with kin.progress(lambda done, total: print(done, total)):
            engine.import_("everything.jsonl")

    The handler is called on this thread, at most every 10 ms; the interpreter's lock is free between its calls. If it
    returns ``False``, the call raises :class:`kin.Cancelled`; if it raises, the call raises the same exception. In both
    cases nothing has changed: an import is rolled back, and an index stays as it was. The same holds for a signal's
    handler that raises during a long call of the main thread, such as Ctrl-C's, with or without a handler of progress.
    A signal that arrives after the last report ends the call with the exception, but its change remains.

    Parameters
    ----------
    handler : callable
        Receives the units done and the total, which is ``None`` if unknown. Units depend on the call: rows, points,
        people, bytes; in work of several stages each stage starts again at 0. It must not use the engine or index of
        the call: an engine, and a change of an index, raise :class:`kin.InvalidArgument`. The same holds for a signal's
        handler during a long call.
    """
    outer, _thread.handler = _thread.handler, handler
    try:
        yield
    finally:
        _thread.handler = outer


class _Call:
    """A long call in progress."""

    __slots__ = ("failure", "hook")

    def __init__(self) -> None:
        self.failure: BaseException | None = None
        self.hook = sys.unraisablehook

    def catch(self, lost: Any) -> None:
        """The hook for exceptions that cannot be raised: the exception of a signal's handler that runs as a report begins,
        before its ``try``. No exception can leave a C callback."""
        if lost.object is _report or repr(_report) in (lost.err_msg or ""):
            self.failure = lost.exc_value
        else:
            self.hook(lost)


class _Thread(threading.local):
    handler: Handler | None = None
    call: _Call | None = None
    reports = False
    """Whether this thread has set the progress function."""


_thread = _Thread()


def _report(done: int, total: int, _context: int | None) -> int:
    call = _thread.call
    if call is None:
        return 0
    try:
        handler = _thread.handler
        if call.failure is None and handler is not None and handler(done, total or None) is False:
            return 1
    except BaseException as failure:
        call.failure = failure
    return int(call.failure is not None)


_REPORT = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p)(_report)


def long_call(function: Callable[..., int], *arguments: Any) -> int:
    """Calls a function that may take long, and returns its status; see :func:`progress`."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main and _thread.handler is None:
        return function(*arguments)
    call = _Call()
    outer, _thread.call = _thread.call, call
    if is_main:
        sys.unraisablehook = catch = call.catch
    if not _thread.reports:
        library.kin_set_progress(_REPORT, None)
        _thread.reports = True
    try:
        status = function(*arguments)
    finally:
        _thread.call = outer
        if is_main and sys.unraisablehook is catch:
            sys.unraisablehook = call.hook
    if call.failure is not None:
        raise call.failure
    return status
