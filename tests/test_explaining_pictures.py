"""The pictures in docs/fairness.md and docs/analysis.md are as their script draws them."""

import re
from xml.etree import ElementTree

import explaining_pictures


def test_the_pictures_are_as_the_command_draws_them() -> None:
    """Run `.venv/bin/python tools/explaining_pictures.py`."""
    written = explaining_pictures.files()
    assert [file.name for file, text in written.items() if file.read_text(encoding="utf-8") != text] == []
    for text in written.values():
        assert ElementTree.fromstring(text).tag.endswith("svg")


def test_the_bars_of_the_example_add_up() -> None:
    """From 0 over each bar to its end, which is that of the points."""
    bars = re.findall(r'<rect class="(\w+)" x="([\d.]+)" y="\d+" width="([\d.]+)"', explaining_pictures.luck())
    left = {name: (float(x), float(x) + float(width)) for name, x, width in bars}
    zero = left["deal"][0]
    assert left["luck"][1] == left["deal"][1]  # good luck: fewer points
    assert abs(left["mistakes"][0] - left["luck"][0]) < 0.01
    assert abs(left["mistakes"][1] - left["points"][1]) < 0.01
    assert left["points"][0] == zero
