"""The manifest of a version: its shard files, their contents, and the partition of vectors."""

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

from kin._signatures import Metric
from kin.errors import CorruptFile, UnsupportedFormat
from kin.ray.partition import Partition

_FORMAT = 1


@dataclass(frozen=True)
class ShardFile:
    """One shard of a version; a shard without rows has no file."""

    name: str = ""
    rows: int = 0
    bytes: int = 0
    sha256: str = ""
    first_id: int = 0
    """The smallest id, as an unsigned 64-bit number."""
    last_id: int = 0
    low: tuple[float, ...] = ()
    """The lower corner of the box around the rows; for cosine, around their directions."""
    high: tuple[float, ...] = ()


@dataclass(frozen=True)
class Manifest:
    """A version of a sharded index."""

    version: int
    kind: str
    metric: Metric
    dimension: int
    lists: int
    partition: Partition
    shards: tuple[ShardFile, ...]
    schema: dict[str, str] = field(default_factory=dict)
    """The kinds of the attributes, by name."""

    @property
    def rows(self) -> int:
        """The number of vectors."""
        return sum(shard.rows for shard in self.shards)

    @property
    def names(self) -> set[str]:
        """The names of the shard files."""
        return {shard.name for shard in self.shards if shard.rows}

    def next(self, shards: tuple[ShardFile, ...], schema: dict[str, str]) -> Self:
        """The next version, with these shards and attributes."""
        return replace(self, version=self.version + 1, shards=shards, schema=schema)

    def encode(self) -> bytes:
        """The manifest as JSON, with its checksum."""
        facts = asdict(self) | {"format": _FORMAT, "partition": self.partition.encode()}
        return json.dumps(facts | {"checksum": _checksum(facts)}, indent=1).encode()

    @classmethod
    def decode(cls, text: bytes, path: str) -> Self:
        """Reads a manifest.

        Raises
        ------
        UnsupportedFormat
            A later release wrote the manifest.
        CorruptFile
        """
        damaged = CorruptFile(f"{path} is damaged; restore it from a copy, or open an earlier version")
        try:
            facts: dict[str, Any] = json.loads(text)
            form = facts.pop("format")
            if form != _FORMAT:
                raise UnsupportedFormat(f"{path} has the format {form}, and this release reads {_FORMAT}")
            if facts.pop("checksum") != _checksum(facts | {"format": form}):
                raise damaged
            shards = tuple(
                ShardFile(**shard | {"low": tuple(shard["low"]), "high": tuple(shard["high"])}) for shard in facts.pop("shards")
            )
            partition = Partition.decode(facts.pop("partition"))
            return cls(**facts, shards=shards, partition=partition)
        except (KeyError, TypeError, AttributeError, json.JSONDecodeError, UnicodeDecodeError):
            raise damaged from None


def _checksum(facts: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
