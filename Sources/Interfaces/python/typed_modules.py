"""Generates two modules when the Python package is built: `_signatures`, from the C headers, and `_methods`, from the
library's table of methods."""

import ctypes
import json
import keyword
import re
import sys
import textwrap
from pathlib import Path

# The enumerations by the prefix of their constants; for Python the name of the tuple of their words and its type.
ENUMERATIONS = {
    "KIN_METRIC": ("METRICS", "Metric"),
    "KIN_ATTRIBUTE": ("ATTRIBUTE_KINDS", "AttributeKind"),
    "KIN_INDEX": ("INDEX_KINDS", "IndexKind"),
    "KIN_VERIFY": ("VERIFICATIONS", "Verification"),
    "KIN_POLICY": ("POLICY_KINDS", "PolicyKind"),
    "KIN_ESTIMATOR": ("ESTIMATORS", "EstimatorName"),
    "KIN_SLATE": ("SLATE_ESTIMATORS", "SlateEstimatorName"),
}
STRUCTURES = {
    "kin_file_options": "FileOptions",
    "kin_search_options": "SearchOptions",
    "kin_recommendation": "Recommendation",
    "kin_kmeans_options": "KMeansOptions",
    "kin_minibatch_kmeans_options": "MiniBatchKMeansOptions",
    "kin_policy_options": "PolicyOptions",
    "kin_engine_options": "EngineOptions",
}
NUMBERS = {"int32_t": "c_int32", "uint32_t": "c_uint32", "uint64_t": "c_uint64", "size_t": "c_size_t", "double": "c_double"}

WHOLE_WORDS = {"break_long_words": False, "break_on_hyphens": False}

# The Python types of parameters, by the types in the table.
PLAIN = {
    "id": "str", "text": "str", "zone": "str", "local time": "Instant", "date": "str | date", "time of day": "str", "filter": "str",
    "path": "str | PathLike[str]", "boolean": "bool", "integer": "int", "seed": "int", "number": "float",
    "instant": "Instant", "point": "Mapping[str, float]", "coordinates": "Mapping[str, float]",
}
OBJECTS = {
    "log": "Log", "vector": "ArrayLike", "weights": "Mapping[str, float]", "shares by connection": "Mapping[str, float]",
}
LISTS = {"goal": "Iterable[str]", "local time": "Iterable[Instant]", "number": "ArrayLike", "list of numbers": "ArrayLike"}

# Classes for one baby or one person: the group of their methods, the ids that an object stores together with a time zone, and the
# parameters that these ids replace. A method of the group belongs to the class if it has all of the ids.
BOUND = {
    "BabyMethods": ("Rhythms", ["user", "baby"], ["log", "born"]),
    "PersonMethods": ("Challenges and daily content", ["user"], []),
}
# The number of parameters that are also accepted by position in these classes. Booleans do not count.
POSITIONAL = 2

FORM = {
    "time of day": "time of day (`07:30`)", "seed": "whole number of 64 bits",
    "point": "point (`{\"food\": 0.8}`)", "coordinates": "place (`{\"lat\": 40.7, \"lng\": -73.9}`)",
    "local time": "local time (`2026-11-20T06:30`)", "date": "date (`2026-11-20`)",
}


