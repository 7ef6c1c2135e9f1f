"""Draws the demo's page: one self-contained HTML file, light or dark as the reader's system is.

Charts are SVG, built here from numbers that the command line printed; colours are CSS variables.
"""
import html
import math

STYLE = """
:root { --paper:#fbfaf8; --card:#fff; --ink:#1d2126; --soft:#5d6670; --line:#e4e1db; --bar:#4a6fa5;
  --one:#2f6f4f; --two:#2b66b1; --three:#b3641b; --four:#8a8f98;
  --g0:#eceae5; --g1:#cfe0d6; --g2:#97c2a9; --g3:#4f9873; --g4:#1f5f41; --code:#f1efea; }
@media (prefers-color-scheme: dark) { :root { --paper:#15181c; --card:#1c2025; --ink:#e7e5e0;
  --soft:#9aa3ad; --line:#30363d; --bar:#7ea3d8; --one:#6cc298; --two:#76aaf0; --three:#e2a15f;
  --four:#8d949d; --g0:#2a2f35; --g1:#28483a; --g2:#377257; --g3:#55a67f; --g4:#a5e3c4; --code:#23282e; } }
* { box-sizing:border-box }
body { margin:0; background:var(--paper); color:var(--ink);
  font:16px/1.55 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif; }
main { max-width:1060px; margin:0 auto; padding:56px 28px 72px }
h1 { font-size:2.1rem; line-height:1.2; letter-spacing:-.015em; margin:0 0 .35em; font-weight:650 }
h2 { font-size:1.08rem; margin:0 0 .15em; font-weight:620 }
p { margin:.2em 0 0; color:var(--soft); max-width:84ch }
p.note { font-size:.9rem }
.tiles { display:grid; grid-template-columns:repeat(auto-fit,minmax(130px,1fr)); gap:14px; margin:34px 0 }
.tile b { display:block; font-size:1.55rem; font-weight:600; letter-spacing:-.01em;
  font-variant-numeric:tabular-nums }
.tile span { color:var(--soft); font-size:.86rem }
.tile { border-top:2px solid var(--ink); padding-top:9px }
section { background:var(--card); border:1px solid var(--line); border-radius:10px;
  padding:24px 26px; margin:18px 0 }
.pair { display:grid; grid-template-columns:1fr 1fr; gap:18px } .pair section { margin:0 }
@media (max-width:760px) { .pair { grid-template-columns:1fr } }
svg { display:block; width:100%; height:auto; margin-top:16px; font-size:12.5px; overflow:visible }
svg text { fill:var(--soft); font-variant-numeric:tabular-nums } svg text.strong { fill:var(--ink) }
.grid { stroke:var(--line); stroke-width:1 } .zero { stroke:var(--soft) }
table { border-collapse:collapse; width:100%; margin-top:14px; font-variant-numeric:tabular-nums }
th { text-align:right; font-weight:500; color:var(--soft); font-size:.86rem }
th:first-child, td:first-child { text-align:left }
td { text-align:right; border-top:1px solid var(--line) } td, th { padding:8px 6px }
.dot { display:inline-block; width:.72em; height:.72em; border-radius:50%; margin-right:.55em }
pre { background:var(--code); border-radius:7px; padding:14px 16px; overflow-x:auto; margin:10px 0 0;
  font:13.5px/1.6 ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace }
footer { color:var(--soft); font-size:.86rem; margin-top:30px }
"""
PAIR_COLOURS = ["var(--two)", "var(--one)"]
COLOURS = ["var(--one)", "var(--two)", "var(--three)", "var(--four)"]


def element(tag, content="", **attributes):
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{html.escape(str(value))}"'
        for name, value in attributes.items()
    )
    return f"<{tag}{written}>{content}</{tag}>"


def text(x, y, content, **attributes):
    return element("text", html.escape(str(content)), x=f"{x:.1f}", y=f"{y:.1f}", **attributes)


def svg(width, height, parts, title):
    return element("svg", element("title", html.escape(title)) + "".join(parts),
                   viewBox=f"0 0 {width} {height}", role="img")


def thousands(number):
    return f"{number:,}".replace(",", "\u202f")


def nice_ceiling(value):
    """The smallest of 1, 2, 2.5, 4, 5 or 10 times a power of ten that is not below value."""
    power = 10 ** math.floor(math.log10(value)) if value > 0 else 1
    return next(step * power for step in (1, 2, 2.5, 4, 5, 10) if step * power >= value * 0.999)


