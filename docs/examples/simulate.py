"""A thousand games of nine-card golf between four computer players, as arrays."""

import mulligan

results = mulligan.simulate(mulligan.load_game("nine_card"), seats=4, players=["greedy", "random"], seed=1, games=1000)

points = results.points  # points[game, hole, seat]
print("points of every hole:", points.shape)
print("the best hole of all:", points.min())
for name, mean in zip(results.players, results.summary()["points_per_hole"], strict=True):
    print(f"{name}: {mean:.1f} points per hole")
