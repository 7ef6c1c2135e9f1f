"""rankine tune: grids, folds, resuming, and what it says when it cannot."""
import json
import shlex
import signal
import subprocess
import time

import pytest


@pytest.fixture
def data(rankine, tmp_path):
    assert rankine("synth", "all.txt", "--queries", "150", "--documents", "15", "--features", "8",
                   "--seed", "5").code == 0
    assert rankine("convert", "all.txt", "folds", "--folds", "3").code == 0
    return tmp_path


FOLD = "folds/Fold1"


def test_a_validation_file_chooses_C_and_the_model_is_what_train_makes(rankine, data):
    words = ["tune", f"{FOLD}/train.txt", "--valid", f"{FOLD}/vali.txt", "--grid", "C=10^-4..10^2"]
    result = rankine(*words, "--model", "best.rkn", "--json")
    assert result.code == 0, result
    found = result.json
    means = {s["options"]["C"]: s["mean"] for s in found["settings"]}
    assert len(means) == 7
    assert means[found["best"]["C"]] == max(means.values()) == found["mean"]
    assert found["trainings"] == 1
    # The command that was printed makes the same model.
    command = shlex.split(found["commands"][0])
    assert command[:3] == ["rankine", "train", f"{FOLD}/train.txt"]
    command[command.index("--model") + 1] = "again.rkn"
    assert rankine(*command[1:]).code == 0
    scores = [rankine("score", f"{FOLD}/test.txt", "--model", m).out for m in ("best.rkn", "again.rkn")]
    assert scores[0] == scores[1] != ""


def test_letor_folds_choose_fit_and_test_each_on_its_own(rankine, data):
    result = rankine("tune", "--folds", "folds", "--grid", "C=2^-6..2^2", "--grid", "loss=squared_hinge,logistic",
                     "--select", "map", "--measures", "map,ndcg@5", "--model", "m.rkn", "--json")
    assert result.code == 0, result
    found = result.json
    assert len(found["settings"]) == 18
    assert found["trainings"] == 6
    for k, fold in enumerate(found["folds"]):
        assert fold["validation"] == max(s["validation"][k] for s in found["settings"])
        out = rankine("evaluate", f"folds/Fold{k + 1}/test.txt", "--model", f"m.fold{k + 1}.rkn", "--measures",
                      "map,ndcg@5", "--json").json
        assert {m: v["mean"] for m, v in out["measures"].items()} == fold["test"]
    assert found["test"]["map"]["mean"] == pytest.approx(sum(f["test"]["map"] for f in found["folds"]) / 3)


def test_the_table_tells_measure_folds_seed_and_the_command_that_repeats(rankine, data):
    result = rankine("tune", "all.txt", "--folds", "4", "--seed", "3", "--grid", "C=2^-6..2^2", "--grid",
                     "loss=huber,logistic", "--select", "ndcg@5")
    assert result.code == 0, result
    assert "ndcg@5 by the rules of rankine, 4 folds by query (seed 3): 18 settings in 8 trainings" in result.out
    assert "2^-6" in result.out
    assert "C \\ loss" in result.out
    assert "8 more (--verbose shows all)" in result.out
    assert "rankine train all.txt --model m.rkn" in result.out
    assert "--seed 3" in result.out
    everything = rankine("tune", "all.txt", "--folds", "4", "--seed", "3", "--grid", "C=2^-6..2^2", "--grid",
                         "loss=huber,logistic", "--select", "ndcg@5", "--verbose")
    assert "more (--verbose" not in everything.out


def test_kernels_are_tuned_over_gamma_with_C_from_one_path_each(rankine, data):
    words = ["tune", "--folds", "folds", "--kernel", "rbf", "--approximation", "nystroem", "--n-components", "30",
             "--grid", "C=2^-2..2^2", "--grid", "gamma=2^-6,2^-3", "--grid", "landmarks=uniform,kmeans"]
    result = rankine(*words, "--model", "m.rkn", "--json")
    assert result.code == 0, result
    found = result.json
    assert len(found["settings"]) == 20
    assert found["trainings"] == 3 * 4
    best = found["folds"][0]["best"]
    assert f"--kernel rbf --gamma {best['gamma']}" in found["commands"][0]
    measured = rankine("evaluate", "folds/Fold1/test.txt", "--model", "m.fold1.rkn", "--measures", "map", "--json")
    assert measured.json["measures"]["map"]["mean"] == found["folds"][0]["test"]["map"]
    assert without_times(rankine(*words, "--json", "--threads", "1").json) == without_times(
        rankine(*words, "--json", "--threads", "3").json)


def without_times(found):
    for setting in found["settings"]:
        del setting["seconds"]
    del found["seconds"], found["trainings_kept"]
    return found


