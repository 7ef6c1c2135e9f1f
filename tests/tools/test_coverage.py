"""tools/coverage adds up what Clang and pytest-cov counted; the counting itself takes a build of its own."""
import importlib.machinery
import importlib.util
import json
import pathlib
import sys

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def coverage(monkeypatch):
    loader = importlib.machinery.SourceFileLoader("tools_coverage", str(PROJECT / "tools" / "coverage"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("tools_coverage", loader))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader.exec_module(module)
    return module


def test_rows_are_sums_by_folder_and_of_all(coverage):
    files = [("src/base/a.cpp", 10, 5), ("src/base/text/b.cpp", 30, 30), ("cli/commands/c.cpp", 4, 0),
             ("include/rankine/d.hpp", 6, 3)]
    assert coverage.rows_by_folder(files) == [
        ("cli/commands", 4, 0), ("include/rankine", 6, 3), ("src/base", 40, 35), ("all", 50, 38)]


def test_the_table_shows_shares_and_a_dash_for_nothing(coverage):
    lines = coverage.table([("src/base", 40, 35), ("src/empty", 0, 0)]).splitlines()
    assert lines[1].split() == ["src/base", "40", "35", "87.5", "%"]
    assert lines[2].split() == ["src/empty", "0", "0", "-"]


def test_of_what_clang_counted_only_our_own_files_are_taken(coverage):
    def entry(path):
        return {"filename": str(path), "summary": {"lines": {"count": 8, "covered": 6}}}

    # The build names sources as seen from its folder.
    names = [PROJECT / "build" / "coverage" / ".." / ".." / "src" / "base" / "a.cpp",
             PROJECT / "tests" / "base" / "a_test.cpp", "/usr/include/c++/12/vector"]
    exported = json.dumps({"data": [{"files": [entry(name) for name in names]}]})
    assert list(coverage.files_of_llvm(exported)) == [("src/base/a.cpp", 8, 6)]


def test_the_package_is_counted_wherever_it_is_installed(coverage):
    exported = json.dumps({"files": {
        "build/venv/lib/python3.11/site-packages/rankine/plot.py": {
            "summary": {"num_statements": 20, "covered_lines": 18}}}})
    assert list(coverage.files_of_python(exported)) == [("python/rankine/plot.py", 20, 18)]


def test_a_step_that_fails_ends_with_its_name_and_output(coverage, capsys):
    with pytest.raises(SystemExit, match="sh ended with status 3"):
        coverage.run("/bin/sh", "-c", "echo what went wrong >&2; exit 3")
    assert "what went wrong" in capsys.readouterr().err
