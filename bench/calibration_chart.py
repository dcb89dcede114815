"""The chart of docs/analysis.md: what a mistake seems to cost and what it costs when played out. Plain SVG."""

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

WIDTH, ACROSS, SIZE, LEFT, TOP, BOTTOM = 940, 3, 250, 44, 40, 48
MOST, STEP = 6, 2  # strokes on both axes
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 15px }
.axis { fill: #59636e; font-size: 12px }
.grid { stroke: #d1d9e0 }
.same { stroke: #59636e; stroke-dasharray: 4 3 }
.coach { stroke: #0a7d4b; fill: #0a7d4b; stroke-width: 2 }
.net { stroke: #818b98; fill: none; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .axis { fill: #9198a1 }
  .grid { stroke: #3d444d }
  .same { stroke: #9198a1 }
  .coach { stroke: #4ac98a; fill: #4ac98a }
  .net { stroke: #848d97 }
}
"""
TITLE = (
    "What mistakes cost when played out (upwards), by what the coach says (green) and the net alone (grey), in strokes"
)


class Bin(NamedTuple):
    """Means over mistakes of about the same size, in strokes, and half of the 95 % interval of `played`."""

    net: float
    coach: float
    played: float
    half: float


class Panel(NamedTuple):
    title: str
    bins: list[Bin]


def chart(panels: list[Panel]) -> str:
    """An SVG of the panels, three side by side. Means outside the axes are drawn at their ends."""
    height = -(-len(panels) // ACROSS) * (TOP + SIZE + BOTTOM)
    body = [part for at, panel in enumerate(panels) for part in drawn(panel, at % ACROSS, at // ACROSS)]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
    return "\n".join([head, f"<title>{escape(TITLE)}</title>", f"<style>{STYLE}</style>", *body, "</svg>", ""])


def drawn(panel: Panel, column: int, row: int) -> Iterator[str]:
    left, top = LEFT + column * (WIDTH // ACROSS), TOP + row * (TOP + SIZE + BOTTOM)

    def x(value: float) -> float:
        return left + min(MOST, max(0, value)) / MOST * SIZE

    def y(value: float) -> float:
        return top + SIZE - min(MOST, max(0, value)) / MOST * SIZE

    yield f'<text class="title" x="{left}" y="{top - 14}">{escape(panel.title)}</text>'
    for value in range(0, MOST + 1, STEP):
        yield f'<line class="grid" x1="{x(value):.1f}" y1="{y(0)}" x2="{x(value):.1f}" y2="{y(MOST)}"/>'
        yield f'<line class="grid" x1="{x(0)}" y1="{y(value):.1f}" x2="{x(MOST)}" y2="{y(value):.1f}"/>'
        yield f'<text class="axis" x="{x(value):.1f}" y="{y(0) + 16:.1f}" text-anchor="middle">{value}</text>'
        yield f'<text class="axis" x="{x(0) - 8:.1f}" y="{y(value) + 4:.1f}" text-anchor="end">{value}</text>'
    yield f'<line class="same" x1="{x(0)}" y1="{y(0)}" x2="{x(MOST)}" y2="{y(MOST)}"/>'
    for one in panel.bins:
        at, ends = f"{x(one.coach):.1f}", [f"{y(one.played + side * one.half):.1f}" for side in (-1, 1)]
        yield f'<circle class="net" cx="{x(one.net):.1f}" cy="{y(one.played):.1f}" r="4"/>'
        yield f'<line class="coach" x1="{at}" y1="{ends[0]}" x2="{at}" y2="{ends[1]}"/>'
        yield f'<circle class="coach" cx="{at}" cy="{y(one.played):.1f}" r="4"/>'
