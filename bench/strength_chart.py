"""The chart of docs/strength.md: one panel per game, one row per player, a dot with its 95 % interval. Plain SVG."""

from html import escape
from typing import NamedTuple

WIDTH, PANEL, NAMES, ROW, TOP, BOTTOM = 940, 460, 88, 22, 46, 58
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 15px }
.axis { fill: #59636e; font-size: 12px }
.grid { stroke: #d1d9e0 }
.zero { stroke: #59636e; stroke-dasharray: 4 3 }
.level { stroke: #0a7d4b; fill: #0a7d4b }
.reference { stroke: #818b98; fill: #818b98 }
.interval { stroke-width: 2 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .axis { fill: #9198a1 }
  .grid { stroke: #3d444d }
  .zero { stroke: #9198a1 }
  .level { stroke: #4ac98a; fill: #4ac98a }
  .reference { stroke: #848d97; fill: #848d97 }
}
"""


class Mark(NamedTuple):
    """A player's strokes per hole over the player at zero, and half of the 95 % interval."""

    name: str
    mean: float
    half: float
    is_level: bool


class Panel(NamedTuple):
    title: str
    marks: list[Mark]  # the strongest first


def chart(panels: list[Panel], axis: str, low: int, high: int, step: int) -> str:
    """An SVG of the panels side by side. Players outside `low` to `high` belong into the text, not in here."""
    height = TOP + BOTTOM + ROW * max(len(panel.marks) for panel in panels)
    body = [part for at, panel in enumerate(panels) for part in drawn(panel, at * (WIDTH - PANEL), low, high, step)]
    body.append(f'<text class="axis" x="{WIDTH / 2:.0f}" y="{height - 10}" text-anchor="middle">{escape(axis)}</text>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
    return "\n".join([head, f"<title>{escape(axis)}</title>", f"<style>{STYLE}</style>", *body, "</svg>", ""])


def drawn(panel: Panel, left: int, low: int, high: int, step: int) -> list[str]:
    def x(value: float) -> float:
        return left + NAMES + (value - low) / (high - low) * (PANEL - NAMES - 20)

    bottom = TOP + ROW * len(panel.marks)
    parts = [f'<text class="title" x="{x(low):.0f}" y="20">{escape(panel.title)}</text>']
    for value in range(low, high + 1, step):
        kind = "grid" if value else "zero"
        parts.append(f'<line class="{kind}" x1="{x(value):.1f}" y1="{TOP - 12}" x2="{x(value):.1f}" y2="{bottom}"/>')
        label = f"{value:+d}".replace("-", "−") if value else "0"
        parts.append(f'<text class="axis" x="{x(value):.1f}" y="{bottom + 16}" text-anchor="middle">{label}</text>')
    for at, mark in enumerate(panel.marks):
        y = TOP + ROW * at
        kind = "level" if mark.is_level else "reference"
        ends = [x(min(high, max(low, mark.mean + side * mark.half))) for side in (-1, 1)]
        parts += [
            f'<text x="{left + NAMES - 8}" y="{y + 4}" text-anchor="end">{escape(mark.name)}</text>',
            f'<line class="{kind} interval" x1="{ends[0]:.1f}" y1="{y}" x2="{ends[1]:.1f}" y2="{y}"/>',
            f'<circle class="{kind}" cx="{x(mark.mean):.1f}" cy="{y}" r="4.5"/>',
        ]
    return parts
