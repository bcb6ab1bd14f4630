"""The folder of a sharded index: shard files and numbered manifests, on a local disk or any file system of pyarrow."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self, TypeAlias

from pyarrow import fs

from kin._disk import create, failures, sync
from kin.errors import Busy, CorruptFile, InvalidArgument
from kin.ray.manifest import Manifest, ShardFile

_MANIFEST, _SHARDS = "manifest-", "shards"


class Folder:
    """A folder that every node can read: a shared path, a URI, or a path in a file system of pyarrow.

    Parameters
    ----------
    location : str or path
        ``"/data/souls"`` or ``"s3://bucket/souls"``; with ``filesystem``, a path in that file system.
    filesystem : pyarrow.fs.FileSystem, optional
        A file system for settings that a URI cannot contain, such as keys or a custom endpoint.
    """

    def __init__(self, location: str | os.PathLike[str], filesystem: Any = None) -> None:
        text = os.fspath(location)
        if filesystem is not None:
            self.filesystem, self.path = filesystem, text.rstrip("/")
        elif "://" in text:
            self.filesystem, self.path = fs.FileSystem.from_uri(text)
        else:
            self.filesystem, self.path = fs.LocalFileSystem(), os.path.abspath(text)
        self.is_local = isinstance(self.filesystem, fs.LocalFileSystem)

    @classmethod
    def of(cls, folder: FolderLike) -> Self:
        """The folder for an argument: a path, a URI or a Folder."""
        return folder if isinstance(folder, cls) else cls(folder)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return self.path

    # Manifests

    def versions(self) -> list[int]:
        """The numbers of all versions, ascending."""
        with failures(self.path):
            found = self.filesystem.get_file_info(fs.FileSelector(self.path, allow_not_found=True))
        names = [info.base_name for info in found if info.type == fs.FileType.File]
        numbers = [name[len(_MANIFEST) : -5] for name in names if name.startswith(_MANIFEST) and name.endswith(".json")]
        return sorted(int(number) for number in numbers if number.isdigit())

    def read(self, version: int | None = None) -> Manifest:
        """The manifest of a version. Default: the newest version.

        Raises
        ------
        InvalidArgument
            The folder does not contain this version, or contains no version at all.
        CorruptFile, UnsupportedFormat
        """
        versions = self.versions()
        if not versions:
            raise InvalidArgument(f"{self.path} holds no sharded index; make one by kin.ray.build")
        if version is None:
            version = versions[-1]
        elif version not in versions:
            raise InvalidArgument(f"{self.path} has no version {version}; it has {', '.join(map(str, versions))}")
        path = self._manifest(version)
        with failures(path), self.filesystem.open_input_stream(path) as stream:
            text = stream.read()
        manifest = Manifest.decode(text, path)
        if manifest.version != version:
            raise CorruptFile(f"{path} says that it is version {manifest.version}; restore it from a copy")
        return manifest

    def publish(self, manifest: Manifest) -> None:
        """Makes a version visible, in one step and at most once.

        Raises
        ------
        Busy
            A different writer has published this version.
        """
        path, text = self._manifest(manifest.version), manifest.encode()
        taken = Busy(f"{path} is there already: another writer has made version {manifest.version}; write again")
        with failures(path):
            if not self.is_local:
                # One put writes a complete object. There is no lock, so the caller must ensure that there is one writer
                # at a time.
                if self.filesystem.get_file_info(path).type != fs.FileType.NotFound:
                    raise taken
                with self.filesystem.open_output_stream(path) as stream:
                    stream.write(text)
                return
            # Not a file of tempfile's, which no other user may read.
            draft = Path(self.path, f".manifest-{uuid.uuid4().hex}")
            try:
                create(draft, text)
                # Unlike a rename, a link never replaces an existing file.
                os.link(draft, path)
            except FileExistsError:
                raise taken from None
            finally:
                draft.unlink(missing_ok=True)
            sync(self.path)

    def _manifest(self, version: int) -> str:
        return f"{self.path}/{_MANIFEST}{version:08}.json"

    # Shard files

    def create(self) -> None:
        """Creates the folder if it does not exist."""
        with failures(self.path):
            self.filesystem.create_dir(f"{self.path}/{_SHARDS}", recursive=True)

    def shard_names(self) -> list[str]:
        """The names of all shard files, including those that no version uses, and of folders that writers left
        behind."""
        with failures(self.path):
            found = self.filesystem.get_file_info(fs.FileSelector(f"{self.path}/{_SHARDS}", allow_not_found=True))
        return sorted(info.base_name for info in found)

    def store(self, local: Path, name: str) -> tuple[int, str]:
        """Moves a file of this node into the folder; returns its size in bytes and its checksum."""
        target = f"{self.path}/{_SHARDS}/{name}"
        digest, size = checksum(local), local.stat().st_size
        with failures(target):
            if self.is_local:
                os.replace(local, target)
                sync(os.path.dirname(target))
            else:
                with local.open("rb") as source, self.filesystem.open_output_stream(target) as stream:
                    shutil.copyfileobj(source, stream, 1 << 20)
        return size, digest

    def scratch(self, version: int) -> tempfile.TemporaryDirectory[str]:
        """A folder of this node for files before :meth:`store`; next to the shard files if a rename can move them."""
        shards = f"{self.path}/{_SHARDS}" if self.is_local else None
        return tempfile.TemporaryDirectory(dir=shards, prefix=f"{version:08}-draft-", ignore_cleanup_errors=True)

    def remove(self, *, shards: list[str], versions: list[int]) -> None:
        """Deletes manifests, then shard files and other entries of their folder."""
        with failures(self.path):
            for version in versions:
                self.filesystem.delete_file(self._manifest(version))
            for name in shards:
                path = f"{self.path}/{_SHARDS}/{name}"
                is_folder = self.filesystem.get_file_info(path).type == fs.FileType.Directory
                (self.filesystem.delete_dir if is_folder else self.filesystem.delete_file)(path)

    @contextmanager
    def fetched(self, shard: ShardFile, *, verify: bool) -> Iterator[Path]:
        """A local file with the bytes of a shard, until the block ends; a mapping of it lasts longer.

        Raises
        ------
        InputOutput
            The file is missing, or cannot be read.
        CorruptFile
            The file does not match the manifest.
        """
        source = f"{self.path}/{_SHARDS}/{shard.name}"
        with tempfile.TemporaryDirectory(prefix="kin-shard-") as scratch:
            if self.is_local:
                path = Path(source)
            else:
                path = Path(scratch, shard.name)
                with failures(source), self.filesystem.open_input_stream(source) as stream, path.open("wb") as file:
                    shutil.copyfileobj(stream, file, 1 << 20)
            with failures(source):
                size = path.stat().st_size
                if size != shard.bytes:
                    raise CorruptFile(f"{source} has {size} bytes, and its manifest says {shard.bytes}: restore it from a copy")
                if verify and checksum(path) != shard.sha256:
                    raise CorruptFile(f"{source} does not have the checksum of its manifest: restore it from a copy")
            yield path


FolderLike: TypeAlias = str | os.PathLike[str] | Folder


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
