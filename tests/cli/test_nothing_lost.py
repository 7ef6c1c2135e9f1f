"""What a user has is not lost: closed descriptors, kills, limits, and files that others change."""
import os
import signal
import subprocess
import time

import pytest
from conftest import BINARY


@pytest.fixture
def data(rankine, tmp_path):
    assert rankine("synth", "d.txt", "--queries", "40", "--quiet").code == 0
    return tmp_path / "d.txt"


@pytest.fixture
def slow_data(rankine, tmp_path):
    """Takes stochastic gradients minutes, with as many epochs as below."""
    assert rankine("synth", "slow.txt", "--queries", "400", "--quiet").code == 0
    return tmp_path / "slow.txt"


def shell(command, folder, **options):
    return subprocess.run(["bash", "-c", command.replace("RANKINE", BINARY)], cwd=folder, text=True,
                          capture_output=True, timeout=120, check=False, **options)


# Closed descriptors


@pytest.mark.parametrize("closing", ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_a_file_is_never_taken_for_a_closed_standard_stream(data, tmp_path, closing):
    reference = shell("RANKINE train d.txt --model whole.rkn --quiet", tmp_path)
    assert reference.returncode == 0
    finished = shell(f"RANKINE train d.txt --model m.rkn --quiet {closing}", tmp_path)
    scores = [shell(f"RANKINE score d.txt --model {model}", tmp_path).stdout
              for model in ("whole.rkn", "m.rkn")]
    assert scores[0] == scores[1] != ""
    # The report had nowhere to go; only then is there an error.
    assert finished.returncode == (1 if ">&- " in closing + " " and closing != "2>&-" else 0)
    assert not list(tmp_path.glob("*.tmp-*"))


def test_a_result_for_a_closed_standard_output_is_an_error(data, tmp_path):
    assert shell("RANKINE train d.txt --model m.rkn --quiet", tmp_path).returncode == 0
    for command in ["score d.txt --model m.rkn", "inspect d.txt", "convert d.txt -", "--version"]:
        finished = shell(f"RANKINE {command} >&-", tmp_path)
        assert finished.returncode == 1, command
        assert finished.stderr.endswith("standard output: cannot write: it is closed\n"), command
        assert len(finished.stderr.splitlines()) == 1, command


def test_a_closed_standard_input_is_an_error(tmp_path):
    finished = shell("RANKINE inspect - <&-", tmp_path)
    assert finished.returncode == 2
    assert finished.stderr == "rankine inspect: standard input: cannot read: it is closed\n"


# Killed writers


def test_what_a_killed_run_left_is_removed_by_the_next(data, tmp_path):
    for _ in range(3):
        process = subprocess.Popen([BINARY, "synth", "big.txt", "--queries", "200000", "--quiet"],
                                   cwd=tmp_path)
        while not list(tmp_path.glob("big.txt.tmp-*")):
            time.sleep(0.01)
        process.kill()
        process.wait()
    assert len(list(tmp_path.glob("big.txt.tmp-*"))) == 1
    finished = shell("RANKINE synth big.txt --queries 5 --quiet", tmp_path)
    assert finished.returncode == 0, finished.stderr
    assert not list(tmp_path.glob("*.tmp-*"))


# Outputs that cannot be written are found before the work


@pytest.mark.parametrize("words", [
    ["train", "missing.txt", "--model", "none/m.rkn"],
    ["train", "missing.txt", "--model", "m.rkn", "--method", "rls", "--leave-query-out", "none/s"],
    ["tune", "missing.txt", "--grid", "C=1,2", "--model", "none/m.rkn"],
    ["score", "missing.txt", "--model", "missing.rkn", "--output", "none/s"],
    ["evaluate", "missing.txt", "--scores", "missing", "--per-query", "none/q"],
    ["convert", "missing.txt", "none/d.rkd"],
    ["synth", "d.txt", "--true-scores", "none/s"],
])
def test_an_unwritable_output_is_found_first(rankine, words):
    outcome = rankine(*words)
    path = next(word for word in words if word.startswith("none/"))
    assert outcome.code == 1
    assert outcome.err == f"rankine {words[0]}: {path}: cannot write: No such file or directory\n"


def test_the_check_of_an_output_leaves_it_as_it_was(rankine, tmp_path):
    (tmp_path / "m.rkn").write_text("precious")
    assert rankine("train", "missing.txt", "--model", "m.rkn").code == 2
    assert (tmp_path / "m.rkn").read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.rkn"]


def test_the_model_is_kept_where_what_follows_cannot_be_written(rankine, data, tmp_path):
    outcome = rankine("train", "d.txt", "--model", "m.rkn", "--method", "rls",
                      "--leave-query-out", "/dev/full", "--quiet")
    assert outcome.code == 1
    assert outcome.err == "rankine train: /dev/full: cannot write: No space left on device\n"
    assert rankine("score", "d.txt", "--model", "m.rkn").code == 0


# Signals


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGXCPU])
def test_a_signal_ends_training_with_the_best_model(rankine, slow_data, tmp_path, number):
    process = subprocess.Popen([BINARY, "train", "slow.txt", "--model", "m.rkn", "--method", "sgd",
                                "--epochs", "1000000"],
                               cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    process.send_signal(number)
    if number in (signal.SIGHUP, signal.SIGXCPU):  # the system may send these again
        process.send_signal(number)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 128 + number, err
    assert "m.rkn holds the best model so far" in err
    assert rankine("score", "slow.txt", "--model", "m.rkn").code == 0


def test_the_limit_of_processor_time_ends_training_with_the_best_model(slow_data, tmp_path):
    finished = shell("ulimit -S -t 2; RANKINE train slow.txt --model m.rkn --method sgd --epochs 1000000",
                     tmp_path)
    assert finished.returncode == 128 + signal.SIGXCPU, finished.stderr
    assert (tmp_path / "m.rkn").is_file()


def test_a_file_larger_than_the_limit_is_an_error_and_leaves_nothing(tmp_path):
    finished = shell("ulimit -f 100; RANKINE synth big.txt --queries 2000 --quiet", tmp_path)
    assert finished.returncode == 1
    assert finished.stderr == "rankine synth: big.txt: cannot write: File too large\n"
    assert not list(tmp_path.iterdir())


# Files that others change


def test_a_cache_cut_short_while_it_is_in_use_is_one_line(rankine, tmp_path):
    assert rankine("synth", "slow.txt", "--queries", "4000", "--quiet").code == 0
    assert rankine("convert", "slow.txt", "d.rkd", "--quiet").code == 0
    process = subprocess.Popen([BINARY, "train", "d.rkd", "--model", "m.rkn", "--method", "sgd",
                                "--epochs", "1000000", "--quiet"], cwd=tmp_path, stderr=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    time.sleep(1)
    os.truncate(tmp_path / "d.rkd", 5000)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2, err
    assert err == ("rankine: d.rkd: cannot read: another program cut the file short, or its disk "
                   "failed, while it was in use\n")
    assert not (tmp_path / "m.rkn").exists()


def test_a_cache_changed_while_it_is_in_use_is_told(rankine, tmp_path):
    assert rankine("synth", "slow.txt", "--queries", "400", "--quiet").code == 0
    assert rankine("convert", "slow.txt", "d.rkd", "--quiet").code == 0
    process = subprocess.Popen([BINARY, "train", "d.rkd", "--model", "m.rkn", "--method", "sgd",
                                "--epochs", "1000000", "--quiet"], cwd=tmp_path, stderr=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    time.sleep(1)
    with open(tmp_path / "d.rkd", "r+b") as file:
        file.seek(-8, os.SEEK_END)
        file.write(b"12345678")
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode != 0
    assert "d.rkd: another program changed the file while it was in use" in err


# Limits of memory


def test_a_limit_of_memory_ends_in_one_line(data, tmp_path):
    finished = shell("ulimit -v 60000; RANKINE train d.txt --model m.rkn --quiet", tmp_path)
    assert finished.returncode in (0, 1)
    if finished.returncode == 1:
        assert finished.stderr == "rankine train: out of memory\n"


