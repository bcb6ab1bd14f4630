"""Backups of a store, and files that are preserved or no longer needed."""

import os
import textwrap
import threading

import kin
import numpy as np
import pytest
from conftest import index_of, run_python, session, together


def filled(path, count=20):
    engine = kin.Engine(path)
    engine.put([{"session": session(number, f"u{number % 4}")} for number in range(count)])
    return engine


def counts(path, **options):
    with kin.Engine(path, **options) as engine:
        report = engine.check()
        assert report["is_intact"], report["problems"]
        return report["records"]["session"]


def test_a_backup_opens_alone_while_the_store_is_in_use(tmp_path):
    path, backup = tmp_path / "people.db", tmp_path / "backup.db"
    with filled(path) as engine:
        stop = threading.Event()

        def write():
            number = 1000
            while not stop.is_set():
                engine.put([{"session": session(number, "other")}, {"session": session(number + 1, "other")}])
                number += 2

        def back_up():
            try:
                for round in range(5):
                    assert engine.backup(backup, overwrite=round > 0)["change"] > 0
                    found = counts(backup, read_only=True)
                    assert found >= 20 and found % 2 == 0
            finally:
                stop.set()

        together(write, back_up)
        assert sorted(name for name in os.listdir(tmp_path) if name.startswith("backup")) == ["backup.db"]
        assert backup.stat().st_mode & 0o777 == 0o600
        with pytest.raises(kin.InvalidArgument, match="there is a backup already"):
            engine.backup(backup)
        with pytest.raises(kin.InvalidArgument, match="not a backup"):
            engine.backup(path, overwrite=True)


def test_a_backup_is_restored(tmp_path):
    path, backup = tmp_path / "people.db", tmp_path / "backup.db"
    with filled(path) as engine:
        engine.backup(backup)
        engine.put([{"session": session(99, "later")}])
        with pytest.raises(kin.Busy):
            kin.restore(backup, path)
    kin.restore(backup, path)
    assert counts(path) == 20
    # An older file that was restored by hand is refused, until the store is restored from that very file.
    with kin.Engine(path) as engine:
        engine.backup(backup, overwrite=True)
        engine.put([{"session": session(99, "later")}])
    path.write_bytes(backup.read_bytes())
    with pytest.raises(kin.CorruptFile, match="restore") as refusal:
        kin.Engine(path)
    assert "-writer" not in str(refusal.value)
    kin.restore(path, path)
    assert counts(path) == 20
    letter = tmp_path / "letter.txt"
    letter.write_text("a letter")
    with pytest.raises(kin.InvalidArgument):
        kin.restore(backup, letter)
    with pytest.raises(kin.UnsupportedFormat):
        kin.restore(letter, path)
    assert letter.read_text() == "a letter" and counts(path) == 20


@pytest.mark.parametrize("kind", [kin.FlatIndex, kin.IVFIndex])
def test_saving_does_not_overwrite_files_of_other_kinds(tmp_path, kind):
    index = index_of(np.array([[0, 1], [1, 2]]), make=kind)
    csv = tmp_path / "v.csv"
    csv.write_text("id,x,y\n1,2,3\n")
    with pytest.raises(kin.InvalidArgument, match="would be lost"):
        index.save(csv)
    with pytest.raises(kin.InvalidArgument, match="would be lost"):
        kin.IVFIndex.build(csv, [np.zeros((3, 2), "f4")])
    assert csv.read_text() == "id,x,y\n1,2,3\n"
    index.save(csv, overwrite=True)
    assert len(kin.open(csv)) == 2
    # Saved indexes of either kind and empty files are replaced without confirmation.
    for other in (kin.FlatIndex(2), kin.IVFIndex(2)):
        other.save(csv)
        assert len(kin.open(csv)) == 0
    empty = tmp_path / "empty"
    empty.touch()
    index.save(empty)
    csv.write_text("mine")
    kin.IVFIndex.build(csv, [np.zeros((3, 2), "f4")], overwrite=True)
    filled(tmp_path / "people.db").close()
    for name in ("people.db",):
        with pytest.raises(kin.InvalidArgument, match="a store"):
            index.save(tmp_path / name, overwrite=True)
    assert counts(tmp_path / "people.db") == 20


@pytest.mark.parametrize("kind", ["FlatIndex", "IVFIndex"])
def test_an_index_without_mapping_outlives_its_file(tmp_path, kind):
    """A deploy with cp writes into the file; if it were mapped, the process would end with SIGBUS."""
    program = textwrap.dedent(f"""
        import os, sys, kin, numpy as np
        folder = sys.argv[1]
        x = np.random.default_rng(0).random((50000, 16)).astype("f4")
        index = kin.{kind}(16)
        index.add(x)
        index.save(folder + "/a.kin")
        index = kin.open(folder + "/a.kin", mapped=False)
        expected = index.search(x[40000:40010], k=3)
        os.truncate(folder + "/a.kin", 100)
        os.system(f"cp /dev/null {{folder}}/a.kin")
        found = index.search(x[40000:40010], k=3)
        assert (found[0] == expected[0]).all() and (found[1] == expected[1]).all()
        assert kin.open
    """)
    run_python(program, tmp_path)
