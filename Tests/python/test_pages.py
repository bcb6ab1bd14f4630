"""Every piece of Python and every command of the tool on the pages runs and gives an answer. Both sides of a comparison
agree."""

import ast
import contextlib
import gzip
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import kin
import numpy as np
import pytest
from conftest import NAMES, SOURCES, session

sys.path.append(str(SOURCES.parent.parent / "Tests"))
import tutorials  # noqa: E402

ROOT = tutorials.ROOT
FOLDER = SOURCES / "python"
DATASETS = ROOT / "datasets"

# The pages with Python and with commands of the tool, and a command that makes files of the page's reader.
STORE = f"kin store import {DATASETS}/people.jsonl --store people.db"
PYTHON = {
    "README.md": "kin demo --count 1000 -o demo",
    "Sources/Interfaces/Kin/Documentation.docc/EmbeddingInAService.md": STORE,
    "Sources/Interfaces/python/README.md": None,
}
SHELL = {
    "README.md": None,
    "datasets/README.md": None,
    "Sources/Engine/KinStore/Documentation.docc/Backups.md": STORE,
    "Sources/Engine/KinStore/Documentation.docc/RecordsOfApps.md": None,
    "Sources/Interfaces/KinShell/README.md": None,
}
# Commands that download, build, install or test Kin: .ci/run has steps for them.
ELSEWHERE = ("apt-get ", "git clone ", "pip ", "swift build ", "KIN_OPTIMISE=1 swift ")
# An answer without anything in it.
EMPTY = re.compile(r"^ *(?:nothing|nobody|null|no \w+)\b", re.MULTILINE)


def blocks(page, folder=FOLDER):
    """The heading and the text of each Python block of a page."""
    heading = ""
    for part in re.finditer(r"^#+ ([^\n]*)$|^```python\n(.*?)^```$", (folder / page).read_text(), re.MULTILINE | re.DOTALL):
        if part.group(1) is not None:
            heading = part.group(1)
        else:
            yield heading, part.group(2)


@pytest.fixture
def names(random, monkeypatch, tmp_path):
    """The names that a page assumes: vectors, queries, a query, ids and a folder to write to."""
    monkeypatch.chdir(tmp_path)
    # Directions of different variance, so that principal components are well determined.
    x = random.random((2000, 16), dtype=np.float32) * np.geomspace(0.3, 1.5, 16, dtype=np.float32)
    return {"np": np, "kin": kin, "x": x, "q": x[:20] + np.float32(0.01), "ids": np.arange(5000, 7000)} | {
        "session": session(1),
        "later": session(2),
        "profile": {"uid": "u42", "pleasure_profile": dict.fromkeys(NAMES, 0.5)},
    }


def answered(value):
    """The value of an expression on a page, which must not be empty."""
    if isinstance(value, (dict, list, np.ndarray)):
        assert len(value) and not (isinstance(value, dict) and (value.get("nothing") or value.get("reason"))), value
    return value


def run_block(text, page, names):
    """Runs a block. Its expressions and calls must have answers."""
    tree = ast.parse(text, page)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) or isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            node.value = ast.Call(ast.Name("answered", ast.Load()), [node.value], [])
    names["answered"] = answered
    exec(compile(ast.fix_missing_locations(tree), page, "exec"), names)


@pytest.mark.parametrize("page", PYTHON)
def test_the_python_runs(page, names, tmp_path):
    if PYTHON[page]:
        command(PYTHON[page], tmp_path)
    found = list(blocks(page, ROOT))
    assert found
    for _, text in found:
        # Only these need more than NumPy; test_ray_pages.py runs those about Ray.
        if "kin.ray" not in text and ("import polars" not in text or importlib.util.find_spec("polars")):
            run_block(text, page, names)


def command(line, folder):
    """The output of a command, which must not be empty unless it goes to a file."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        env={**os.environ, "PATH": path, "COLUMNS": "80"},
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    printed = done.stdout.strip() or done.stderr.strip() and " -o " in line
    assert printed or " > " in line or line.startswith("eval "), f"{line}\nprints nothing; {done.stderr}"
    assert not EMPTY.search(done.stdout), f"{line}\n{done.stdout}"
    return done.stdout


def commands(page):
    """The commands in a page's blocks for the shell."""
    for text in tutorials.blocks(ROOT / page, "sh"):
        for line in text.replace("\\\n", "").splitlines():
            line = line.replace("swift run -c release kin ", "kin ")
            if line.strip() and not line.startswith(("#", *ELSEWHERE)):
                yield line


