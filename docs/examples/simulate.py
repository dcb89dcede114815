"""A thousand games of nine-card golf between four computer players, as arrays."""

from mulligan.game import variants
from mulligan.simulate import simulate

variant = variants.load("nine_card")
results = simulate(variant, seats=4, players=["greedy", "random"], seed=1, games=1000)

points = results.points  # points[game, hole, seat]
print("points of every hole:", points.shape)
print("the best hole of all:", points.min())
for name, mean in zip(results.players, results.summary()["points_per_hole"], strict=True):
    print(f"{name}: {mean:.1f} points per hole")
