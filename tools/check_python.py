#!/usr/bin/env python3
"""Fail when ruff finds fault with a Python file. Usage: check_python.py PROJECT_DIR [--fix]

The rules are in pyproject.toml. Ruff comes with tools/test_requirements.txt; its version decides what
it finds, so the one of build/venv is taken. Without it the check ends with status 77: skipped.
"""
import pathlib
import subprocess
import sys

RUFF = pathlib.Path(__file__).resolve().parents[1] / "build" / "venv" / "bin" / "ruff"
SKIPPED = 77

if __name__ == "__main__":
    if not RUFF.exists():
        print("check_python: skipped: no ruff in build/venv (tools/install_dependencies test)")
        sys.exit(SKIPPED)
    mode = ["--fix"] if "--fix" in sys.argv[2:] else []
    sys.exit(subprocess.run([RUFF, "check", "--no-cache", *mode, "."], cwd=sys.argv[1]).returncode)
