"""rankine inspect: its numbers, and every kind of bad input as a user sees it."""
import gzip
import os
import subprocess

import pytest

SMALL = ("2 qid:a 1:0.5 2:1 4:7 # docid = 1\n"
         "0 qid:a 1:0.25 4:7\n"
         "0 qid:a 1:0.25 4:7\n"
         "1 qid:b 2:3 4:7\n"
         "1 qid:b 1:1 4:7\n"
         "3 qid:c 1:2 4:7\n")


def write(folder, text, name="data.txt"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


def inspect_json(rankine, *words, **options):
    outcome = rankine("inspect", *words, "--json", **options)
    assert outcome.code == 0, outcome
    return outcome.json


def test_numbers_of_a_small_set(rankine, tmp_path):
    result = inspect_json(rankine, write(tmp_path, SMALL))
    assert result["source"] == "data.txt"
    assert (result["documents"], result["queries"], result["features"]) == (6, 3, 4)
    assert result["pairs"] == 2
    assert result["queries_without_pairs"] == 2
    assert result["queries_without_relevant"] == 0
    assert result["single_document_queries"] == 1
    assert result["duplicate_documents"] == 1
    assert result["undecidable_pairs"] == 0
    assert result["constant_features"] == [3, 4]
    assert result["nonzeros"] == 13
    assert result["density"] == 13 / 24
    assert result["grades"]["counts"] == [{"grade": 0, "count": 2}, {"grade": 1, "count": 2},
                                          {"grade": 2, "count": 1}, {"grade": 3, "count": 1}]
    assert result["query_lengths"]["median"] == 2
    assert result["query_lengths"]["histogram"] == {"from": 1, "bin_width": 1, "counts": [1, 1, 1]}
    assert result["warnings"] == []


def test_the_text_says_the_same(rankine, tmp_path):
    outcome = rankine("inspect", write(tmp_path, SMALL))
    lines = [" ".join(line.split()) for line in outcome.out.splitlines()]
    assert lines[0] == "data.txt"
    assert "documents 6 1 repeat another of their query" in lines
    assert "queries 3 2 without pairs, 1 with one document" in lines
    assert "features 4 2 constant: 3-4" in lines
    assert "1 to 3, median 2, mean 2" in lines
    assert not any(line != line.rstrip() for line in outcome.out.splitlines())


def test_every_feature_on_request(rankine, tmp_path):
    rows = inspect_json(rankine, write(tmp_path, SMALL), "--per-feature")["per_feature"]
    assert [row["feature"] for row in rows] == [1, 2, 3, 4]
    assert rows[0]["most"] == 2
    assert rows[0]["mean"] == pytest.approx(4 / 6, abs=1e-15)
    assert rows[0]["pair_accuracy"] == 1
    assert rows[3]["deviation"] == 0
    assert rows[3]["pair_accuracy"] == 0.5
    text = rankine("inspect", "data.txt", "--per-feature").out
    assert "pair accuracy" in text


def test_features_count_from_zero_where_the_file_does(rankine, tmp_path):
    write(tmp_path, "1 qid:1 0:1 1:5\n0 qid:1 0:2 1:5\n")
    result = inspect_json(rankine, "data.txt", "--zero-based", "--per-feature")
    assert result["constant_features"] == [1]
    assert [row["feature"] for row in result["per_feature"]] == [0, 1]


def test_doubles_keep_every_digit(rankine, tmp_path):
    result = inspect_json(rankine, write(tmp_path, "0.1 qid:1 1:1\n0.30000000000000004 qid:1 1:2\n"))
    assert result["grades"]["least"] == 0.1
    assert result["grades"]["most"] == 0.30000000000000004


def test_many_grades_are_told_by_quartiles(rankine, tmp_path):
    rows = "".join(f"{grade} qid:1 1:{grade}\n" for grade in range(101))
    result = inspect_json(rankine, write(tmp_path, rows))
    assert result["grades"]["distinct"] == 101
    assert result["grades"]["counts"] == []
    assert result["grades"]["lower_quartile"] == 25
    assert "101 different, 0 to 100; quartiles 25, 50, 75; mean 50" in rankine("inspect", "data.txt").out


def test_standard_input_and_compressed_files(rankine, tmp_path):
    plain = inspect_json(rankine, write(tmp_path, SMALL))
    from_pipe = inspect_json(rankine, "-", stdin=SMALL)
    assert from_pipe.pop("source") == "standard input"
    packed = inspect_json(rankine, write(tmp_path, gzip.compress(SMALL.encode()), "data.txt.gz"))
    assert packed.pop("source") == "data.txt.gz"
    plain.pop("source")
    assert plain == from_pipe == packed


def test_the_number_of_threads_changes_nothing(rankine, tmp_path):
    rows = "".join(f"{row % 3} qid:{row // 7} 1:{row * 37 % 101} 2:{row % 5}\n" for row in range(3000))
    write(tmp_path, rows)
    one = rankine("inspect", "data.txt", "--json", "--per-feature", "--threads", "1")
    two = rankine("inspect", "data.txt", "--json", "--per-feature", "--threads", "2")
    assert one.code == 0
    assert one.out == two.out


def test_charts_are_plain_where_the_locale_is(rankine, tmp_path):
    write(tmp_path, SMALL)
    assert "█" in rankine("inspect", "data.txt").out
    assert rankine("inspect", "data.txt", env={"LC_ALL": "C"}).out.isascii()


@pytest.mark.parametrize("text, warning", [
    ("1 qid:1 1:1\n1 qid:1 1:2\n", "all documents have one grade: there are no pairs to learn from"),
    ("1 qid:1 1:1\n2 qid:2 1:2\n",
     "no query has documents of different grades: there are no pairs to learn from"),
    ("1 qid:1 1:NULL 2:1\n0 qid:1 1:2\n", "1 missing value was read as 0"),
    ("1 qid:1 1:3\n0 qid:1 1:3\n", "every feature is constant"),
])
def test_doubtful_data_is_warned_of(rankine, tmp_path, text, warning):
    outcome = rankine("inspect", write(tmp_path, text))
    assert outcome.code == 0
    assert outcome.err == f"rankine inspect: warning: data.txt: {warning}\n"
    assert inspect_json(rankine, "data.txt")["warnings"] == [warning]
    assert rankine("inspect", "data.txt", "--quiet").err == ""


@pytest.mark.parametrize("text, message", [
    # truncated lines
    ("1 qid:1 1:0.5\n1 qid:1 1:0.5 2:", "2:17: feature 2 has no value"),
    ("1 qid:1 1:0.5\n0 qid:1 1:0.5 5", "2:15: '5' has no value: expected index:value"),
    ("1 qid:", "1:7: no id after 'qid:'"),
    ("qid:1 1:0.5\n", "1:1: no grade before 'qid:1'"),
    # indices
    ("1 qid:1 13:1 12:1\n", "1:14: feature index 12 after 13: indices must increase"),
    ("1 qid:1 2:1 2:1\n", "1:13: feature index 2 after 2: indices must increase"),
    ("1 qid:1 0:1\n", "1:9: feature index 0: indices start at 1 (--zero-based if yours start at 0)"),
    ("1 qid:1 4294967296:1\n", "1:9: feature index 4294967296 is too large: the largest is 4294967295"),
    # numbers
    ("1 qid:1 1:nan\n", "1:11: the value 'nan' of feature 1 is not finite"),
    ("1 qid:1 1:-inf\n", "1:11: the value '-inf' of feature 1 is not finite"),
    ("inf qid:1 1:1\n", "1:1: the grade 'inf' is not finite"),
    ("1 qid:1 1:1e39\n", "1:11: the value '1e39' of feature 1 is too large for a float (largest 3.4e38)"),
    ("1e999 qid:1 1:1\n", "1:1: the grade '1e999' is too large for a double"),
    ("1 qid:1 1:abc\n", "1:11: the value 'abc' of feature 1 is not a number"),
    # junk
    (b"\x7fELF\x02\x01\x00", "1:1: the byte 0x7f does not belong in text"),
    (b"1 qid:1 1:0.5\x00 2:1\n", "1:14: the byte 0x00 does not belong in text"),
])
def test_bad_text_is_told_by_line_and_column(rankine, tmp_path, text, message):
    outcome = rankine("inspect", write(tmp_path, text))
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err == f"rankine inspect: data.txt:{message}\n"


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_an_empty_file_is_bad_input(rankine, tmp_path, text):
    outcome = rankine("inspect", write(tmp_path, text))
    assert outcome.code == 2
    assert outcome.err == "rankine inspect: data.txt: no documents\n"


def test_a_missing_file_is_bad_input(rankine):
    outcome = rankine("inspect", "none.txt")
    assert outcome.code == 2
    assert outcome.err == "rankine inspect: none.txt: cannot read: No such file or directory\n"


def test_a_directory_is_bad_input(rankine, tmp_path):
    outcome = rankine("inspect", tmp_path)
    assert outcome.code == 2
    assert outcome.err == f"rankine inspect: {tmp_path}: cannot read: it is a directory\n"


def run_unprivileged(words, cwd):
    """Runs as nobody where we are root, whom no permission stops."""
    options = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False, **options)


