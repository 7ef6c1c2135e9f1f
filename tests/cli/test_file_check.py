"""No command writes over what it reads."""
import os

import pytest


@pytest.fixture
def files(rankine, tmp_path):
    for name, seed in (("d.txt", 1), ("v.txt", 2)):
        assert rankine("synth", name, "--queries", 30, "--documents", 8, "--features", 4, "--seed", seed).code == 0
    assert rankine("train", "d.txt", "--model", "m.rkn").code == 0
    assert rankine("score", "d.txt", "--model", "m.rkn", "--output", "s.txt").code == 0
    (tmp_path / "w.txt").write_text("1\n" * 240)
    (tmp_path / "p.txt").write_text("1 2\n")
    (tmp_path / "names.txt").write_text("a\nb\nc\nd\n")
    (tmp_path / "c.toml").write_text("seed = 1\n")
    (tmp_path / "link.txt").symlink_to("d.txt")
    (tmp_path / "folder").mkdir()
    return tmp_path


GRID = ["--grid", "C=1,2", "--folds", "3"]


@pytest.mark.parametrize("words, message", [
    (["train", "d.txt", "--model", "d.txt"], "--model = 'd.txt' is also read, as TRAIN: it would be lost"),
    (["train", "d.txt", "--model", "./d.txt"], "--model = './d.txt' is also read, as TRAIN: it would be lost"),
    (["train", "d.txt", "--model", "folder/../d.txt"], "--model = 'folder/../d.txt' is also read, as TRAIN"),
    (["train", "d.txt", "--model", "link.txt"], "--model = 'link.txt' is also read, as TRAIN: it would be lost"),
    (["train", "link.txt", "--model", "d.txt"], "--model = 'd.txt' is also read, as TRAIN: it would be lost"),
    (["train", "d.txt", "--valid", "v.txt", "--model", "v.txt"], "--model = 'v.txt' is also read, as --valid"),
    (["train", "d.txt", "--weight-file", "w.txt", "--model", "w.txt"], "--model = 'w.txt' is also read, as --weight-file"),
    (["train", "d.txt", "--preferences", "p.txt", "--model", "p.txt"], "--model = 'p.txt' is also read, as --preferences"),
    (["train", "d.txt", "--feature-names", "names.txt", "--model", "names.txt"],
     "--model = 'names.txt' is also read, as --feature-names"),
    (["train", "d.txt", "--query-file", "w.txt", "--model", "w.txt"], "--model = 'w.txt' is also read, as --query-file"),
    (["train", "d.txt", "--config", "c.toml", "--model", "c.toml"], "--model = 'c.toml' is also read, as --config"),
    (["train", "d.txt", "--method", "rls", "--model", "n.rkn", "--leave-query-out", "d.txt"],
     "--leave-query-out = 'd.txt' is also read, as TRAIN"),
    (["train", "d.txt", "--method", "rls", "--model", "n.rkn", "--leave-query-out", "./n.rkn"],
     "is also written, as"),
    (["train", "d.txt", "--warm-start", "m.rkn", "--method", "rls", "--model", "n.rkn", "--leave-query-out", "m.rkn"],
     "--leave-query-out = 'm.rkn' is also read, as --warm-start"),
    (["tune", "d.txt", *GRID, "--model", "d.txt"], "--model = 'd.txt' is also read, as TRAIN"),
    (["tune", "d.txt", *GRID[:2], "--valid", "v.txt", "--model", "v.txt"], "--model = 'v.txt' is also read, as --valid"),
    (["score", "d.txt", "--model", "m.rkn", "--output", "d.txt"], "--output = 'd.txt' is also read, as DATA"),
    (["score", "d.txt", "--model", "m.rkn", "--output", "m.rkn"], "--output = 'm.rkn' is also read, as --model"),
    (["evaluate", "d.txt", "--model", "m.rkn", "--per-query", "d.txt"], "--per-query = 'd.txt' is also read, as DATA"),
    (["evaluate", "d.txt", "--model", "m.rkn", "--per-query", "m.rkn"], "--per-query = 'm.rkn' is also read, as --model"),
    (["evaluate", "d.txt", "--scores", "s.txt", "--per-query", "s.txt"], "--per-query = 's.txt' is also read, as --scores"),
    (["evaluate", "d.txt", "--model", "m.rkn", "--train", "v.txt", "--per-query", "v.txt"],
     "--per-query = 'v.txt' is also read, as --train"),
    (["convert", "d.txt", "d.txt"], "OUT = 'd.txt' is also read, as IN: it would be lost"),
    (["convert", "d.txt", "link.txt"], "OUT = 'link.txt' is also read, as IN: it would be lost"),
    (["synth", "new.txt", "--config", "c.toml", "--true-scores", "c.toml"],
     "--true-scores = 'c.toml' is also read, as --config"),
])
def test_an_output_that_is_also_an_input_is_refused_and_nothing_is_written(rankine, files, words, message):
    before = {path.name: path.read_bytes() for path in files.iterdir() if path.is_file()}
    result = rankine(*words)
    assert result.code == 2
    assert result.err.startswith(f"rankine {words[0]}: ") and result.err.count("\n") == 1
    assert message in result.err
    assert {path.name: path.read_bytes() for path in files.iterdir() if path.is_file()} == before


