"""Line charts as SVG: a logarithmic rate over recall or selectivity, with a label at the end of every line."""

import math
from dataclasses import dataclass
from html import escape
from typing import Callable

PLOT_WIDTH, PLOT_HEIGHT = 400, 330
LEFT, RIGHT, TOP, BOTTOM = 62, 178, 92, 56
LABEL_GAP = 15
FONT = "-apple-system, 'Segoe UI', 'Helvetica Neue', 'Noto Sans', Arial, sans-serif"
INK, FAINT, GRID, PAPER = "#1f2933", "#6b7785", "#e6e9ed", "#ffffff"
KIN = "#d4380d"
OTHERS = ("#1d5fa8", "#3d8f5f", "#7a4fb0", "#a8741a", "#0e8a96", "#b0487f", "#59636e")


@dataclass
class Line:
    """One line. Kin's lines are thicker, and dashed if secondary."""

    label: str
    points: list
    is_ours: bool = False
    is_side: bool = False


@dataclass
class Axis:
    """Maps a value to 0…1, with the marked values."""

    title: str
    place: Callable
    ticks: list


def recall_axis():
    """Each factor of ten in the missed share takes the same space; 1 has a separate place at the end."""
    first, last, one = -math.log10(1 - 0.7), 4.0, 4.35

    def place(recall):
        missed = one if recall >= 1 else min(last, -math.log10(1 - recall))
        return (missed - first) / (one - first)

    marked = (0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999, 1)
    return Axis("recall", place, [(recall, f"{recall:g}".lstrip("0")) for recall in marked])


def selectivity_axis(shares):
    """From every vector allowed on the left to the fewest on the right, logarithmic."""
    width = math.log(max(shares) / min(shares))
    return Axis("vectors allowed", lambda share: math.log(max(shares) / share) / width,
                [(share, f"{100 * share:g} %") for share in shares])


def frontier(points):
    """The Pareto-optimal points, by ascending first coordinate."""
    best, kept = 0.0, []
    for x, y in sorted(points, reverse=True):
        if y > best:
            best = y
            kept.append((x, y))
    return kept[::-1]


def chart(title, subtitle, axis, panels):
    """The text of an SVG file. `panels` are pairs of a title and its lines, drawn next to each other with one vertical
    scale."""
    rates = [y for _, lines in panels for line in lines for _, y in line.points]
    low, high = math.floor(math.log10(min(rates)) * 3) / 3, math.ceil(math.log10(max(rates)) * 3) / 3
    labels = list(dict.fromkeys(line.label for _, lines in panels for line in lines if not line.is_ours))
    colors = {label: OTHERS[i % len(OTHERS)] for i, label in enumerate(labels)}
    panel_width = LEFT + PLOT_WIDTH + RIGHT
    width, height = panel_width * len(panels), TOP + PLOT_HEIGHT + BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="{FONT}" font-size="12">',
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
        text(20, 30, title, size=17, weight=600),
        text(20, 50, subtitle, color=FAINT),
    ]
    for number, (name, lines) in enumerate(panels):
        parts.append(f'<g transform="translate({number * panel_width + LEFT} {TOP})">')
        parts += _frame(name, axis, low, high)
        parts += _lines(lines, axis, low, high, colors)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _y(rate, low, high):
    return PLOT_HEIGHT * (1 - (math.log10(rate) - low) / (high - low))


def _frame(name, axis, low, high):
    parts = [text(0, -14, name, weight=600)]
    for exponent in range(math.floor(low), math.ceil(high) + 1):
        for digit in (1, 2, 5):
            rate = digit * 10.0 ** exponent
            if not low - 1e-9 <= math.log10(rate) <= high + 1e-9:
                continue
            y = _y(rate, low, high)
            weight = 1.4 if digit == 1 else 0.7
            parts.append(f'<path d="M0 {y:.1f}H{PLOT_WIDTH}" stroke="{GRID}" stroke-width="{weight}"/>')
            parts.append(text(-8, y + 4, _short(rate), color=INK if digit == 1 else FAINT, anchor="end"))
    for value, label in axis.ticks:
        x = PLOT_WIDTH * axis.place(value)
        parts.append(f'<path d="M{x:.1f} 0V{PLOT_HEIGHT}" stroke="{GRID}" stroke-width="0.7"/>')
        parts.append(text(x, PLOT_HEIGHT + 18, label, color=FAINT, anchor="middle"))
    parts.append(text(PLOT_WIDTH / 2, PLOT_HEIGHT + 40, axis.title, color=FAINT, anchor="middle"))
    parts.append(f'<path d="M0 {PLOT_HEIGHT}H{PLOT_WIDTH}" stroke="{FAINT}"/>')
    return parts


def _is_strong(line):
    return line.is_ours and not line.is_side


def _lines(lines, axis, low, high, colors):
    parts, ends = [], []
    for line in sorted(lines, key=lambda line: line.is_ours):
        color = KIN if line.is_ours else colors[line.label]
        places = [(PLOT_WIDTH * axis.place(x), _y(y, low, high)) for x, y in line.points if axis.place(x) >= 0]
        if not places:
            continue
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        dashes = ' stroke-dasharray="5 4"' if line.is_side else ""
        parts.append(f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{3.2 if _is_strong(line) else 1.8}" '
                     f'stroke-linejoin="round"{dashes}/>')
        radius = 4.2 if _is_strong(line) else 2.4
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{color}" stroke="{PAPER}"/>'
                  for x, y in places]
        ends.append((*places[-1], line, color))
    for (x, y, line, color), label_y in zip(ends, _spread([end[1] for end in ends]), strict=True):
        parts.append(f'<path d="M{x + 5:.1f} {y:.1f}L{PLOT_WIDTH + 8} {label_y:.1f}" stroke="{color}" '
                     'stroke-width="0.7" stroke-dasharray="2 2" fill="none"/>')
        weight = 700 if _is_strong(line) else 400
        parts.append(text(PLOT_WIDTH + 12, label_y + 4, line.label, color=color, weight=weight))
    return parts


def _spread(wanted):
    """The positions nearest to the wanted ones, in their order, such that labels do not touch."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    placed = {}
    for rank, index in enumerate(order):
        least = placed[order[rank - 1]] + LABEL_GAP if rank else 0
        placed[index] = max(wanted[index], least)
    most = PLOT_HEIGHT
    for index in reversed(order):
        placed[index] = min(placed[index], most)
        most = placed[index] - LABEL_GAP
    return [placed[index] for index in range(len(wanted))]


def _short(rate):
    return f"{rate / 1e6:g}M" if rate >= 1e6 else f"{rate / 1e3:g}k" if rate >= 1e3 else f"{rate:g}"


def text(x, y, words, color=INK, anchor="start", size=12, weight=400):
    return (f'<text x="{x:.1f}" y="{y:.1f}" fill="{color}" text-anchor="{anchor}" font-size="{size}" '
            f'font-weight="{weight}">{escape(words)}</text>')
