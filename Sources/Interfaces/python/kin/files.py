"""Saved indexes."""

import ctypes
import os
from typing import Any

from kin import _arrays
from kin._library import call_json, check, create_handle, library
from kin._options import file_options
from kin._progress import long_call
from kin._signatures import INDEX_KINDS, VERIFICATIONS, Verification
from kin.flat import FlatIndex
from kin.ivf import IVFIndex


def open(
    path: str | os.PathLike[str], *, mapped: bool = True, verify: Verification = "structure"
) -> FlatIndex | IVFIndex:
    """Opens a saved index, of the kind that was saved.

    By default the file is mapped, not read: opening takes no longer for a large file, and processes share its pages.
    Later changes are in memory only; the file is never written to.

    A program that shortens or overwrites a mapped file in place (``cp new.kin old.kin``, ``truncate``) ends the process with SIGBUS,
    which Python cannot catch. Deploy a new file by renaming it over the old one, as ``save`` does, or open with ``mapped=False``.

    Parameters
    ----------
    path : str or path
        The file.
    mapped : bool, default True
        Whether to map the file. False reads all of it into memory: the index then no longer depends on the file, and
        processes share none of the memory.
    verify : "structure", "on-use" or "all", default "structure"
        The checks. "structure" checks structure, ids and offsets, and takes no longer for a large file; a damaged part
        may then give wrong neighbours or an error. "on-use" also checks ids, boxes and attributes, and checks vectors and
        codes when a call first reads them: a call that reads damaged ones raises :class:`kin.CorruptFile`. "all" checks
        every byte as :func:`kin.verify` does, reads the whole file, and rejects a damaged file.

    Raises
    ------
    InputOutput, UnsupportedFormat, CorruptFile
    """
    checks = _arrays.number_of(verify, VERIFICATIONS, "verification")
    options = file_options(unmapped=not _arrays.boolean(mapped, "mapped"), verify=checks)
    handle = create_handle(library.kin_index_free, library.kin_index_open, _arrays.path(path), options)
    layout = FlatIndex if INDEX_KINDS[library.kin_index_kind(handle)] == "flat" else IVFIndex
    return layout._of(handle)


def verify(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Checks a saved index: every byte against its checksum, and everything that a search relies on.

    Every damaged file gives a report, even if nothing in it can be described: then ``kind`` is None and ``sections`` is
    empty.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    dict
        ``intact``, ``kind``, ``total_bytes``, ``sections``, ``facts`` and, for a damaged file, ``damage``.

    Raises
    ------
    InputOutput
        The file does not exist or cannot be read.
    UnsupportedFormat
        The file is intact, and of a newer version or a different kind.
    """
    intact = ctypes.c_int32()
    report: dict[str, Any] = call_json(library.kin_index_verify, _arrays.path(path), ctypes.addressof(intact))
    return report


def restore(backup: str | os.PathLike[str], path: str | os.PathLike[str]) -> None:
    """Replaces a store by a backup, which starts a new history; :meth:`kin.Engine.backup` makes backups.

    After a failure, or if the process ends at any moment, either the old store with its log or the new store is
    complete. With the store's own path as the backup, the store continues from its database file.

    Parameters
    ----------
    backup : str or path
        The backup, or the database file of any store. It is not changed.
    path : str or path
        The store to replace, which may be missing or damaged. No process may have it open. A reader of a store
        without a log does not prevent this, but its later calls fail: it must open the store again.

    Raises
    ------
    Busy
        The store is open.
    InvalidArgument
        The file at the path is not a store.
    CorruptFile, UnsupportedFormat, InputOutput, Cancelled
    """
    check(long_call(library.kin_engine_restore, _arrays.path(backup), _arrays.path(path)))
