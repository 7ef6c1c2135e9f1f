"""rankine convert: between the forms of a data set, and into folds."""
import os
import signal
import subprocess
import time

import pytest

TEXT = ("2 qid:10 1:0.5 2:-0.25 #docid = GX1\n"
        "0 qid:10 1:1e-3 3:7 #docid = GX2\n"
        "1.5 qid:x/1 2:0.1 #docid = GX3\n"
        "0 qid:x/1 1:3.4e38 #docid = GX4\n")


@pytest.fixture
def data(tmp_path):
    (tmp_path / "data.txt").write_text(TEXT)
    return "data.txt"


def convert(rankine, *words):
    outcome = rankine("convert", *words)
    assert outcome.code == 0, outcome
    return outcome


def summary(rankine, path, *words):
    outcome = rankine("inspect", path, "--per-feature", "--json", *words)
    assert outcome.code == 0, outcome
    result = outcome.json
    for key in ("source", "memory_bytes", "version"):
        result.pop(key)
    for row in result["per_feature"]:
        row.pop("name", None)
    return result


def all_queries(count=30, documents=4):
    return "".join(f"{document % 3} qid:q{query} 1:{query * 0.5} 2:{document} #d{query}.{document}\n"
                   for query in range(count) for document in range(documents))


@pytest.mark.parametrize("name", ["out.txt", "out.txt.gz", "out.txt.zst", "out.rkd", "out.csv",
                                  "out.csv.gz"])
def test_every_form_holds_the_same_data(rankine, data, tmp_path, name):
    convert(rankine, data, name)
    assert summary(rankine, name) == summary(rankine, data)


@pytest.mark.parametrize("name", ["way.rkd", "way.txt.zst", "way.txt.gz"])
def test_there_and_back_gives_the_same_text(rankine, data, tmp_path, name):
    convert(rankine, data, "plain.txt")
    convert(rankine, data, name)
    convert(rankine, name, "back.txt")
    assert (tmp_path / "back.txt").read_bytes() == (tmp_path / "plain.txt").read_bytes()


def test_text_written_twice_is_the_same_bytes(rankine, data, tmp_path):
    convert(rankine, data, "a.txt")
    convert(rankine, "a.txt", "b.txt")
    assert (tmp_path / "a.txt").read_bytes() == (tmp_path / "b.txt").read_bytes()


def test_comments_are_kept_unless_dropped(rankine, data, tmp_path):
    convert(rankine, data, "kept.rkd")
    assert "GX3" in rankine("convert", "kept.rkd", "-").out
    assert "GX3" not in rankine("convert", "kept.rkd", "-", "--drop-comments").out
    convert(rankine, data, "dropped.rkd", "--drop-comments")
    assert "GX3" not in rankine("convert", "dropped.rkd", "-").out


def test_rows_keep_the_order_of_the_input(rankine, tmp_path):
    (tmp_path / "mixed.txt").write_text("1 qid:a 1:1\n2 qid:b 1:2\n3 qid:a 1:3\n")
    out = rankine("convert", "mixed.txt", "-").out
    assert [line.split()[0] for line in out.splitlines()] == ["1", "2", "3"]
    convert(rankine, "mixed.txt", "mixed.rkd")
    assert rankine("convert", "mixed.rkd", "-").out == out


def test_standard_input_to_standard_output(rankine):
    outcome = rankine("convert", "-", "-", stdin=TEXT)
    assert outcome.code == 0
    assert outcome.out.count("\n") == 4
    assert outcome.err.startswith("standard output: 4 documents of 2 queries, 3 features")


def test_csv_columns_are_named_by_options(rankine, tmp_path):
    (tmp_path / "clicks.csv").write_text("session,clicked,a,url,b\ns1,1,0.5,x,2\ns1,0,0.25,y,3\n")
    convert(rankine, "clicks.csv", "out.txt", "--label", "clicked", "--qid", "session",
            "--ignore", "url")
    lines = (tmp_path / "out.txt").read_text().splitlines()
    assert lines[0].split()[:4] == ["1", "qid:s1", "1:0.5", "2:2"]


