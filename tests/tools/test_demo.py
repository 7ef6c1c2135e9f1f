"""The demo runs as the README says, and leaves a page that needs nothing but itself."""
import os
import pathlib
import re
import subprocess
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[2]


def test_the_demo_ends_with_a_table_and_a_self_contained_page(tmp_path):
    done = subprocess.run(
        [sys.executable, PROJECT / "tools" / "demo", os.environ["RANKINE_BINARY"], tmp_path],
        capture_output=True, text=True,
    )
    assert done.returncode == 0, done.stderr
    table = re.search(r"^the true scores +0\.\d+.*\n(.*\n)*^chance +0\.\d+", done.stdout, re.MULTILINE)
    assert table, done.stdout
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 4
    assert not re.search(r"https?:|<link|<script|src=|@import|url\(", page)
