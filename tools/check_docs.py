#!/usr/bin/env python3
"""Fail when a Markdown file links to what is not there. Usage: check_docs.py PROJECT_DIR

Checks relative links: the file must exist, and the heading where the link names one.
"""
import pathlib
import re
import sys

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)
NOT_OURS = {"build", "demo", ".git", ".pytest_cache", "node_modules"}


def anchors(path):
    """The names by which the headings of a file can be linked to."""
    text = re.sub(r"^(```|~~~).*?^\1", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    names, seen = set(), {}
    for title in HEADING.findall(text):
        name = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).lower())
        name = name.replace(" ", "-")
        count = seen[name] = seen.get(name, -1) + 1
        names.add(f"{name}-{count}" if count else name)
    return names


def violations(project_dir):
    for path in sorted(project_dir.rglob("*.md")):
        if NOT_OURS & set(path.relative_to(project_dir).parts):
            continue
        text = CODE.sub("", path.read_text(encoding="utf-8"))
        for match in LINK.finditer(text):
            link = match[1] or match[2]
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = path.parent / name if name else path
            if not target.exists():
                yield f"{path}: links to {link}, which does not exist"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                yield f"{path}: links to {link}, but there is no such heading"


if __name__ == "__main__":
    found = list(violations(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every link resolves")
    sys.exit(bool(found))