def test_to_wins_over_the_name(rankine, data, tmp_path):
    convert(rankine, data, "odd.name", "--to", "csv")
    assert (tmp_path / "odd.name").read_text().splitlines()[0].startswith("label,qid")
    assert rankine("convert", data, "-", "--to", "csv").out.startswith("label,qid")


def test_indices_from_zero_become_indices_from_one(rankine, tmp_path):
    (tmp_path / "zero.txt").write_text("1 qid:1 0:5 2:6\n")
    out = rankine("convert", "zero.txt", "-", "--zero-based", "--storage", "sparse").out
    assert out.split()[2:] == ["1:5", "3:6"]


def test_features_are_kept_in_the_order_asked_for(rankine, data):
    outcome = rankine("convert", data, "-", "--features", "2-3,1", "--drop-comments",
                      "--storage", "sparse")
    assert outcome.out.splitlines()[0].split() == ["2", "qid:10", "1:-0.25", "3:0.5"]
    assert outcome.err.startswith("standard output: 4 documents of 2 queries, 3 features")


def test_a_feature_that_is_not_there_is_an_error(rankine, data):
    outcome = rankine("convert", data, "-", "--features", "1,9")
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("rankine convert: --features: '9' ")


def test_json_tells_what_was_written(rankine, data):
    outcome = convert(rankine, data, "out.rkd", "--json")
    assert outcome.json == {"version": 1, "command": "convert", "in": data, "out": "out.rkd", "documents": 4, "queries": 2,
                            "features": 3, "missing": 0, "folds": 0}


@pytest.mark.parametrize("words, message", [
    (["-", "--json"], "--json and OUT = - both want standard output"),
    (["-", "--folds", "3"], "--folds writes a folder: OUT cannot be -"),
    (["out", "--seed", "3"], "--seed needs --folds"),
    (["out", "--fold-by", "hash"], "--fold-by needs --folds"),
])
def test_arguments_that_do_not_go_together(rankine, data, words, message):
    outcome = rankine("convert", data, *words)
    assert outcome.code == 2
    assert outcome.err == f"rankine convert: {message}\nsee rankine convert --help\n"


def test_missing_values_are_warned_of(rankine, tmp_path):
    (tmp_path / "null.txt").write_text("1 qid:1 1:NULL 2:1\n")
    outcome = convert(rankine, "null.txt", "out.txt")
    assert "rankine convert: warning: null.txt: 1 missing value was written as 0\n" in outcome.err


# Folds


def queries_of(path):
    return [line.split()[1] for line in path.read_text().splitlines()]


def test_folds_are_laid_out_as_letor_has_them(rankine, tmp_path):
    (tmp_path / "all.txt").write_text(all_queries())
    convert(rankine, "all.txt", "folds", "--folds", "5", "--seed", "1")
    everything = sorted(all_queries().splitlines())
    tested = []
    for fold in range(1, 6):
        parts = {part: tmp_path / "folds" / f"Fold{fold}" / f"{part}.txt"
                 for part in ("train", "vali", "test")}
        rows = [line for path in parts.values() for line in path.read_text().splitlines()]
        assert len(rows) == len(everything)
        sets = [set(queries_of(path)) for path in parts.values()]
        assert not sets[0] & sets[1] and not sets[0] & sets[2] and not sets[1] & sets[2]
        assert len(set.union(*sets)) == 30
        tested += queries_of(parts["test"])
    assert len(tested) == len(everything)


def test_folds_depend_on_the_seed_and_not_on_the_order_of_rows(rankine, tmp_path):
    (tmp_path / "all.txt").write_text(all_queries())
    (tmp_path / "reversed.txt").write_text("\n".join(reversed(all_queries().splitlines())) + "\n")
    for source, out, seed in [("all.txt", "a", 1), ("reversed.txt", "b", 1), ("all.txt", "c", 2)]:
        convert(rankine, source, out, "--folds", "3", "--seed", str(seed))
    first, second, third = (set(queries_of(tmp_path / out / "Fold1" / "test.txt")) for out in "abc")
    assert first == second
    assert first != third