def pages():
    """The pages of the project. The change log and the edits for older releases also name commands that are gone."""
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    return set(listed) - {".github/CHANGELOG.md", ".github/MIGRATING.md"}


def test_the_code_of_every_page_runs():
    """The lists have every page with code. Commands in results are of their own release."""
    tutorial = {"Sources/Interfaces/python/TUTORIAL.md", "Sources/Interfaces/python/RAY_TUTORIAL.md"}
    others = {"Sources/Interfaces/python/MIGRATING.md", "Sources/Interfaces/python/RAY.md"}
    programs = {page for _, page in tutorials.PAGES.values()}
    builds = {".github/CONTRIBUTING.md", ".github/PLATFORMS.md", "Benchmarks/README.md", "Benchmarks/peers/README.md"}
    run = {
        "python": {*PYTHON, *tutorial, *others},
        "sh": {*SHELL, *builds, *tutorial, *programs, "Sources/Interfaces/python/README.md"},
        "c": {*tutorials.FRAGMENTS, *programs},
        "swift": {"README.md", *programs, *(page for page in pages() if "/Documentation.docc/" in page)},
        "text": {*tutorial, *programs},
    }
    for page in pages():
        if not page.startswith("Benchmarks/results/"):
            text = (ROOT / page).read_text()
            for language in re.findall(r"^```(\w+)$", text, re.MULTILINE):
                assert page in run[language], f"{page} has {language} that no test runs"
            assert not re.search(r"^    (?:kin|swift|python3?) ", text, re.MULTILINE), f"{page} has a command outside ```sh"


def options_of(words):
    return re.findall(r"(?<!\S)--([a-z][\w-]*)", words)


def test_the_text_names_commands_and_options_of_the_tool(tmp_path):
    names = re.findall(r"^  (\w+(?: \w+)?)  +\S", command("kin help all", tmp_path), re.MULTILINE)
    helps = {}
    for page in pages():
        prose = re.sub(r"^```.*?^```", "", (ROOT / page).read_text(), flags=re.MULTILINE | re.DOTALL)
        for words in re.findall(r"`kin ([a-z][^`]*)`", prose):
            name = max((name for name in [*names, "help"] if f"{words} ".startswith(f"{name} ")), key=len, default=None)
            assert name, f"{page}: there is no command in `kin {words}`"
            helps[name] = helps.get(name) or command(f"kin help {name.removeprefix('help')}", tmp_path)
            for option in options_of(words):
                assert f"--{option}" in helps[name] or option == "help", f"{page}: {name} has no --{option}"
    assert len(helps) > 10


def test_the_pages_name_options_of_the_benchmarks():
    """Benchmarks are too slow to run as shown; .ci/run runs them with small data. Results name their own release's options."""
    folder, found = ROOT / "Benchmarks", 0
    sources = {f"{path.name.removesuffix('Bench').lower()}-bench": list(path.glob("*.swift")) for path in folder.glob("Sources/*Bench")}
    sources |= {"ceilings": list(folder.glob("Sources/CeilingsTool/*.swift")), "kin-service": list(folder.glob("Service/Sources/*/*.swift"))}
    sources |= {path.name: [path] for path in [*folder.glob("peers/*.py"), *folder.glob("interfaces/*.py")]}
    for page in pages():
        if not page.startswith("Benchmarks/results/"):
            for name, words in re.findall(r"(?<![\w/.-])([a-z_]+-bench|ceilings|kin-service|[a-z_]+\.py)((?: +[^\s`#]+)+)", (ROOT / page).read_text()):
                text = "".join(path.read_text() for path in sources.get(name, []))
                for option in options_of(words) if name in sources else []:
                    parts = option.split("-")
                    camel = parts[0] + "".join(map(str.capitalize, parts[1:]))
                    known = f'"--{option}"' in text or f"var {camel}" in text or f'customLong("{option}")' in text
                    assert known or option == "help", f"{page}: {name} has no --{option}"
                    found += 1
    assert found > 20


