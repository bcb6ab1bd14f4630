"""Makes METHODS.md from the table of the engine's methods.

The table is the output of `kin methods --json`; the tool has to be built: `swift build --product kin`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Sources/Interfaces/python"))
from typed_modules import form, number  # noqa: E402

# The text of METHODS.md before this line is written by hand.
MARK = "<!-- From here on the page is made by .ci/generate. -->"


def load():
    """The table, from the tool that KIN_TOOL names or the latest built one."""
    built = [tool for tool in (ROOT / ".build/debug/kin", ROOT / ".build/release/kin") if tool.exists()]
    tool = os.environ.get("KIN_TOOL") or max(built, key=lambda tool: tool.stat().st_mtime, default=None)
    if tool is None or not Path(tool).exists():
        sys.exit(f"{tool or 'kin'} is missing, the source of the table of methods: swift build --product kin")
    return json.loads(subprocess.run([tool, "methods", "--json"], check=True, capture_output=True, text=True).stdout)


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
            if method["fields"]:
                yield from ("| field | type | |", "| --- | --- | --- |")
                yield from map(self.field, method["fields"])
                yield ""

    def row(self, parameter):
        default = "required" if parameter["required"] else ""
        if "default" in parameter:
            value = parameter["default"]
            default = f"`{number(value) if isinstance(value, float) else json.dumps(value)}`"
        return cells(f"`{parameter['name']}`", form(parameter), default, parameter["help"])

    def field(self, field):
        """A field of an answer; a field that an answer may lack is optional."""
        presence = "" if field["required"] else ", optional"
        return cells(f"`{field['name']}`", field["type"] + presence, field.get("meaning", ""))

    def records(self):
        yield from ("## Fields of records", "",
                    "Each line of an import or export is a record under its kind: `{\"soul\": {…}}`. Field names are in snake case or camel "
                    "case, in any order. Null is the same as a missing field.", "")
        for record in self.table["records"]:
            yield from (f"#### `{record['kind']}`", "", "| field | type | default |", "| --- | --- | --- |")
            for field in record["fields"]:
                default = "required" if field["required"] else ""
                if "default" in field:
                    default = f"`{json.dumps(field['default'])}`"
                yield cells(f"`{field['name']}`", field["type"], default)
            yield ""


def cells(*texts):
    """A row of a table.

    >>> cells("`a|b`", "")
    '| `a\\\\|b` |  |'
    """
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"


def files(table):
    """The text of the file that is made from the table."""
    page = ROOT / "Sources/Engine/KinEngine/METHODS.md"
    return {page: page.read_text(encoding="utf-8").partition(MARK)[0] + Page(table).text()}
