"""How the time of one test grows with rows, features and classes, for every learner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import tables
from planes_costs import root, size
from planetree import learners
from planetree.linear import Linear
from planetree.search import Univariate
from planetree.selectors import All
from report import Run
from timing import interleave, number, seconds, slope, tell

LEARNERS: dict[str, learners.CoefficientLearner] = {
    name: getattr(learners, name)()
    for name in learners.__all__
    if isinstance(getattr(learners, name), type)
    and issubclass(getattr(learners, name), learners.CoefficientLearner)
    and not getattr(learners, name).__abstractmethods__
}


def by_rows(run: Run) -> None:
    """Rows alone."""
    most = run.rows(32_000, 2_000)
    shapes = [(n, 20, 2) for n in (most // 16, most // 4, most)]
    growth(run, "rows", [n for n, _, _ in shapes], shapes)


def by_features(run: Run) -> None:
    """Features alone."""
    n = run.rows(4_000, 1_000)
    counts = [5, 20, 80]
    growth(run, "features", counts, [(n, p, 2) for p in counts])


def by_classes(run: Run) -> None:
    """Classes alone."""
    n = run.rows(8_000, 1_000)
    counts = [2, 6, 18]
    growth(run, "classes", counts, [(n, 20, k) for k in counts])


def growth(
    run: Run, what: str, amounts: Sequence[int], shapes: Sequence[tuple[int, int, int]]
) -> None:
    """A line for each shape and a slope at the end."""
    times: list[dict[str, float]] = []
    lines = []
    for n, p, k in shapes:
        data = tables.many_classes(n, p, k)
        tell(data.what)
        node = root(data.X, data.y)
        able = {name: a for name, a in LEARNERS.items() if k == 2 or a.multiclass}
        contestants: dict[str, Callable[[], Any]] = {"univariate": partial(Univariate(), node)}
        contestants |= {
            name: partial(Linear(a, All(), n_threads=1), node) for name, a in able.items()
        }
        samples = interleave(contestants, 3, patience=1)
        times.append({name: sample.median for name, sample in samples.items()})
        run.report.raw(f"{n} {p} {k}", {name: s.seconds for name, s in samples.items()})
        lines.append(f"{size(data.X)}, {k} classes")
    slopes = {
        name: number(slope(amounts, [found[name] for found in times]))
        if all(name in found for found in times)
        else ""
        for name in times[0]
    }
    run.report.section(
        f"How time grows with {what}",
        "One test at the root, from the table to the test, one thread, 5 % noise in the classes. "
        "The slope is that of the line fitted to the logarithms: 1 is proportional. Pocket draws "
        "30 cases a row; Thermal, the gradient and the coefficient searches decide themselves how "
        "long they go on.",
    )
    rows = [
        [name, *(seconds(found[name]) if name in found else "" for found in times), slopes[name]]
        for name in times[0]
    ]
    run.report.table(["", *lines, "slope"], rows)