def test_the_picture_of_the_first_page_is_current(tmp_path):
    command(f"kin index build {DATASETS}/sample-16d.csv -o profiles.kin", tmp_path)
    command("kin repl profiles.kin -c 'near 42' -c ':plot near.svg'", tmp_path)
    assert (tmp_path / "near.svg").read_text() == (ROOT / ".github/near.svg").read_text()


def write_public_sets(random, folder):
    """Small files in the form of the data sets that a reader downloads."""
    letters = random.integers(0, 16, (16_100, 16))
    rows = [",".join([chr(65 + row[0] + row[1] // 2), *map(str, row)]) for row in letters]
    (folder / "letter-recognition.data").write_text("\n".join(rows) + "\n")
    for name, count in (("sift_base", 1000), ("sift_query", 5)):
        vectors = random.integers(0, 200, (count, 128)).astype(np.float32)
        np.hstack([np.full((count, 1), 128, np.int32), vectors.view(np.int32)]).tofile(folder / f"{name}.fvecs")
    tracks = [f"t{number},{number % 7},{number % 5 / 5},{60 + number % 90}" for number in range(300)]
    with gzip.open(folder / "tracks.csv.gz", "wt") as file:
        file.write("\n".join(["track_id,key,energy,tempo", *tracks]) + "\n")
    boxes = [f"{number // 3},{number % 4 + 1},{number % 50},10,30,40" for number in range(300)]
    (folder / "boxes.csv").write_text("\n".join(["image_id,category_id,x,y,w,h", *boxes]) + "\n")
    things = ["1,boat,vehicle", "2,bird,animal", "3,book,indoor", "4,bench,outdoor"]
    (folder / "categories.csv").write_text("\n".join(["category_id,category,supercategory", *things]) + "\n")
    np.save(folder / "x.npy", random.random((500, 24), dtype=np.float32))


@pytest.mark.parametrize("page", SHELL)
def test_the_commands_run(page, random, tmp_path):
    if page == "datasets/README.md":
        (tmp_path / "datasets").mkdir()
        write_public_sets(random, tmp_path)
    if SHELL[page]:
        command(SHELL[page], tmp_path)
    found = list(commands(page))
    assert len(found) >= 3
    for line in found:
        command(line, tmp_path)
    made = [path for path in tmp_path.glob("datasets/**/*") if path.is_file()]
    assert len(made) == (8 if page == "datasets/README.md" else 0)
    for path in made:
        assert path.read_bytes() == (DATASETS / path.relative_to(tmp_path / "datasets")).read_bytes(), path
    # Large files, which pytest would leave behind.
    shutil.rmtree(tmp_path)


def follow(page, names):
    """Runs a tutorial, whose program prints the text that the page shows."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for text in tutorials.blocks(FOLDER / page, "python"):
            exec(compile(text, page, "exec"), names)
    assert printed.getvalue() == "".join(tutorials.blocks(FOLDER / page, "text")) != ""


def test_the_tutorial_prints_what_it_shows(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    follow("TUTORIAL.md", {})


def pairs():
    found = list(blocks("MIGRATING.md"))
    assert len(found) % 2 == 0 and len(found) >= 16
    return [pytest.param(theirs, ours, id=heading) for (heading, theirs), (_, ours) in zip(found[::2], found[1::2])]


@pytest.mark.parametrize(("theirs", "ours"), pairs())
def test_both_sides_of_a_comparison_agree(names, theirs, ours):
    left, right = dict(names), dict(names)
    exec(theirs, left)
    exec(ours, right)
    shared = [
        name
        for name in left.keys() & right.keys() - names.keys()
        if isinstance(left[name], (np.ndarray, int, float)) and isinstance(right[name], (np.ndarray, int, float))
    ]
    assert shared, "the two sides have no result in common"
    for name in shared:
        np.testing.assert_allclose(
            np.asarray(left[name], dtype=np.float64), np.asarray(right[name], dtype=np.float64), rtol=1e-4, atol=1e-4,
            err_msg=name,
        )
