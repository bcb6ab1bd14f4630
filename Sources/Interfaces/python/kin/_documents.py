"""Documents with text ids next to an index of their vectors. Both are saved in one folder."""

import contextlib
import fcntl
import hashlib
import itertools
import json
import math
import os
import re
import threading
import uuid
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from kin import _arrays, files
from kin._disk import create, failures, sync
from kin._signatures import METRICS, Metric
from kin.errors import Busy, CorruptFile, InvalidArgument, KinError, UnsupportedFormat
from kin.flat import FlatIndex
from kin.ivf import IVFIndex

Layout = Literal["flat", "lists"]

_FILE, _FORMAT = "documents.jsonl", 1
_MOST_FIELDS, _LONGEST = 500, 100_000
"""The largest numbers of fields that are attributes, and of characters in an expression. Larger filters test each document."""
_LAYOUTS: dict[Layout, type[FlatIndex] | type[IVFIndex]] = {"flat": FlatIndex, "lists": IVFIndex}


class Record(NamedTuple):
    """One version of a document."""

    id: str
    key: int | None
    """The id of its vector in the index, new for each version; None without a vector."""
    fields: dict[str, Any]
    """Values of JSON, in memory of the record alone."""


class Field:
    """A field of the documents as an attribute of their index: a number for each value, which is a text, a number or a boolean."""

    def __init__(self, attribute: str, keys: Sequence[str]) -> None:
        self.attribute, self.keys = attribute, keys
        self.numbers: dict[Any, int] = {}
        """The number of each value that a document with a vector has. A value that comes back gets a new number."""
        self._unused = itertools.count()
        # The number of documents with a vector, by value.
        self._uses: Counter[Any] = Counter()

    @property
    def is_plain(self) -> bool:
        """Whether no document with a vector has a list or a dictionary as value."""
        return not self._uses[()]

    def assign(self, index: FlatIndex | IVFIndex, records: Sequence[Record]) -> None:
        """Sets the attribute of new documents with a vector."""
        values = self._values(records)
        column = [None if value in (None, ()) else self.numbers.setdefault(value, next(self._unused)) for value in values]
        index.declare({self.attribute: "integer"})
        index.set_attributes([cast(int, record.key) for record in records], {self.attribute: column})
        self._uses.update(values)

    def forget(self, records: Iterable[Record]) -> None:
        """Removes the values that only these documents have."""
        values = self._values(records)
        self._uses.subtract(values)
        for value in values:
            if not self._uses[value]:
                self.numbers.pop(value, None)
                del self._uses[value]

    def among(self, values: Collection[Any]) -> str | None:
        """The condition that the value is one of these; None among them means a missing value. None if an expression cannot say it."""
        numbers = {self.numbers.get(value) for value in values} - {None}
        inside = f"{self.attribute} in ({', '.join(map(str, numbers))})"
        if not self.is_plain:
            return None
        return f"({inside} or {self.attribute} is missing)" if None in values else inside

    def _values(self, records: Iterable[Record]) -> list[Any]:
        """The values of documents; the empty tuple stands for a list or a dictionary."""
        values = [value_at(record.fields, self.keys) for record in records]
        return [() if isinstance(value, (list, dict)) else value for value in values]


class Condition(NamedTuple):
    """A condition on documents in two forms."""

    test: Callable[[Record], bool]
    """Whether one document fulfils it."""
    expression: Callable[[Callable[[Sequence[str]], Field]], str | None] = lambda field_at: None
    """The condition on the attributes of the fields at some keys, such as ("meta", "page"); None if it cannot be expressed."""


