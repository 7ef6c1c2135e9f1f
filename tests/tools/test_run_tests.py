"""tools/run_tests counts what ctest and pytest report, and fails when anything did."""
import importlib.machinery
import importlib.util
import pathlib
import sys

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "run_tests"

CTEST = """<testsuite name="x" tests="4">
<testcase name="a.passes" classname="a.passes" status="run"><system-out>fine</system-out></testcase>
<testcase name="a.fails" classname="a.fails" status="fail"><failure message=""/>
<system-out>expected 1</system-out></testcase>
<testcase name="a.skips" classname="a.skips" status="notrun"><skipped message="SKIP"/>
<system-out>no data: skipped</system-out></testcase>
<testcase name="a.disabled" classname="a.disabled" status="disabled"/>
</testsuite>"""
PYTEST = """<testsuites><testsuite name="pytest">
<testcase classname="tests.test_a" name="test_one" time="0.1"/>
<testcase classname="tests.test_a" name="test_two"><failure message="m">assert 1 == 2</failure></testcase>
<testcase classname="tests.test_a" name="test_three"><error message="m">no fixture</error></testcase>
<testcase classname="tests.test_a" name="test_four"><skipped message="no data">x</skipped></testcase>
</testsuite></testsuites>"""


@pytest.fixture
def run_tests(monkeypatch):
    loader = importlib.machinery.SourceFileLoader("run_tests", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_tests", loader))
    monkeypatch.setitem(sys.modules, "run_tests", module)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("text, counts", [
    (CTEST, "1 passed, 1 failed, 2 skipped"), (PYTEST, "1 passed, 2 failed, 1 skipped"),
])
def test_results_are_read_from_the_reports_of_both(run_tests, tmp_path, text, counts):
    (tmp_path / "report.xml").write_text(text)
    results = list(run_tests.read_junit(tmp_path / "report.xml"))
    assert run_tests.count(results) == counts
    assert any(word in result.detail for result in results for word in ["expected 1", "assert 1 == 2"])


def test_a_command_that_fails_without_a_report_counts_as_a_failure(run_tests, tmp_path, monkeypatch):
    monkeypatch.setattr(run_tests, "LOGS", tmp_path)
    results = run_tests.collect("x", ["false"], tmp_path / "none.xml", "x.log")
    assert run_tests.count(results) == "0 passed, 1 failed, 0 skipped"


@pytest.mark.parametrize("status, code", [("passed", 0), ("skipped", 0), ("failed", 1)])
def test_the_last_line_has_the_counts_and_the_status_tells_failure(
        run_tests, monkeypatch, capsys, status, code):
    stages = {"one": lambda full: [run_tests.Result("a", "passed"), run_tests.Result("b", status)]}
    monkeypatch.setattr(run_tests, "STAGES", stages)
    monkeypatch.setattr(run_tests, "FULL_STAGES", stages)
    monkeypatch.setattr(run_tests, "find_letor_sets", lambda: None)
    monkeypatch.setattr(sys, "argv", ["run_tests"])
    assert run_tests.main() == code
    tally = {"passed": [2, 0, 0], "failed": [1, 1, 0], "skipped": [1, 0, 1]}[status]
    last = capsys.readouterr().out.rstrip("\n").split("\n")[-1]
    assert last == "{} passed, {} failed, {} skipped".format(*tally)


def test_no_results_at_all_is_a_failure(run_tests, monkeypatch):
    monkeypatch.setattr(run_tests, "STAGES", {"one": lambda full: []})
    monkeypatch.setattr(run_tests, "FULL_STAGES", run_tests.STAGES)
    monkeypatch.setattr(run_tests, "find_letor_sets", lambda: None)
    monkeypatch.setattr(sys, "argv", ["run_tests"])
    assert run_tests.main() == 1
