"""Pictures of a study: who differs from whom, and accuracy against size."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from planetree.bench import stats
from planetree.bench.comparisons import ranked
from planetree.bench.measures import MEASURES
from planetree.bench.results import Results
from planetree.errors import StudyError
from planetree.extras import require

__all__ = ["accuracy_against_size", "critical_differences", "save"]

MARKERS = "osD^vP*X<>hd"


def _figure(width: float, height: float) -> Any:
    """Make a figure that no window or notebook knows of."""
    figure = require("matplotlib.figure", extra="bench", purpose="drawing")
    return figure.Figure(figsize=(width, height), layout="constrained")


def critical_differences(results: Results, measure: str = "accuracy", alpha: float = 0.05) -> Any:
    """Draw mean ranks, with a bar over systems that Nemenyi's test does not tell apart.

    Parameters
    ----------
    results : Results
        What came of a study.
    measure : str, default="accuracy"
        Which measure.
    alpha : float, default=0.05
        Level of the test.

    Returns
    -------
    matplotlib.figure.Figure
        The diagram of Demšar (2006), drawn by scikit-posthocs.
    """
    posthocs = require("scikit_posthocs", extra="bench", purpose="the critical-difference diagram")
    pandas = require("pandas", extra="bench", purpose="the critical-difference diagram")
    figures, names = ranked(results, measure)
    try:
        stats.friedman(figures)
    except ValueError as error:
        raise StudyError(str(error)) from None
    frame = pandas.DataFrame(stats.nemenyi(figures), names, names)
    ranks = pandas.DataFrame(figures, columns=names).rank(axis=1).mean()
    figure = _figure(7, 1.2 + 0.25 * len(names))
    axes = figure.add_subplot()
    axes.set_title(f"mean rank by {MEASURES[measure].title}", fontsize=10)
    # Older versions have this level and no parameter for it.
    level = {} if alpha == 0.05 else {"alpha": alpha}
    posthocs.critical_difference_diagram(ranks, frame, ax=axes, **level)
    return figure


def accuracy_against_size(results: Results, size: str = "leaves", measure: str = "accuracy") -> Any:
    """Draw how right systems are against how large their trees are, a point a data set.

    Parameters
    ----------
    results : Results
        What came of a study.
    size : str, default="leaves"
        A measure of size.
    measure : str, default="accuracy"
        A measure of how right they are.

    Returns
    -------
    matplotlib.figure.Figure
        Small points for the data sets, a large one for their mean (geometric for the size).
        Systems without a size are lines.
    """
    right = MEASURES[measure].scale * results.means(measure)
    large = MEASURES[size].scale * results.means(size)
    figure = _figure(7, 4.5)
    axes = figure.add_subplot()
    for j, system in enumerate(results.systems):
        known = ~np.isnan(right[:, j])
        if not known.any():
            continue
        colour, marker = f"C{j % 10}", MARKERS[j % len(MARKERS)]
        mean = right[known, j].mean()
        sized = known & (large[:, j] > 0)
        if not sized.any():
            axes.axhline(mean, color=colour, linestyle="--", linewidth=1, label=system)
            continue
        dots = {"c": colour, "marker": marker}
        sizes = large[sized, j]
        axes.scatter(sizes, right[sized, j], 12, alpha=0.4, **dots)
        # Rounding must not make two sizes of one: no axis can hold them both.
        middle = np.clip(np.exp(np.log(sizes).mean()), sizes.min(), sizes.max())
        axes.scatter(middle, mean, 80, label=system, edgecolors="black", **dots)
    axes.set_xscale("log")
    axes.set_xlabel(MEASURES[size].title)
    axes.set_ylabel(MEASURES[measure].title)
    axes.legend(fontsize=8)
    return figure


def save(figure: Any, path: str | Path) -> None:
    """Write a picture; the file's name says in which format.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The picture.
    path : str or path
        Such as ``ranks.svg``, ``ranks.pdf`` or ``ranks.png``.
    """
    known = figure.canvas.get_supported_filetypes()
    kind = Path(path).suffix.removeprefix(".").lower()
    if kind not in known:
        raise StudyError(f"{path}: pictures are written as {', '.join(sorted(known))}")
    figure.savefig(path, dpi=150)