class Documents:
    """Records by id, and an index of their vectors, which exists while there is a vector.

    Any number of threads can read while one thread writes. A search never returns the distance of one version of a document with the text of a
    different version, because a vector and its record share a key that is never used again.
    """

    def __init__(self, kind: str, metric: Metric = "cosine", layout: Layout = "flat") -> None:
        _arrays.number_of(metric, METRICS, "metric")
        _arrays.number_of(layout, list(_LAYOUTS), "layout")
        self.kind, self.metric, self.layout = kind, metric, layout
        self._lock = threading.Lock()
        self._index: FlatIndex | IVFIndex | None = None
        # The fields that searches used, all of which the index has as attributes.
        self._fields: dict[tuple[str, ...], Field] = {}
        self._records: dict[str, Record] = {}
        self._ids: dict[int, str] = {}
        self._next_key = 0
        # The folder and the generation that the documents were loaded from or saved as last.
        self._saved: tuple[Path, int] | None = None

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[Record]:
        """The records, ordered by the first write of their id."""
        return iter(self._records.copy().values())

    def get(self, id: str) -> Record | None:
        """The record with an id, if there is one."""
        return self._records.get(id)

    def vectors(self, records: Sequence[Record]) -> list[list[float] | None]:
        """The vector of each record, None for a record without one or whose document has changed since."""
        keys = np.array([-1 if record.key is None else record.key for record in records], np.int64)
        found: list[list[float] | None] = [None] * len(records)
        # A different thread may remove vectors, or the index.
        if (index := self._index) is not None:
            index = index.copy()
            rows = np.flatnonzero(index.contains(keys))
            for row, vector in zip(rows, index.vectors(keys[rows]).tolist()):
                found[row] = vector
        return found

    def write(self, entries: Iterable[tuple[str, dict[str, Any], ArrayLike | None]]) -> None:
        """Writes documents (id, fields, vector), all of them or, on failure, none. A document with the same id is replaced."""
        latest = {_checked(id): (_copied(fields, f"document {id!r}"), vector) for id, fields, vector in entries}
        names = {id: f"the embedding of document {id!r}" for id, (_, vector) in latest.items() if vector is not None}
        rows = {id: _arrays.array_of(latest[id][1], name, np.float32) for id, name in names.items()}
        with self._lock:
            keys = dict(zip(rows, range(self._next_key, self._next_key + len(rows))))
            records = {id: Record(id, keys.get(id), fields) for id, (fields, _) in latest.items()}
            if keys:
                size = next(iter(rows.values())).size
                # A search must not see a vector without its attributes.
                index = self._index.copy() if self._index is not None else _LAYOUTS[self.layout](size, self.metric)
                shaped = [_arrays.shaped(row, names[id], index.dimension) for id, row in rows.items()]
                try:
                    index.add(shaped, list(keys.values()))
                except KinError as failure:
                    raise type(failure)(re.sub(r"^row (\d+)", lambda found: list(names.values())[int(found[1])], str(failure))) from None
                for field in self._fields.values():
                    field.assign(index, [records[id] for id in keys])
                self._index, self._next_key = index, self._next_key + len(keys)
            self._ids |= {key: id for id, key in keys.items()}
            replaced = [record for id in latest if (record := self._records.get(id))]
            self._records |= records
            self._forget(replaced)

    def delete(self, ids: Iterable[str]) -> None:
        """Deletes documents; ids that no document has are passed over."""
        with self._lock:
            self._forget([record for id in ids if (record := self._records.pop(id, None))])

    def _forget(self, records: Iterable[Record]) -> None:
        keyed = {record.key: record for record in records if record.key is not None}
        if self._index is not None:
            self._index.remove(list(keyed))
        for field in self._fields.values():
            field.forget(keyed.values())
        for key in keyed:
            del self._ids[key]
        if not self._ids:
            self._index = None

    def search(
        self, vector: ArrayLike, k: int, where: Condition | None = None, group_by: Sequence[str] | None = None, /, **options: Any
    ) -> list[tuple[Record, float]]:
        """The k nearest documents that fulfil a condition, nearest first, and their distances.

        With ``group_by``, the keys of a field: the nearest document of each of the k nearest groups of documents with the same value.
        """
        if where is not None:
            inside: Any = where.expression(self._field) if len(self._fields) < _MOST_FIELDS else None
            if inside is None or len(inside) > _LONGEST:
                keys = [record.key for record in self if record.key is not None and where.test(record)]
                inside, where = np.array(keys, np.int64), None
            options["filter"] = inside
        if group_by is not None:
            options["group_by"] = self._group(group_by)
        index = self._index
        if index is None:
            return []
        query = _arrays.shaped(_arrays.array_of(vector, "the query", np.float32), "the query", index.dimension)
        distances, nearest = index.search(query, k, **options)
        found = ((self.get(self._ids.get(key, "")), key, distance) for key, distance in zip(nearest.tolist(), distances.tolist()))
        # A different thread may have written new values after the expression was made. Its negations allow them.
        return [(record, distance) for record, key, distance in found if record and record.key == key and (where is None or where.test(record))]

    def _field(self, keys: Sequence[str]) -> Field:
        """The field at some keys, as an attribute of the index from now on."""
        with self._lock if tuple(keys) not in self._fields else contextlib.nullcontext():
            if (field := self._fields.get(tuple(keys))) is None:
                field = Field(f"field{len(self._fields)}", keys)
                if self._index is not None:
                    field.assign(self._index, [record for record in self if record.key is not None])
                self._fields[tuple(keys)] = field
        return field

    def _group(self, keys: Sequence[str]) -> str:
        """The attribute of the field at some keys, if it has groups."""
        field = self._field(keys)
        if self._index is not None and not (field.is_plain and field.numbers):
            reason = "no document has a value" if field.is_plain else "a document has a list or a dictionary"
            raise InvalidArgument(f"group_by: {reason} in {'.'.join(keys)!r}; name a field of texts, numbers or booleans")
        return field.attribute

    def __getstate__(self) -> dict[str, Any]:
        """The state for copies and pickles, without the fields, which searches make again."""
        with self._lock:
            index = None if self._index is None else self._index.copy()
            copies = {"_index": index, "_records": self._records.copy(), "_ids": self._ids.copy(), "_fields": {}}
            return {name: value for name, value in vars(self).items() if name != "_lock"} | copies

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.Lock())

    def similarity(self, distance: float) -> float:
        """A number that grows with similarity: the cosine, 1 − ‖x − q‖ ∕ √2 for ``"l2"``, and otherwise the negated distance."""
        return {"cosine": 1 - distance, "l2": 1 - math.sqrt(abs(distance) / 2)}.get(self.metric, -distance)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Saves all in a folder, which is made if it is missing; on failure, or if the process ends at any moment, nothing.

        documents.jsonl has the number of the file of vectors, so that one rename publishes both.

        Raises
        ------
        InvalidArgument
            The folder holds other files and no documents, or damaged ones.
        Busy
            A different program saved the folder after these documents were loaded from it.
        InputOutput
        """
        path = Path(os.path.abspath(folder))
        with failures(path):
            path.mkdir(parents=True, exist_ok=True)
            if not exist(path) and not all(map(_is_ours, os.listdir(path))):
                raise InvalidArgument(f"{path} holds other files, and no documents; save to a new or an empty folder")
            with (path / ".lock").open("ab") as lock, self._lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                self._save(path)

    def _save(self, path: Path) -> None:
        try:
            last: int = _read(path)[0]["generation"] if exist(path) else 0
        except (CorruptFile, UnsupportedFormat) as failure:
            raise InvalidArgument(f"{failure}. It is not replaced; save to a new folder") from None
        if self._saved and self._saved[0] == path and self._saved[1] != last:
            raise Busy(f"a different program saved {path} after it was loaded; load it again, or save to a new folder")
        facts = {"format": _FORMAT, "kind": self.kind, "generation": last + 1, "metric": self.metric, "layout": self.layout, "documents": len(self)}
        if self._index is not None:
            self._index.save(_vectors(path, last + 1))
        body = "".join(json.dumps({"id": record.id, "vector": record.key} | record.fields) + "\n" for record in self).encode()
        draft = path / f".{_FILE}-{uuid.uuid4().hex}"
        create(draft, json.dumps(facts | {"sha256": _checksum(facts, body)}).encode() + b"\n" + body)
        os.replace(draft, path / _FILE)
        sync(path)
        self._saved = path, last + 1
        for name in filter(_is_ours, os.listdir(path)):
            if name not in (".lock", _vectors(path, last + 1).name):
                (path / name).unlink()

    @classmethod
    def load(cls, folder: str | os.PathLike[str], kind: str) -> Self:
        """Loads a folder. The vectors are mapped, as :func:`kin.open` maps a file.

        Raises
        ------
        InputOutput
            The folder has no documents, or cannot be read.
        InvalidArgument
            A store of a different kind saved the folder.
        CorruptFile, UnsupportedFormat
        """
        path = Path(os.path.abspath(folder))
        facts, body = _read(path)
        if facts["kind"] != kind:
            raise InvalidArgument(f"{path} was saved by kin.{facts['kind']}; open it there")
        made = cls(kind, facts["metric"], facts["layout"])
        for line in body.splitlines():
            fields = json.loads(line)
            record = Record(fields.pop("id"), fields.pop("vector"), fields)
            made._records[record.id] = record
            if record.key is not None:
                made._ids[record.key] = record.id
        keys, file = list(made._ids), _vectors(path, facts["generation"])
        try:
            made._index = files.open(file) if keys else None
        except KinError:
            # A different program may have saved the folder in between, which removes this file.
            if _read(path)[0]["generation"] != facts["generation"]:
                return cls.load(folder, kind)
            raise
        if made._index is not None and not (len(made._index) == len(keys) and made._index.contains(keys).all()):
            raise CorruptFile(f"{file} does not have the vectors of {_FILE}; restore the folder from a copy")
        made._next_key, made._saved = max(keys, default=-1) + 1, (path, facts["generation"])
        return made


def exist(folder: str | os.PathLike[str]) -> bool:
    """Whether documents were saved in a folder."""
    return Path(folder, _FILE).exists()


def _vectors(path: Path, generation: int) -> Path:
    return path / f"vectors-{generation}.kin"


def _is_ours(name: str) -> bool:
    """Whether a file of a folder is the lock, a file of vectors, or a draft of an interrupted call."""
    return name == ".lock" or name.startswith((f".{_FILE}-", ".kin-")) or (name.startswith("vectors-") and name.endswith(".kin"))


def _read(path: Path) -> tuple[dict[str, Any], bytes]:
    """The first line of a folder's documents and the others, all checked."""
    file = path / _FILE
    with failures(file):
        first, _, body = file.read_bytes().partition(b"\n")
    try:
        facts: dict[str, Any] = json.loads(first)
        form, checksum = facts["format"], facts.pop("sha256")
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError):
        raise CorruptFile(f"{file} is damaged in its first line; restore the folder from a copy") from None
    if form != _FORMAT:
        raise UnsupportedFormat(f"{file} has the format {form}, and this release reads {_FORMAT}")
    if checksum != _checksum(facts, body):
        raise CorruptFile(f"{file} does not have its checksum: {facts.get('documents')} documents were saved; restore the folder from a copy")
    return facts, body


