#!/usr/bin/env python3
"""Fail when a folder includes one it may not. Usage: check_layers.py PROJECT_DIR

Folders of src/ point one way only, some sub-folders are the business of their folder alone, and one
file knows the thread library; public headers include the standard library and each other; the command
line and the Python bindings include public headers, never src/.
"""
import pathlib
import re
import sys

# What each folder of src/ may include besides itself and the public headers.
MAY_INCLUDE = {
    "base": [],
    "linalg": ["base"],
    "data": ["base"],
    "io": ["base", "data"],
    "synth": ["base", "data"],
    "losses": ["base"],
    "metrics": ["base"],
    "compute": ["base", "linalg", "data", "losses"],
    "features": ["base", "linalg", "data", "compute"],
    "objectives": ["base", "linalg", "data", "losses", "compute", "features"],
    "solvers": ["base", "linalg", "compute", "objectives"],
    "models": ["base", "linalg", "data", "io", "compute", "features"],
    "problem": [
        "base", "linalg", "data", "losses", "compute", "features", "objectives", "models",
    ],
    "methods": [
        "base", "linalg", "data", "losses", "compute", "features", "objectives", "solvers", "models",
        "problem",
    ],
    "training": [
        "base", "data", "io", "metrics", "compute", "objectives", "models", "problem", "methods",
    ],
    "evaluation": ["base", "data", "io", "metrics", "models", "methods", "training"],
    "tuning": [
        "base", "data", "io", "metrics", "models", "problem", "methods", "training", "evaluation",
    ],
}
# Sub-folders of src/ that only the folder they are in may include.
PRIVATE = ["compute/cpu"]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
THREADS = "base/parallel.cpp"
SOURCES = {".hpp", ".cpp", ".h", ".cu", ".cuh"}


def included(path):
    """The names a file includes, each with the line it stands on."""
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[1] or match[2]


def sources(folder):
    return sorted(path for path in folder.rglob("*") if path.suffix in SOURCES)


def is_standard(name):
    return re.fullmatch(r"[a-z_0-9]+", name) is not None


def private_folder(name):
    """The private sub-folder that a name lies in, if any."""
    return next((folder for folder in PRIVATE if name.startswith(folder + "/")), None)


def library_violations(source_dir):
    for path in sources(source_dir):
        here = path.relative_to(source_dir).parts[0]
        if here not in MAY_INCLUDE:
            yield f"{path}: {here}/ is not a folder of the architecture (see MAY_INCLUDE)"
            continue
        for line, name in included(path):
            there = name.split("/")[0]
            if there in ("tbb", "oneapi") and path.relative_to(source_dir).as_posix() != THREADS:
                yield f"{path}:{line}: threads come from src/{THREADS} alone, not from {name}"
            if name.startswith("../"):
                yield f"{path}:{line}: includes {name}: name files from the root of src/"
            elif there in MAY_INCLUDE and there != here and there not in MAY_INCLUDE[here]:
                yield f"{path}:{line}: {here}/ may not include {there}/"
            elif private_folder(name) and there != here:
                yield f"{path}:{line}: {private_folder(name)}/ is for {there}/ alone"


def public_violations(include_dir):
    for path in sources(include_dir):
        for line, name in included(path):
            if not is_standard(name) and not (include_dir / name).is_file():
                yield (f"{path}:{line}: a public header may not include {name}: "
                       "only the standard library and public headers")


def umbrella_violations(include_dir):
    umbrella = include_dir / "rankine" / "rankine.hpp"
    if umbrella.is_file():
        held = {name for _, name in included(umbrella)}
        for path in sources(include_dir):
            if path != umbrella and path.relative_to(include_dir).as_posix() not in held:
                yield f"{umbrella}: does not include {path.name}"


def surface_violations(folder):
    for path in sources(folder):
        for line, name in included(path):
            if name.startswith("../") or name.split("/")[0] in MAY_INCLUDE:
                yield f"{path}:{line}: {folder.name}/ may include public headers only, not {name}"


def violations(project_dir):
    yield from library_violations(project_dir / "src")
    yield from public_violations(project_dir / "include")
    yield from umbrella_violations(project_dir / "include")
    yield from surface_violations(project_dir / "cli")
    yield from surface_violations(project_dir / "python")


if __name__ == "__main__":
    found = list(violations(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "layers ok")
    sys.exit(bool(found))