@pytest.fixture
def open_folder(binary):
    """A folder that any user can enter, with the binary in it."""
    import pathlib
    import shutil
    import tempfile
    folder = pathlib.Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    shutil.copy(binary, folder / "rankine")
    yield folder
    shutil.rmtree(folder)


def test_a_file_without_permission_is_bad_input(open_folder):
    path = open_folder / "data.txt"
    path.write_text(SMALL)
    path.chmod(0)
    finished = run_unprivileged([str(open_folder / "rankine"), "inspect", "data.txt"], open_folder)
    assert finished.returncode == 2
    assert finished.stderr == "rankine inspect: data.txt: cannot read: Permission denied\n"


def test_a_compressed_file_cut_short_is_bad_input(rankine, tmp_path):
    packed = gzip.compress(SMALL.encode() * 50)
    outcome = rankine("inspect", write(tmp_path, packed[:-10], "data.txt.gz"))
    assert outcome.code == 2
    assert outcome.err == ("rankine inspect: data.txt.gz: the gzip data ends too early: "
                           "it is cut short\n")


# The real sets, by the table that came with them.
LETOR = {
    "ohsumed": (16140, 106, 45, [11303, 2585, 2252], 582588, 1,
                [5, 6, 7, 20, 21, 22, 35, 36, 37],
                [367663, 422716, 378087, 295814, 283484]),
    "mq2007": (69623, 1692, 46, [51632, 14128, 3863], 404467, 237, [6, 7, 8, 9, 10],
               [246015, 244151, 237273, 239740, 246222]),
    "mq2008": (15211, 784, 46, [12279, 2001, 931], 80925, 220, [6, 7, 8, 9, 10, 43],
               [52325, 46631, 44450, 48533, 50836]),
}


@pytest.mark.parametrize("name", LETOR)
def test_the_real_sets_have_the_numbers_known_of_them(rankine, letor_dir, tmp_path, name):
    documents, queries, features, grades, pairs, empty, constant, training_pairs = LETOR[name]
    # The test parts of the five folds are the whole set.
    whole = b"".join((letor_dir / name / f"Fold{fold}" / "test.txt").read_bytes()
                     for fold in range(1, 6))
    result = inspect_json(rankine, write(tmp_path, whole))
    assert result["documents"] == documents
    assert result["queries"] == queries
    assert result["features"] == features
    assert [entry["count"] for entry in result["grades"]["counts"]] == grades
    assert result["pairs"] == pairs
    assert result["queries_without_relevant"] == empty
    assert result["constant_features"] == constant
    for fold, expected in enumerate(training_pairs, start=1):
        train = letor_dir / name / f"Fold{fold}" / "train.txt"
        assert inspect_json(rankine, train)["pairs"] == expected
