"""Draws the learning curves of a page of bandits: the mean reward of the first 200, the first 1,000 and all rounds of
each set.

    python curves.py ../results/bandits-2026-11-22.md > ../results/bandits-2026-11-22.svg

Reads the table whose first column is the set and whose cells are three numbers, `0.648 · 0.836 · 0.912`. Draws ten
panels with one scale; Kin's line is thick.
"""

import re
import sys
from pathlib import Path

from plot import FAINT, FONT, GRID, KIN, OTHERS, PAPER, text

WIDTH, HEIGHT, GAP, LEFT, TOP, COLUMNS = 150, 150, 34, 44, 92, 5
STOPS = ("200", "1,000", "all")
CELL = re.compile(r"(\d\.\d+) · (\d\.\d+) · (\d\.\d+)")


def table(page):
    """The names of the columns with curves, and for each set its curves."""
    names, sets = [], {}
    for line in filter(lambda line: line.startswith("|"), page.splitlines()):
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if cells[0] == "set":
            names = cells
        curves = {names[i]: [float(x) for x in found.groups()]
                  for i, cell in enumerate(cells) if names and i < len(names) and (found := CELL.search(cell))}
        if curves:
            sets[cells[0]] = curves
    return sets


def panel(name, curves, colors):
    parts = [text(0, -8, name, size=11, weight=600)]
    for reward in (0, 0.25, 0.5, 0.75, 1):
        y = HEIGHT * (1 - reward)
        parts.append(f'<path d="M0 {y:.1f}H{WIDTH}" stroke="{GRID}"/>')
        parts.append(text(-6, y + 4, f"{reward:g}", FAINT, "end", 10))
    for i, stop in enumerate(STOPS):
        parts.append(text(10 + i * (WIDTH - 20) / 2, HEIGHT + 15, stop, FAINT, "middle", 10))
    for label, points in reversed(curves.items()):
        places = [(10 + i * (WIDTH - 20) / 2, HEIGHT * (1 - y)) for i, y in enumerate(points)]
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        strong = colors[label] == KIN
        parts.append(f'<path d="{path}" fill="none" stroke="{colors[label]}" stroke-width="{2.8 if strong else 1.6}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{3.4 if strong else 2.2}" fill="{colors[label]}"/>' for x, y in places]
    return parts


def drawing(sets):
    labels = list(dict.fromkeys(label for curves in sets.values() for label in curves))
    colors = {label: KIN if i == 0 else OTHERS[i - 1] for i, label in enumerate(labels)}
    rows = -(-len(sets) // COLUMNS)
    step = (LEFT + WIDTH, HEIGHT + GAP + 24)
    width, height = COLUMNS * step[0] + 30, TOP + rows * step[1]
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
             f'font-family="{FONT}">', f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
             text(20, 28, "Mean reward of the first 200, the first 1,000 and all rounds", size=16, weight=600)]
    x = 20
    for label in labels:
        parts.append(f'<circle cx="{x + 4}" cy="48" r="4" fill="{colors[label]}"/>')
        parts.append(text(x + 13, 52, label, colors[label], size=12, weight=600 if colors[label] == KIN else 400))
        x += 34 + 7 * len(label)
    for number, (name, curves) in enumerate(sets.items()):
        place = (LEFT + number % COLUMNS * step[0], TOP + number // COLUMNS * step[1])
        parts += [f'<g transform="translate({place[0]} {place[1]})">', *panel(name, curves, colors), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    print(drawing(table(Path(sys.argv[1]).read_text())), end="")
