"""Draw docs/images/planes.svg, the picture that README.md opens with.

The same points, parted by a tree of thresholds and by a tree of planes.
"""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
from matplotlib import pyplot as plt

from planetree import PlaneTreeClassifier, datasets, presets, show

TARGET = Path(__file__).parent.parent / "docs" / "images" / "planes.svg"


def main() -> None:
    mpl.rcParams.update(
        {"svg.hashsalt": "planetree", "svg.fonttype": "none", "path.simplify_threshold": 1.0}
    )
    X, y = datasets.make_sum_plane(150, random_state=0)
    steps, planes = PlaneTreeClassifier().fit(X, y), presets.Default().fit(X, y)
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.8), layout="constrained", sharey=True)
    for ax, tree, kind in zip(axes, (steps, planes), ("one feature a test", "planes")):
        show.partition(tree, ("x0", "x1"), X, y, resolution=240, ax=ax)
        ax.set_title(f"{kind}: {tree.n_leaves_} leaves")
        if legend := ax.get_legend():
            legend.remove()
    figure.savefig(TARGET, metadata={"Date": None})
    text = TARGET.read_text(encoding="utf-8")
    text = re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.1f}", text)  # half the bytes
    TARGET.write_text("".join(f"{line.rstrip()}\n" for line in text.splitlines()), encoding="utf-8")


if __name__ == "__main__":
    main()
