"""004's tables of p values and of ratios, and what its conclusions come to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from planetree.bench import stats
from planetree.bench.papers.claims import accurate, ratio, smaller, spread_test
from planetree.bench.papers.contract import Finding, Place, Runs
from planetree.bench.papers.figures import mean_of
from planetree.bench.papers.published import read_cell, read_published
from planetree.bench.tables import Table

__all__: list[str] = []  # `brodley_utgoff` takes its tables from the module

Floats = NDArray[np.float64]
LEARNERS = ("RLS", "Thermal", "Pocket")
SELECTORS = ("DSBE", "SBE", "SFS")
ALL_SELECTORS = ("HSS", *SELECTORS)
LEVEL = 0.05
SIDE = "printed p → ours: ✓ both on the same side of 0.05, ✗ not; – not run, or too few repetitions"


def _runs_of(runs: Runs, data: str, system: str, measure: str = "accuracy") -> Floats:
    """A system's mean of each repetition that is whole."""
    for results in runs.values():
        if data in results.data and system in results.systems:
            at = results.place("data", data), results.place("system", system)
            means = results.values(measure)[at].mean(axis=1)
            return np.asarray(means[~np.isnan(means)])
    return np.array([])


def _own(runs: Runs, data: str) -> str:
    """The learner that the paper takes for these data."""
    multiclass = any(data in r.data and "RLS SBE" not in r.systems for r in runs.values())
    return "Thermal" if multiclass else "RLS"


def _beside(printed: str, p: float | None) -> str:
    theirs = read_cell(printed).value
    if p is None or np.isnan(p):
        return f"{printed} → –"
    same = "" if theirs is None else " ✓" if (theirs < LEVEL) == (p < LEVEL) else " ✗"
    return f"{printed} → {p:.3f}{same}"


def _anova(runs: Runs, data: str) -> dict[str, stats.Test] | None:
    values, learner, selector = [], [], []
    for a, b in product(LEARNERS, SELECTORS):
        found = _runs_of(runs, data, f"{a} {b}")
        values += found.tolist()
        learner += [a] * len(found)
        selector += [b] * len(found)
    if len(values) < 18:
        return None
    return stats.anova(values, {"algorithm": learner, "selection": selector})


def _p_table(
    number: int, caption: str, p: Callable[[tuple[str, ...], str], float | None], note: str = SIDE
) -> Table:
    printed = read_published("004", number)
    rows = [
        [row[0], *(_beside(cell, p(row, name)) for name, cell in zip(printed.head[1:], row[1:]))]
        for row in printed.rows
    ]
    return Table(f"Table {number}: {caption}", printed.head, rows, [note])


def table_6(runs: Runs) -> Table:
    """Two-way analysis of variance of table 5."""
    made = {data: _anova(runs, data) for data in read_published("004", 6).head[1:]}

    def p(row: tuple[str, ...], data: str) -> float | None:
        found = made[data]
        return None if found is None else found[row[0].replace(" x ", " × ")].p

    return _p_table(6, "two-way analysis of variance of table 5, p", p)


def _contrast(
    runs: Runs, data: str, groups: Sequence[Sequence[str]], weights: Sequence[float]
) -> stats.Test | None:
    """Contrast of groups of systems, in a one-way analysis of the groups."""
    values, levels = [], []
    for i, systems in enumerate(groups):
        found = [v for system in systems for v in _runs_of(runs, data, system)]
        if len(found) < 2:
            return None
        values += found
        levels += [str(i)] * len(found)
    if len(np.unique(values)) < 2:
        return None
    return stats.contrast(values, levels, {str(i): w for i, w in enumerate(weights) if w})


def table_7(runs: Runs) -> Table:
    """Contrasts of the learners."""
    groups = [[f"{name} {s}" for s in SELECTORS] for name in LEARNERS]

    def p(row: tuple[str, ...], data: str) -> float | None:
        weights = (1, -0.5, -0.5) if row[0].startswith("RLS") else (0, 1, -1)
        found = _contrast(runs, data, groups, weights)
        return None if found is None else found.p

    return _p_table(7, "contrasts of the learners, p", p)


def table_15(runs: Runs) -> Table:
    """Univariate controls against the multivariate methods."""
    groups = {
        "CART": (["CART (Uni)"], [f"CART ({b})" for b in (0.0, 0.1, 0.2)]),
        "Info": (["Uni-I"], [f"{s}-I + Uni" for s in ALL_SELECTORS]),
        "Gini": (["Uni-G"], [f"{s}-G + Uni" for s in ALL_SELECTORS]),
    }

    def p(row: tuple[str, ...], data: str) -> float | None:
        found = None if data == "vowel" else _contrast(runs, data, groups[row[0]], (1, -1))
        return None if found is None else found.p

    return _p_table(15, "univariate against multivariate methods, p", p)


