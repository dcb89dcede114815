"""Draws docs/pictures/machines.svg: one rule book, four machines.

.venv/bin/python tools/machines_picture.py
"""

from pathlib import Path
from xml.sax.saxutils import escape

FILE = Path(__file__).parents[1] / "docs" / "pictures" / "machines.svg"
WIDTH, BOX, GAP, HEIGHT = 940, 214, 24, 112
SOURCE = ("One rule book, in Python", "engine/ · players/ · coach/", "functions on NumPy records, marked @compiled")
MACHINES = (  # title, the file that makes it, what it is for
    ("Python", "MULLIGAN_PLAIN=1", "terminal, first start,", "debugger"),
    ("Machine code", "engine/compiled.py", "server, coach, training,", "simulator, environments"),
    ("WebAssembly", "wasm/wasm32.py", "browsers: engine, players,", "hints, analysis"),
    ("CUDA", "gpu/device.py", "games and environments,", "one thread each"),
)
COMPARED_IN = ("", "tests/test_plain.py", "tests/test_wasm.py", "tests/test_gpu.py")

STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f2328; text-anchor: middle }
.title { font-weight: 600; font-size: 15px }
.file { font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12px; fill: #0a7d4b }
.test { font-size: 12px; fill: #59636e }
rect { fill: none; stroke: #818b98; rx: 6px }
path { fill: none; stroke: #818b98 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .file { fill: #4ac98a }
  .test { fill: #9198a1 }
}
"""


def picture() -> str:
    middle = WIDTH / 2
    left = (WIDTH - len(MACHINES) * BOX - (len(MACHINES) - 1) * GAP) / 2
    lines = [box(middle - 200, 10, 400, 82), *texts(middle, 34, SOURCE, ("title", "file", ""))]
    for nth, (title, file, *uses) in enumerate(MACHINES):
        x, y = left + nth * (BOX + GAP), 142
        lines.append(f'<path d="M{middle} 92 C{middle} 120 {x + BOX / 2} 112 {x + BOX / 2} {y}"/>')
        lines += [box(x, y, BOX, HEIGHT), *texts(x + BOX / 2, y + 26, (title, file, *uses), ("title", "file", "", ""))]
        lines += texts(x + BOX / 2, y + HEIGHT + 22, (COMPARED_IN[nth],), ("test",))
    title = "One rule book in Python; plain Python, machine code, WebAssembly and CUDA are made of the same functions"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} 290" role="img">'
    return "\n".join([head, f"<title>{title}</title>", f"<style>{STYLE}</style>", *lines, "</svg>"]) + "\n"


def box(x: float, y: float, width: float, height: float) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}"/>'


def texts(x: float, y: float, lines: tuple[str, ...], classes: tuple[str, ...]) -> list[str]:
    """Lines of text below each other, the first at `y`."""
    return [
        f'<text{f" class={chr(34)}{name}{chr(34)}" if name else ""} x="{x}" y="{y + 22 * nth}">{escape(line)}</text>'
        for nth, (line, name) in enumerate(zip(lines, classes, strict=True))
    ]


if __name__ == "__main__":
    FILE.write_text(picture(), encoding="utf-8", newline="\n")
