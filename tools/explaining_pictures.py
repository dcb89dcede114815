"""Draws what docs/fairness.md and docs/analysis.md explain: the fair shuffle in four boxes, and a score in its parts.

.venv/bin/python tools/explaining_pictures.py
"""

import re
from pathlib import Path

from machines_picture import BOX, GAP, STYLE, WIDTH, box, texts

DOCS = Path(__file__).parents[1] / "docs"
PICTURES = DOCS / "pictures"

STEPS = (  # what happens, its picture, and two lines on it
    ("1 Lock", "locked", "The server locks its seed", "in a box that all can see"),
    ("2 Numbers", "numbers", "Each player’s device", "calls out a number"),
    ("3 Deal", "dealt", "Box and numbers together", "shuffle the cards"),
    ("4 Open", "opened", "After the hole, all look inside", "and repeat the shuffle"),
)
ICONS = {  # around a point, 80 wide and 70 high
    "locked": '<rect x="-26" y="-6" width="52" height="40"/><path d="M-15 -6 V-20 a15 15 0 0 1 30 0 V-6"/>'
    '<circle class="fill" cx="0" cy="14" r="5"/>',
    "numbers": '<rect x="-58" y="-22" width="32" height="52"/><rect x="-16" y="-22" width="32" height="52"/>'
    '<rect x="26" y="-22" width="32" height="52"/><text x="-42" y="9">27</text><text y="9">4</text>'
    '<text x="42" y="9">91</text>',
    "dealt": '<rect x="-54" y="-18" width="34" height="48"/><rect x="-17" y="-18" width="34" height="48"/>'
    '<rect x="20" y="-18" width="34" height="48"/><text x="-37" y="11">3</text><text y="11">9</text>'
    '<text x="37" y="11">0</text>',
    "opened": '<rect x="-26" y="-6" width="52" height="40"/><path d="M-15 -6 V-24 a15 15 0 0 1 30 0 V-18"/>'
    '<path d="M-11 14 l8 9 l16 -18"/>',
}
MORE_STYLE = """
.fill { fill: #818b98; stroke: none }
.arrow { stroke-width: 2 }
.deal { fill: #818b98; stroke: none }
.luck { fill: #2c7a4e; stroke: none }
.mistakes { fill: #c96a10; stroke: none }
.points { fill: #3b6fd4; stroke: none }
.left { text-anchor: start }
.right { text-anchor: end }
"""

EXAMPLE = re.compile(r"^greedy 2 +(\d+) +([\d.]+) +(−?[\d.]+) +([\d.]+)", re.MULTILINE)  # in docs/analysis.md
PARTS = ("points", "deal", "luck", "mistakes")  # the columns of the example
ROW, LEFT, SCALE = 44, 150, 7.0  # the height of a bar with its space, where 0 is, units for a stroke


def files() -> dict[Path, str]:
    """Returns the content of every picture that this draws."""
    return {PICTURES / "shuffle.svg": shuffle(), PICTURES / "luck.svg": luck()}


def svg(height: int, title: str, lines: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
    style = f"<style>{STYLE}{MORE_STYLE}</style>"
    return "\n".join([head, f"<title>{title}</title>", style, *lines, "</svg>"]) + "\n"


def shuffle() -> str:
    """Draws who does what before, at and after the deal."""
    start = (WIDTH - len(STEPS) * BOX - (len(STEPS) - 1) * GAP) / 2
    lines = []
    for nth, (title, icon, *words) in enumerate(STEPS):
        x = start + nth * (BOX + GAP)
        lines += [box(x, 10, BOX, 180), *texts(x + BOX / 2, 36, (title,), ("title",))]
        lines += [f'<g transform="translate({x + BOX / 2:g} 84)">{ICONS[icon]}</g>']
        lines += texts(x + BOX / 2, 148, tuple(words), ("", ""))
        if nth:
            lines.append(f'<path class="arrow" d="M{x - GAP + 4:g} 100 h{GAP - 8} m-6 -5 l6 5 l-6 5"/>')
    return svg(200, "Lock, numbers, deal, open: the fair shuffle in four steps", lines)


def luck() -> str:
    """Draws a score of the example in docs/analysis.md, and what adds up to it."""
    found = EXAMPLE.search((DOCS / "analysis.md").read_text(encoding="utf-8"))
    assert found
    value = {part: float(text.replace("−", "-")) for part, text in zip(PARTS, found.groups(), strict=True)}
    ends = [0.0, value["deal"], value["deal"] + value["luck"], value["points"]]
    bars: list[tuple[str, str, float, float]] = [
        ("deal", "At the deal", ends[0], ends[1]),
        ("luck", "Luck", ends[1], ends[2]),
        ("mistakes", "Mistakes", ends[2], ends[3]),
        ("points", "Points", 0.0, value["points"]),
    ]
    lines = []
    for nth, (part, label, begin, end) in enumerate(bars):
        y, x = 14 + nth * ROW, LEFT + SCALE * min(begin, end)
        wide = SCALE * abs(end - begin)
        text = found[1 + PARTS.index(part)]
        lines += [
            f'<text class="right" x="{LEFT - 14}" y="{y + 20}">{label}</text>',
            f'<rect class="{part}" x="{x:g}" y="{y}" width="{wide:g}" height="28"/>',
            f'<text class="left" x="{x + wide + 10:g}" y="{y + 20}">{text}</text>',
        ]
        if nth < len(bars) - 1:
            lines.append(f'<path stroke-dasharray="3 3" d="M{LEFT + SCALE * end:g} {y + 28} v{ROW - 28}"/>')
    return svg(20 + len(bars) * ROW, "At the deal, luck and mistakes add up to the points", lines)


if __name__ == "__main__":
    for file, text in files().items():
        file.write_text(text, encoding="utf-8", newline="\n")
