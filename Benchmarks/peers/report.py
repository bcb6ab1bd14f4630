"""The Markdown of a run."""

import datetime
import sys
from pathlib import Path

RESULTS = Path(__file__).resolve().parent.parent / "results"


def page(name):
    """The file of today's results."""
    return RESULTS / f"{name}-{datetime.date.today()}.md"


def write(path, lines, failures=()):
    """Writes a page, prints its path and the failures, and returns the exit code."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
    print(path)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


def line(cells):
    return f"| {' | '.join(map(str, cells))} |"


def head(names, texts=1):
    """The first two lines of a table whose first `texts` columns are words and the others numbers."""
    return [line(names), line(["---"] * texts + ["---:"] * (len(names) - texts))]


def table(names, rows, texts=1):
    """A table and an empty line."""
    return [*head(names, texts), *map(line, rows), ""]


def comparison(title, ways, rows):
    """Two tables, batch and one query at a time, with a column of ratios for every level of Kin."""
    lines = [f"## {title}", ""]
    for batch, name, unit in ((True, "Batch", "Mpair/s"), (False, "One query at a time", "ms a query")):
        chosen = [way for way in ways if way.batch is batch]
        levels = list(dict.fromkeys(way.setting for way in chosen if way.library == "Kin"))
        names = ["library", "setting", "threads", "queries", unit, "median", "ids equal", *(f"{level} is faster" for level in levels)]
        lines += [f"### {name}\n", *table(names, [_cells(way, chosen, levels, rows) for way in chosen], 2)]
    return lines


def _cells(way, ways, levels, rows):
    def shown(seconds):
        return f"{rows / seconds / 1e6:,.0f}" if way.batch else f"{1e3 * seconds:.3f}"

    cells = [way.library, way.setting, way.threads, f"{way.queries:,}", shown(way.seconds), shown(way.median), f"{100 * way.score:.2f} %"]
    for level in levels:
        kin = next((other for other in ways if other.library == "Kin" and other.setting == level
                    and other.threads == way.threads), None)
        cells.append("" if way.library == "Kin" or kin is None else f"{way.seconds / kin.seconds:.2f} ×")
    return cells


def fractions(ways, code_bytes, ceilings):
    """How much of the machine's ceilings Kin reaches: byte multiply-adds in batches, reading codes for one query.

    A query multiplies every code once, so `code_bytes` is the number of both.
    """
    rows = []
    for way in ways:
        ceiling, unit = _ceiling(way, ceilings) if way.library == "Kin" else (None, "")
        if ceiling is not None:
            rate = code_bytes / way.seconds
            rows.append([f"{'batch' if way.batch else 'one query'}, {way.setting}", way.threads, f"{rate / 1e9:.1f}",
                         f"{ceiling / 1e9:.1f} {unit}", f"{100 * rate / ceiling:.0f} %"])
    return ["### Kin and the machine", "", *table(["way", "threads", "rate", "ceiling", "reached"], rows)]


def _ceiling(way, ceilings):
    if way.batch:
        found = [row for row in ceilings["arithmetic"]
                 if row["level"] == way.setting and row["threads"] == way.threads]
        return (found[0]["byteMultiplyAdds"], f"Gmult-add/s ({found[0]['byteInstruction']})") if found else (None, "")
    found = [row for row in ceilings["reading"] if row["place"] == "given" and row["threads"] == way.threads]
    return found[0]["bytesPerSecond"], "GB/s"
