"""The demo runs as the README says, and leaves a page that needs nothing but itself."""
import os
import pathlib
import re
import subprocess
import sys

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The folder it made, and what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    done = subprocess.run(
        [sys.executable, PROJECT / "tools" / "demo", os.environ["RANKINE_BINARY"], folder],
        capture_output=True, text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def test_the_demo_trains_inspects_scores_and_evaluates(demo):
    _, printed = demo
    commands = re.findall(r"^\$ rankine (\w+)", printed, re.MULTILINE)
    assert commands == ["synth", "convert", "inspect", "train", "inspect", "score", "evaluate"]


def test_the_trained_model_comes_close_to_the_truth_and_far_above_the_rest(demo):
    _, printed = demo
    rows = re.findall(r"^(the true scores|the trained model|feature \d+ alone|chance) +(0\.\d+.*)$",
                      printed, re.MULTILINE)
    ndcg = [float(values.split()[2]) for _, values in rows]
    truth, model, feature, chance = ndcg
    assert abs(truth - model) < 0.01
    assert model > feature + 0.1 > chance + 0.2


def test_the_learned_weights_are_the_true_ones(demo):
    folder, _ = demo
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert float(re.search(r"The cosine of the two is (\d\.\d+)\.", page)[1]) > 0.99


def test_the_page_is_self_contained(demo):
    folder, _ = demo
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 5
    assert not re.search(r"https?:|<link|<script|src=|@import|url\(", page)
