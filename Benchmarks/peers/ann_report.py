"""The Markdown and the charts of an approximate run."""

import plot
from report import table

LEVELS = (0.90, 0.95, 0.98, 0.99, 0.999)


def title_of(mode):
    batch, threads = mode
    return f"{'Batch' if batch else 'One query at a time'}, {threads} thread{'s' * (threads > 1)}"


def rate(queries_a_second):
    """Queries a second with three digits."""
    if queries_a_second >= 1e5:
        return f"{queries_a_second / 1e3:,.0f}k"
    return f"{queries_a_second / 1e3:.1f}k" if queries_a_second >= 1e4 else f"{queries_a_second:,.0f}"


def times(ratio):
    return f"{ratio:.0f} ×" if ratio >= 20 else f"{ratio:.1f} ×" if ratio >= 2 else f"{ratio:.2f} ×"


def best(ways, recall):
    """The fastest measured way with a recall, without interpolation; None if no way reaches it."""
    return max((way for way in ways if way.score >= recall), key=lambda way: way.rate, default=None)


def _inline(mode):
    return title_of(mode)[0].lower() + title_of(mode)[1:]


def of_mode(ways, mode):
    return [way for way in ways if (way.batch, way.threads) == mode]


def series(ways):
    """The ways by library and setting, in their original order."""
    found = {}
    for way in ways:
        found.setdefault((way.library, way.setting), []).append(way)
    return found


def ratio(ours, theirs):
    return times(ours.rate / theirs.rate) if ours and theirs else "–"


def kin(ways):
    return [way for way in ways if way.library == "Kin"]


def others(ways):
    return [way for way in ways if way.library != "Kin"]


def summary(runs):
    """The summary of the whole run: how many times faster Kin is, with a column for each set."""
    rows = {}
    for _, run in runs:
        for name, value in _summarised(run):
            rows.setdefault(name, {})[run] = value
    head = ["Kin is faster", *(title for title, _ in runs)]
    return ["## In short", "",
            *table(head, [[name, *(found.get(run, "–") for _, run in runs)] for name, found in rows.items()])]


def _summarised(run):
    one, batch = run.modes[0], run.modes[-1]
    if "exact" in run.measured:
        ways = of_mode(run.measured["exact"], one)
        ours = [way for way in ways if way.setting == "IVF exact"]
        for library, name in (("FAISS", "FAISS IndexFlat"), ("Kin", "Kin flat"), ("scipy", "scipy KDTree")):
            theirs = [way for way in ways if way.library == library and way not in ours]
            yield f"exact, one query, than {name}", ratio(best(ours, 1), best(theirs, 0))
        yield "exact, one query, than the best other", ratio(best(ours, 1), best(others(ways), 0))
    if "curves" in run.measured:
        ways = run.measured["curves"]
        ours, theirs = of_mode(kin(ways), one), of_mode(others(ways), one)
        hnswlib = [way for way in theirs if way.library == "hnswlib"]
        yield "exact, one query, than hnswlib at .98", ratio(best(ours, 1), best(hnswlib, 0.98))
        yield (f"exact, batch, {batch[1]} threads, than the best other at .99",
               ratio(best(of_mode(kin(ways), batch), 1), best(of_mode(others(ways), batch), 0.99)))
        for mode in (one, batch):
            for level in (0.95, 0.99):
                yield (f"recall {level:g}, {_inline(mode)}, than the best other",
                       ratio(best(of_mode(kin(ways), mode), level), best(of_mode(others(ways), mode), level)))
    for name, ways in run.measured.items():
        for mode in (one, batch) if name.startswith("filter") and name != "filter 100 %" else ():
            chosen = of_mode(ways, mode)
            yield (f"{name}, {_inline(mode)}, than the best other",
                   ratio(best(kin(chosen), run.filter_recall), best(others(chosen), run.filter_recall)))
    hnswlib = [seconds for name, seconds, _ in run.builds if name.startswith("hnswlib") and seconds is not None]
    if hnswlib:
        yield "build, than hnswlib", times(hnswlib[0] / run.builds[0][1])


def exact(ways, kin_setting, modes):
    """Exact search: a row for each library, with how much faster `kin_setting` is than each."""
    lines = ["### Exact", ""]
    for mode in modes:
        chosen = of_mode(ways, mode)
        reference = next((way for way in chosen if way.library == "Kin" and way.setting == kin_setting), None)
        rows = [[way.library, way.setting, f"{1e6 * way.seconds:,.1f}", f"{1e6 * way.median:,.1f}", rate(way.rate),
                 f"{way.score:.4f}", ratio(reference, way)] for way in chosen]
        lines += [f"{title_of(mode)}:", "", *table(["library", "setting", "µs a query", "median", "QPS", "recall",
                                           f"Kin's {kin_setting} is faster"], rows, 2)]
    return lines


