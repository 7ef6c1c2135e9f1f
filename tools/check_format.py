#!/usr/bin/env python3
"""Fail when a C++ file is not as clang-format writes it. Usage: check_format.py PROJECT_DIR [--fix]"""
import pathlib
import subprocess
import sys

FOLDERS = ["include", "src", "cli", "tests", "benchmarks", "examples", "python"]
SUFFIXES = {".hpp", ".cpp", ".h", ".cu", ".cuh"}
# Its version decides the layout, so it is a fixed one.
CLANG_FORMAT = "clang-format-14"


def sources(project_dir):
    return sorted(
        path for folder in FOLDERS for path in (project_dir / folder).rglob("*")
        if path.suffix in SUFFIXES
    )


def run_clang_format(project_dir, *, fix):
    files = [str(path) for path in sources(project_dir)]
    mode = ["-i"] if fix else ["--dry-run", "-Werror"]
    return subprocess.run([CLANG_FORMAT, "--style=file", *mode, *files]).returncode if files else 0


if __name__ == "__main__":
    sys.exit(run_clang_format(pathlib.Path(sys.argv[1]), fix="--fix" in sys.argv[2:]))
