"""What the README says can be typed works as it stands there."""
import os
import pathlib
import re
import subprocess

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"


def test_the_lines_of_shell_run_one_after_the_other(tmp_path):
    block = re.search(r"```sh\n(alias rankine=.*?\n)(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    script = 'set -euo pipefail\nrankine() { "$RANKINE_BINARY" "$@"; }\n' + block[2]
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "ndcg@10" in done.stdout
    assert (tmp_path / "folds" / "Fold5" / "test.txt").exists() or list((tmp_path / "folds" / "Fold5").iterdir())


def test_it_names_the_program_where_the_build_puts_it():
    place = re.search(r"alias rankine=\$PWD/(\S+)", README.read_text(encoding="utf-8"))[1]
    assert os.environ["RANKINE_BINARY"].endswith(place.removeprefix("build/release/"))