class Header:
    """The declarations of a header without its comments."""

    def __init__(self, *paths):
        text = "".join(Path(path).read_text(encoding="utf-8") for path in paths)
        self.text = re.sub(r"//[^\n]*", "", text)
        # A typedef of a number is replaced by the number: kin_status is int32_t.
        self.numbers = NUMBERS | {name: NUMBERS[kind] for kind, name in
                                  re.findall(r"^typedef (\w+) (kin_\w+);", self.text, re.MULTILINE)}
        # A function argument is an address too.
        self.numbers |= dict.fromkeys(re.findall(r"^typedef \w+ \(\*(kin_\w+)\)", self.text, re.MULTILINE), "c_void_p")

    def number(self, name):
        return re.search(rf"^#define {name} (\d+)$", self.text, re.MULTILINE)[1]

    def functions(self):
        """The name, result type and parameter types of each function, in the header's order."""
        pattern = r"^((?:const )?\w+ \*?)(kin_\w+)\(([^)]*)\);"
        for result, name, parameters in re.findall(pattern, self.text, re.MULTILINE):
            yield name, self.python(result), [] if parameters == "void" else [
                self.python(re.sub(r"\w+$", "", parameter.strip())) for parameter in parameters.split(",")]

    def names(self, prefix):
        """The constants of an enumeration as Python's words, in the order of their numbers from 0."""
        found = re.findall(rf"^ +{prefix}_(\w+) = (\d+),", self.text, re.MULTILINE)
        if [int(number) for _, number in found] != list(range(len(found))) or not found:
            sys.exit(f"the constants {prefix}_... are not numbered from 0: {found}")
        return [name.lower().replace("_", "-") for name, _ in found]

    def fields(self, structure):
        """Name and type of each field."""
        body = re.search(rf"typedef struct {structure} \{{(.*?)\}}", self.text, re.DOTALL)[1]
        return [(name, self.python(kind)) for kind, name in re.findall(r"((?:const )?\w+ \*?)(\w+);", body)]

    def python(self, declared):
        """The ctypes of a C type. Arrays, handles, outputs and texts that the caller frees are addresses.

        >>> [Header().python(kind) for kind in ("size_t ", "const char *", "char **", "int32_t ", "void ")]
        ['c_size_t', 'c_char_p', 'c_void_p', 'c_int32', 'None']
        >>> Header().python("const kin_search_options *")
        'POINTER(SearchOptions)'
        """
        kind = declared.strip()
        if kind in ("void", "const char *"):
            return {"void": "None", "const char *": "c_char_p"}[kind]
        if kind.endswith("*"):
            structure = STRUCTURES.get(kind.removeprefix("const ").removesuffix("*").strip())
            return f"POINTER({structure})" if structure else "c_void_p"
        return self.numbers[kind]


