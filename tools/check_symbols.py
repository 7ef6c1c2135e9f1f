#!/usr/bin/env python3
"""Fail when the shared library exports what the public headers do not declare.

Usage: check_symbols.py LIBRANKINE_SO INCLUDE_DIR

Exported may be: functions and variables of namespace rankine whose name a public header spells, and
the type information and tables of classes that one spells.
"""
import pathlib
import re
import subprocess
import sys

# A nested class, template or not, goes with the class it is nested in.
TABLE_OF_CLASS = re.compile(
    r"^(?:typeinfo for|typeinfo name for|vtable for) (rankine::\w+)(?:::\w+(?:<.*>)?)?$")
FUNCTION = re.compile(r"^rankine::(?:\w+::)*(~?\w+)(?:\[abi:\w+\])?(?:\(.*)?$")
OPERATOR = re.compile(r"^rankine::(?:\w+::)*(\w+)::operator[^\w\s(]+\(")  # stands for its class


def exported(library):
    """Demangled names of what the library defines for others."""
    listing = subprocess.run(
        ["nm", "--dynamic", "--defined-only", "--demangle", str(library)],
        check=True, capture_output=True, text=True,
    ).stdout
    return [line.split(maxsplit=2)[2] for line in listing.splitlines()]


def public_words(include_dir):
    return {
        word
        for header in include_dir.rglob("*.hpp")
        for word in re.findall(r"\w+", header.read_text(encoding="utf-8"))
    }


def violations(names, words):
    for name in names:
        match = TABLE_OF_CLASS.match(name) or OPERATOR.match(name) or FUNCTION.match(name)
        if not match or match[1].split("::")[-1].lstrip("~") not in words:
            yield f"exported, but no public header declares it: {name}"


if __name__ == "__main__":
    symbols = exported(sys.argv[1])
    found = list(violations(symbols, public_words(pathlib.Path(sys.argv[2]))))
    print("\n".join(found) or f"{len(symbols)} exported symbols, all public")
    sys.exit(bool(found) or not symbols)