def _paired(runs: Runs, data: str, first: str, second: str) -> stats.Test | None:
    a, b = _runs_of(runs, data, first), _runs_of(runs, data, second)
    if len(a) < 2 or len(a) != len(b):
        return None
    return stats.paired_t(a, b)


def table_21(runs: Runs) -> Table:
    """Multivariate tests alone (M), or univariate ones beside them (MU)."""
    printed = read_published("004", 21)
    rows = []
    for data, *cells in printed.rows:
        row = [data]
        for name, best, p in zip(("HSS", "DSBE", "SBE", "SFS"), cells[::2], cells[1::2]):
            learner = _own(runs, data)
            test = _paired(runs, data, f"{learner} {name}", f"{name}-I + Uni")
            ours = "" if test is None else " M" if test.difference > 0 else " MU"
            row.append(f"{best}, {_beside(p, None if test is None else test.p)}{ours}")
        rows.append(row)
    head = ["data", "HSS", "DSBE", "SBE", "SFS"]
    return Table("Table 21: the better of M and MU, and p", head, rows, [SIDE])


def table_22(runs: Runs) -> Table:
    """Gini against information gain."""

    def p(row: tuple[str, ...], data: str) -> float | None:
        found = _paired(runs, data, f"{row[0]}-G + Uni", f"{row[0]}-I + Uni")
        return None if found is None else found.p

    return _p_table(22, "Gini against information gain, paired t test, p", p)


def seconds(
    number: int,
    keys: int,
    base: str,
    find: Callable[[Sequence[str], str], Place | str],
    runs: Runs,
) -> Table:
    """CPU seconds as multiples of one row's, theirs and ours, with the correlation of the ranks."""
    printed = read_published("004", number)
    theirs, ours = {}, {}
    for row in printed.rows:
        for data, cell in zip(printed.head[keys:], row[keys:]):
            name = ", ".join(row[:keys])
            place = find(row[:keys], data)
            theirs[name, data] = read_cell(cell).value
            ours[name, data] = mean_of(runs, place) if isinstance(place, Place) else np.nan
    names = [", ".join(row[:keys]) for row in printed.rows]

    def times(figures: Any, name: str, data: str) -> str:
        figure, one = figures[name, data], figures[base, data]
        if figure is None or np.isnan(figure) or not one or np.isnan(one):
            return "–"
        return f"{figure / one:.2g}"

    rows = [
        [*name.split(", "), *(f"{times(theirs, name, d)} → {times(ours, name, d)}"
                              for d in printed.head[keys:])]
        for name in names
    ]  # fmt: skip
    correlations = []
    for data in printed.head[keys:]:
        pairs = [(theirs[n, data], ours[n, data]) for n in names]
        both = [(a, b) for a, b in pairs if a is not None and not np.isnan(b)]
        correlations.append(
            f"{spearmanr(*np.array(both).T).statistic:.2f}" if len(both) > 2 else "–"
        )
    rows.append(["rank correlation", *[""] * (keys - 1), *correlations])
    return Table(
        f"Table {number}: CPU seconds, as multiples of {base}",
        printed.head,
        rows,
        [f"printed → ours. A fit of {base} takes here, in ms: " + ", ".join(
            f"{data} {1000 * ours[base, data]:.1f}" for data in printed.head[keys:]
            if not np.isnan(ours[base, data])
        )],
    )  # fmt: skip


def _change(runs: Runs, data: str, name: str) -> tuple[float, float, float] | None:
    """What MTP changes: points of accuracy, features a test, milliseconds."""
    system = f"{_own(runs, data)} {name}"
    found = []
    for suffix in ("", " MTP"):
        a, size, tests, seconds = (
            _runs_of(runs, data, system + suffix, measure)
            for measure in ("accuracy", "size", "tests", "fit_seconds")
        )
        if not len(a):
            return None
        features = size.mean() / max(tests.mean(), 1e-9)
        found.append((100 * a.mean(), features, 1000 * seconds.mean()))
    before, after = found
    return after[0] - before[0], after[1] - before[1], after[2] - before[2]


def table_24(runs: Runs) -> Table:
    """What multivariate tree pruning changes."""
    rows = []
    for name, *cells in read_published("004", 24).rows:
        found = _change(runs, "hepatitis", name)
        ours = ["–"] * 3 if found is None else [f"{v:+.1f}" for v in found]
        rows.append([name, *(f"{theirs} → {mine}" for theirs, mine in zip(cells, ours))])
    return Table(
        "Table 24: MTP less basic pruning on hepatitis",
        ["selection", "accuracy, points", "features a test", "time (theirs s, ours ms)"],
        rows,
    )


