#!/usr/bin/env python3
"""Fail when the build is tied to the machine it runs on, or bends arithmetic.

Usage: check_flags.py COMPILE_COMMANDS_JSON

What we ship picks its SIMD at run time, so no source is compiled for one processor; and results are
the same on every machine, so none is compiled with relaxed floating point.
"""
import json
import re
import sys

FORBIDDEN = re.compile(
    r"(?<!\S)(-march=\S+|-mtune=\S+|-mcpu=\S+|-mavx\S*|-msse\S*|-mfma\S*|-mbmi\S*|-ffast-math|-Ofast"
    r"|-funsafe-math-optimizations|-fassociative-math|-ffp-contract=(?:fast|on))(?!\S)"
)


def violations(commands):
    for entry in commands:
        command = entry.get("command") or " ".join(entry["arguments"])
        for flag in FORBIDDEN.findall(command):
            yield f"{entry['file']}: compiled with {flag}"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        listed = json.load(file)
    found = list(violations(listed))
    print("\n".join(found) or f"{len(listed)} compile commands ok")
    sys.exit(bool(found) or not listed)
