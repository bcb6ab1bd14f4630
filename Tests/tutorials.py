#!/usr/bin/env python3
"""Builds and runs the program of a tutorial, and compares its output with the output on the page.

    python3 Tests/tutorials.py swift [SCRATCH]    with the library of this folder, built from scratch or in SCRATCH
    python3 Tests/tutorials.py c                  with the library that pkg-config finds

The blocks of a page in its language are, in order, a program. Its `text` blocks are, in order, the output. The Swift
page's program depends on the product Kin alone, which also shows that Kin does not bring in Foundation. The blocks in C
of other pages are compiled and run too.
"""

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def blocks(page, language):
    """The texts of a page's blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def run(*command, folder):
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def swift(page, folder, scratch=None):
    """A package that depends on the library in this folder instead of the released one."""
    manifest, *program = blocks(page, "swift")
    manifest, places = re.subn(r'\.package\(url: "[^"]*/kin", from: "([^"]*)"\)', f'.package(name: "kin", path: "{ROOT}")', manifest)
    assert places == 1, "the tutorial's manifest does not depend on kin"
    (folder / "Package.swift").write_text(manifest)
    source = folder / "Sources/evenings/main.swift"
    source.parent.mkdir(parents=True)
    source.write_text("\n".join(program))
    builds = Path(scratch).resolve() if scratch else folder / ".build"
    start = time.monotonic()
    run("swift", "build", "-c", "release", "--scratch-path", builds, folder=folder)
    print(f"built in {time.monotonic() - start:.0f} s")
    built = builds / "release/evenings"
    libraries = re.findall(r"\S*Foundation\S*|\S*icu\S*", run("ldd", built, folder=folder))
    symbols = re.findall(r"\S*(?:10Foundation|20FoundationEssentials)\S*", run("nm", built, folder=folder))
    assert not libraries and not symbols, f"a program of Kin alone has Foundation in it: {(libraries + symbols)[:5]}"
    return run(built, folder=folder)


def run_c(program, folder):
    (folder / "evenings.c").write_text(program)
    flags = run("pkg-config", "--cflags", "--libs", "kin", folder=folder).split()
    run("cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "evenings.c", *flags, "-o", "evenings", folder=folder)
    return run("./evenings", folder=folder)


def c(page, folder):
    for name, (given, output) in FRAGMENTS.items():
        program = f"#include <kin.h>\n#include <stdio.h>\nint main(void) {{\n{given}\n{''.join(blocks(ROOT / name, 'c'))}\nreturn 0; }}\n"
        printed = run_c(program, folder)
        assert re.fullmatch(output, printed), f"the C of {name} prints {printed!r}"
    return run_c("".join(blocks(page, "c")), folder)


# Pages with a part of a program in C, the declarations that it needs, and the form of its output.
FRAGMENTS = {
    "README.md": (
        "enum { count = 100 }; static float points[count * 16]; for (int i = 0; i < count * 16; i++) points[i] = i * i % 97;",
        r"inertia [1-9][0-9.]*\n",
    ),
    "Sources/Interfaces/Kin/Documentation.docc/EmbeddingInAService.md": ("", ""),
}

PAGES = {"swift": (swift, "Sources/Interfaces/Kin/TUTORIAL.md"), "c": (c, "Sources/Interfaces/CKin/TUTORIAL.md")}


def main():
    language, *rest = sys.argv[1:] or [""]
    if language not in PAGES:
        sys.exit(__doc__)
    runs, name = PAGES[language]
    page = ROOT / name
    with tempfile.TemporaryDirectory() as folder:
        printed = runs(page, Path(folder), *rest)
    shown = "".join(blocks(page, "text"))
    assert shown.strip(), f"{name} shows nothing that its program prints"
    if printed != shown:
        sys.exit(f"{name} shows\n{shown}and its program prints\n{printed}")
    print(f"{name} prints what it shows")


if __name__ == "__main__":
    main()
