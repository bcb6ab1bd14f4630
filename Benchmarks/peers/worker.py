"""An object in a separate process, called through a pipe.

A library alone in its process has its own thread pool, and its memory can be measured separately.
"""

import multiprocessing
import os


def _serve(connection, make, arguments):
    try:
        target = make(*arguments)
        while (request := connection.recv()) is not None:
            name, *given = request
            connection.send((True, getattr(target, name)(*given)))
    except Exception as failure:  # the caller shows it
        connection.send((False, f"{type(failure).__name__}: {failure}"))


class Worker:
    """A process that creates an object and answers calls of its methods."""

    def __init__(self, make, *arguments, environment=None):
        context = multiprocessing.get_context("spawn")
        self.connection, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other, make, arguments), daemon=True)
        before = dict(os.environ)
        os.environ.update(environment or {})
        self.process.start()
        os.environ.clear()
        os.environ.update(before)
        other.close()

    def call(self, name, *arguments):
        self.connection.send((name, *arguments))
        try:
            fine, answer = self.connection.recv()
        except EOFError:
            raise RuntimeError("the process ended; its message is above") from None
        if not fine:
            raise RuntimeError(answer)
        return answer

    def close(self):
        if self.process.is_alive():
            self.connection.send(None)
        self.process.join()
        self.connection.close()


def resident_bytes():
    """The anonymous memory of this process; None if the system does not report it."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            return next(int(line.split()[1]) << 10 for line in status if line.startswith("RssAnon"))
    except FileNotFoundError:
        return None
