"""Columns are found by their names, wherever they stand, in every command and every format."""
import random

import pytest

NAMES = ["bm25", "age", "links", "title"]


def csv_text(names, rows=400, seed=3):
    """The same documents whatever the order of `names`; a name that is not one of ours is noise."""
    lines = ["label,qid," + ",".join(names)]
    draw = random.Random(seed)
    for row in range(rows):
        values = {name: draw.gauss(0, 1) for name in NAMES}
        grade = int(values["bm25"] - 2 * values["age"] + draw.gauss(0, 0.3) > 0)
        cells = [str(round(values.get(name, 1000 * draw.random()), 4)) for name in names]
        lines.append(f"{grade},{row // 20}," + ",".join(cells))
    return "\n".join(lines) + "\n"


@pytest.fixture
def model(rankine, tmp_path):
    (tmp_path / "train.csv").write_text(csv_text(NAMES))
    assert rankine("train", "train.csv", "--model", "m.rkn", "--quiet").code == 0
    return "m.rkn"


def scores(rankine, data, *words):
    done = rankine("score", data, "--model", "m.rkn", *words)
    assert done.code == 0, done
    return done.out


SWAPPED = ["links", "title", "age", "bm25"]


def test_swapped_columns_have_the_same_scores_and_measures(rankine, tmp_path, model):
    (tmp_path / "swapped.csv").write_text(csv_text(SWAPPED))
    wanted = scores(rankine, "train.csv")
    assert scores(rankine, "swapped.csv") == wanted
    assert rankine("convert", "swapped.csv", "swapped.rkd").code == 0
    assert scores(rankine, "swapped.rkd") == wanted
    assert rankine("convert", "train.csv", "train.rkd").code == 0
    assert scores(rankine, "train.rkd") == wanted
    means = [rankine("evaluate", name, "--model", "m.rkn", "--measures", "ndcg@10", "--json").json["measures"]
             for name in ("train.csv", "swapped.csv", "swapped.rkd")]
    assert means[0] == means[1] == means[2]


@pytest.mark.parametrize("scaling", ["none", "query_minmax", "quantile"])
def test_swapped_columns_stream_alike_for_every_scaling(rankine, tmp_path, scaling):
    (tmp_path / "train.csv").write_text(csv_text(NAMES, rows=5000))
    (tmp_path / "swapped.csv").write_text(csv_text(SWAPPED, rows=5000))
    assert rankine("train", "train.csv", "--model", "m.rkn", "--scaling", scaling, "--quiet").code == 0
    wanted = scores(rankine, "train.csv", "--threads", "1")
    for threads in ("1", "3"):
        assert scores(rankine, "swapped.csv", "--threads", threads) == wanted


def test_columns_that_the_model_never_saw_are_left_out_wherever_they_stand(rankine, tmp_path, model):
    (tmp_path / "draw.csv").write_text(csv_text(["noise1", "links", "title", "noise2", "age", "bm25"]))
    (tmp_path / "same.csv").write_text(csv_text(NAMES))
    wide = (tmp_path / "same.csv").read_text().splitlines()
    wide = ["x," + line if k == 0 else f"{k}," + line for k, line in enumerate(wide)]
    (tmp_path / "wide.csv").write_text("\n".join(wide) + "\n")
    assert scores(rankine, "wide.csv", "--quiet") == scores(rankine, "same.csv")


def test_columns_that_are_missing_are_named(rankine, tmp_path, model):
    (tmp_path / "narrow.csv").write_text(csv_text(["age", "title"]))
    wanted = "narrow.csv: the model needs 'bm25', 'links', and the data has no feature of that name"
    for words in (["score", "narrow.csv", "--model", "m.rkn"],
                  ["evaluate", "narrow.csv", "--model", "m.rkn"],
                  ["train", "train.csv", "--valid", "narrow.csv", "--model", "other.rkn", "--select", "ndcg@10"],
                  ["train", "narrow.csv", "--warm-start", "m.rkn", "--model", "other.rkn"]):
        done = rankine(*words)
        assert done.code != 0
        assert wanted in done.err, done
    assert not (tmp_path / "other.rkn").exists()


def test_validation_is_measured_by_name(rankine, tmp_path):
    (tmp_path / "train.csv").write_text(csv_text(NAMES))
    (tmp_path / "valid.csv").write_text(csv_text(NAMES, seed=9))
    (tmp_path / "swapped.csv").write_text(csv_text(SWAPPED, seed=9))

    def value(valid, *words):
        done = rankine("train", "train.csv", "--valid", valid, "--select", "ndcg@10", "--model", "v.rkn", "--json",
                       *words)
        assert done.code == 0, done
        return done.json["validation"]

    assert value("valid.csv") == value("swapped.csv")
    path = ["--method", "rls", "--alpha", "0.01,0.1,1"]
    assert value("valid.csv", *path) == value("swapped.csv", *path)


def test_names_of_a_file_have_no_power_over_a_terminal(rankine, tmp_path):
    names = ["bm25", "\x1b[31mage", "li\u009b2Jnks", "title"]
    text = csv_text(NAMES).replace(",".join(NAMES), ",".join(names), 1)
    (tmp_path / "evil.csv").write_text(text, encoding="utf-8")
    assert rankine("train", "evil.csv", "--model", "evil.rkn", "--quiet").code == 0
    for words in (["inspect", "evil.rkn"], ["inspect", "evil.csv", "--per-feature"], ["inspect", "evil.rkn", "--json"],
                  ["inspect", "evil.csv", "--per-feature", "--json"]):
        done = rankine(*words)
        assert done.code == 0, done
        assert "\x1b" not in done.out + done.err
        assert "\u009b" not in done.out + done.err
    assert "\\x1b[31mage" in rankine("inspect", "evil.rkn").out
    (tmp_path / "good.csv").write_text(csv_text(NAMES))
    done = rankine("score", "good.csv", "--model", "evil.rkn")
    assert done.code != 0
    assert "'\\x1b[31mage', 'li\\u009b2Jnks'" in done.err
    assert "\x1b" not in done.err
