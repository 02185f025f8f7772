"""How a conclusion of a paper is held against our figures.

Over data sets the Bayesian signed-rank test answers, with a region in which figures are
practically equal: a point of accuracy, a tenth of a size. A conclusion is confirmed or refuted
where the probability reaches `SURE`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from planetree.bench import stats
from planetree.bench.papers.contract import Finding, Runs
from planetree.bench.results import Results

__all__ = ["SURE", "accurate", "all_of", "decided", "paired", "ratio", "smaller", "spread_test"]

SURE = 0.9
Floats = NDArray[np.float64]
Group = Sequence[str]


def decided(for_it: float, against: float, because: str) -> Finding:
    """Turn the probabilities of a conclusion and of its opposite into a finding."""
    if for_it >= SURE:
        return Finding("confirmed", because)
    return Finding("refuted" if against >= SURE else "undecided", because)


def all_of(**findings: Finding) -> Finding:
    """Join findings of a conclusion that says several things: one refuted refutes it."""
    verdicts = {found.verdict for found in findings.values()}
    because = "; ".join(f"{name}: {found.because}" for name, found in findings.items())
    if "refuted" in verdicts:
        return Finding("refuted", because)
    return Finding("confirmed" if verdicts == {"confirmed"} else "undecided", because)


def paired(
    runs: Runs, measure: str, first: Group, second: Group, data: Group | None = None
) -> tuple[list[str], Floats, Floats]:
    """Means of two groups of systems on every data set that has both.

    Parameters
    ----------
    runs : mapping of str to Results
        What was run.
    measure : str
        Which measure.
    first, second : sequence of str
        Names of the systems of each group; its figure is their mean.
    data : sequence of str or None
        Which data; None is all.

    Returns
    -------
    names, first, second
        One entry a data set.
    """
    names, a, b = [], [], []
    for results in runs.values():
        means = results.means(measure)
        if not set(first) | set(second) <= set(results.systems):
            continue
        of = [[results.place("system", s) for s in group] for group in (first, second)]
        for i, name in enumerate(results.data):
            x, y = (float(means[i, columns].mean()) for columns in of)
            if not np.isnan(x + y) and (data is None or name in data):
                names.append(name)
                a.append(x)
                b.append(y)
    return names, np.array(a), np.array(b)


def accurate(
    runs: Runs,
    first: Group,
    second: Group,
    *,
    data: Group | None = None,
    or_equal: bool = False,
    rope: float = 0.01,
) -> Finding:
    """Find out whether one group is more accurate than another, over data sets.

    Parameters
    ----------
    runs : mapping of str to Results
        What was run.
    first, second : sequence of str
        The systems of each group.
    data : sequence of str or None
        Which data; None is all.
    or_equal : bool, default=False
        Whether practically equal will do.
    rope : float, default=0.01
        What is practically equal.

    Returns
    -------
    Finding
        By the Bayesian signed-rank test.
    """
    names, a, b = paired(runs, "accuracy", first, second, data)
    gain = f"{100 * float((a - b).mean()):+.1f} points" if len(a) else ""
    return _signed_rank(names, a, b, rope, gain, or_equal)


def smaller(
    runs: Runs,
    measure: str,
    first: Group,
    second: Group,
    *,
    data: Group | None = None,
    or_equal: bool = False,
    rope: float = 0.1,
) -> Finding:
    """Find out whether one group makes smaller trees than another, over data sets.

    Parameters
    ----------
    runs : mapping of str to Results
        What was run.
    measure : str
        What size is.
    first, second : sequence of str
        The systems of each group.
    data : sequence of str or None
        Which data; None is all.
    or_equal : bool, default=False
        Whether practically equal will do.
    rope : float, default=0.1
        What is practically equal, as a share.

    Returns
    -------
    Finding
        By the Bayesian signed-rank test of the logarithms.
    """
    names, a, b = paired(runs, measure, first, second, data)
    a, b = np.log(np.maximum(a, 0.1)), np.log(np.maximum(b, 0.1))
    times = f"{float(np.exp((a - b).mean())):.2f} times the {measure}" if len(a) else ""
    return _signed_rank(names, b, a, float(np.log1p(rope)), times, or_equal)


def _signed_rank(
    names: list[str], a: Floats, b: Floats, rope: float, said: str, or_equal: bool
) -> Finding:
    if len(names) < 3:
        return Finding("undecided", f"run on {len(names)} data sets only")
    found = stats.bayes_signed_rank(a, b, rope)
    better, equal, worse = found.first, found.equal, found.second
    because = (
        f"Bayesian signed ranks over {len(names)} data sets: better {better:.2f}, equal "
        f"{equal:.2f}, worse {worse:.2f}; on average {said}"
    )
    for_it = better + equal if or_equal else better
    return decided(for_it, 1 - for_it, because)


def ratio(
    runs: Runs, measure: str, first: Group, second: Group, holds: Callable[[float], bool]
) -> Finding:
    """Find out how many times as much one group takes as another.

    Parameters
    ----------
    runs : mapping of str to Results
        What was run.
    measure : str
        Which measure.
    first, second : sequence of str
        The systems of each group.
    holds : callable
        Whether a ratio agrees with the conclusion.

    Returns
    -------
    Finding
        Decided where both ends of the 95 % interval of the mean ratio agree.
    """
    names, a, b = paired(runs, measure, first, second)
    if len(names) < 3:
        return Finding("undecided", f"run on {len(names)} data sets only")
    log = np.log(np.maximum(a, 1e-9) / np.maximum(b, 1e-9))
    reach = student.ppf(0.975, len(log) - 1) * log.std(ddof=1) / np.sqrt(len(log))
    middle, low, high = (float(np.exp(log.mean() + side * reach)) for side in (0, -1, 1))
    because = f"{middle:.2g} times over {len(names)} data sets (95 %: {low:.2g} to {high:.2g})"
    agree = {holds(low), holds(middle), holds(high)}
    if len(agree) == 2:
        return Finding("undecided", because)
    return Finding("confirmed" if agree.pop() else "refuted", because)


def spread_test(
    results: Results, data: str, first: str, second: str, measure: str = "accuracy"
) -> stats.Test | None:
    """Corrected paired t test of two systems on one data set; None where too few cells are done."""
    values = results.values(measure)
    at = results.place("data", data)
    a, b = (values[at, results.place("system", name)] for name in (first, second))
    both = ~np.isnan(a) & ~np.isnan(b)
    if both.sum() < 2:
        return None
    place = at, results.place("system", first)
    share = results.arrays["n_test"][place] / results.arrays["n_train"][place]
    return stats.corrected_t(a[both], b[both], float(share[both].mean()))
