"""The programs of the peer benchmark agree with each other and with Rankine, on small data."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "peer_programs"
RANKINE = os.environ.get("RANKINE_BINARY", "")
C = "0.25"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("peers")
    subprocess.run([RANKINE, "synth", folder / "data.txt", "--queries", "30", "--documents", "12", "--features", "6",
                    "--quiet"], check=True)
    return folder


def judged(folder, squared_norm):
    done = subprocess.run([sys.executable, PROGRAMS / "judge.py", folder / "data.txt", folder / "train.scores",
                           repr(squared_norm), C], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def train(folder, *arguments):
    """Rankine's report and the judge's objectives of its model."""
    done = subprocess.run(
        [RANKINE, "train", folder / "data.txt", "--model", folder / "model.rkn", "--C", C, "--scaling", "none",
         "--normalisation", "none", "--json", "--quiet", *arguments], capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    subprocess.run([RANKINE, "score", folder / "data.txt", "--model", folder / "model.rkn", "--output",
                    folder / "train.scores", "--quiet"], check=True)
    return report, judged(folder, sum(entry["weight"]**2 for entry in report["weights"]))


@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_the_judge_computes_the_objective_that_rankine_reports(folder, loss):
    report, objectives = train(folder, "--loss", loss)
    assert objectives[loss] == pytest.approx(report["objective"], rel=1e-5)


def test_linear_svc_reaches_the_objective_of_rankine(folder):
    ours = train(folder, "--tolerance", "1e-9")[1]["squared_hinge"]
    done = subprocess.run([sys.executable, PROGRAMS / "python_peer.py", "LinearSVC", folder / "data.txt",
                           folder / "data.txt", C, "1e-8", folder], capture_output=True, text=True, check=True)
    report = json.loads(done.stdout)
    assert judged(folder, report["squared_norm"])["squared_hinge"] == pytest.approx(ours, rel=1e-6)
    assert report["memory"] > 0 and report["train"] > 0
