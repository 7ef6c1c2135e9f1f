#!/usr/bin/env python3
"""Fail when a source has no test or a test is not built. Usage: check_tests.py PROJECT_DIR

Each src/a/b.cpp has tests/a/b_test.cpp; each source and each test is listed in the CMakeLists.txt
of its folder.
"""
import pathlib
import re
import sys


def is_listed(path):
    """Whether the nearest CMakeLists.txt at or above the file names it."""
    for folder in path.parents:
        lists = folder / "CMakeLists.txt"
        if lists.is_file():
            words = re.sub(r"#.*", "", lists.read_text(encoding="utf-8")).split()
            name = path.relative_to(folder).as_posix()
            return any(word.strip("()\"") == name for word in words)
    return False


def missing_twins(project_dir):
    source_dir = project_dir / "src"
    for source in sorted(source_dir.rglob("*.cpp")):
        twin = source.relative_to(source_dir).with_name(source.stem + "_test.cpp")
        if not (project_dir / "tests" / twin).is_file():
            yield f"{source}: has no tests/{twin.as_posix()}"


def unlisted(project_dir):
    files = [*(project_dir / "src").rglob("*.cpp"), *(project_dir / "tests").rglob("*_test.cpp")]
    for path in sorted(files):
        if not is_listed(path):
            yield f"{path}: is not listed in the CMakeLists.txt of its folder"


def violations(project_dir):
    yield from missing_twins(project_dir)
    yield from unlisted(project_dir)


if __name__ == "__main__":
    found = list(violations(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "every source has its test")
    sys.exit(bool(found))
