"""Errors of the file system, and files and folders brought to the disk."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kin.errors import Busy, CorruptFile, InputOutput


def sync(folder: str | os.PathLike[str]) -> None:
    """Brings the names of a folder's files to the disk."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def create(path: Path, content: bytes) -> None:
    """Writes a new file, and brings it to the disk."""
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def failures(path: str | os.PathLike[str]) -> Iterator[None]:
    """An error of the file system as an InputOutput that names the file."""
    try:
        yield
    except (Busy, CorruptFile, InputOutput):
        raise
    except OSError as failure:
        reason = failure.strerror or failure
        raise InputOutput(f"{os.fspath(path)}: {'there is no such file' if isinstance(failure, FileNotFoundError) else reason}") from None
