"""rankine synth: data with a known answer, the same bytes for the same options."""
import gzip
import hashlib
import os
import re
import signal
import subprocess
import time

import pytest

ROW = re.compile(r"\d+ qid:\d+( \d+:\d+\.\d{6})* #docid = \d+-\d+")


def lines_of(path):
    return path.read_text().splitlines()


def test_writes_letor_rows_and_says_so(rankine, tmp_path):
    outcome = rankine("synth", "data.txt", "--queries", 7, "--documents", 3, "--features", 4)
    assert outcome.code == 0
    assert outcome.out == ""
    assert "data.txt: 21 documents of 7 queries, 4 features, grades 0: " in outcome.err
    lines = lines_of(tmp_path / "data.txt")
    assert len(lines) == 21
    assert all(ROW.fullmatch(line) for line in lines)
    assert len({line.split("docid = ")[1] for line in lines}) == 21


def test_true_scores_are_one_a_row_and_order_real_grades_without_noise(rankine, tmp_path):
    rankine("synth", "data.txt", "--queries", 5, "--grades", 0, "--noise", 0, "--query-effect", 0,
            "--true-scores", "truth.txt")
    grades = [float(line.split()[0]) for line in lines_of(tmp_path / "data.txt")]
    assert [float(line) for line in lines_of(tmp_path / "truth.txt")] == grades


def test_standard_output_takes_the_data_and_nothing_else(rankine, tmp_path):
    rankine("synth", "data.txt", "--queries", 3)
    outcome = rankine("synth", "-", "--queries", 3)
    assert outcome.out == (tmp_path / "data.txt").read_text()
    assert "120 documents" in outcome.err


# The bytes are promised: the same on every machine, compiler and number of threads.
@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("options, sha256", [
    (("--queries", 100),
     "2bc407772f8623f492c2e6e9fc7751e5ee5ffd09b00b18445685f65f72a502ed"),
    (("--queries", 100, "--truth", "rbf", "--lengths", "geometric", "--seed", 9),
     "79d637104256987fd706119d04fefd32aae1c78477d2bdd8ee36b0d71a38eaac"),
    (("--queries", 20, "--features", 50000, "--density", 0.002, "--lengths", "uniform"),
     "59ead22a53cf0e953652bbae6ffc76ba253fcd7f8bbfb669b28801e2bab146cd"),
])
def test_the_same_options_give_the_same_bytes(rankine, tmp_path, options, sha256, threads):
    rankine("synth", "data.txt", *options, "--threads", threads)
    assert hashlib.sha256((tmp_path / "data.txt").read_bytes()).hexdigest() == sha256


def test_compresses_by_name(rankine, tmp_path):
    rankine("synth", "data.txt", "--queries", 3)
    rankine("synth", "data.txt.gz", "--queries", 3)
    assert gzip.decompress((tmp_path / "data.txt.gz").read_bytes()) == \
        (tmp_path / "data.txt").read_bytes()


def test_json_counts_what_was_made(rankine, tmp_path):
    outcome = rankine("synth", "data.txt", "--queries", 10, "--lengths", "uniform", "--density",
                      0.25, "--json")
    text = (tmp_path / "data.txt").read_text()
    made = outcome.json
    assert made["queries"] == 10
    assert made["documents"] == text.count("\n")
    assert made["features"] == 46
    assert made["non_zeros"] == text.count(":") - text.count("qid:")
    assert made["bytes"] == len(text)
    assert sum(made["grade_counts"]) == made["documents"]
    assert len(made["grade_counts"]) == 5


def test_quiet_says_nothing(rankine):
    outcome = rankine("synth", "data.txt", "--queries", 3, "--quiet")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")


@pytest.mark.parametrize("words, message", [
    (("--queries", 0), "--queries = 0 must be in [1, 1000000000]"),
    (("--density", 0), "--density = 0 must be in (0, 1]"),
    (("--density", 1.5), "--density = 1.5 must be in (0, 1]"),
    (("--noise", -1), "--noise = -1 must be in [0, 1e+06]"),
    (("--correlation", 2), "--correlation = 2 must be in [0, 1]"),
    (("--truth", "rfb"), "--truth = 'rfb' is none of linear, rbf (did you mean rbf?)"),
    (("--true-scores", "data.txt"), "--true-scores = 'data.txt' is also written, as OUT: one would be lost"),
])
def test_wrong_options_are_named_and_nothing_is_written(rankine, tmp_path, words, message):
    outcome = rankine("synth", "data.txt", *words)
    assert outcome.code == 2
    assert message in outcome.err
    assert not (tmp_path / "data.txt").exists()


def test_json_and_data_do_not_share_standard_output(rankine):
    outcome = rankine("synth", "-", "--queries", 1, "--json")
    assert outcome.code == 2
    assert "--json" in outcome.err
    assert outcome.out == ""


def test_a_folder_that_is_not_there_is_named(rankine):
    outcome = rankine("synth", "nowhere/data.txt", "--queries", 1)
    assert outcome.code == 1
    assert "nowhere/data.txt: cannot write: No such file or directory" in outcome.err


def test_a_full_disk_is_told(rankine):
    outcome = rankine("synth", "/dev/full", "--queries", 10)
    assert outcome.code == 1
    assert "/dev/full: cannot write: No space left on device" in outcome.err


def test_a_reader_that_leaves_ends_the_command(binary):
    with subprocess.Popen([binary, "synth", "-", "--queries", "100000", "--quiet"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=60) != 0
        assert b"terminate" not in process.stderr.read()


def test_an_interruption_leaves_no_file(binary, tmp_path):
    with subprocess.Popen([binary, "synth", "data.txt", "--queries", "1000000"], cwd=tmp_path,
                          stderr=subprocess.PIPE,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as process:
        deadline = time.monotonic() + 60
        while not os.listdir(tmp_path) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 130
    assert os.listdir(tmp_path) == []
