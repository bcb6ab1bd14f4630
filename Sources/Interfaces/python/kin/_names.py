"""Texts that serve as ids of vectors."""

from typing import Any, cast

import numpy as np

from kin import _arrays, _arrow_reader
from kin._arrays import IDs, Vectors, address
from kin._library import Owner, call_bytes, calls, check, library
from kin.errors import CorruptFile, InvalidArgument, UnknownID

class TextArray:
    """Texts as an array of pointers, in the library's form."""

    def __init__(self, texts: list[str], name: str) -> None:
        self._texts, self._pointers = texts, calls.texts(texts)
        if self._pointers is None:
            self._join(texts, name)
        self.address = address(self._pointers)

    def _join(self, texts: list[str], name: str) -> None:
        joined = "\0".join([*texts, ""])
        if joined.count("\0") != len(texts):
            row = next(row for row, text in enumerate(texts) if "\0" in text)
            raise InvalidArgument(f"{name}: row {row} has a character 0 in it")
        try:
            bytes = np.frombuffer(joined.encode(), np.uint8)
        except UnicodeEncodeError as failure:
            raise InvalidArgument(f"{name}: {failure}") from None
        self._bytes = bytes
        ends = np.flatnonzero(bytes == 0)
        starts = np.zeros(len(texts), np.uintp)
        starts[1:] = ends[:-1] + 1
        self._pointers = starts + np.uintp(address(bytes))


def ids_or_texts(values: Vectors, name: str = "ids", *, rows: int | None = None) -> IDs | list[str]:
    """One column of ids, either whole numbers or texts. A mix of both raises TypeError."""
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{name} is one text, and a list of ids belongs here: [{values!r:.80}]")
    column: Any = _arrays.one_column(values, name) if _arrow_reader.is_lent(values) else values
    if isinstance(column, np.ndarray):
        listed = column.tolist() if column.dtype.kind in "OUT" and column.ndim == 1 else []
    else:
        listed = list(column) if isinstance(column, (list, tuple)) else []
    kinds = set(map(type, listed))
    if not any(issubclass(kind, str) for kind in kinds):
        return _arrays.ids(column, name, rows=rows)
    for row, id in enumerate(listed if len(kinds) > 1 else ()):
        if _arrays.is_missing(id):
            raise InvalidArgument(f"{name}: row {row} is missing; fill it in, or leave the row out")
        if not isinstance(id, str):
            raise TypeError(f"{name}: row {row} is {id!r}, and other rows are texts; the ids of an index are all texts or all whole numbers")
    if rows is not None and len(listed) != rows:
        raise InvalidArgument(f"{rows} vectors need as many ids, but {len(listed)} were given")
    return listed


DAMAGED = "the text of an id is missing: the file is damaged; kin.verify names the place"


class Named(Owner):
    """An index whose ids may be texts. The library has a number for each text."""

    _has_names = False

    def _numbers(self, ids: Vectors, name: str = "ids", *, known: bool = False) -> IDs:
        """Ids as the numbers of the library; −1 for a text without a vector or, if ids must be ``known``, an error."""
        given = ids_or_texts(ids, name)
        if len(given):
            self._require_kind(isinstance(given, list), name)
        if not isinstance(given, list):
            return given
        texts, found = TextArray(given, name), np.empty(len(given), np.int64)
        check(library.kin_index_find(self._handle, texts.address, len(given), address(found)))
        if known and (found == -1).any():
            row = int(np.argmax(found == -1))
            raise UnknownID(f"{name}: no vector has the id {given[row]!r} (row {row})")
        return found

    def _require_kind(self, is_text: bool, name: str) -> None:
        """Raises TypeError for texts where the index has numbers, or numbers where it has texts."""
        if is_text != self._has_names and library.kin_index_count(self._handle):
            kinds = ("texts", "whole numbers") if self._has_names else ("whole numbers", "texts")
            raise TypeError(f"{name}: these are {kinds[1]}, and the ids of this index are {kinds[0]}; pass {kinds[0]}, or use a new index")

    def _named(self, ids: IDs) -> IDs:
        """The ids of a snapshot's results, as texts if the index has texts; None for ids without a vector."""
        names = self._named_if_present(ids)
        if names is None:
            raise CorruptFile(DAMAGED)
        return names

    def _named_if_present(self, ids: IDs) -> IDs | None:
        """As :meth:`_named`; None as a whole if a vector was removed since the ids were found."""
        if not self._has_names:
            return ids
        found: IDs | None = calls.names(self._handle, ids)
        if found is not None:
            return found
        ids = np.ascontiguousarray(ids)
        texts = call_bytes(library.kin_index_names, (self._handle, address(ids), ids.size), 64 * ids.size)
        listed = [name or None for name in texts.tobytes().decode().split("\0")[:-1]]
        if listed.count(None) > np.count_nonzero(ids == -1):
            return None
        names = np.empty(ids.size, object)
        names[:] = listed
        return cast(IDs, names.reshape(ids.shape))