def bar_chart(labels, counts, title, x_title, fills=None, value_labels=False):
    """Vertical bars over labels; a label of "" is left out."""
    width, height, left, bottom, top = 480, 230, 6 if value_labels else 44, 40, 18
    inner, tall = width - left - 6, height - top - bottom
    ceiling = max(counts) if value_labels else nice_ceiling(max(counts))
    step = inner / len(counts)
    parts = []
    if not value_labels:
        for share in (0, 0.5, 1):
            y = top + tall * (1 - share)
            parts.append(element("line", x1=left, x2=width - 6, y1=f"{y:.1f}", y2=f"{y:.1f}", class_="grid"))
            parts.append(text(left - 8, y + 4, f"{ceiling * share:g}", text_anchor="end"))
    for index, (label, count) in enumerate(zip(labels, counts)):
        bar, x = tall * count / ceiling, left + step * (index + 0.5)
        gap = min(0.3 * step, 18) if value_labels else min(1.5, 0.2 * step)
        fill = fills[index] if fills else "var(--bar)"
        parts.append(element("rect", x=f"{x - step / 2 + gap / 2:.1f}", y=f"{top + tall - bar:.1f}",
                             width=f"{step - gap:.1f}", height=f"{bar:.1f}", rx=2, fill=fill))
        if value_labels:
            parts.append(text(x, top + tall - bar - 6, thousands(count), text_anchor="middle", class_="strong"))
        if label != "":
            parts.append(text(x, height - bottom + 17, label, text_anchor="middle"))
    parts.append(text(left + inner / 2, height - 4, x_title, text_anchor="middle"))
    return svg(width, height, parts, title)


def pair_chart(rows, names, title, x_title):
    """Two bars a label, up or down from 0, side by side. rows: [(label, first, second)]."""
    width, height, left, bottom, top = 1000, 280, 44, 40, 30
    inner, tall = width - left - 6, height - top - bottom
    most = math.ceil(10 * max(0, *(value for row in rows for value in row[1:]))) / 10
    least = math.floor(10 * min(0, *(value for row in rows for value in row[1:]))) / 10
    step = inner / len(rows)

    def height_of(value):
        return top + tall * (most - value) / (most - least)

    parts = []
    every = 2 if most - least > 0.8 else 1
    for tick in range(round(least * 10), round(most * 10) + 1):
        if tick % every != 0:
            continue
        y = height_of(tick / 10)
        parts.append(element("line", x1=left, x2=width - 6, y1=f"{y:.1f}", y2=f"{y:.1f}",
                             class_="grid zero" if tick == 0 else "grid"))
        parts.append(text(left - 8, y + 4, f"{tick / 10:.1f}".replace("-", "\u2212"), text_anchor="end"))
    bar = 0.36 * step
    for index, (label, *values) in enumerate(rows):
        middle = left + step * (index + 0.5)
        for place, (value, fill) in enumerate(zip(values, PAIR_COLOURS)):
            y, zero = height_of(value), height_of(0)
            parts.append(element("rect", x=f"{middle - bar + place * (bar + 1):.1f}", y=f"{min(y, zero):.1f}",
                                 width=f"{bar:.1f}", height=f"{abs(y - zero):.1f}", rx=1.5, fill=fill))
        parts.append(text(middle, height - bottom + 17, label, text_anchor="middle"))
    parts.append(text(left + inner / 2, height - 4, x_title, text_anchor="middle"))
    x = width - 170
    for name, fill in zip(names, PAIR_COLOURS):
        parts.append(element("rect", x=x, y=2, width=12, height=12, rx=2, fill=fill))
        parts.append(text(x + 18, 12.5, name, class_="strong"))
        x += 90
    return svg(width, height, parts, title)


def spread(positions, least_gap):
    """Moves positions apart, keeping their order, so that labels do not overlap."""
    order = sorted(range(len(positions)), key=lambda i: positions[i])
    placed = list(positions)
    for before, after in zip(order, order[1:]):
        placed[after] = max(placed[after], placed[before] + least_gap)
    return placed


