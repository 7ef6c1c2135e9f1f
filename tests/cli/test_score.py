"""rankine score on data larger than the memory it may use."""
import os
import resource
import subprocess
import sys

import pytest

MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("score")


@pytest.fixture
def large(binary, folder):
    """A model, and data of 240 MB as text and 80 MB in memory, in three forms."""
    if not (folder / "m.rkn").exists():
        def run(*words):
            subprocess.run([binary, *words], cwd=folder, check=True, capture_output=True)

        run("synth", "large.txt", "--queries", "1200", "--documents", "120", "--features", "136", "--seed", "3")
        run("synth", "small.txt", "--queries", "40", "--documents", "20", "--features", "136", "--seed", "4")
        for suffix in ("rkd", "csv"):
            run("convert", "large.txt", f"large.{suffix}")
        for scaling in ("standard", "query_minmax"):
            run("train", "small.txt", "--model", f"{scaling}.rkn", "--scaling", scaling)
        os.rename(folder / "standard.rkn", folder / "m.rkn")
    return folder


# A process counts the memory of the one that started it until it runs a program of its own, so a
# small one stands between this and what is measured.
MEASURE = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=open("out", "wb"), stderr=subprocess.PIPE)
sys.stderr.write(done.stderr.decode())
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
sys.exit(done.returncode)
"""


def peak_of(binary, folder, *words):
    """Bytes of memory at most, and what was printed."""
    done = subprocess.run([sys.executable, "-S", "-c", MEASURE, binary, "score", *words, "--threads", "2"], cwd=folder,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout), (folder / "out").read_bytes()


@pytest.mark.parametrize("data", ["large.txt", "large.csv", "large.rkd"])
def test_memory_does_not_grow_with_the_data(binary, large, data):
    assert (large / data).stat().st_size > 75 * MEGABYTE
    _, wanted = peak_of(binary, large, "large.txt", "--model", "m.rkn")
    peak, scores = peak_of(binary, large, data, "--model", "m.rkn")
    assert peak < 40 * MEGABYTE
    assert scores == wanted
    assert scores.count(b"\n") > 100000


def test_a_pipe_larger_than_the_address_space_is_scored(binary, large):
    _, wanted = peak_of(binary, large, "large.txt", "--model", "m.rkn")
    limit = 200 * MEGABYTE  # less than the text, and no more than the program itself takes and its features
    with open(large / "large.txt", "rb") as text, subprocess.Popen(["cat"], stdin=text, stdout=subprocess.PIPE) as pipe:
        done = subprocess.run([binary, "score", "-", "--model", "m.rkn", "--threads", "1"], cwd=large,
                              stdin=pipe.stdout, capture_output=True, check=False, timeout=120,
                              env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    assert done.returncode == 0, done.stderr
    assert done.stdout == wanted


def test_scaling_within_queries_holds_one_query_and_the_scores(binary, large):
    peak, scores = peak_of(binary, large, "large.txt", "--model", "query_minmax.rkn")
    assert peak < 50 * MEGABYTE
    assert scores == peak_of(binary, large, "large.rkd", "--model", "query_minmax.rkn")[1]


def test_a_query_that_comes_back_is_whole_from_a_file_and_refused_from_a_pipe(rankine, tmp_path):
    text = "1 qid:a 1:1 # x\n0 qid:b 1:5 # y\n0 qid:b 1:2 # u\n0 qid:a 1:3 # z\n0 qid:a 1:2 # w\n"
    (tmp_path / "back.txt").write_text(text)
    assert rankine("train", "back.txt", "--model", "m.rkn", "--scaling", "query_minmax").code == 0
    done = rankine("score", "back.txt", "--model", "m.rkn")
    assert done.code == 0, done.err
    first, _, _, last, middle = map(float, done.out.split())
    assert middle == pytest.approx((first + last) / 2)
    assert rankine("score", "-", "--model", "m.rkn", stdin=text).out == done.out  # it comes back soon
    others = "".join(f"0 qid:{row} 1:{row}\n" for row in range(10000))
    late = text + others + "1 qid:a 1:2\n"
    (tmp_path / "late.txt").write_text(late)
    from_file = rankine("score", "late.txt", "--model", "m.rkn")
    assert from_file.code == 0 and from_file.out.startswith(done.out)
    refused = rankine("score", "-", "--model", "m.rkn", stdin=late)
    assert refused.code == 2
    assert refused.err == ("rankine score: standard input: query a comes back in row 10006: query_minmax scaling needs "
                           "whole queries, and a pipe cannot be read again: give a file\n")
    done = rankine("score", "back.txt", "--model", "m.rkn", "--format", "trec")
    assert [line.split()[:3] for line in done.out.splitlines() if line.startswith("a ")] != []
    assert {line.split()[0] for line in done.out.splitlines()[:3]} == {"a"}


def test_a_cache_from_a_pipe_is_scored(rankine, tmp_path):
    (tmp_path / "a.txt").write_text("1 qid:a 1:1\n0 qid:a 1:5\n")
    rankine("convert", "a.txt", "a.rkd")
    rankine("train", "a.txt", "--model", "m.rkn")
    done = rankine("score", "-", "--model", "m.rkn", stdin=(tmp_path / "a.rkd").read_bytes(), text=False)
    assert done.out == rankine("score", "a.txt", "--model", "m.rkn", text=False, stdin=b"").out


TABLE = "label,qid,id,f,g\n1,q,d1,2,\n0,q,d2,,3\n0,q,d3,4,5\n2,r,d4,1,1\n0,r,d5,NaN,0\n"


@pytest.fixture
def table(rankine, tmp_path):
    """A model of a table with missing values, by the means of its columns."""
    (tmp_path / "a.csv").write_text(TABLE)
    trained = rankine("train", "a.csv", "--ignore", "id", "--model", "m.rkn", "--missing", "mean", "--C", "10")
    assert trained.code == 0, trained
    assert "a.csv: 3 missing values were read as the mean of the column\n" in trained.err
    return tmp_path


def scores(outcome):
    assert outcome.code == 0, outcome
    return outcome.out


def test_a_model_fills_in_its_own_means_in_every_form_of_data(rankine, table):
    (table / "b.csv").write_text("label,qid,id,f,g\n1,q,d1,2,2.25\n0,q,d2,2.3333333,3\n")
    filled = scores(rankine("score", "b.csv", "--ignore", "id", "--model", "m.rkn"))
    (table / "b.csv").write_text("label,qid,id,f,g\n1,q,d1,2,\n0,q,d2,NULL,3\n")
    outcome = rankine("score", "b.csv", "--ignore", "id", "--model", "m.rkn")
    assert [float(s) for s in scores(outcome).split()] == pytest.approx([float(s) for s in filled.split()], rel=1e-6)
    assert "b.csv: 2 missing values were read as the mean of the column\n" in outcome.err
    (table / "b.txt").write_text("1 qid:q 1:2 2:NULL\n0 qid:q 1:nan 2:3\n")
    rankine("convert", "b.txt", "b.rkd")
    rankine("convert", "b.txt", "sparse.rkd", "--storage", "sparse")
    for name in ("b.txt", "b.rkd", "sparse.rkd"):
        again = rankine("score", name, "--model", "m.rkn")
        assert scores(again) == outcome.out, name
        assert "2 missing values were read as the mean of the column\n" in again.err
        evaluated = rankine("evaluate", name, "--model", "m.rkn")
        assert "2 missing values were read as the mean of the column\n" in evaluated.err


def test_a_model_scores_as_it_was_trained(rankine, table):
    (table / "b.txt").write_text("1 qid:q 1:2 2:NULL\n0 qid:q 1:1 2:3\n")
    refused = rankine("score", "b.txt", "--model", "m.rkn", "--missing", "error")
    assert refused.code == 2
    assert refused.err == ("rankine score: b.txt:1:15: the value 'NULL' of feature 2 is missing (missing = error)\n")
    trained = rankine("train", "a.csv", "--ignore", "id", "--model", "zero.rkn")
    assert "a.csv: 3 missing values were read as 0\n" in trained.err
    for command in ("score", "evaluate"):
        refused = rankine(command, "b.txt", "--model", "zero.rkn", "--missing", "mean")
        assert refused.code == 2
        assert "the model was trained with missing = 'zero'" in refused.err


def test_a_table_needs_no_grades_and_becomes_a_run(rankine, table):
    with_grades = scores(rankine("score", "a.csv", "--ignore", "id", "--model", "m.rkn"))
    lines = [line.split(",", 1)[1] for line in TABLE.splitlines()]
    (table / "new.csv").write_text("\n".join(lines) + "\n")
    assert scores(rankine("score", "new.csv", "--ignore", "id", "--model", "m.rkn")) == with_grades
    run = scores(rankine("score", "new.csv", "--docid", "id", "--model", "m.rkn", "--format", "trec"))
    found = [line.split()[:4] for line in run.splitlines()]
    assert sorted(line[2] for line in found) == ["d1", "d2", "d3", "d4", "d5"]
    assert [line[0] for line in found] == ["q", "q", "q", "r", "r"]
    (table / "run.txt").write_text(run)
    by_run = rankine("evaluate", "a.csv", "--docid", "id", "--run", "run.txt", "--json").json
    by_model = rankine("evaluate", "a.csv", "--ignore", "id", "--model", "m.rkn", "--json").json
    assert by_run["measures"] == by_model["measures"]
    refused = rankine("score", "new.csv", "--ignore", "id", "--model", "m.rkn", "--format", "trec")
    assert refused.code == 2 and "a run needs document ids" in refused.err
    refused = rankine("score", "new.csv", "--label", "grade", "--docid", "id", "--model", "m.rkn")
    assert refused.code == 2 and "there is no column 'grade' (--label)" in refused.err
