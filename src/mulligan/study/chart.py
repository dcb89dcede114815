"""The chart of a tournament: strokes against the field with 95 % intervals, as SVG, PNG or what Matplotlib writes."""

from pathlib import Path
from typing import Any


def draw(results: dict[str, Any], title: str, file: Path) -> None:
    """Draws the results of `standings.standings`. Raises ValueError for a file ending that is no picture format."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "mulligan"  # the same results give the same file
    from matplotlib.figure import Figure

    players = results["players"][::-1]
    figure = Figure(figsize=(8, 1.6 + 0.4 * len(players)), layout="constrained")
    kinds = figure.canvas.get_supported_filetypes()
    if file.suffix[1:].lower() not in kinds:
        raise ValueError(f"{file}: a chart ends in .svg or .png.")
    axes = figure.add_subplot()
    for offset, field, label, colour in (
        (0.12, "strokes", "as played", "#818b98"),
        (-0.12, "adjusted", "without the luck of the cards", "#0a7d4b"),
    ):
        axes.errorbar(
            [player[field] for player in players],
            [place + offset for place in range(len(players))],
            xerr=[player[f"{field}_interval"] for player in players],
            fmt="o",
            markersize=4,
            capsize=3,
            color=colour,
            label=label,
        )
    axes.set_ylim(-0.5, len(players) - 0.5)
    axes.axvline(0, color="#59636e", linewidth=0.8, linestyle="--")
    axes.set_yticks(range(len(players)), [player["player"].replace("$", r"\$") for player in players])
    axes.set_xlabel("strokes per hole against the field, fewer are better; 95 % intervals")
    axes.set_title(title)
    axes.legend(fontsize="small")
    figure.savefig(file, metadata={"Date": None} if file.suffix.lower() == ".svg" else None)