def test_a_hard_link_is_the_same_file(rankine, files):
    os.link(files / "d.txt", files / "hard.txt")
    assert "is also read, as TRAIN" in rankine("train", "d.txt", "--model", "hard.txt").err


def test_side_files_that_nobody_named_are_inputs_too(rankine, files):
    (files / "d.txt.weight").write_text("1\n" * 240)
    result = rankine("train", "d.txt", "--model", "d.txt.weight")
    assert result.code == 2
    assert "--model = 'd.txt.weight' is also read, beside TRAIN: it would be lost" in result.err
    assert (files / "d.txt.weight").read_text() == "1\n" * 240


def test_side_files_and_folds_that_convert_makes_are_outputs_too(rankine, files):
    assert rankine("convert", "d.txt", "folds", "--folds", 3).code == 0
    before = (files / "folds/Fold1/train.txt").read_bytes()
    result = rankine("convert", "folds/Fold1/train.txt", "folds", "--folds", 3)
    assert result.code == 2
    assert "OUT = 'folds/Fold1/train.txt' is also read, as IN: it would be lost" in result.err
    assert (files / "folds/Fold1/train.txt").read_bytes() == before
    assert rankine("convert", "folds/Fold1/train.txt", "others", "--folds", 3, "--to", "csv").code == 0
    (files / "new.txt.preferences").write_text("1 2\n")
    result = rankine("convert", "d.txt", "new.txt", "--preferences", "new.txt.preferences")
    assert "OUT = 'new.txt.preferences' is also read, as --preferences" in result.err


def test_the_models_of_letor_folds_are_checked_by_their_own_names(rankine, files):
    assert rankine("convert", "d.txt", "folds", "--folds", 3).code == 0
    (files / "m.fold2.rkn").write_text("a\nb\nc\nd\n")
    result = rankine("tune", "--folds", "folds", "--grid", "C=1,2", "--feature-names", "m.fold2.rkn", "--model", "m.rkn")
    assert result.code == 2
    assert "--model = 'm.fold2.rkn' is also read, as --feature-names: it would be lost" in result.err


def test_a_warm_start_may_be_replaced_by_the_model_it_gives(rankine, files):
    result = rankine("train", "d.txt", "--warm-start", "m.rkn", "--model", "m.rkn", "--C", 2)
    assert result.code == 0, result
    assert rankine("inspect", "m.rkn", "--json").json["options"]["C"] == 2


def test_standard_streams_and_devices_are_never_refused(rankine, files):
    text = (files / "d.txt").read_text()
    assert rankine("convert", "-", "-", stdin=text).code == 0
    assert rankine("train", "-", "--model", "/dev/null", stdin=text).code == 0
    empty = rankine("score", "/dev/null", "--model", "m.rkn", "--output", "/dev/null")
    assert empty.err == "rankine score: /dev/null: no documents\n"  # and not that the output is read
    assert rankine("evaluate", "d.txt", "--scores", "-", "--per-query", "-", stdin=(files / "s.txt").read_text()).code == 0
