"""The command-line tool: ``kin``, or ``python -m kin``. It runs in this process, by the library of the package."""

import ctypes
import os
import signal
import sys

from kin._library import library


def main() -> int:
    """Runs the tool with the arguments of the process: its exit status."""
    # Python's handlers are replaced by the system's. An ignored Ctrl-C stays ignored, as in a shell's background job.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    words = [os.fsencode(word) for word in sys.argv]
    status: int = library.kin_tool_main(len(words), (ctypes.c_char_p * len(words))(*words))
    return status


if __name__ == "__main__":
    sys.exit(main())
