"""What the tests of the command line share: the binary, and ways to run it."""
import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("RANKINE_BINARY", str(ROOT / "build" / "release" / "cli" / "rankine"))


class Outcome:
    """One finished run: code, out and err."""

    def __init__(self, finished):
        self.code = finished.returncode
        self.out = finished.stdout
        self.err = finished.stderr

    @property
    def json(self):
        return json.loads(self.out)

    def __repr__(self):
        return f"exit {self.code}\nout: {self.out!r}\nerr: {self.err!r}"


@pytest.fixture
def binary():
    if not os.access(BINARY, os.X_OK):
        pytest.fail(f"{BINARY} is not there: build it, or set RANKINE_BINARY")
    return BINARY


@pytest.fixture
def rankine(binary, tmp_path):
    """rankine("inspect", "data.txt", stdin="...") runs in the test's own folder."""

    def run(*words, stdin="", text=True, env=None, **options):
        environment = {**os.environ, "LC_ALL": "C.UTF-8", **(env or {})}
        environment.pop("COLUMNS", None)
        environment.update(env or {})
        options.setdefault("cwd", tmp_path)
        options.setdefault("timeout", 120)
        if "stdout" not in options:
            options["stdout"] = subprocess.PIPE
        return Outcome(subprocess.run([binary, *map(str, words)], input=stdin, text=text,
                                      stderr=subprocess.PIPE, env=environment, check=False,
                                      **options))

    return run


@pytest.fixture
def commands(rankine):
    """The names of all commands, as the overview lists them."""
    lines = rankine("--help").out.split("commands:\n")[1].split("\n\n")[0].splitlines()
    return [line.split()[0] for line in lines]


@pytest.fixture(scope="session")
def letor_dir():
    """The folder of the real LETOR sets; the test is skipped where there is none."""
    folder = pathlib.Path(os.environ.get("RANKINE_LETOR_DIR", ROOT / "build" / "letor"))
    if not (folder / "ohsumed" / "Fold1" / "train.txt").is_file():
        pytest.skip(f"no LETOR sets in {folder} (RANKINE_LETOR_DIR)")
    return folder
