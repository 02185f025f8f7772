"""Which differences of a study are more than chance: its results put through tests, as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from planetree.bench import stats
from planetree.bench.measures import MEASURES
from planetree.bench.protocols import FiveByTwo
from planetree.bench.results import Results
from planetree.bench.tables import Figure, Table, state
from planetree.choices import choose
from planetree.errors import StudyError

__all__ = ["COMPARISONS", "Question", "compare", "pairwise", "wins"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Question:
    """What is asked of a comparison beside the measure.

    Parameters
    ----------
    control : str or None
        The system that all others are compared with, data set by data set; None compares all
        pairs.
    alpha : float, default=0.05
        Probability below which a difference counts.
    rope : float, default=0.01
        Differences up to this are practically none, in the unit of the results: 0.01 is one point
        of accuracy.
    contrasts : sequence of pairs of sequences of str
        Groups of systems whose means are compared within the analysis of variance.
    """

    control: str | None = None
    alpha: float = 0.05
    rope: float = 0.01
    contrasts: Sequence[tuple[Sequence[str], Sequence[str]]] = field(default_factory=tuple)


def pairwise(
    results: Results, measure: str, test: str, data: int, first: int, second: int
) -> stats.Test | None:
    """Compare two systems on one data set, fold by fold.

    Parameters
    ----------
    results : Results
        What came of a study.
    measure : str
        Which measure.
    test : {"f5x2", "t", "corrected-t"}
        The test.
    data, first, second : int
        Places of the data set and the systems.

    Returns
    -------
    Test or None
        None where there are too few cells.
    """
    values = results.values(measure)
    a, b = values[data, first], values[data, second]
    both = ~np.isnan(a) & ~np.isnan(b)
    if test == "f5x2":
        kind = results.description["protocol"]["kind"]
        if kind != FiveByTwo.kind:
            raise StudyError(f"the test f5x2 is for the protocol 5x2; this study has {kind}")
        return stats.f_5x2(a, b) if both.all() else None
    if both.sum() < 2:
        return None
    if test == "t":
        return stats.paired_t(a[both], b[both])
    shares = results.arrays["n_test"][data, first] / results.arrays["n_train"][data, first]
    return stats.corrected_t(a[both], b[both], float(shares[both].mean()))


def wins(results: Results, measure: str, test: str, alpha: float = 0.05) -> NDArray[np.int64]:
    """Count the data sets on which each system is significantly better than each other.

    Parameters
    ----------
    results : Results
        What came of a study.
    measure : str
        Which measure.
    test : {"f5x2", "t", "corrected-t"}
        The test.
    alpha : float, default=0.05
        Its level.

    Returns
    -------
    ndarray of shape (n_systems, n_systems)
        How often the system of the row is better than that of the column.
    """
    n = len(results.systems)
    sign = _sign(measure)
    count = np.zeros((n, n), np.int64)
    for data in range(len(results.data)):
        for i, j in combinations(range(n), 2):
            found = pairwise(results, measure, test, data, i, j)
            if found is not None and found.p < alpha:
                better = (i, j) if sign * found.difference > 0 else (j, i)
                count[better] += 1
    return count


def _sign(measure: str) -> int:
    better = MEASURES[measure].better
    if better is None:
        raise StudyError(f"neither more nor less is better of {MEASURES[measure].title}")
    return 1 if better == "high" else -1


def _fold_by_fold(test: str, name: str) -> Callable[[Results, str, Question], list[Table]]:
    def compare(results: Results, measure: str, question: Question) -> list[Table]:
        if question.control is None:
            return [_win_table(results, measure, test, name, question.alpha)]
        return [_control_table(results, measure, test, name, question)]

    return compare


def _win_table(results: Results, measure: str, test: str, name: str, alpha: float) -> Table:
    count = wins(results, measure, test, alpha)
    rows = [
        [system, *("" if i == j else str(n) for j, n in enumerate(count[i]))]
        for i, system in enumerate(results.systems)
    ]
    note = (
        f"On how many of {len(results.data)} data sets the row is better than the column "
        f"(p < {alpha:g})."
    )
    return Table(
        f"{MEASURES[measure].title}: {name}", ["", *results.systems], rows, [note, *state(results)]
    )


def _control_table(
    results: Results, measure: str, test: str, name: str, question: Question
) -> Table:
    assert question.control is not None
    control = results.place("system", question.control)
    others = [j for j in range(len(results.systems)) if j != control]
    what, sign = MEASURES[measure], _sign(measure)
    tally = np.zeros((3, len(others)), np.int64)  # better, no telling, worse
    rows: list[list[str | Figure]] = []
    for i, data in enumerate(results.data):
        row: list[str | Figure] = [data]
        for column, j in enumerate(others):
            found = pairwise(results, measure, test, i, j, control)
            if found is None:
                row.append("–")
                continue
            significant = found.p < question.alpha
            tally[1 - int(np.sign(sign * found.difference)) if significant else 1, column] += 1
            mark = f" (p {_p(found.p)}){' !' if significant else ''}"
            row.append(Figure(what.scale * found.difference, None, what.digits, mark))
        rows.append(row)
    rows.append(["better–alike–worse", *("–".join(map(str, t)) for t in tally.T)])
    note = (
        f"Each system minus {question.control}; ! marks p < {question.alpha:g}. Below, how often "
        "it is better, not told apart, worse."
    )
    head = ["data", *(results.systems[j] for j in others)]
    return Table(f"{what.title}: {name}", head, rows, [note, *state(results)])


def _friedman(results: Results, measure: str, question: Question) -> list[Table]:
    figures, names, note = _whole(results, measure)
    found = stats.friedman(figures)
    distance = stats.nemenyi_distance(len(figures), len(names), question.alpha)
    notes = [
        f"Friedman's test, F form: F = {found.statistic:.3f}, p {_p(found.p)}, "
        f"{len(figures)} data sets. Mean ranks {distance:.3f} apart differ by Nemenyi's test at "
        f"{question.alpha:g}.",
        *note,
    ]
    ranks = _ranks(figures)
    pairs = stats.nemenyi(figures)
    rows: list[list[str | Figure]] = [["mean rank", *(Figure(float(r), None, 2) for r in ranks)]]
    rows += _p_rows(names, pairs, question.alpha)
    title = f"{MEASURES[measure].title}: Friedman's test, and p of pairs by Nemenyi's"
    return [Table(title, ["", *names], rows, notes)]


def _wilcoxon(results: Results, measure: str, question: Question) -> list[Table]:
    figures, names, note = _whole(results, measure)
    rows = _p_rows(names, stats.wilcoxon_holm(figures), question.alpha)
    test = "Wilcoxon's signed-rank test, Holm's correction"
    title = f"{MEASURES[measure].title}: p of pairs by {test}"
    return [Table(title, ["", *names], rows, note)]


def _bayes(results: Results, measure: str, question: Question) -> list[Table]:
    figures, names, note = _whole(results, measure)
    pairs = list(combinations(range(len(names)), 2))
    if question.control is not None:
        results.place("system", question.control)
        pairs = [(i, j) for i, j in pairs if question.control in (names[i], names[j])]
    rows: list[list[str | Figure]] = []
    for i, j in pairs:
        found = stats.bayes_signed_rank(-figures[:, i], -figures[:, j], question.rope)
        shares = (found.first, found.equal, found.second)
        rows.append([f"{names[i]} – {names[j]}", *(Figure(p, None, 3) for p in shares)])
    note = [f"Practically equal: mean figures at most {question.rope:g} apart.", *note]
    title = f"{MEASURES[measure].title}: Bayesian signed-rank test"
    return [Table(title, ["", "first better", "equal", "second better"], rows, note)]


def _anova(results: Results, measure: str, question: Question) -> list[Table]:
    factors = [results.description["systems"][name]["factors"] for name in results.systems]
    keys = sorted({key for of in factors for key in of})
    if len(keys) > 2:
        raise StudyError(f"two factors at most can be analysed, the systems have {', '.join(keys)}")
    taken = [j for j, of in enumerate(factors) if keys and set(of) == set(keys)]
    rows: dict[str, list[str | Figure]] = {}
    for i, _ in enumerate(results.data):
        groups = _observations(results, measure, i)
        systems = [results.systems[j] for j in range(len(groups)) for _ in groups[j]]
        terms = stats.anova(np.concatenate(groups), {"system": systems})
        if taken:
            values = np.concatenate([groups[j] for j in taken])
            levels = {key: [factors[j][key] for j in taken for _ in groups[j]] for key in keys}
            terms |= stats.anova(values, levels)
        for first, second in question.contrasts:
            weights = dict.fromkeys(second, -1 / len(second))
            for name in first:
                weights[name] = weights.get(name, 0.0) + 1 / len(first)
            for name in weights:
                results.place("system", name)
            terms[f"{', '.join(first)} – {', '.join(second)}"] = stats.contrast(
                np.concatenate(groups), systems, weights
            )
        for term, found in terms.items():
            mark = " !" if found.p < question.alpha else ""
            rows.setdefault(term, [term]).append(Figure(found.p, None, 3, mark))
    notes = [
        f"p of each source of variance; ! marks p < {question.alpha:g}. The observations are "
        f"{_observed(results)}.",
        *state(results),
    ]
    title = f"{MEASURES[measure].title}: analysis of variance"
    return [Table(title, ["source", *results.data], list(rows.values()), notes)]


def _observations(results: Results, measure: str, data: int) -> list[Floats]:
    values = results.values(measure)[data]
    if values.shape[1] > 1:
        values = values.mean(axis=2)
    values = values.reshape(len(values), -1)
    groups = [of[~np.isnan(of)] for of in values]
    if min(map(len, groups)) < 2:
        raise StudyError(
            f"the analysis of variance needs two {_observed(results)} or more of each system on "
            f"{results.data[data]}"
        )
    return groups


def _observed(results: Results) -> str:
    many = results.description["protocol"]["repeats"] > 1
    return "means of the repetitions" if many else "figures of the folds"


COMPARISONS: Mapping[str, Callable[[Results, str, Question], list[Table]]] = {
    "f5x2": _fold_by_fold("f5x2", "combined 5×2cv F test"),
    "t": _fold_by_fold("t", "paired t test"),
    "corrected-t": _fold_by_fold("corrected-t", "corrected paired t test"),
    "anova": _anova,
    "friedman": _friedman,
    "wilcoxon": _wilcoxon,
    "bayes": _bayes,
}


def compare(
    results: Results, measure: str, test: str, question: Question | None = None
) -> list[Table]:
    """Put the results of a study through a test.

    Parameters
    ----------
    results : Results
        What came of a study.
    measure : str
        Which measure.
    test : {"f5x2", "t", "corrected-t", "anova", "friedman", "wilcoxon", "bayes"}
        The test.
    question : Question, default=None
        What else is asked.

    Returns
    -------
    list of Table
        What it found.
    """
    try:
        return choose("test", test, COMPARISONS)(results, measure, question or Question())
    except ValueError as error:
        raise StudyError(str(error)) from None


def ranked(results: Results, measure: str) -> tuple[Floats, list[str]]:
    """Mean figures on data sets where all systems have one; smaller is better."""
    figures, names, _ = _whole(results, measure)
    return figures, names


def _whole(results: Results, measure: str) -> tuple[Floats, list[str], list[str]]:
    """Leave out systems without the measure, and data sets where one of the others lacks it."""
    means = -_sign(measure) * results.means(measure)
    some = np.asarray((~np.isnan(means)).any(axis=0))
    figures = means[:, some]
    whole = np.asarray((~np.isnan(figures)).all(axis=1))
    names = [name for name, has in zip(results.systems, some, strict=True) if has]
    notes = state(results)
    if not whole.all():
        absent = [name for name, has in zip(results.data, whole, strict=True) if not has]
        notes.insert(0, f"Left out, since not every system has figures there: {', '.join(absent)}.")
    return figures[whole], names, notes


def _ranks(figures: Floats) -> Floats:
    ranks: Floats = rankdata(figures, axis=1).mean(axis=0)
    return ranks


def _p_rows(names: Sequence[str], pairs: Floats, alpha: float) -> list[list[str | Figure]]:
    return [
        [
            name,
            *(
                "" if i == j else Figure(float(p), None, 3, " !" if p < alpha else "")
                for j, p in enumerate(pairs[i])
            ),
        ]
        for i, name in enumerate(names)
    ]


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
