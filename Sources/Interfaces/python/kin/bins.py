"""The binary files of the billion-scale benchmarks: ``.fbin``, ``.ibin``, ``.u8bin`` and ``.i8bin``.

    from kin.bins import read_fbin

    base = read_fbin("base.fbin")                                            # mapped: opening takes no time
    kin.IVFIndex.build("base.kin", np.array_split(base, 1000))

A file is two unsigned integers of 32 bits, the numbers of rows and of dimensions, and then the rows, all little-endian. A program that
shortens a mapped file ends the process with SIGBUS when the missing rows are read.
"""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kin import _arrays
from kin._disk import failures
from kin.errors import CorruptFile, InvalidArgument

__all__ = ["read_fbin", "read_i8bin", "read_ibin", "read_u8bin"]


def read_fbin(path: str | os.PathLike[str], start: int = 0, count: int | None = None) -> NDArray[np.float32]:
    """Maps rows of float32.

    Parameters
    ----------
    path : str or path
        The file.
    start : int
        The first row to map. Default: 0.
    count : int, optional
        The number of rows. Default: all from the first one on.

    Returns
    -------
    array of float32, shape (count, dimensions)
        A read-only mapping. Rows are read from the disk when they are used.

    Raises
    ------
    InvalidArgument
        The file has no such rows.
    CorruptFile
        The length of the file is not that of its rows.
    InputOutput
    """
    return _rows(path, np.dtype("<f4"), start, count)


def read_ibin(path: str | os.PathLike[str], start: int = 0, count: int | None = None) -> NDArray[np.int32]:
    """Maps rows of int32. Arguments and errors: see :func:`read_fbin`."""
    return _rows(path, np.dtype("<i4"), start, count)


def read_u8bin(path: str | os.PathLike[str], start: int = 0, count: int | None = None) -> NDArray[np.uint8]:
    """Maps rows of uint8. Arguments and errors: see :func:`read_fbin`."""
    return _rows(path, np.dtype("u1"), start, count)


def read_i8bin(path: str | os.PathLike[str], start: int = 0, count: int | None = None) -> NDArray[np.int8]:
    """Maps rows of int8. Arguments and errors: see :func:`read_fbin`."""
    return _rows(path, np.dtype("i1"), start, count)


def _rows(path: str | os.PathLike[str], kind: np.dtype[Any], start: int, count: int | None) -> NDArray[Any]:
    first = _arrays.count(start, "start")
    with failures(path), open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        # A file without a header has no rows, and the wrong length for them. Numbers of Python, so that no product overflows.
        rows, dimension = np.frombuffer(file.read(8).ljust(8, b"\0"), "<u4").tolist()
        needed = 8 + rows * dimension * kind.itemsize
        if dimension == 0 or size != needed:
            raise CorruptFile(
                f"{os.fspath(path)} has {size:,} bytes; the {rows:,} rows of {dimension:,} dimensions of its header take {needed:,} as {kind.name}; "
                "get the file again, or read it as its own type"
            )
        n = _arrays.count(count, "count", default=max(rows - first, 0))
        if first + n > rows:
            raise InvalidArgument(f"{os.fspath(path)} has {rows:,} rows; start + count must be at most that, not {first + n:,}")
        # An empty mapping is refused by the system.
        return np.memmap(file, kind, "r", 8 + first * dimension * kind.itemsize, (n, dimension)) if n else np.empty((0, dimension), kind)