def line_chart(xs, series, title, x_title, y_title):
    """Lines over xs, each named at its right end; the first is broad and pale, to be seen beneath another.

    series: [(name, values)].
    """
    width, height, left, right, bottom, top = 1000, 350, 44, 190, 40, 26
    inner, tall = width - left - right, height - top - bottom
    least = math.floor(10 * min(min(values) for _, values in series)) / 10
    most = math.ceil(10 * max(max(values) for _, values in series)) / 10

    def place(x, y):
        return (left + inner * (x - xs[0]) / (xs[-1] - xs[0]), top + tall * (most - y) / (most - least))

    parts = [text(left, 12, y_title)]
    for tick in range(round(least * 10), round(most * 10) + 1):
        y = place(xs[0], tick / 10)[1]
        parts.append(element("line", x1=left, x2=width - right, y1=f"{y:.1f}", y2=f"{y:.1f}", class_="grid"))
        parts.append(text(left - 8, y + 4, f"{tick / 10:.1f}", text_anchor="end"))
    for x in xs:
        if x == 1 or x % 5 == 0:
            parts.append(text(place(x, least)[0], height - bottom + 19, x, text_anchor="middle"))
    parts.append(text(left + inner / 2, height - 3, x_title, text_anchor="middle"))
    ends = spread([place(xs[-1], values[-1])[1] for _, values in series], 19)
    for index, ((name, values), colour, end) in enumerate(zip(series, COLOURS, ends)):
        points = [place(x, y) for x, y in zip(xs, values)]
        path = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        broad = index == 0
        parts.append(element("path", d=path, fill="none", stroke=colour, stroke_width=9 if broad else 2.4,
                             stroke_opacity=0.32 if broad else 1, stroke_linejoin="round"))
        x, y = points[-1]
        parts.append(element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=6 if broad else 3.4, fill=colour,
                             fill_opacity=0.5 if broad else 1))
        parts.append(element("circle", cx=f"{x + 16:.1f}", cy=f"{end:.1f}", r=3.4, fill=colour))
        parts.append(text(x + 26, end + 4, name, class_="strong"))
        parts.append(text(width, end + 4, f"{values[-1]:.3f}", text_anchor="end"))
    return svg(width, height, parts, title)


def strip_chart(rows, num_grades, title):
    """One row of cells a ranking, best rank first, darker where the grade is higher."""
    width, left, tall = 1000, 190, 34
    longest = max(len(grades) for _, grades in rows)
    cell = (width - left) / longest
    parts = []
    for row, ((name, grades), colour) in enumerate(zip(rows, COLOURS)):
        y = row * (tall + 9)
        parts.append(element("circle", cx=6, cy=y + tall / 2, r=4.5, fill=colour))
        parts.append(text(20, y + tall / 2 + 4.5, name, class_="strong"))
        for rank, grade in enumerate(grades):
            parts.append(element("rect", x=f"{left + rank * cell:.1f}", y=y, width=f"{cell - 2.5:.1f}",
                                 height=tall, rx=2.5, fill=grade_colour(grade, num_grades)))
    bottom = len(rows) * (tall + 9) + 12
    for rank in [1, *range(5, longest + 1, 5)]:
        parts.append(text(left + (rank - 0.5) * cell - 1, bottom, rank, text_anchor="middle"))
    return svg(width, bottom + 6, parts, title)


def grade_colour(grade, num_grades):
    return f"var(--g{round(4 * grade / max(num_grades - 1, 1))})"


def measures_table(rankers, measures):
    """rankers: [(name, {measure: value})]."""
    head = element("tr", element("th", "ranking") + "".join(element("th", m) for m in measures))
    body = ""
    for (name, values), colour in zip(rankers, COLOURS):
        dot = element("span", class_="dot", style=f"background:{colour}")
        cells = element("td", dot + html.escape(name))
        body += element("tr", cells + "".join(element("td", f"{values[m]:.4f}") for m in measures))
    return element("table", head + body)


def tiles(facts):
    """Large numbers with their names, in a row. facts: [(value, name)]."""
    return element("div", "".join(
        element("div", element("b", html.escape(str(value))) + element("span", name), class_="tile")
        for value, name in facts), class_="tiles")


def side_by_side(*sections):
    return element("div", "".join(sections), class_="pair")


def shell(commands):
    return element("pre", html.escape(commands))


def section(title, explanation, *content):
    lead = element("p", explanation) if explanation else ""
    return element("section", element("h2", title) + lead + "".join(content))


def page(title, introduction, body, footer):
    return (
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
        f"<title>{html.escape(title)}</title><style>{STYLE}</style>\n<main>"
        + element("h1", html.escape(title)) + element("p", introduction) + body
        + element("footer", footer) + "</main></html>\n"
    )