def builds(entries, rows):
    """`entries`: name, seconds, bytes in memory; None for missing measurements. Kin comes first, and the last column is
    its advantage."""
    reference = entries[0][1]
    cells = [[name, "–" if seconds is None else f"{seconds:.2f}", "–" if size is None else f"{size / rows:.0f}",
              times(seconds / reference) if place and seconds is not None else ""]
             for place, (name, seconds, size) in enumerate(entries)]
    return ["### Build and memory", "", *table(["index", "build s", "bytes a vector", "Kin builds faster"], cells)]


def curves(ways, modes):
    """The best rate at each recall, and Kin's ratio to the best other library."""
    lines = ["### Rate at a recall", "",
             "The highest rate, in queries a second, of the settings that reach the recall, and the setting.", ""]
    for mode in modes:
        chosen = of_mode(ways, mode)
        rows = [[f"{library} {setting}", *(_cell(best(group, level)) for level in LEVELS)]
                for (library, setting), group in series(chosen).items()]
        rows.append(["**Kin relative to the best other**",
                     *(ratio(best(kin(chosen), level), best(others(chosen), level)) for level in LEVELS)])
        lines += [f"{title_of(mode)}:", "", *table(["index", *(f"≥ {level:g}" for level in LEVELS)], rows)]
    return lines


def _cell(way):
    return "–" if way is None else f"{rate(way.rate)} ({way.value})"


def asked(ways):
    """The recall requested from Kin and the recall reached, on queries that its calibration did not use."""
    rows = []
    for way in ways:
        if way.library == "Kin" and way.value.startswith("recall") and way.batch and way.threads == 1:
            wanted = float(way.value.split()[1])
            rows.append([f"{wanted:g}", f"{way.score:.4f}", f"{way.score - wanted:+.4f}"])
    return ["### Requested and reached recall", "", *table(["requested", "reached", "difference"], rows, 0)] if rows else []


def _charted(ways):
    """The ways by the name of their line: Kin's recall settings end in its exact search, so all of them form one line.
    """
    found = {}
    for way in ways:
        ours = "Kin, probes" if way.value.startswith("probes") else "Kin"
        found.setdefault(ours if way.library == "Kin" else f"{way.library} {way.setting}", []).append(way)
    return found


def _style(group):
    """Whether a line is Kin's, and whether it is a secondary line."""
    ours = group[0].library == "Kin"
    return ours, ours and group[0].value.startswith("probes")


def curve_chart(title, subtitle, ways, modes):
    """A panel for the first mode and one for the last."""
    panels = []
    for mode in (modes[0], modes[-1]):
        panels.append((title_of(mode), [
            plot.Line(label, plot.frontier([(way.score, way.rate) for way in group]), *_style(group))
            for label, group in _charted(of_mode(ways, mode)).items()]))
    return plot.chart(title, subtitle, plot.recall_axis(), panels)


def filters(measured, recall, modes):
    """`measured`: the ways for every share of allowed vectors. Rates at a recall, or the highest recall reached."""
    shares = list(measured)
    lines = [f"### Filters, recall at least {recall:g}", ""]
    for mode in modes:
        chosen = [of_mode(measured[share], mode) for share in shares]
        groups = [series(ways) for ways in chosen]
        rows = [[f"{library} {setting}", *(_filtered(group.get((library, setting), []), recall) for group in groups)]
                for library, setting in groups[0]]
        rows.append(["**Kin relative to the best other**",
                     *(ratio(best(kin(ways), recall), best(others(ways), recall)) for ways in chosen)])
        rows.append(["Kin relative to itself without a filter",
                     *(ratio(best(kin(ways), recall), best(kin(chosen[0]), recall)) for ways in chosen)])
        lines += [f"{title_of(mode)}:", "", *table(["allowed", *(f"{100 * share:g} %" for share in shares)], rows)]
    return lines


def _filtered(group, recall):
    reached = best(group, recall)
    if reached:
        return _cell(reached)
    return f"at most {max(way.score for way in group):.3f}" if group else "–"


def filter_chart(title, subtitle, measured, recall, modes):
    """A panel for the first mode and one for the last."""
    shares = list(measured)
    panels = []
    for mode in (modes[0], modes[-1]):
        groups = {share: _charted(of_mode(measured[share], mode)) for share in shares}
        lines = []
        for label, group in groups[shares[0]].items():
            found = [(share, best(groups[share].get(label, []), recall)) for share in shares]
            lines.append(plot.Line(label, [(share, way.rate) for share, way in found if way], *_style(group)))
        panels.append((title_of(mode), lines))
    return plot.chart(title, subtitle, plot.selectivity_axis(shares), panels)
