"""Saved indexes."""

from __future__ import annotations

import ctypes
import os
from typing import Any

from kin import _arrays
from kin._library import answered, library, made
from kin._signatures import KINDS
from kin.flat import FlatIndex
from kin.ivf import IVFIndex


def open(path: str | os.PathLike[str]) -> FlatIndex | IVFIndex:
    """Opens a saved index, of the kind that it was.

    It is mapped, not read: opening takes no longer for a large file, and processes share its pages. What is changed later
    lives in memory; the file is never written to. Replace the file only by renaming another over it, as ``save``
    does.

    Raises
    ------
    InputOutput, UnsupportedFormat, CorruptFile
    """
    handle = made(library.kin_index_free, library.kin_index_map, _arrays.path(path))
    if KINDS[library.kin_index_kind(handle)] == "flat":
        return FlatIndex.__new__(FlatIndex)._take(handle)
    return IVFIndex.__new__(IVFIndex)._take(handle)


def verify(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Checks a saved index: every byte against its checksum, and all that a search relies on.

    Returns a dictionary: ``intact``, ``kind``, ``total_bytes``, ``sections``, ``facts`` and, for a damaged file,
    ``damage``. Raises only when there is nothing that could be described.
    """
    intact = ctypes.c_int32()
    report: dict[str, Any] = answered(library.kin_index_verify, _arrays.path(path), ctypes.addressof(intact))
    return report
