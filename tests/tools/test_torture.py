"""tools/torture itself: its short form passes on this program, and it notices one that breaks promises."""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("RANKINE_BINARY", str(ROOT / "build" / "release" / "cli" / "rankine"))


def torture(tmp_path, *words, binary=BINARY):
    return subprocess.run([sys.executable, str(ROOT / "tools" / "torture"), "--binary", str(binary), "--keep",
                           str(tmp_path / "kept"), *words], capture_output=True, text=True, check=False)


def test_the_short_form_finds_nothing(tmp_path):
    finished = torture(tmp_path, "--minutes", "0.4")
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "0 broken promises" in finished.stdout


def test_a_program_that_dies_is_noticed_and_kept(tmp_path):
    program = tmp_path / "dying"
    program.write_text(f'#!/bin/sh\ncase "$*" in *evaluate*|*inspect*|*out.rkn*) kill -SEGV $$ ;; esac\nexec {BINARY} "$@"\n')
    program.chmod(0o755)
    finished = torture(tmp_path, "--only", "mutated", "--runs", "2", binary=program)
    assert finished.returncode == 1
    assert "ended by signal 11" in finished.stderr
    kept = next((tmp_path / "kept").iterdir())
    assert "--only mutated --first" in (kept / "command.txt").read_text()
