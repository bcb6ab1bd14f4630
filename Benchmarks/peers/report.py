"""The Markdown of a run."""


def comparison(title, ways, rows):
    """Two tables, batch and one query at a time, with a column of ratios for every level of Kin's."""
    lines = [f"\n## {title}"]
    for batch, name, unit in ((True, "Batch", "Mpair/s"), (False, "One query at a time", "ms a query")):
        chosen = [way for way in ways if way.batch is batch]
        levels = list(dict.fromkeys(way.setting for way in chosen if way.library == "Kin"))
        head = ["library", "setting", "threads", "queries", unit, "median", "ids equal"]
        head += [f"{level} is faster" for level in levels]
        lines += [f"\n### {name}\n", line(head), line(["---"] * 2 + ["---:"] * (len(head) - 2))]
        lines += [_row(way, chosen, levels, rows) for way in chosen]
    return lines


def line(cells):
    return f"| {' | '.join(cells)} |"


def _row(way, ways, levels, rows):
    def shown(seconds):
        return f"{rows / seconds / 1e6:,.0f}" if way.batch else f"{1e3 * seconds:.3f}"

    cells = [way.library, way.setting, str(way.threads), f"{way.queries:,}", shown(way.seconds), shown(way.median),
             f"{100 * way.score:.2f} %"]
    for level in levels:
        kin = next((other for other in ways if other.library == "Kin" and other.setting == level
                    and other.threads == way.threads), None)
        cells.append("" if way.library == "Kin" or kin is None else f"{way.seconds / kin.seconds:.2f} ×")
    return line(cells)


def fractions(ways, code_bytes, ceilings):
    """How much of the machine's ceilings Kin reaches: byte multiply-adds in batches, reading codes for one query.

    A query multiplies every code once, so `code_bytes` is the number of both.
    """
    lines = ["", "### Kin and the machine", "", line(["way", "threads", "rate", "ceiling", "reached"]),
             line(["---", "---:", "---:", "---:", "---:"])]
    for way in ways:
        if way.library != "Kin":
            continue
        ceiling, unit = _ceiling(way, ceilings)
        if ceiling is None:
            continue
        rate = code_bytes / way.seconds
        lines.append(line([f"{'batch' if way.batch else 'one query'}, {way.setting}", str(way.threads),
                            f"{rate / 1e9:.1f}", f"{ceiling / 1e9:.1f} {unit}", f"{100 * rate / ceiling:.0f} %"]))
    return lines


def _ceiling(way, ceilings):
    if way.batch:
        found = [row for row in ceilings["arithmetic"]
                 if row["level"] == way.setting and row["threads"] == way.threads]
        return (found[0]["byteMultiplyAdds"], f"Gmult-add/s ({found[0]['byteInstruction']})") if found else (None, "")
    found = [row for row in ceilings["reading"] if row["place"] == "given" and row["threads"] == way.threads]
    return found[0]["bytesPerSecond"], "GB/s"
