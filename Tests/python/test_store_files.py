"""The files of an open store, which other programs read."""

import os
import signal
import subprocess
import sys

import kin
import pytest

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
