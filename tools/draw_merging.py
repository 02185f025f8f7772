"""Draw docs/methods/hyperplane-merging.svg: how two planes in a row become one.

The picture is that of Kubat and Flotzinger's Figure 1, drawn with planetree's own `merged_plane`.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("svg")
from matplotlib import pyplot as plt

from planetree.planes import LinearThresholdUnit, Term
from planetree.pruners.hyperplane_merging import merged_plane

TARGET = Path(__file__).parent.parent / "docs" / "methods" / "hyperplane-merging.svg"
X, Y = Term(0, None, 0.0), Term(1, None, 0.0)
PARENT = LinearThresholdUnit((X, Y), (0.35, 1.0), 0.2)
CHILD = LinearThresholdUnit((X, Y), (1.0, -0.15), 0.1)


def line(ax, test: LinearThresholdUnit, name: str, **style: object) -> None:
    """Where the weighted sum is the cut."""
    weights = dict(zip([term.feature for term in test.terms], test.weights))
    a, b = weights.get(0, 0.0), weights.get(1, 0.0)
    along = np.array([-b, a]) / np.hypot(a, b)
    foot = np.array([a, b]) * test.cut / (a * a + b * b)
    ends = np.array([foot - 3 * along, foot + 3 * along])
    ax.plot(*ends.T, label=name, **style)


def main() -> None:
    mpl.rcParams.update({"svg.hashsalt": "planetree", "svg.fonttype": "none"})
    figure, axes = plt.subplots(1, 3, figsize=(9, 3.1), layout="constrained", sharey=True)
    corner = np.linalg.solve([PARENT.weights, CHILD.weights], [PARENT.cut, CHILD.cut])
    along = [np.array([-test.weights[1], test.weights[0]]) for test in (PARENT, CHILD)]
    along[0] *= np.sign(along[0] @ CHILD.weights)
    along[1] *= np.sign(along[1] @ PARENT.weights)
    inner = corner + 3 * np.array([0 * along[0], along[0], along[0] + along[1], along[1]])
    for ax, share in zip(axes, (0.25, 0.5, 0.75)):
        ax.fill(*inner.T, color="honeydew", label="kept together")
        line(ax, PARENT, "parent", color="tab:blue")
        line(ax, CHILD, "child", color="tab:orange")
        merged = merged_plane(PARENT, 1, CHILD, 1, share)
        line(ax, merged, "merged", color="black", linestyle="--", linewidth=2)
        ax.set_title(f"the child has {share:.0%} of both", fontsize=9)
        ax.set(xlim=(-1, 1), ylim=(-1, 1), xticks=[], yticks=[], aspect="equal")
    axes[0].legend(loc="lower right", fontsize=8)
    figure.savefig(TARGET, metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()
