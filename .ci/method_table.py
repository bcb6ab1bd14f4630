"""Makes METHODS.md and the typed methods of the Python package from the table of the engine's methods.

The table is what `kin methods --json` prints; the tool has to be built: `swift build --product kin`.
"""

import json
import keyword
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The text of METHODS.md before this line is written by hand.
MARK = "<!-- From here on the page is made by .ci/generate. -->"

WHOLE_WORDS = {"break_long_words": False, "break_on_hyphens": False}

# The Python types of the values that the types of parameters stand for.
PLAIN = {
    "id": "str", "text": "str", "zone": "str", "local time": "str", "time of day": "str", "filter": "str",
    "path": "str | PathLike[str]", "boolean": "bool", "integer": "int", "seed": "int", "number": "float",
    "instant": "Instant", "point": "Mapping[str, float]", "coordinates": "Mapping[str, float]",
}
OBJECTS = {
    "log": "Log", "vector": "ArrayLike", "weights": "Mapping[str, float]", "shares by connection": "Mapping[str, float]",
}
ELEMENTS = {"goal": "str", "local time": "str", "number": "float", "list of numbers": "Sequence[float]"}

FORM = {
    "time of day": "time of day (`07:30`)", "seed": "whole number of 64 bits",
    "point": "point (`{\"food\": 0.8}`)", "coordinates": "place (`{\"lat\": 40.7, \"lng\": -73.9}`)",
    "local time": "local time (`2026-11-20T06:30`)",
}


def load():
    """The table, from the tool that KIN_TOOL names or the one that was built last."""
    built = [tool for tool in (ROOT / ".build/debug/kin", ROOT / ".build/release/kin") if tool.exists()]
    tool = os.environ.get("KIN_TOOL") or max(built, key=lambda tool: tool.stat().st_mtime, default=None)
    if tool is None or not Path(tool).exists():
        sys.exit(f"{tool or 'kin'} is missing, of which the table of methods comes: swift build --product kin")
    return json.loads(subprocess.run([tool, "methods", "--json"], check=True, capture_output=True, text=True).stdout)


def number(value):
    """A number for readers.

    >>> [number(value) for value in (1, 100000.0, 0.001)]
    ['1', '100,000', '0.001']
    """
    return f"{int(value):,}" if value == int(value) else repr(value)


def form(parameter):
    """The type of a parameter in words.

    >>> form({"type": "integer", "minimum": 1, "maximum": 1000})
    'whole number, 1 to 1,000'
    >>> form({"type": "choices", "words": ["a", "b", "c"]})
    'list of `a`, `b`, `c`'
    """
    kind = parameter["type"]
    if kind in ("integer", "number"):
        unit = f" {parameter['unit']}" if "unit" in parameter else ""
        name = "whole number" if kind == "integer" else kind
        return f"{name}, {number(parameter['minimum'])} to {number(parameter['maximum'])}{unit}"
    if kind in ("choice", "choices"):
        words = [f"`{word}`" for word in parameter["words"]]
        return f"list of {', '.join(words)}" if kind == "choices" else f"{', '.join(words[:-1])} or {words[-1]}"
    if kind in ("object", "list"):
        return f"list of {parameter['of']}" if kind == "list" else parameter["of"]
    return FORM.get(kind, kind)


class Page:
    """METHODS.md below its mark."""

    def __init__(self, table):
        self.table = table

    def text(self):
        return "\n".join([MARK, "", *(line for group in self.table["groups"] for line in self.group(group)), *self.records()])

    def group(self, group):
        yield from (f"## {group['title']}", "", group["prose"], "")
        for method in group["methods"]:
            yield from (f"### `{method['name']}`", "", method["summary"] + " A command." * method["is_command"], "")
            if method["parameters"]:
                yield from ("| parameter | type | default | |", "| --- | --- | --- | --- |")
                yield from map(self.row, method["parameters"])
                yield ""
            yield from (f"**Answer:** {method['answer'].rstrip('.')}.", "")

    def row(self, parameter):
        default = "required" if parameter["required"] else ""
        if "default" in parameter:
            value = parameter["default"]
            default = f"`{number(value) if isinstance(value, float) else json.dumps(value)}`"
        cells = (f"`{parameter['name']}`", form(parameter), default, parameter["help"])
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    def records(self):
        yield from ("## Fields of records", "",
                    "A line of an import or an export has a record under its kind: `{\"soul\": {…}}`. Fields may be named in snake case or in "
                    "camel case and come in any order; null is the same as a missing field.", "")
        for record in self.table["records"]:
            yield from (f"#### `{record['kind']}`", "", "| field | type | default |", "| --- | --- | --- |")
            for field in record["fields"]:
                default = "required" if field["required"] else ""
                if "default" in field:
                    default = f"`{json.dumps(field['default'])}`"
                yield "| " + " | ".join((f"`{field['name']}`", field["type"].replace("|", "\\|"), default)) + " |"
            yield ""


