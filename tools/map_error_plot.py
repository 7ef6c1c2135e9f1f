#!/usr/bin/env python3
"""Draws what map_error_benchmark printed: map_error_plot.py CSV SVG

One panel a kernel: the error against the number of components, both logarithmic, a line for each way of
drawing landmarks or random features, named at its right end. Light or dark as the reader's system is.
"""
import csv
import html
import math
import pathlib
import sys

from demo_page import element, text

STYLE = """
:root { --paper:#fbfaf8; --ink:#1d2126; --soft:#5d6670; --line:#e4e1db; --nystroem:#2b66b1; --fourier:#b3641b; }
@media (prefers-color-scheme: dark) { :root { --paper:#15181c; --ink:#e7e5e0; --soft:#9aa3ad; --line:#30363d;
  --nystroem:#76aaf0; --fourier:#e2a15f; } }
svg { font:13px system-ui, -apple-system, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; }
text { fill:var(--soft); font-variant-numeric:tabular-nums } .strong { fill:var(--ink) } .grid { stroke:var(--line) }
"""
WIDTH, HEIGHT, TOP, BOTTOM, LEFT, LABELS, GAP = 1080, 430, 62, 50, 50, 166, 14
LINES = {  # dashes and marks tell the lines of one colour apart
    "nystroem uniform": ("nystroem", "", "circle"),
    "nystroem kmeans": ("nystroem", "7 4", "square"),
    "nystroem rpcholesky": ("nystroem", "2 3", "diamond"),
    "fourier plain": ("fourier", "", "circle"),
    "fourier paired": ("fourier", "7 4", "square"),
    "fourier orthogonal": ("fourier", "2 3", "diamond"),
}


def panels(path):
    """{(kernel, gamma): {scheme: [(components, error)]}}"""
    read = {}
    with open(path, newline="", encoding="utf-8") as source:
        for row in csv.DictReader(source):
            lines = read.setdefault((row["kernel"], float(row["gamma"])), {})
            lines.setdefault(row["scheme"], []).append((int(row["components"]), float(row["error"])))
    return read


def mark(shape, x, y, colour):
    if shape == "circle":
        return element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=3.4, fill=colour)
    turn = f"rotate(45 {x:.1f} {y:.1f})" if shape == "diamond" else "rotate(0)"
    return element("rect", x=f"{x - 3:.1f}", y=f"{y - 3:.1f}", width=6, height=6, fill=colour, transform=turn)


def apart(positions, gap, most):
    """The positions moved apart, keeping their order, and none beyond `most`."""
    order = sorted(range(len(positions)), key=lambda k: positions[k])
    placed = list(positions)
    for before, after in zip(order, order[1:]):
        placed[after] = max(placed[after], placed[before] + gap)
    limit = most
    for k in reversed(order):
        placed[k] = min(placed[k], limit)
        limit = placed[k] - gap
    return placed


def power_text(exponent):
    digits = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return "1" if exponent == 0 else "10" + digits


def panel(left, right, title, lines, exponents, show_scale):
    """Parts of one plot between `left` and `right`."""
    components = sorted({m for points in lines.values() for m, _ in points})
    bottom = HEIGHT - BOTTOM

    def place(m, error):
        across = math.log(m / components[0]) / math.log(components[-1] / components[0])
        up = (math.log10(error) - exponents[0]) / (exponents[-1] - exponents[0])
        return left + across * (right - left), bottom - up * (bottom - TOP)

    parts = [text(left, TOP - 20, title, class_="strong", font_weight=600)]
    for exponent in exponents:
        y = place(components[0], 10.0**exponent)[1]
        parts.append(element("line", x1=left, x2=right, y1=f"{y:.1f}", y2=f"{y:.1f}", class_="grid"))
        if show_scale:
            parts.append(text(left - 9, y + 4, power_text(exponent), text_anchor="end"))
    for m in components:
        parts.append(text(place(m, 1)[0], bottom + 20, f"{m:,}".replace(",", "\u202f"), text_anchor="middle"))
    parts.append(text((left + right) / 2, HEIGHT - 8, "landmarks or random features", text_anchor="middle"))
    ends = apart([place(*points[-1])[1] for points in lines.values()], 17, bottom)
    for (scheme, points), end in zip(lines.items(), ends):
        family, dashes, shape = LINES[scheme]
        colour = f"var(--{family})"
        places = [place(*point) for point in points]
        path = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        parts.append(element("path", d=path, fill="none", stroke=colour, stroke_width=2,
                             stroke_dasharray=dashes or "none"))
        for (x, y), (m, error) in zip(places, points):
            note = element("title", html.escape(f"{scheme}, {m}: {error:.2g}"))
            parts.append(element("g", note + mark(shape, x, y, colour)))
        parts.append(mark(shape, right + 15, end, colour))
        parts.append(text(right + 24, end + 4, scheme, class_="strong"))
    return parts


def picture(read):
    errors = [error for lines in read.values() for points in lines.values() for _, error in points]
    exponents = range(math.floor(math.log10(min(errors))), math.ceil(math.log10(max(errors))) + 1)
    width = (WIDTH - LEFT - len(read) * LABELS - (len(read) - 1) * GAP) / len(read)
    parts = [element("style", STYLE), element("rect", width=WIDTH, height=HEIGHT, fill="var(--paper)"),
             text(LEFT, 18, "Error of the approximated kernel, relative to the kernel (Frobenius norms)")]
    left = LEFT
    for (kernel, gamma), lines in read.items():
        title = f"{kernel}, gamma = {gamma:.4g}"
        parts += panel(left, left + width, title, lines, exponents, left == LEFT)
        left += width + LABELS + GAP
    name = element("title", "Error of kernel approximations against the number of components")
    return element("svg", name + "\n" + "\n".join(parts) + "\n", xmlns="http://www.w3.org/2000/svg",
                   viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img") + "\n"


def main(source, target):
    pathlib.Path(target).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(target).write_text(picture(panels(source)), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    main(*sys.argv[1:])