def _systems(learner: str) -> list[str]:
    return [f"{learner} {name}" for name in SELECTORS]


TWO = ("breast", "bupa", "cleveland", "hepatitis")


def rls_most_accurate(runs: Runs) -> Finding:
    """Against both other learners, by contrasts as in table 7."""
    told, signs = [], []
    groups = [_systems(name) for name in LEARNERS]
    for data in TWO:
        test = _contrast(runs, data, groups, (1, -0.5, -0.5))
        if test is not None:
            signs.append(np.sign(test.difference) * (test.p < LEVEL))
            told.append(f"{data} {100 * test.difference:+.1f} points (p = {test.p:.3f})")
    return _count(signs, "contrasts, " + ", ".join(told))


def _count(signs: Sequence[float], because: str) -> Finding:
    """More significant wins than defeats, on at least half of the data."""
    wins, losses = sum(s > 0 for s in signs), sum(s < 0 for s in signs)
    if not signs:
        return Finding("undecided", "not run, or too few repetitions")
    if 2 * wins >= len(signs) and wins > losses:
        return Finding("confirmed", because)
    return Finding("refuted" if 2 * losses >= len(signs) else "undecided", because)


def rls_smallest(runs: Runs) -> Finding:
    """By size, the sum of features over tests."""
    return smaller(runs, "size", _systems("RLS"), _systems("Thermal") + _systems("Pocket"))


def rls_slowest(runs: Runs) -> Finding:
    """By CPU seconds with SBE and SFS."""
    others = ["Thermal SBE", "Thermal SFS", "Pocket SBE", "Pocket SFS"]
    return ratio(runs, "fit_seconds", ["RLS SBE", "RLS SFS"], others, lambda r: r > 2)


def selection_matters_less(runs: Runs) -> Finding:
    """By the analysis of variance of table 6."""
    told, holds = [], []
    for data in TWO:
        found = _anova(runs, data)
        if found is None:
            continue
        learner, selection, together = (
            found[k] for k in ("algorithm", "selection", "algorithm × selection")
        )
        told.append(
            f"{data}: F {learner.statistic:.1f} of the learner, {selection.statistic:.1f} of the "
            f"selection (p = {selection.p:.2f}), interaction p = {together.p:.2f}"
        )
        holds.append(learner.statistic > selection.statistic and together.p >= LEVEL)
    if len(holds) < len(TWO):
        return Finding("undecided", "not run on all four data sets; " + "; ".join(told))
    return Finding("confirmed" if all(holds) else "refuted", "; ".join(told))


def hss_never_worse(runs: Runs) -> Finding:
    """By corrected paired t tests on every data set."""
    worse, n = [], 0
    for study, results in runs.items():
        learner = "RLS" if "RLS SBE" in results.systems else "Thermal"
        for data, other in product(results.data, ("SBE", "SFS")):
            test = spread_test(results, data, f"{learner} HSS", f"{learner} {other}")
            if study == "vowel" or test is None:
                continue
            n += 1
            if test.difference < 0 and test.p < LEVEL:
                worse.append(f"{data} against {other}")
    if not n:
        return Finding("undecided", "not run")
    because = f"{n} corrected paired t tests; worse at 0.05: {', '.join(worse) or 'none'}"
    return Finding("refuted" if worse else "confirmed", because)


def _by_study(
    runs: Runs, judge: Callable[..., Finding], first: str, second: str, **options: Any
) -> Finding:
    """A comparison of selections: each data set with its own learner, under one name."""
    merged = {}
    for study, results in runs.items():
        learner = "RLS" if "RLS SBE" in results.systems else "Thermal"
        merged[study] = _Renamed(results, learner)
    return judge(merged, **options, first=[first], second=[second])


class _Renamed:
    """Results whose systems of the data's own learner are called "own SBE" and so on."""

    def __init__(self, results: Any, learner: str) -> None:
        self._results, self._learner = results, learner
        self.data = results.data
        self.systems = [name.replace(f"{learner} ", "own ") for name in results.systems]
        self.means = results.means

    def place(self, kind: str, name: str) -> int:
        """Place of a data set or a system in the arrays."""
        return int(self._results.place(kind, name.replace("own ", f"{self._learner} ")))


def dsbe_as_good(runs: Runs) -> Finding:
    """Over all eight data sets."""
    return _by_study(runs, accurate, "own DSBE", "own SBE", or_equal=True)