def value_at(fields: Any, keys: Sequence[str]) -> Any:
    """The value at some keys of nested dictionaries, None if a key is missing."""
    for key in keys:
        fields = fields.get(key) if isinstance(fields, dict) else None
    return fields


def copy_of(value: Any) -> Any:
    """A copy of a value of JSON, several times as fast as copy.deepcopy."""
    if isinstance(value, dict):
        return {key: copy_of(part) for key, part in value.items()}
    return [copy_of(part) for part in value] if isinstance(value, list) else value


def _checksum(facts: dict[str, Any], body: bytes) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode() + b"\n" + body).hexdigest()


def _checked(id: str) -> str:
    if not isinstance(id, str) or not id:
        raise InvalidArgument(f"the id {id!r} of a document is invalid; it is a text that is not empty")
    return id


def _copied(value: Any, name: str) -> Any:
    """A copy of a value of JSON; an error has the name of the innermost value that JSON lacks."""
    reason = "a tuple, or a key that is not a text, would not come back as it is"
    try:
        copied = json.loads(json.dumps(value, allow_nan=False))
        if copied == value:
            return copied
    except (TypeError, ValueError, RecursionError) as failure:
        reason = str(failure)
    with contextlib.suppress(RecursionError):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
            _copied(part, f"{name}.{key}")
    raise InvalidArgument(
        f"{name:.200}: {reason}; a document holds texts, finite numbers, booleans, None, and lists and dictionaries of these. "
        "Convert a time by isoformat(), a NumPy number by item(), and NaN to None"
    )