class Mixin:
    """The Python module of typed methods."""

    def __init__(self, table):
        self.table = table
        self.methods = [method for group in table["groups"] for method in group["methods"]]
        self.answers = {method["name"]: method["answer"] for method in self.methods}
        self.words = self.aliases()

    def aliases(self):
        """The names of the types of words, by the words: `Slot`, or `InboxState` where one name stands for several."""
        uses = {}
        for method in self.methods:
            for parameter in method["parameters"]:
                if "words" in parameter:
                    uses.setdefault(parameter["name"], {}).setdefault(tuple(parameter["words"]), method["name"])
        return {
            (name, words): camel(name) if len(found) == 1 else camel(method) + camel(name)
            for name, found in uses.items() for words, method in found.items()
        }

    def text(self):
        literals = "\n".join(
            filled(f"{alias} = Literal[", [f'"{word}"' for word in words], "]") for (_, words), alias in self.words.items())
        methods = "\n".join(map(self.method, self.methods))
        return HEAD.replace("LITERALS", literals) + methods

    def kind(self, method):
        """Whether a method answers a `list`, an `object`, or `either`."""
        answer = self.answers[method]
        if found := re.match(r"as `(\w+)`", answer):
            return self.kind(found[1])
        return "list" if answer.startswith("list of") else "either" if answer.startswith("either") else "object"

    def annotation(self, parameter):
        kind = parameter["type"]
        if kind in ("choice", "choices"):
            alias = self.words[parameter["name"], tuple(parameter["words"])]
            return alias if kind == "choice" else f"Sequence[{alias}]"
        if kind == "object":
            return OBJECTS.get(parameter["of"], "Mapping[str, Any]")
        if kind == "list":
            return f"Sequence[{ELEMENTS[parameter['of']]}]" if parameter["of"] in ELEMENTS else "Table"
        return PLAIN[kind]

    def method(self, method):
        required = [parameter for parameter in method["parameters"] if parameter["required"]]
        # Required ids have an order that everybody expects; where there is none, what is required has.
        first = [parameter for parameter in required if parameter["type"] == "id"] or required
        rest = [parameter for parameter in required if parameter not in first]
        rest += [parameter for parameter in method["parameters"] if not parameter["required"]]
        listed = ["self", *map(self.argument, first), *(["*"] if rest else []), *map(self.argument, rest)]
        caller, answer = {"list": ("_list", "Records"), "object": ("_object", "Record"), "either": ("call", "Any")}[
            self.kind(method["name"])]
        given = [f'"{method["name"]}"', *(f"{python(p['name'])}={python(p['name'])}" for p in method["parameters"])]
        return (filled(f"    def {python(method['name'])}(", listed, f") -> {answer}:")
                + "\n" + docstring(method, [*first, *rest])
                + filled(f"        return self.{caller}(", given, ")") + "\n")

    def argument(self, parameter):
        name, kind = python(parameter["name"]), self.annotation(parameter)
        if parameter["required"]:
            return f"{name}: {kind}"
        if "default" not in parameter:
            return f"{name}: {kind} | None = None"
        default = parameter["default"]
        return f"{name}: {kind} = {'()' if default == [] else quoted(default)}"


