"""Every block of the quickstart runs as it stands there, one after the other, and prints what it shows."""
import importlib.util
import os
import pathlib
import re
import subprocess
import sys

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
TEXT = (PROJECT / "docs" / "quickstart.md").read_text(encoding="utf-8")
BUILD = pathlib.Path(os.environ["RANKINE_BINARY"]).parents[1]
# The language and the text of each block, in order.
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def run_shell(block, folder, environment=None):
    script = 'set -euo pipefail\nrankine() { "$RANKINE_BINARY" "$@"; }\n' + block
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=False,
                          env=os.environ | (environment or {}))
    assert done.returncode == 0, f"{block}\n{done.stderr}"
    return done.stdout


def is_shell(language, block):
    return language == "sh" and "c++" not in block


def test_every_block_is_of_a_kind_that_is_run_here():
    assert [language for language, _ in BLOCKS if language not in ("sh", "text", "python", "cpp")] == []
    assert TEXT.count("```") == 2 * len(BLOCKS)
    assert not re.search(r"^    \S", re.sub(r"^```.*?^```$", "", TEXT, flags=re.M | re.S), re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the commands of the page were run; what they should have shown is compared."""
    folder = tmp_path_factory.mktemp("quickstart")
    for (language, block), (shown, output) in zip(BLOCKS, [*BLOCKS[1:], ("", "")]):
        if is_shell(language, block):
            printed = run_shell(block, folder)
            if shown == "text":
                assert output in printed, printed
    return folder


def test_the_commands_run_and_print_what_the_page_shows(folder):
    assert (folder / "model.rkn").is_file()
    assert len((folder / "scores.txt").read_text(encoding="utf-8").splitlines()) == 4000


def test_the_best_single_feature_is_the_one_that_the_page_takes(folder):
    printed = run_shell("rankine inspect folds/Fold1/train.txt --per-feature --json", folder)
    accuracy = dict(re.findall(r'"feature": ?"?(\d+).*?"pair_accuracy": ?([\d.]+)', printed, re.DOTALL))
    best = max(accuracy, key=lambda feature: float(accuracy[feature]))
    assert f"--feature {best} " in TEXT


def test_the_python_runs(tmp_path):
    if importlib.util.find_spec("rankine") is None:
        pytest.skip("skipped: the Python package is not installed (tools/install_package)")
    program = "\n".join(block for language, block in BLOCKS if language == "python")
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "NDCG@10: 0." in done.stdout


def test_the_program_compiles_against_the_installed_library_and_prints_what_the_page_shows(folder, tmp_path):
    prefix = tmp_path / "prefix"
    installed = subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], capture_output=True, text=True,
                               check=False)
    if installed.returncode != 0:
        pytest.skip(f"skipped: {BUILD} is not built as a whole (tools/build release)")
    (position,) = [index for index, (language, _) in enumerate(BLOCKS) if language == "cpp"]
    (folder / "rank.cpp").write_text(BLOCKS[position][1], encoding="utf-8")
    libraries = next(prefix.rglob("pkgconfig")).parent
    printed = run_shell(BLOCKS[position + 1][1], folder, {
        "PKG_CONFIG_PATH": str(libraries / "pkgconfig"), "LD_LIBRARY_PATH": str(libraries)})
    assert BLOCKS[position + 2] == ("text", printed)
