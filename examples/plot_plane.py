"""
A plane found step by step
==========================

Whether x + y is more than 8 is one question, but not for a tree of thresholds: it can only
walk down the boundary in steps. A *plane* asks it at once. Here one is found the plainest
way there is, by moving a line whenever a point lies on the wrong side, and then by a learner.
"""

# %%
# The table is Figure 1 of Brodley and Utgoff's *Multivariate Decision Trees*: two hundred
# points, and the classes that the sum tells apart. A tree of thresholds, first.

import matplotlib.pyplot as plt
import numpy as np

from planetree import PlaneTreeClassifier, datasets, learners, presets, show

X, y = datasets.make_sum_plane(random_state=0)
steps = presets.CART(max_depth=4).fit(X, y)
show.partition(steps, ("x0", "x1"), X, y)
print(f"{steps.n_leaves_} leaves, {(steps.predict(X) != y).sum()} points on the wrong side")

# %%
# Now the line. The *perceptron* of 1958 takes the points one by one. When one lies on the
# wrong side it adds the point to the weights, or takes it away, and the line turns towards
# it. The points are centred first, so that the line begins in their middle.

centred = np.column_stack([X - X.mean(axis=0), np.ones(len(X))])
side = 2 * y - 1
weights = np.array([0.5, -1.0, 0.0])
frames = [weights]
for _ in range(100):  # rounds through the table
    for point, which in zip(centred, side):
        if which * (point @ weights) <= 0:
            weights = weights + which * point
            frames.append(weights)

figure, axes = plt.subplots(1, 4, figsize=(10, 2.8), sharey=True, layout="constrained")
for ax, k in zip(axes, (0, 1, 10, len(frames) - 1)):
    w = frames[k]
    errors = (side * (centred @ w) <= 0).sum()
    ax.scatter(*X.T, c=np.where(y, "#D55E00", "#0072B2"), s=8)
    along = np.array([-w[1], w[0]]) / np.hypot(*w[:2])
    foot = X.mean(axis=0) - w[:2] * w[2] / (w[:2] @ w[:2])
    ax.plot(*np.array([foot - 12 * along, foot + 12 * along]).T, color="black")
    ax.set(xlim=(0, 8), ylim=(0, 8), aspect="equal", title=f"move {k}: {errors} wrong")

# %%
# A learner does such work at every node of a tree, on columns brought to one scale, and
# stops in good time when no plane parts the classes perfectly. The tree of planes asks the
# question once.

planes = PlaneTreeClassifier(learner=learners.Thermal(), univariate=False, max_leaves=2)
planes.fit(X, y)
print(planes.to_text(digits=3))

# %%
# The same picture of the same points:

show.partition(planes, ("x0", "x1"), X, y)
