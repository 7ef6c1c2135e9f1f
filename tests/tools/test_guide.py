"""What the guide shows of a program is that program, and what it prints."""
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "guide" / "losses.md").read_text(encoding="utf-8").split("## A loss of your own")[1]


def test_the_loss_of_your_own_is_trained_as_the_example_does():
    shown = re.findall(r"```cpp\n(.*?)```", PAGE, re.DOTALL)
    program = (ROOT / "examples" / "custom_loss.cpp").read_text(encoding="utf-8")
    assert len(shown) == 1
    assert shown[0] in program


def test_the_loss_of_your_own_prints_what_the_guide_shows():
    example = pathlib.Path(os.environ["RANKINE_BINARY"]).parents[1] / "examples" / "example_custom_loss"
    if not example.exists():
        pytest.skip(f"{example} is not built")
    shown = re.search(r"```text\n(.*?)```", PAGE, re.DOTALL)[1]
    assert subprocess.run([example], capture_output=True, text=True, check=True).stdout == shown