def signatures(header):
    parts = ['"""The functions, options and constants of kin.h and kin_engine.h for ctypes. Made when the package is built."""\n',
             "from __future__ import annotations\n",
             "from ctypes import POINTER, Structure, c_char_p, c_double, c_int32, c_size_t, c_uint32, c_uint64, c_void_p\n"
             "from typing import Any, Final, Literal, get_args\n",
             f'ABI_VERSION: Final = {header.number("KIN_ABI_VERSION")}\n'
             '"""KIN_ABI_VERSION of the header that this file was made from."""\n']
    for prefix, (name, kind) in ENUMERATIONS.items():
        parts.append(filled(f"{kind} = Literal[", [f'"{word}"' for word in header.names(prefix)], "]") + "\n"
                     f"{name}: Final[tuple[{kind}, ...]] = get_args({kind})\n"
                     f'"""The constants {prefix}_..., by their numbers."""\n')
    for structure, name in STRUCTURES.items():
        fields = "".join(f'        ("{field}", {kind}),\n' for field, kind in header.fields(structure))
        parts.append(f'\nclass {name}(Structure):\n    """The structure {structure}."""\n\n'
                     f"    _fields_ = [\n{fields}    ]\n")
    lines = "".join(filled(f'    "{name}": ({result}, [', parameters, "]),") + "\n"
                    for name, result, parameters in header.functions())
    parts.append("\n# The result of each function, and its parameters. Arrays, handles and outputs are addresses, and so is a text that\n"
                 "# the caller has to give back: ctypes would turn it into bytes and forget where it was.\n"
                 f"SIGNATURES: Final[dict[str, tuple[Any, list[Any]]]] = {{\n{lines}}}\n")
    return "\n".join(parts)


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
    >>> [form({"type": "choice", "words": words}) for words in (["a"], ["a", "b", "c"])]
    ['`a`', '`a`, `b` or `c`']
    """
    kind = parameter["type"]
    if kind in ("integer", "number"):
        unit = f" {parameter['unit']}" if "unit" in parameter else ""
        name = "whole number" if kind == "integer" else kind
        return f"{name}, {number(parameter['minimum'])} to {number(parameter['maximum'])}{unit}"
    if kind in ("choice", "choices"):
        words = [f"`{word}`" for word in parameter["words"]]
        return f"list of {', '.join(words)}" if kind == "choices" else " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
    if kind in ("object", "list"):
        return f"list of {parameter['of']}" if kind == "list" else parameter["of"]
    return FORM.get(kind, kind)


class TypedMethods:
    """The Python module of typed methods."""

    def __init__(self, table):
        self.table = table
        self.methods = [method for group in table["groups"] for method in group["methods"]]
        self.answers = {method["name"]: method["answer"] for method in self.methods}
        self.words = self.aliases()

    def aliases(self):
        """The names of the types of words, by the words: `Slot`, or `InboxState` if several types share a name."""
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
        bound = "".join(self.bound_class(name, *facts) for name, facts in BOUND.items())
        return HEAD.replace("LITERALS", literals) + methods + bound

    def bound_class(self, name, group, ids, replaced):
        (methods,) = (each["methods"] for each in self.table["groups"] if each["title"] == group)
        methods = [each for each in methods if {*ids} <= {parameter["name"] for parameter in each["parameters"]}]
        listed = "".join(f", {each}: str" for each in ids)
        return (f"\n\nclass {name}:\n"
                f'    """Methods of :class:`Methods` about one {ids[-1]}."""\n\n'
                f"    def __init__(self, engine: Methods{listed}, *, zone: str | None = None) -> None:\n"
                + "".join(f"        self.{each} = {each}\n" for each in ["engine", *ids, "zone"]) + "\n"
                + "\n".join(self.bound_method(each, [*ids, "zone"], replaced) for each in methods))

    def kind(self, method):
        """Whether a method returns a `list`, an `object`, or `either`."""
        answer = self.answers[method]
        if found := re.match(r"as `(\w+)`", answer):
            return self.kind(found[1])
        return "list" if answer.startswith("list of") else "either" if answer.startswith("either") else "object"

    def annotation(self, parameter):
        kind = parameter["type"]
        if kind in ("choice", "choices"):
            alias = self.words[parameter["name"], tuple(parameter["words"])]
            return alias if kind == "choice" else f"{alias} | Sequence[{alias}]"
        if kind == "object":
            return OBJECTS.get(parameter["of"], "Mapping[str, Any]")
        if kind == "list":
            return LISTS.get(parameter["of"], "Iterable[str]" if parameter["of"].endswith(" id") else "Table")
        return PLAIN[kind]

    def method(self, method):
        required = [parameter for parameter in method["parameters"] if parameter["required"]]
        # Required ids come first, by position. Without ids, all required parameters do.
        first = [parameter for parameter in required if parameter["type"] == "id"] or required
        rest = [parameter for parameter in required if parameter not in first]
        rest += [parameter for parameter in method["parameters"] if not parameter["required"]]
        caller = {"list": "_list", "object": "_object", "either": "call"}[self.kind(method["name"])]
        given = [f'"{method["name"]}"', *(same(p, keyed=True) for p in method["parameters"])]
        return self.definition(method, first, rest, filled(f"        return self.{caller}(", given, ")"))

    def bound_method(self, method, stored, replaced):
        """A method of an object that stores some of its parameters."""
        given = [parameter for parameter in method["parameters"] if parameter["name"] not in [*stored, *replaced]]
        given.sort(key=lambda parameter: not parameter["required"])
        first = [parameter for parameter in given if parameter["type"] != "boolean"][:POSITIONAL]
        passed = [f"{p['name']}=self.{p['name']}" for p in method["parameters"] if p["name"] in stored]
        call = filled(f"        return self.engine.{python(method['name'])}(", [*passed, *map(same, given)], ")")
        return self.definition(method, first, [parameter for parameter in given if parameter not in first], call)

    def definition(self, method, by_position, by_name, call):
        """A method with its documentation."""
        listed = ["self", *map(self.argument, by_position), *(["*"] if by_name else []), *map(self.argument, by_name)]
        answer = {"list": "Records", "object": "Record", "either": "Any"}[self.kind(method["name"])]
        return (filled(f"    def {python(method['name'])}(", listed, f") -> {answer}:")
                + "\n" + docstring(method, [*by_position, *by_name]) + call + "\n")

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
    lines += ["Returns:", *indented(sentence(method["answer"]), 4)]
    for field in method["fields"]:
        words = [field["type"], *(["optional"] if not field["required"] else []), *filter(None, [field.get("meaning")])]
        lines += indented(f"`{field['name']}`: {', '.join(words)}.", 8)
    lines.append('"""')
    return "".join(f"        {line}".rstrip() + "\n" for line in lines)


