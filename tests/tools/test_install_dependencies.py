"""tools/install_dependencies, without installing anything."""
import pathlib
import subprocess

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "install_dependencies"


def run(*arguments, path=None):
    environment = None if path is None else {"PATH": str(path)}
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, env=environment)


def test_print_lists_each_package_of_the_groups_once():
    names = run("--print", "build", "demo", "test").stdout.split()
    assert "cmake" in names and "python3-venv" in names
    assert len(names) == len(set(names))


def test_refuses_an_unknown_group():
    done = run("all")
    assert done.returncode == 2
    assert "usage" in done.stderr


def stand_in(folder, **programs):
    """A folder of programs to run in place of the system's."""
    for name, body in programs.items():
        file = folder / name.replace("_", "-")
        file.write_text(f"#!/bin/bash\n{body}\n")
        file.chmod(0o755)
    for name in ["bash", "env", "dirname", "sort", "mkdir", "tail"]:
        (folder / name).symlink_to(pathlib.Path("/usr/bin") / name)
    return folder


def test_asks_for_root_in_one_line_when_something_is_missing(tmp_path):
    path = stand_in(tmp_path, dpkg_query="exit 1", apt_get="exit 1", id="echo 1000")
    done = run("demo", path=path)
    assert done.returncode == 1
    assert done.stderr == "install_dependencies: needs root or sudo to run: apt-get install python3\n"


def test_installs_nothing_when_nothing_is_missing(tmp_path):
    path = stand_in(tmp_path, dpkg_query="echo -n installed", apt_get="echo called; exit 1")
    done = run("demo", path=path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
