"""The program ``kin``. Outside of the package, because Ctrl-C must end the process before the package is imported too."""

import signal


def main() -> int:
    """Runs the tool with the arguments of the process: its exit status."""
    # An ignored Ctrl-C stays ignored, as in a shell's background job.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from kin.__main__ import main as run

    return run()