def test_folds_can_be_caches(rankine, tmp_path):
    (tmp_path / "all.txt").write_text(all_queries())
    convert(rankine, "all.txt", "folds", "--folds", "3", "--to", "cache")
    assert rankine("inspect", "folds/Fold2/vali.rkd", "--json").json["queries"] == 10


def test_more_folds_than_queries_is_an_error(rankine, data):
    outcome = rankine("convert", data, "folds", "--folds", "3")
    assert outcome.code == 2
    assert outcome.err.startswith("rankine convert: --folds = 3")


# When writing fails


def test_bad_input_leaves_no_output(rankine, tmp_path):
    (tmp_path / "bad.txt").write_text("1 qid:1 1:1\n1 qid:1 2:x\n")
    outcome = rankine("convert", "bad.txt", "out.txt")
    assert outcome.code == 2
    assert outcome.err == ("rankine convert: bad.txt:2:11: the value 'x' of feature 2 is not a "
                           "number\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.txt"]


@pytest.mark.parametrize("to", ["letor", "csv", "cache"])
def test_a_full_disk_fails_the_task(rankine, data, to):
    outcome = rankine("convert", data, "/dev/full", "--to", to)
    assert outcome.code == 1
    assert outcome.err == "rankine convert: /dev/full: cannot write: No space left on device\n"


def test_a_full_disk_under_standard_output_fails_the_task(rankine, data):
    with open("/dev/full", "w") as full:
        outcome = rankine("convert", data, "-", stdout=full)
    assert outcome.code == 1
    assert outcome.err == ("rankine convert: standard output: cannot write: "
                           "No space left on device\n")


def test_a_folder_that_is_not_there_fails_the_task(rankine, data):
    outcome = rankine("convert", data, "none/out.txt")
    assert outcome.code == 1
    assert outcome.err == "rankine convert: none/out.txt: cannot write: No such file or directory\n"


def test_a_directory_is_not_overwritten(rankine, data, tmp_path):
    (tmp_path / "out").mkdir()
    outcome = rankine("convert", data, "out")
    assert outcome.code == 1
    assert outcome.err == "rankine convert: out: cannot write: it is a directory\n"


def test_a_pipe_that_closes_ends_quietly(binary, tmp_path):
    (tmp_path / "all.txt").write_text(all_queries(20000))
    finished = subprocess.run(
        ["bash", "-c", f"'{binary}' convert all.txt - | head -1; echo ${{PIPESTATUS[0]}}"],
        cwd=tmp_path, capture_output=True, text=True, check=True)
    lines = finished.stdout.splitlines()
    assert lines[0].startswith("0 qid:q0")
    assert lines[1] == "141"  # as of a program that SIGPIPE ends
    assert finished.stderr == ""


def test_a_file_is_replaced_only_when_complete(rankine, data, tmp_path):
    (tmp_path / "out.txt").write_text("old\n")
    convert(rankine, data, "out.txt")
    assert (tmp_path / "out.txt").read_text() != "old\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.txt", "out.txt"]


