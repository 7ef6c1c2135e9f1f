"""The archives of a release hold the source of the last commit, and a copy that works where it is unpacked."""
import os
import pathlib
import re
import subprocess
import tarfile

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["RANKINE_BINARY"]).parents[1]
VERSION = re.search(r'kVersion = "(.*)"', (PROJECT / "include" / "rankine" / "version.hpp").read_text())[1]


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """The folder they were written to."""
    if subprocess.run(["git", "rev-parse", "HEAD"], cwd=PROJECT, capture_output=True, check=False).returncode != 0:
        pytest.skip("skipped: this is no git checkout, or one that git may not read")
    folder = tmp_path_factory.mktemp("archives")
    done = subprocess.run([PROJECT / "tools" / "make_archives", folder, BUILD], capture_output=True, text=True,
                          check=False)
    if "cannot find" in done.stderr:
        pytest.skip(f"skipped: {BUILD} is not built as a whole (tools/build release)")
    assert done.returncode == 0, done.stderr
    return folder


def test_the_source_is_that_of_the_last_commit(archives):
    with tarfile.open(archives / f"rankine-{VERSION}.tar.gz") as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
        assert {name.partition("/")[0] for name in archive.getnames()} <= {f"rankine-{VERSION}", "pax_global_header"}
    tracked = subprocess.run(["git", "ls-tree", "-r", "--name-only", "HEAD"], cwd=PROJECT, capture_output=True,
                             text=True, check=True).stdout.split("\n")
    assert set(filter(None, tracked)) <= held


def test_the_installed_copy_runs_where_it_is_unpacked(archives, tmp_path):
    (packed,) = archives.glob(f"rankine-{VERSION}-linux-*.tar.gz")
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path, filter="data") if hasattr(tarfile, "data_filter") else archive.extractall(tmp_path)
    root = tmp_path / packed.name.removesuffix(".tar.gz")
    printed = subprocess.run([root / "bin" / "rankine", "--version"], capture_output=True, text=True, check=True).stdout
    assert VERSION in printed
    assert (root / "include" / "rankine" / "rankine.hpp").is_file()