def docstring(method, parameters):
    """The docstring of a typed method, which leaves types and defaults to the signature above it."""
    lines = [f'"""{method["summary"]}', ""]
    if parameters:
        lines.append("Args:")
    for parameter in parameters:
        is_told = "minimum" in parameter or "words" in parameter or parameter["type"] in FORM
        lines += indented(f"{python(parameter['name'])}: {parameter['help']}" + f" {sentence(form(parameter))}" * is_told, 8)
    if parameters:
        lines.append("")
    lines += ["Returns:", *indented(sentence(method["answer"]), 4), '"""']
    return "".join(f"        {line}".rstrip() + "\n" for line in lines)


HEAD = '''"""The methods of an engine with their types, of the table of methods. Made by .ci/generate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from os import PathLike
from typing import Any, Literal

from numpy.typing import ArrayLike

from kin._arrow_reader import ArrowStream

Record = dict[str, Any]
Records = list[dict[str, Any]]
Instant = str | datetime
Table = Sequence[Mapping[str, Any]] | ArrowStream
"""Objects, or a table that lends its columns by Arrow's C data interface, as pyarrow's, Polars' and pandas' do."""
Log = Mapping[str, Any] | Table

LITERALS


class Methods:
    """A method for each method of the table; an instant is an ISO 8601 text or a ``datetime`` with a time zone."""

    def call(self, method: str, /, **parameters: Any) -> Any:
        """Calls a method by its name."""
        raise NotImplementedError

    def _object(self, method: str, /, **parameters: Any) -> Record:
        answer: Record = self.call(method, **parameters)
        return answer

    def _list(self, method: str, /, **parameters: Any) -> Records:
        answer: Records = self.call(method, **parameters)
        return answer

'''


def python(name):
    """A name that is no word of the language.

    >>> python("import"), python("near")
    ('import_', 'near')
    """
    return name + "_" * keyword.iskeyword(name)


def sentence(prose):
    """Prose with a capital at its beginning and a full stop at its end.

    >>> sentence("list of `user`"), sentence("`{}`")
    ('List of `user`.', '`{}`.')
    """
    return prose[0].upper() + prose[1:].rstrip(".") + "."


def camel(name):
    return "".join(word.capitalize() for word in name.split("_"))


def quoted(value):
    """A value of JSON in Python, with the quotes of the house.

    >>> quoted("l2"), quoted(None), quoted({"a": "b"})
    ('"l2"', 'None', '{"a": "b"}')
    """
    return json.dumps(value) if isinstance(value, (str, dict)) else repr(value)


def filled(head, parts, tail):
    """Parts in one line, or where that is too long in several.

    >>> filled("f(", ["a", "b: dict[str, int]"], ")")
    'f(a, b: dict[str, int])'
    >>> print(filled("f(", ["a" * 60, "b" * 50, "c: dict[str, int]"], ")"))  # doctest: +ELLIPSIS
    f(
        aa...aa, bb...bb,
        c: dict[str, int],
    )
    """
    line = f"{head}{', '.join(parts)}{tail}"
    if len(line) <= 120:
        return line
    margin = " " * (len(head) - len(head.lstrip()))
    inner = margin + "    "
    # A line ends behind a part, never within one.
    listed = ", ".join(part.replace(" ", "\xa0") for part in parts) + ","
    lines = textwrap.wrap(listed, 120, initial_indent=inner, subsequent_indent=inner, **WHOLE_WORDS)
    return "\n".join([head, *lines, margin + tail]).replace("\xa0", " ")


def indented(prose, margin):
    """Prose as lines of a docstring, from the second on with a margin, its code in the quotes of reStructuredText."""
    text = " ".join(prose.split()).replace("\\", "\\\\").replace("`", "``")
    return textwrap.wrap(text, 120 - 8, initial_indent="    ", subsequent_indent=" " * margin, **WHOLE_WORDS)


def files(table):
    """The text of each file that is made of the table."""
    page = ROOT / "Sources/Services/KinEngine/METHODS.md"
    return {
        page: page.read_text(encoding="utf-8").partition(MARK)[0] + Page(table).text(),
        ROOT / "Sources/Edges/python/kin/_methods.py": Mixin(table).text(),
    }
