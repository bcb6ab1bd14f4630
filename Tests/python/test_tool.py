"""The tool of the package, `kin` and `python -m kin`, behaves as the program that Swift builds."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import kin
import pytest
from conftest import SOURCES, index_of

ROOT = SOURCES.parents[1]
BUILT = ROOT / ".build/release/kin"
RUNS = {"kin": [str(Path(sys.executable).with_name("kin"))], "python -m kin": [sys.executable, "-B", "-m", "kin"]}


@pytest.fixture(params=RUNS.values(), ids=RUNS.keys())
def tool(request):
    """Runs the tool in one of its two forms."""
    return request.param


@pytest.fixture
def path(tmp_path, x):
    """A saved index of 3,000 vectors."""
    index = index_of(x, make=kin.FlatIndex)
    index.save(tmp_path / "profiles.kin")
    return str(tmp_path / "profiles.kin")


def run(tool, *words, **options):
    done = subprocess.run([*tool, *map(str, words)], capture_output=True, text=True, timeout=120, **options)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def test_version_and_help(tool):
    assert run(tool, "--version").stdout == f"kin {kin.__version__}\n"
    shown = run(tool)
    assert shown.returncode == 0 and shown.stdout == run(tool, "--help").stdout and "kin help COMMAND" in shown.stdout


def test_exit_status(tool, path, tmp_path):
    damaged = bytearray(Path(path).read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (tmp_path / "damaged.kin").write_bytes(damaged)
    for status, *words in (
        (0, "index", "verify", path),
        (64, "nonsense"),
        (64, "index", "search", path, "--id", "42", "--no-such-option"),
        (65, "index", "verify", tmp_path / "damaged.kin"),
        (66, "index", "verify", tmp_path / "missing.kin"),
        (73, "generate", "uniform", "--count", "10", "-o", tmp_path / "no/such/folder.npy"),
    ):
        done = run(tool, *words)
        assert done.returncode == status, (words, done.stdout, done.stderr)
        assert bool(done.stderr) == (status not in (0, 65)), done.stderr
    with kin.Engine(tmp_path / "people.db"):
        people = ROOT / "datasets/people.jsonl"
        assert run(tool, "store", "import", people, "--store", tmp_path / "people.db").returncode == 75


def test_standard_streams(tool, path):
    near = run(tool, "repl", path, input="near 42 k 3\n")
    assert near.returncode == 0 and len(near.stdout.splitlines()) == 4, near
    closed = run(["sh", "-c", 'exec "$@" >&-', "sh", *tool], "--help")
    assert closed.returncode == 74 and closed.stderr == "Error: standard output cannot be written: Bad file descriptor\n"
    # A reader that leaves ends the tool without a message.
    with subprocess.Popen([*tool, "methods", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == -signal.SIGPIPE


def test_json_and_unusual_arguments_work(tool, path):
    methods = json.loads(run(tool, "methods", "--json").stdout)
    named = [method["name"] for group in methods["groups"] for method in group["methods"]]
    assert sorted(named) == sorted(kin.methods())
    found = json.loads(run(tool, "index", "verify", path, "--json").stdout)
    assert found["is_intact"] and found["file"] == path
    assert "ä ' \" 日本" in run(tool, "index", "verify", "ä ' \" 日本").stderr
    # Bytes that are not text, as file names may have. Repaired, two names could be one.
    done = subprocess.run([*tool, "index", "verify", b"\xff\xfe"], capture_output=True)
    assert done.returncode == 64 and b"must be UTF-8" in done.stderr and b"Traceback" not in done.stderr


def on_terminal(tool, words, typed=(), environment=None):
    """Runs the tool at a terminal; types each text when the screen shows the text before it. The status, and the screen."""
    process, terminal = pty.fork()
    if process == 0:
        os.environ |= {"TERM": "xterm", "PAGER": "cat", **(environment or {})}
        os.environ.pop("NO_COLOR", None)
        # A job in the background of a script begins with these signals ignored.
        for number in (signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, signal.SIG_DFL)
        os.execv(tool[0], [*tool, *words])
    screen, steps = b"", list(typed)
    while True:
        try:
            screen += os.read(terminal, 65536)
        except OSError:
            break
        if steps and steps[0][0].encode() in screen:
            os.write(terminal, steps.pop(0)[1].encode())
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), screen.decode()


def test_colours(tool):
    assert "\x1b[" in on_terminal(tool, ["--help"])[1]
    assert "\x1b[" not in on_terminal(tool, ["--help"], environment={"TERM": "dumb"})[1]
    assert "\x1b[" not in run(tool, "--help").stdout


def test_early_interrupts(tmp_path):
    """Ctrl-C while the package is imported ends the program, without a traceback."""
    (tmp_path / "numpy.py").write_text("import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(9)\n")
    status, screen = on_terminal(RUNS["kin"], ["--version"], environment={"PYTHONPATH": str(tmp_path)})
    assert status == -signal.SIGINT and "Traceback" not in screen, screen


def test_interrupts(tool, tmp_path):
    """Ctrl-C at the progress bar cancels the work. In a session, only the command."""
    vectors = str(tmp_path / "uniform.npy")
    assert run(tool, "generate", "uniform", "--count", "20000", "-o", vectors).returncode == 0
    index = str(tmp_path / "uniform.kin")
    assert run(tool, "index", "build", vectors, "-o", index, "--kind", "flat").returncode == 0
    words = ["kmeans", vectors, "-k", "2000", "--restarts", "100000", "-o", str(tmp_path / "centroids.npy")]
    status, screen = on_terminal(tool, words, [("working", "\x03")])
    assert status == 130 and "Traceback" not in screen, screen
    typed = [("kin> ", "recall 20000\n"), ("working", "\x03"), ("cancelled", "near 42 k 1\n"), ("rank", "quit\n")]
    status, screen = on_terminal(tool, ["repl", index], typed, {"HOME": str(tmp_path)})
    assert status == 0, screen


@pytest.mark.skipif(not BUILT.exists(), reason="compares with the program that `swift build -c release` makes")
def test_the_same_output_as_the_program(path, tmp_path):
    data = ROOT / "datasets"
    realms, world = tmp_path / "realms", tmp_path / "world.svg"
    for words in (
        ["--help"], ["help", "index", "build"], ["methods"], ["nonsense"], ["index"], ["--complete", "ind"],
        ["index", "info", path], ["index", "search", path, "--id", "42", "-k", "5"],
        ["index", "build", data / "sample-16d.csv", "-o", tmp_path / "sample.kin", "--scale", "standard", "--force"],
        ["match", data / "souls.jsonl", "--user", "u42", "--explain"],
        ["forecast", data / "babies/baby-1.csv", "--now", "2026-03-05T10:00"], ["backtest", data / "babies/baby-1.csv"],
        ["cluster", data / "images.jsonl", "-o", realms, "--force"],
        ["world", "--in", realms, "--plot", world, "--theme", "FOREST äöü", "--force"],
        ["kmeans", data / "sample-16d.csv", "-k", "4", "--seed", "1", "-o", tmp_path / "centroids.npy", "--force"],
        ["store", "import", data / "people.jsonl", "--store", tmp_path / "people.db"],
        ["missions", "u0", "--near", "40.7,-73.9", "--minutes", "90", "--store", tmp_path / "people.db"],
    ):
        ours, drawn = run(RUNS["python -m kin"], *words), world.read_bytes() if world.exists() else None
        theirs = run([str(BUILT)], *words)
        assert (ours.returncode, without_times(ours)) == (theirs.returncode, without_times(theirs)), words
        assert drawn == (world.read_bytes() if world.exists() else None)


def without_times(done):
    return [re.sub(r"[\d.,]+ (?:ns|µs|ms|s|a second)\b", "TIME", text) for text in (done.stdout, done.stderr)]