HEAD = '''"""The methods of an engine with their types, of the table of methods. Made when the package is built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from os import PathLike
from typing import Any, Literal

from numpy.typing import ArrayLike

from kin._arrow_reader import ArrowStream

Record = dict[str, Any]
Records = list[dict[str, Any]]
Instant = str | datetime | date
"""A text of ISO 8601, or an object; in logs, one without an offset is local time by the baby's clock; elsewhere a date is its midnight in UTC, and a time without an offset is an error."""
Table = Sequence[Mapping[str, Any]] | ArrowStream
"""Objects, or a table that lends its columns by Arrow's C data interface, as pyarrow's, Polars' and pandas' do."""
Log = Mapping[str, Any] | Table | str | bytes | PathLike[str]
"""Events, an object with events, or a path or a table as :func:`kin.read_log` reads it."""

LITERALS


class Methods:
    """A method for each method of the table."""

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


def same(parameter, keyed=False):
    """The argument that passes a parameter on under its name in Python or, if keyed, in the table."""
    name = parameter["name"]
    return f'**{{"{name}": {python(name)}}}' if keyed and keyword.iskeyword(name) else f"{python(name)}={python(name)}"


def python(name):
    """A name that is not a keyword of Python.

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
    """A JSON value as Python source, with double quotes.

    >>> quoted("l2"), quoted(None), quoted({"a": "b"})
    ('"l2"', 'None', '{"a": "b"}')
    """
    return json.dumps(value) if isinstance(value, (str, dict)) else repr(value)


def filled(head, parts, tail):
    """Parts in one line, or in several if one is too long.

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
    # A line ends after a part, never within one.
    listed = ", ".join(part.replace(" ", "\xa0") for part in parts) + ","
    lines = textwrap.wrap(listed, 120, initial_indent=inner, subsequent_indent=inner, **WHOLE_WORDS)
    return "\n".join([head, *lines, margin + tail]).replace("\xa0", " ")


def indented(prose, margin):
    """Prose as lines of a docstring, with a margin from the second line and code in reStructuredText's quotes."""
    text = " ".join(prose.split()).replace("\\", "\\\\").replace("`", "``")
    return textwrap.wrap(text, 120 - 8, initial_indent="    ", subsequent_indent=" " * margin, **WHOLE_WORDS)


def described(library):
    """The table of methods of a built libkin_engine."""
    describe = ctypes.CDLL(str(library)).kin_engine_method_table
    describe.restype = ctypes.c_char_p
    return json.loads(describe().decode())


def write_modules(folder, headers, library):
    """Writes the two modules.

    folder   the package's folder
    headers  the folder of kin.h and kin_engine.h
    library  the path of libkin_engine
    """
    both = Header(headers / "kin.h", headers / "kin_engine.h")
    (folder / "_signatures.py").write_text(signatures(both), encoding="utf-8")
    (folder / "_methods.py").write_text(TypedMethods(described(library)).text(), encoding="utf-8")
