#!/usr/bin/env python3
"""Fail when a document names what is not there. Usage: check_docs.py PROJECT_DIR

Checks three things:
- relative links: the file must exist, and the heading where the link names one;
- docs/README.md links to every page of docs/;
- a path of our code in backticks, such as `base/parallel` or `cli/commands/train.cpp`, exists.
"""
import pathlib
import re
import sys

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)
PATH = re.compile(r"`([a-z_]+(?:/[\w.-]+)+)/?`")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)
NOT_OURS = {"build", "demo", ".git", ".pytest_cache", "node_modules"}
# What tells of the past may name files that are gone.
HISTORY = {"CHANGELOG.md", "docs/notes"}
INDEX = pathlib.PurePath("docs", "README.md")


def pages(project_dir):
    for path in sorted(project_dir.rglob("*.md")):
        if not NOT_OURS & set(path.relative_to(project_dir).parts):
            yield path


def anchors(path):
    """The names by which the headings of a file can be linked to."""
    text = FENCED.sub("", path.read_text(encoding="utf-8"))
    names, seen = set(), {}
    for title in HEADING.findall(text):
        name = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower())
        name = name.replace(" ", "-")
        count = seen[name] = seen.get(name, -1) + 1
        names.add(f"{name}-{count}" if count else name)
    return names


def links(path):
    """The relative links of a page."""
    for match in LINK.finditer(CODE.sub("", path.read_text(encoding="utf-8"))):
        link = match[1] or match[2]
        if not re.match(r"[a-z]+:", link):
            yield link


def broken_links(project_dir):
    for path in pages(project_dir):
        for link in links(path):
            name, _, anchor = link.partition("#")
            target = path.parent / name if name else path
            if not target.exists():
                yield f"{path}: links to {link}, which does not exist"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                yield f"{path}: links to {link}, but there is no such heading"


def pages_left_out(project_dir):
    index = project_dir / INDEX
    if not index.is_file():
        return
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in links(index)}
    for path in pages(project_dir / "docs"):
        if path != index and path.resolve() not in linked:
            yield f"{index}: does not link to {path.relative_to(index.parent)}"


def names_code(project_dir, name):
    """Whether a path in backticks is meant as one of ours: its first folder is."""
    first = name.split("/")[0]
    return (project_dir / "src" / first).is_dir() or (
        first != "build" and (project_dir / first).is_dir())


def is_there(project_dir, name):
    """As it stands or below src/; a unit may be named without its ending."""
    for place in (project_dir / name, project_dir / "src" / name):
        if place.exists() or any(place.parent.glob(place.name + ".[ch]pp")):
            return True
    return False


def paths_gone(project_dir):
    for path in pages(project_dir):
        place = path.relative_to(project_dir).as_posix()
        if any(place == name or place.startswith(name + "/") for name in HISTORY):
            continue
        text = FENCED.sub("", path.read_text(encoding="utf-8"))
        for name in PATH.findall(text):
            if names_code(project_dir, name) and not is_there(project_dir, name):
                yield f"{path}: names `{name}`, which does not exist"


def violations(project_dir):
    yield from broken_links(project_dir)
    yield from pages_left_out(project_dir)
    yield from paths_gone(project_dir)


if __name__ == "__main__":
    found = list(violations(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every link resolves, every page is linked, every path named is there")
    sys.exit(bool(found))
