"""Progress and cancellation of long calls: imports, loads, batch searches, k-means, matching, backtests, policies."""

from __future__ import annotations

import contextlib
import ctypes
import signal
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
    cases nothing has changed: an import is rolled back, and an index stays as it was. The same holds after Ctrl-C,
    which ends a long call of the main thread with ``KeyboardInterrupt``, with or without a handler.

    Parameters
    ----------
    handler : callable
        Receives the units done and the total, which is ``None`` if unknown. Units depend on the call: rows, points,
        people, bytes; in work of several stages each stage starts again at 0. It must not use the engine or index of
        the call.
    """
    outer, _thread.handler = _thread.handler, handler
    try:
        yield
    finally:
        _thread.handler = outer


class _Call:
    """A long call in progress."""

    __slots__ = ("failure", "is_interrupted")

    def __init__(self) -> None:
        self.failure: BaseException | None = None
        self.is_interrupted = False

    def interrupt(self, _number: int, _frame: Any) -> None:
        """The handler of Ctrl-C during the call."""
        self.is_interrupted = True


class _Thread(threading.local):
    handler: Handler | None = None
    call: _Call | None = None
    reports = False
    """Whether this thread has set the progress function."""


_thread = _Thread()


def _report(done: int, total: int, _context: int | None) -> int:
    call = _thread.call
    if call is None or call.is_interrupted:
        return int(call is not None)
    try:
        handler = _thread.handler
        return int(handler is not None and handler(done, total or None) is False)
    except BaseException as failure:
        call.failure = failure
        return 1


# Without the conversion of numbers to enumerations and back, which takes longer than a short call.
_signals: Any = sys.modules.get("_signal", signal)
_SIGINT = int(signal.SIGINT)

_REPORT = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p)(_report)


def long_call(function: Callable[..., int], *arguments: Any) -> int:
    """Calls a function that may take long, and returns its status; see :func:`progress`."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main and _thread.handler is None:
        return function(*arguments)
    call = _Call()
    outer, _thread.call = _thread.call, call
    # Ctrl-C must not raise within a report, because no exception can leave a C callback.
    usual = _signals.getsignal(_SIGINT) if is_main else None
    if callable(usual):
        _signals.signal(_SIGINT, call.interrupt)
    if not _thread.reports:
        library.kin_set_progress(_REPORT, None)
        _thread.reports = True
    try:
        status = function(*arguments)
    finally:
        _thread.call = outer
        if callable(usual):
            _signals.signal(_SIGINT, usual)
    if call.is_interrupted and callable(usual):
        usual(_SIGINT, None)
    if call.failure is not None:
        raise call.failure
    return status
