"""tools/make_results.py, on folds of synthetic data in place of the LETOR sets."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = PROJECT / "tools" / "make_results.py"
RANKINE = os.environ.get("RANKINE_BINARY", "")
PAGE = "# Results\n\nProse.\n\n<!-- table: {} -->\nold\n<!-- end -->\n\nMore prose.\n"


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sets")
    data = folder / "data.txt"
    subprocess.run([RANKINE, "synth", data, "--queries", "60", "--documents", "12", "--quiet"], check=True)
    for name in ["ohsumed", "mq2007"]:
        subprocess.run([RANKINE, "convert", data, folder / name, "--folds", "5", "--quiet"], check=True)
    return folder


def run(page, sets, *tables):
    return subprocess.run([sys.executable, SCRIPT, "--rankine", RANKINE, "--letor", sets, "--page", page, *tables],
                          capture_output=True, text=True)


@pytest.mark.parametrize("name, rows", [("ohsumed", 3), ("mq2007", 7)])
def test_a_table_is_replaced_and_the_prose_is_kept(tmp_path, sets, name, rows):
    page = tmp_path / "results.md"
    page.write_text(PAGE.format(name))
    done = run(page, sets, name)
    assert done.returncode == 0, done.stderr
    start, end = PAGE.format(name).split("old")
    text = page.read_text()
    assert text.startswith(start) and text.endswith(end)
    table = text[len(start):-len(end)].splitlines()
    assert len(table) == 2 + rows
    assert len({line.count("|") for line in table}) == 1
    assert re.search(r"\| \.\d{4} \|", table[3])


def test_every_table_has_its_place_in_the_page():
    page = (PROJECT / "docs" / "results.md").read_text(encoding="utf-8")
    tables = re.findall(r'^@table\("(\w+)"\)', SCRIPT.read_text(encoding="utf-8"), re.MULTILINE)
    assert tables and re.findall(r"^<!-- table: (\w+) -->$", page, re.MULTILINE) == tables


def test_a_missing_set_is_named_in_one_line(tmp_path, sets):
    page = tmp_path / "results.md"
    page.write_text(PAGE.format("ohsumed"))
    done = run(page, tmp_path, "ohsumed")
    assert done.returncode == 1
    assert "ohsumed/Fold1/train.txt is missing" in done.stderr and done.stderr.count("\n") == 1


def test_an_unknown_table_is_refused(tmp_path, sets):
    done = run(tmp_path / "results.md", sets, "nothing")
    assert done.returncode == 1 and "there is no table nothing" in done.stderr
