#!/usr/bin/env python3
"""Exact, approximate and filtered search with Kin's inverted file and its peers' indexes, on the same arrays in one
run.

Writes a Markdown file with every figure, and SVG charts in the same folder. README.md explains how to install the
libraries. Exits with 1 if an id of Kin's exact search differs from a scan in double precision.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import ann_report
import ann_run
import indexes
import installed
import kin_process
import machine
import report
import served
import sets
import truth

def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="*", choices=sets.GENERATED, default=list(sets.GENERATED))
    parser.add_argument("--vectors", type=int, default=1_000_000, help="of a generated set (default %(default)s)")
    parser.add_argument("--large", type=int, default=0,
                        help="vectors of a further clustered set, for Kin and FAISS IVF4096")
    parser.add_argument("--data", type=Path, help="folder of real sets (default: none of them)")
    parser.add_argument("--indexes", nargs="*", choices=list(indexes.ALL), default=list(indexes.ALL))
    parser.add_argument("--parts", nargs="+", choices=ann_run.PARTS, default=list(ann_run.PARTS))
    parser.add_argument("--queries", type=int, default=10_000, help="queries in a batch (default %(default)s)")
    parser.add_argument("--checked", type=int, default=2_000,
                        help="queries for measuring recall (default %(default)s)")
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=1, help="longest time of a round, for each figure (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scratch", type=Path, help="folder that stores sets and the peers' indexes between runs")
    parser.add_argument("--build-only", action="store_true",
                        help="create the sets, their truth and the peers' indexes in --scratch, without measuring")
    parser.add_argument("--rebuild", action="store_true", help="rebuild the peers' stored indexes")
    parser.add_argument("--output", type=Path, default=report.page("ann"))
    parser.add_argument("--quick", action="store_true", help="a small run of everything, as a check")
    options = parser.parse_args()
    if options.build_only and not options.scratch:
        parser.error("--build-only needs --scratch, the folder for the indexes")
    # ScaNN writes the path into its files.
    options.scratch = options.scratch and options.scratch.resolve()
    if options.quick:
        options.vectors, options.queries, options.checked = min(options.vectors, 20_000), 500, 200
        options.seconds, options.rounds = 0.05, 1
    options.indexes = [key for key in options.indexes if indexes.ALL[key].library in installed.versions()]
    return options


def data_sets(options, scratch):
    """Each set with the indexes to build over it, or a line with the reason why it is missing."""
    generator = sets.Generator(scratch)
    for kind in options.sets:
        yield generator.make(kind, options.vectors, options.queries, 16, options.seed), options.indexes
    if options.large:
        yield (generator.make("clustered", options.large, options.queries, 16, options.seed),
               [key for key in options.indexes if key == "faiss-ivf4096"])
    for name in sets.REAL:
        made = options.data and sets.real(name, options.data, scratch, options.queries, options.seed)
        yield (made, options.indexes) if made else (f"{name.capitalize()}: skipped, no data", ())


def build(options):
    """Creates the data that later runs with the same options and --scratch use."""
    for data, keys in data_sets(options, options.scratch):
        if isinstance(data, str):
            continue
        print(f"{data.title} ...", file=sys.stderr)
        truth.kept_l2(data, options.checked, options.k)
        for key in indexes.meant_for(len(data.vectors), keys):
            served.build(key, data, max(options.threads), options.rebuild)
    return 0


def setting(options):
    return [
        f"- k = {options.k}, squared L2, seed {options.seed}; best of {options.rounds} rounds, all methods alternate; a "
        f"batch is cut to the number of queries that fits into {options.seconds:g} s",
        f"- Recall: on {options.checked:,} queries that are in no index, compared with a scan in double precision",
        "- Each index has a separate process; bytes a vector: the memory that loading added to that process, including the "
        "vectors",
        "",
    ]


def main():
    options = arguments()
    if options.build_only:
        return build(options)
    lines = ["# Search in inverted files, Kin and its peers", "", *machine.description(), *setting(options)]
    wrong = []
    charts = options.output.with_suffix("")
    with tempfile.TemporaryDirectory() as temporary:
        library = kin_process.library()
        summary, details = [], []
        for data, keys in data_sets(options, options.scratch or Path(temporary)):
            if isinstance(data, str):
                details += [f"## {data}", ""]
                continue
            print(f"{data.title} ...", file=sys.stderr)
            run = ann_run.Run(options, data, keys, library)
            details += run.report(charts)
            summary.append((data.title, run))
            wrong += run.wrong
            run.close()
    lines += ann_report.summary(summary) + details
    return report.write(options.output, lines, [f"WRONG IDS: {line}" for line in wrong])


if __name__ == "__main__":
    sys.exit(main())