def test_an_interrupted_writing_keeps_the_old_file(binary, tmp_path):
    """The disk is a pipe that nobody empties, so that the writing surely is under way."""
    (tmp_path / "all.txt").write_text(all_queries(60000))
    read_end, write_end = os.pipe()
    process = subprocess.Popen([binary, "convert", "all.txt", "-"], cwd=tmp_path,
                               stdout=write_end, stderr=subprocess.PIPE,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    os.close(write_end)
    os.read(read_end, 1)  # the writing has begun
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    deadline = time.monotonic() + 60
    while os.read(read_end, 1 << 20) and time.monotonic() < deadline:
        pass
    os.close(read_end)
    assert process.wait(timeout=60) == 130
    assert b"interrupted" in process.stderr.read()


def fold_ids(folder, part):
    return {line.split()[1] for line in (folder / f"{part}.txt").read_text().splitlines()}


def test_folds_that_were_killed_never_mix_with_those_before(rankine, binary, tmp_path):
    """Test queries of one division must not be training queries of another."""
    (tmp_path / "all.txt").write_text("".join(
        f"{row % 3} qid:q{row // 10} 1:{row % 7} 2:{row % 11}\n" for row in range(20000)))
    words = ["convert", "all.txt", "folds", "--folds", "5", "--quiet"]
    start = time.monotonic()
    convert(rankine, *words[1:], "--seed", "0")
    took = time.monotonic() - start
    incomplete = 0
    for attempt in range(30):
        process = subprocess.Popen([binary, *words, "--seed", str(attempt + 1)], cwd=tmp_path)
        time.sleep(took * (attempt + 1) / 30)
        process.kill()
        process.wait()
        for fold in (tmp_path / "folds").glob("Fold*"):
            parts = [fold_ids(fold, part) for part in ("train", "vali", "test")
                     if (fold / f"{part}.txt").exists()]
            assert sum(map(len, parts)) == len(set().union(*parts)), f"attempt {attempt}: {fold} mixes"
        if (tmp_path / "folds" / "folds.incomplete").exists():
            incomplete += 1
            outcome = rankine("tune", "--folds", "folds", "--grid", "C=1", "--run", f"run{attempt}")
            assert outcome.code == 2 and "writing its folds was interrupted" in outcome.err
            convert(rankine, *words[1:], "--seed", "0")
    convert(rankine, *words[1:], "--seed", "0")
    assert sorted(path.name for path in (tmp_path / "folds").iterdir()) == [f"Fold{k}" for k in range(1, 6)]


def test_folds_of_another_number_are_not_left_among_the_new(rankine, tmp_path):
    (tmp_path / "all.txt").write_text(all_queries(20))
    convert(rankine, "all.txt", "folds", "--folds", "5")
    before = (tmp_path / "folds" / "Fold1" / "test.txt").read_text()
    outcome = rankine("convert", "all.txt", "folds", "--folds", "4", "--seed", "3")
    assert outcome.code != 0
    assert outcome.err == ("rankine convert: folds/Fold5: is of other folds, and would be taken for one of the "
                           "new: remove it, or write to another folder\n")
    assert (tmp_path / "folds" / "Fold1" / "test.txt").read_text() == before


def test_means_are_written_in_the_place_of_missing_values(rankine, tmp_path):
    (tmp_path / "a.csv").write_text("label,qid,f,g\n1,q,2,NaN\n0,q,,3\n0,q,4,5\n")
    outcome = convert(rankine, "a.csv", "b.txt", "--missing", "mean")
    assert (tmp_path / "b.txt").read_text() == "1 qid:q 1:2 2:4\n0 qid:q 1:3 2:3\n0 qid:q 1:4 2:5\n"
    assert "a.csv: 2 missing values were written as the mean of the column\n" in outcome.err
    refused = rankine("convert", "a.csv", "c.txt", "--missing", "error")
    assert refused.code == 2
    assert refused.err == "rankine convert: a.csv:2:7: 'NaN' in column 'g' is missing (missing = error)\n"
    assert not (tmp_path / "c.txt").exists()


def test_a_cache_remembers_which_values_are_missing(rankine, tmp_path):
    (tmp_path / "a.txt").write_text("1 qid:q 1:2 2:nan\n0 qid:q 1:NULL 2:3\n0 qid:q 1:4 2:5\n")
    convert(rankine, "a.txt", "a.rkd")
    convert(rankine, "a.rkd", "b.txt", "--missing", "mean")
    assert (tmp_path / "b.txt").read_text() == "1 qid:q 1:2 2:4\n0 qid:q 1:3 2:3\n0 qid:q 1:4 2:5\n"
    refused = rankine("inspect", "a.rkd", "--missing", "error")
    assert refused.code == 2
    assert "2 values are missing, the first of feature 2 (missing = error)" in refused.err
