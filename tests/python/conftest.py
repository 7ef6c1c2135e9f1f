"""What the tests of the Python package share."""
import importlib.util
import os
import pathlib
import subprocess

import numpy as np
import pytest

# Without the package there is nothing to test here; run_tests reports that it could not be installed.
if importlib.util.find_spec("rankine") is None:
    collect_ignore_glob = ["test_*.py"]


def pytest_report_header():
    if importlib.util.find_spec("rankine") is None:
        return "the Python package is not installed (tools/install_package): its tests are left out"
    return None


ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("RANKINE_BINARY", str(ROOT / "build" / "release" / "cli" / "rankine"))


@pytest.fixture(scope="session")
def small():
    """A small data set: X, y, qid and the rest."""
    import rankine

    return rankine.datasets.make_ranking(queries=60, documents=12, features=6, seed=3)


@pytest.fixture
def rng():
    return np.random.default_rng(12345)


@pytest.fixture
def command(tmp_path):
    """command("train", ...) runs the command line in the test's folder and returns its output."""
    if not os.access(BINARY, os.X_OK):
        pytest.fail(f"{BINARY} is not there: build it, or set RANKINE_BINARY")

    def run(*words):
        done = subprocess.run([BINARY, *map(str, words)], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def letor_dir():
    folder = pathlib.Path(os.environ.get("RANKINE_LETOR_DIR", ROOT / "build" / "letor"))
    if not (folder / "mq2007" / "Fold1" / "train.txt").is_file():
        pytest.skip(f"no LETOR sets in {folder} (RANKINE_LETOR_DIR)")
    return folder