def dsbe_fastest(runs: Runs) -> Finding:
    """By CPU seconds, against the fastest of the others on average."""
    found = []
    for other in ("HSS", "SBE", "SFS"):
        found.append(
            _by_study(
                runs,
                lambda r, first, second: ratio(
                    r, "fit_seconds", first, second, lambda times: times < 0.5
                ),
                "own DSBE",
                f"own {other}",
            )
        )
    verdicts = {each.verdict for each in found}
    told = "; ".join(f"{o}: {f.because}" for o, f in zip(("HSS", "SBE", "SFS"), found))
    if "refuted" in verdicts:
        return Finding("refuted", told)
    return Finding(verdicts.pop() if len(verdicts) == 1 else "undecided", told)


def multivariate_wins(runs: Runs) -> Finding:
    """The best multivariate method of each kind against its univariate control, data by data."""
    better: list[str] = []
    worse: list[str] = []
    for data in (d for results in runs.values() for d in results.data):
        for control, kind in (("Uni-G", "G"), ("Uni-I", "I")):
            many = [f"{s}-{kind} + Uni" for s in ALL_SELECTORS]
            test = _contrast(runs, data, ([control], many), (-1, 1))
            if test is not None and test.p < LEVEL:
                (better if test.difference > 0 else worse).append(f"{data} ({kind})")
    because = (
        f"contrasts at 0.05: better on {', '.join(better) or 'none'}; worse on "
        f"{', '.join(worse) or 'none'}"
    )
    if not better and not worse:
        return Finding("undecided", because)
    only_glass = all("glass" in name for name in worse)
    if len(better) > len(worse) and only_glass:
        return Finding("confirmed", because)
    return Finding("refuted" if len(worse) > len(better) else "undecided", because)


def fewer_tests(runs: Runs) -> Finding:
    """By tests, over all data sets."""
    return smaller(runs, "tests", [f"{s}-G + Uni" for s in ALL_SELECTORS], ["Uni-G"])


def mixing_no_better(runs: Runs) -> Finding:
    """By accuracy, all selections together."""
    merged = {
        study: _Renamed(results, "RLS" if "RLS SBE" in results.systems else "Thermal")
        for study, results in runs.items()
    }
    return accurate(
        merged,  # type: ignore[arg-type]
        [f"own {s}" for s in ALL_SELECTORS],
        [f"{s}-I + Uni" for s in ALL_SELECTORS],
        or_equal=True,
    )


def cart_worse(runs: Runs) -> Finding:
    """By accuracy, against the methods with Gini."""
    carts = [f"CART ({b})" for b in (0.0, 0.1, 0.2)]
    return accurate(runs, [f"{s}-G + Uni" for s in ALL_SELECTORS], carts)


def beta_does_not_matter(runs: Runs) -> Finding:
    """By one-way analyses of variance, without vowel as in the paper."""
    told, n = [], 0
    for data in (d for results in runs.values() for d in results.data if d != "vowel"):
        values, levels = [], []
        for b in (0.0, 0.1, 0.2):
            found = _runs_of(runs, data, f"CART ({b})")
            values += found.tolist()
            levels += [str(b)] * len(found)
        if len(values) >= 6 and len(np.unique(values)) > 1:
            n += 1
            p = stats.anova(values, {"beta": levels})["beta"].p
            if p < LEVEL:
                told.append(f"{data} (p = {p:.3f})")
    if not n:
        return Finding("undecided", "too few repetitions")
    because = f"one-way analyses of variance on {n} data sets; differences at 0.05: "
    return Finding("refuted" if told else "confirmed", because + (", ".join(told) or "none"))


def univariate_faster(runs: Runs) -> Finding:
    """By CPU seconds."""
    many = [f"{s}-G + Uni" for s in ALL_SELECTORS]
    return ratio(runs, "fit_seconds", ["Uni-G"], many, lambda r: r < 0.5)


def mtp_only_hepatitis(runs: Runs) -> Finding:
    """By accuracy and features a test."""
    changed, n = [], 0
    for data in (*TWO, "glass"):
        found = [_change(runs, data, name) for name in ALL_SELECTORS]
        done = [each for each in found if each is not None]
        n += bool(done)
        if any(abs(each[0]) > 1e-9 or abs(each[1]) > 1e-9 for each in done):
            largest = max(done, key=lambda each: abs(each[1]))
            changed.append(f"{data} ({largest[0]:+.1f} points, {largest[1]:+.1f} features a test)")
    if not n:
        return Finding("undecided", "not run")
    because = f"trees changed on {', '.join(changed) or 'none'} of {n} data sets"
    if n < 5:
        return Finding("undecided", because)
    only = len(changed) == 1 and changed[0].startswith("hepatitis")
    return Finding("confirmed" if only else "refuted", because)
