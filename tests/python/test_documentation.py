"""Docstrings run, the API page is theirs, types hold, and the teaching scripts teach."""
import doctest
import importlib
import os
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import rankine

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ["rankine"] + [f"rankine.{module.name}" for module in pkgutil.iter_modules(rankine.__path__)
                         if module.name != "_core"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings_run(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples():
    found = [test for name in MODULES for test in doctest.DocTestFinder().find(importlib.import_module(name))]
    assert sum(bool(test.examples) for test in found) >= 6


def test_the_api_page_is_made_from_the_docstrings():
    page = subprocess.run([sys.executable, ROOT / "tools" / "make_python_api.py"], capture_output=True, text=True,
                          check=True).stdout
    assert page == (ROOT / "docs" / "python" / "api.md").read_text(encoding="utf-8"), "run make docs"


def test_types_hold_in_strict_mode(tmp_path):
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path)], cwd=ROOT,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_stub_names_what_the_extension_has():
    from rankine import _core
    text = (ROOT / "python" / "rankine" / "_core.pyi").read_text(encoding="utf-8")
    stubbed = set(re.findall(r"^(?:def|class) (\w+)", text, re.MULTILINE))
    assert stubbed == {name for name in dir(_core) if not name.startswith("_")}
    for cls in (_core.Dataset, _core.Model):
        body = re.search(rf"^class {cls.__name__}:\n((?:    .*\n)+)", text, re.MULTILINE)[1]
        methods = set(re.findall(r"def (\w+)", body))
        assert methods == {name for name in dir(cls) if not name.startswith("_")}


@pytest.mark.parametrize("script", sorted((ROOT / "examples" / "python").glob("*.py")), ids=lambda path: path.stem)
def test_the_scripts_that_teach_run(script, tmp_path):
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_script_on_letor_takes_the_real_sets(letor_dir, tmp_path):
    done = subprocess.run([sys.executable, ROOT / "examples" / "python" / "letor_to_tuned_model.py",
                           letor_dir / "mq2007" / "Fold1"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "42158 documents" in done.stdout


def test_the_python_of_the_readme_and_the_guide_runs(tmp_path):
    for page in [ROOT / "README.md", ROOT / "docs" / "python" / "guide.md"]:
        blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        assert blocks, page
        program = "\n".join(blocks)
        done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True,
                              env={**os.environ, "MPLBACKEND": "Agg"}, check=False)
        assert done.returncode == 0, f"{page}\n{done.stderr}"