def test_an_interrupted_tuning_exits_130_and_goes_on_where_it_ended(binary, rankine, data):
    # Exact logistic pairs are slow enough to be caught in the middle.
    words = ["tune", "--folds", "folds", "--grid", "C=2^-3..2^4", "--loss", "logistic", "--grid",
             "exact_logistic=true,false", "--grid", "tolerance=1e-6,1e-7,1e-8,1e-9", "--json"]
    straight = rankine(*words)
    assert straight.code == 0, straight
    log = data / "run" / "tuning.jsonl"
    process = subprocess.Popen([binary, *words, "--run", "run"], cwd=data, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if log.exists() and log.read_text().count('"validation"') >= 2:
            break
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    if process.returncode != 0:  # else it was done before we could ask
        assert process.returncode == 130
        assert "what is done is kept in run, and the same command goes on from there" in errors
    resumed = rankine(*words, "--run", "run")
    assert resumed.code == 0, resumed
    assert resumed.json["trainings_kept"] >= 2
    assert without_times(resumed.json) == without_times(straight.json)


def test_a_run_folder_of_another_configuration_is_refused(rankine, data):
    words = ["tune", "all.txt", "--grid", "C=1,2", "--run", "run"]
    assert rankine(*words).code == 0
    again = rankine(*words)
    assert again.code == 0
    assert "5 of 5 trainings were done by an earlier run" in again.err
    other = rankine(*words, "--loss", "huber")
    assert other.code == 2
    assert "run holds another tuning: loss was squared_hinge and is huber" in other.err
    (data / "all.txt").write_text((data / "all.txt").read_text().replace("1:0", "1:1", 1))
    changed = rankine(*words)
    assert changed.code == 2
    assert "checksum of train was" in changed.err
    lines = [json.loads(line) for line in (data / "run" / "tuning.jsonl").read_text().splitlines()]
    assert lines[0]["record"]["select"] == "ndcg@10"
    assert lines[0]["record"]["grids"] == {"C": ["1", "2"]}


def test_an_option_without_effect_is_told_unless_a_grid_gives_it_one(rankine, data):
    words = ["tune", "all.txt", "--grid", "C=1,2", "--exact-logistic", "--folds", "2"]
    told = "rankine tune: warning: --exact-logistic has no effect with --loss squared_hinge\n"
    assert told in rankine(*words).err
    result = rankine(*words, "--grid", "loss=huber,logistic")
    assert result.code == 0
    assert "has no effect" not in result.err


@pytest.mark.parametrize("words, message", [
    (["all.txt"], "give a grid, as in --grid C=2^-12..2^6"),
    (["all.txt", "--grid", "D=1,2"], "--grid: 'D' is no option of method svm"),
    (["all.txt", "--grid", "epochs=1,2"], "--grid: 'epochs' is no option of method svm"),
    (["all.txt", "--grid", "C="], "--C: the grid is empty"),
    (["all.txt", "--grid", "C=0,1"], "--C = 0 must be above 0"),
    (["all.txt", "--grid", "C=1..2"], "--C: '1..2' needs a number of values"),
    (["all.txt", "--grid", "loss=hubert"], "--loss = 'hubert' is none of squared_hinge, hinge, huber"),
    (["all.txt", "--grid", "C=1,2", "--select", "ndgc"], "--select = 'ndgc' is none of"),
    (["all.txt", "--grid", "C=1,2", "--select", "map,mrr"], "--select = 'map,mrr' must be one measure"),
    (["all.txt", "--grid", "C=1,2", "--folds", "1"], "--folds = 1 must be in [2, 1000000]"),
    (["all.txt", "--grid", "C=1,2", "--folds", "151"], "--folds = 151 must be at most the number of queries, 150"),
    (["--grid", "C=1,2", "--folds", "no_such"], "no_such: no folder Fold1"),
    (["--grid", "C=1,2"], "give the training data"),
    (["all.txt", "--grid", "C=1,2", "--folds", "folds"], "brings its own training data"),
    (["all.txt", "--grid", "C=1,2", "--folds", "3", "--valid", "all.txt"], "give --valid or --folds, not both"),
])
def test_mistakes_are_told_in_a_line(rankine, data, words, message):
    result = rankine("tune", *words)
    assert result.code == 2, result
    assert result.err.startswith("rankine tune: ")
    assert message in result.err
    assert result.out == ""


def test_the_papers_table_of_mq2007_comes_from_one_command(rankine, letor_dir, tmp_path):
    result = rankine("tune", "--folds", letor_dir / "mq2007", "--grid", "C=2^-12..2^6", "--select", "mean_ndcg",
                     "--convention", "letor", "--scaling", "none", "--normalisation", "none", "--json", timeout=600)
    assert result.code == 0, result
    found = result.json
    assert [fold["best"]["C"] for fold in found["folds"]] == [
        0.000244140625, 4, 0.0078125, 0.000244140625, 0.000244140625]
    means = {measure: value["mean"] for measure, value in found["test"].items()}
    assert means["mean_ndcg"] == pytest.approx(0.4956, abs=1e-4)
    assert means["map"] == pytest.approx(0.4639, abs=1e-4)
    assert means["ndcg@1"] == pytest.approx(0.4077, abs=1e-4)
