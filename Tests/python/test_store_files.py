"""The files of an open store: other programs, folder changes, links and copies."""

import os
import shutil
import signal
import subprocess
import sys

import kin
import pytest
from conftest import together

# A process that stores people, lets a foreign program read the database, stores more and is killed.
ROUND = """
import kin, os, shutil, signal, sqlite3, subprocess, sys
path, reader, first = sys.argv[1], sys.argv[2], int(sys.argv[3])
def people(start): return [{"soul": {"uid": f"p{number}", "goals": {"sleep": 1}}} for number in range(start, start + 5)]
READ = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('select count(*) from sqlite_master').fetchall(); c.close()"
engine = kin.Engine(path)
engine.put(people(first))
print(first + 5, flush=True)
if "library" in reader:
    connection = sqlite3.connect(path)
    connection.execute("select count(*) from sqlite_master").fetchall()
    connection.close()
if "copy" in reader:
    shutil.copy(path, path + ".copy")
if "process" in reader:
    subprocess.run([sys.executable, "-c", READ, path], check=True)
engine.put(people(first + 5))
print(first + 10, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def people(*names):
    return [{"soul": {"uid": name, "goals": {"sleep": 1}}} for name in names]


@pytest.mark.parametrize("reader", ["library", "process", "copy process", "library process", "library copy process"])
def test_other_programs_lose_no_data(tmp_path, reader):
    path = str(tmp_path / "people.db")
    rounds = int(os.environ.get("KIN_FOREIGN_ROUNDS", "2"))
    acknowledged = 0
    for _ in range(rounds):
        told = subprocess.run(
            [sys.executable, "-c", ROUND, path, reader, str(acknowledged)], capture_output=True, text=True, check=False
        )
        assert told.returncode == -signal.SIGKILL, told.stderr
        acknowledged = int(told.stdout.split()[-1])
        with kin.Engine(path, read_only=True) as engine:
            assert len(engine.users()) == acknowledged
            assert engine.check()["problems"] == []
    assert acknowledged == 10 * rounds


def test_a_relative_path_survives_a_change_of_folder(tmp_path, monkeypatch):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    with kin.Engine(str(tmp_path / "two" / "p.db")) as other:
        other.put(people(*(f"theirs{number}" for number in range(9))))
        monkeypatch.chdir(tmp_path / "one")
        with kin.Engine("p.db") as engine:
            engine.put(people("ours", "gone"))
            monkeypatch.chdir(tmp_path / "two")
            answers = []
            together(*[lambda: answers.extend(len(engine.users()) for _ in range(50))] * 16)
            assert len(answers) == 800 and set(answers) == {2}
            engine.similar_souls("ours")
            engine.save_indexes()
            assert (tmp_path / "one" / "p.db-indexes").is_dir()
            assert not (tmp_path / "two" / "p.db-indexes").exists()
            engine.forget("gone")
        assert len(other.users()) == 9


def test_links_open_the_same_store_or_fail(tmp_path):
    path = tmp_path / "p.db"
    (tmp_path / "link.db").symlink_to(path)
    (tmp_path / "nowhere.db").symlink_to(tmp_path / "nothing")
    with kin.Engine(str(path)) as engine:
        engine.put(people("ours"))
        with pytest.raises(kin.KinError, match="open for writing"):
            kin.Engine(str(tmp_path / "link.db"))
    for name in ["nowhere.db", "none/p.db", "."]:
        with pytest.raises(kin.KinError, match="link|folder"):
            kin.Engine(str(tmp_path / name))
    os.link(path, tmp_path / "second.db")
    for read_only in [True, False]:
        with pytest.raises(kin.KinError, match="hard links"):
            kin.Engine(str(tmp_path / "second.db"), read_only=read_only)


def test_a_copy_of_the_main_file_is_refused(tmp_path):
    path, copy = tmp_path / "p.db", tmp_path / "copy.db"
    with kin.Engine(str(path)) as engine:
        for start, count in [(0, 500), (500, 3000)]:
            engine.put(people(*(f"p{number}" for number in range(start, start + count))))
            shutil.copy(path, copy)
            for read_only in [True, False, True]:
                with pytest.raises(kin.KinError, match="copy of an open store"):
                    kin.Engine(str(copy), read_only=read_only)
    shutil.copy(path, tmp_path / "closed.db")
    with kin.Engine(str(tmp_path / "closed.db")) as engine:
        assert len(engine.users()) == 3500


def test_a_removed_store_is_reported(tmp_path):
    path = tmp_path / "p.db"
    with kin.Engine(str(path)) as engine:
        engine.put(people("a"))
        for end in ["", "-wal", "-shm", "-writer"]:
            os.remove(f"{path}{end}")
        with pytest.raises(kin.KinError, match="removed"):
            engine.put(people("b"))
        assert not engine.check()["is_intact"]
        assert len(engine.users()) >= 1
    assert not path.exists()
