"""Tests that tell a difference from chance, as functions of plain arrays.

Where one test is made of several readings, the docstring says which one this is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from planetree.extras import require

__all__ = [
    "Bayes",
    "Test",
    "anova",
    "bayes_signed_rank",
    "contrast",
    "corrected_t",
    "f_5x2",
    "friedman",
    "nemenyi",
    "nemenyi_distance",
    "paired_t",
    "wilcoxon_holm",
]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Test:
    """What a test found.

    Parameters
    ----------
    statistic : float
        Its statistic.
    p : float
        Probability of one at least as large if there is no difference.
    difference : float
        The first mean minus the second, where two are compared.
    """

    __test__ = False  # for pytest

    statistic: float
    p: float
    difference: float = np.nan


def f_5x2(first: ArrayLike, second: ArrayLike) -> Test:
    """Combined 5×2cv F test of two systems on one data set (Alpaydın 1999).

    Parameters
    ----------
    first, second : array of shape (5, 2)
        Their figures, by repetition and fold.

    Returns
    -------
    Test
        F with 10 and 5 degrees of freedom.

    Examples
    --------
    >>> from planetree.bench.stats import f_5x2
    >>> f_5x2([[3, 1]] * 5, [[1, 1]] * 5).statistic
    1.0
    """
    d = np.asarray(first, float) - np.asarray(second, float)
    if d.shape != (5, 2):
        raise ValueError(f"the 5×2cv F test needs five repetitions of two folds, not {d.shape}")
    variance = ((d - d.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    statistic = _ratio((d**2).sum(), 2 * variance.sum())
    return Test(statistic, float(stats.f.sf(statistic, 10, 5)), float(d.mean()))


def paired_t(first: ArrayLike, second: ArrayLike) -> Test:
    """Paired t test, two-sided, as if the pairs did not share training rows.

    Parameters
    ----------
    first, second : array
        Their figures; pairs come from the same fold.

    Returns
    -------
    Test
        t with one degree of freedom less than there are pairs.

    Examples
    --------
    >>> from planetree.bench.stats import paired_t
    >>> round(paired_t([1, 2, 3], [0, 0, 0]).statistic, 3)
    3.464
    """
    return corrected_t(first, second, 0.0)


def corrected_t(first: ArrayLike, second: ArrayLike, test_over_train: float) -> Test:
    """Paired t test with the variance that overlapping training parts hide (Nadeau, Bengio 2003).

    Parameters
    ----------
    first, second : array
        Their figures; pairs come from the same fold.
    test_over_train : float
        Rows of a test part over rows of a training part: 1/9 for ten folds.

    Returns
    -------
    Test
        t, two-sided, with one degree of freedom less than there are pairs.

    Examples
    --------
    >>> from planetree.bench.stats import corrected_t
    >>> round(corrected_t([1, 2, 3], [0, 0, 0], 2 / 3).statistic, 3)
    2.0
    """
    d = (np.asarray(first, float) - np.asarray(second, float)).ravel()
    n = len(d)
    if n < 2:
        raise ValueError("a t test needs two pairs or more")
    error = np.sqrt(d.var(ddof=1) * (1 / n + test_over_train))
    statistic = float(np.sign(d.mean())) * _ratio(abs(d.mean()), error)
    return Test(statistic, float(2 * stats.t.sf(abs(statistic), n - 1)), float(d.mean()))


def _ratio(a: float, b: float) -> float:
    """Divide; no difference at all is none, and a difference without any variance is certain."""
    if b == 0:
        return 0.0 if a == 0 else np.inf
    return float(a / b)


def anova(values: ArrayLike, factors: Mapping[str, Sequence[str]]) -> dict[str, Test]:
    """Analysis of variance by one factor, or by two and their interaction.

    Parameters
    ----------
    values : array of shape (n,)
        The observations.
    factors : dict of str to sequence of str
        By the factor's name, the level of each observation.

    Returns
    -------
    dict of str to Test
        By factor, and by ``"a × b"`` for the interaction: F, with sums of squares of type II.

    Examples
    --------
    >>> from planetree.bench.stats import anova
    >>> found = anova([1, 2, 3, 4], {"system": ["a", "a", "b", "b"]})
    >>> round(found["system"].statistic, 3)
    8.0
    """
    pandas, smf, anova_lm = _statsmodels()
    names = list(factors)
    if not 1 <= len(names) <= 2:
        raise ValueError("an analysis of variance here takes one factor or two")
    frame = pandas.DataFrame(
        {"value": np.asarray(values, float), **dict(zip("ab", factors.values()))}
    )
    # Without repeated observations nothing is left to judge an interaction by.
    formula = "value ~ C(a)" if len(names) == 1 else "value ~ C(a) * C(b)"
    table = anova_lm(smf.ols(formula, frame).fit(), typ=2)
    terms = {"C(a)": names[0]}
    if len(names) == 2:
        terms |= {"C(b)": names[1], "C(a):C(b)": f"{names[0]} × {names[1]}"}
    return {
        name: Test(float(table.loc[term, "F"]), float(table.loc[term, "PR(>F)"]))
        for term, name in terms.items()
    }


def contrast(values: ArrayLike, levels: Sequence[str], weights: Mapping[str, float]) -> Test:
    """Contrast of group means within a one-way analysis of variance.

    Parameters
    ----------
    values : array of shape (n,)
        The observations.
    levels : sequence of str
        The group of each.
    weights : dict of str to float
        Weight of each group's mean; they sum to 0, and a group not named weighs 0.

    Returns
    -------
    Test
        t, two-sided, with the pooled variance of all groups.

    Examples
    --------
    >>> from planetree.bench.stats import contrast
    >>> found = contrast([1, 2, 3, 4], ["a", "a", "b", "b"], {"b": 1, "a": -1})
    >>> round(found.difference, 3), round(found.statistic, 3)
    (2.0, 2.828)
    """
    pandas, smf, _ = _statsmodels()
    known = sorted(set(levels))
    if abs(sum(weights.values())) > 1e-9 or not set(weights) <= set(known):
        raise ValueError(f"weights of a contrast sum to 0, over groups of {known}, not {weights}")
    frame = pandas.DataFrame({"value": np.asarray(values, float), "a": list(levels)})
    fit = smf.ols("value ~ C(a) - 1", frame).fit()
    found = fit.t_test(np.array([[weights.get(level, 0.0) for level in known]]))
    return Test(
        float(np.squeeze(found.tvalue)),
        float(np.squeeze(found.pvalue)),
        float(np.squeeze(found.effect)),
    )


def friedman(figures: ArrayLike) -> Test:
    """Friedman's test in the form of Iman and Davenport (1980), whether all systems rank alike.

    Parameters
    ----------
    figures : array of shape (n_data, n_systems)
        Mean figure of each system on each data set.

    Returns
    -------
    Test
        F with k - 1 and (k - 1)(n - 1) degrees of freedom.

    Examples
    --------
    >>> from planetree.bench.stats import friedman
    >>> round(friedman([[1, 2, 3], [1, 2, 3], [1, 3, 2]]).statistic, 6)
    7.0
    """
    figures = np.asarray(figures, float)
    n, k = figures.shape
    if n < 2 or k < 3:
        raise ValueError(f"Friedman's test needs 2 data sets and 3 systems, here are {n} and {k}")
    chi = float(stats.friedmanchisquare(*figures.T).statistic)
    if np.isnan(chi):  # all alike on every data set
        return Test(0.0, 1.0)
    statistic = _ratio((n - 1) * chi, max(n * (k - 1) - chi, 0.0))
    return Test(statistic, float(stats.f.sf(statistic, k - 1, (k - 1) * (n - 1))))


def nemenyi(figures: ArrayLike) -> Floats:
    """Nemenyi's test of all pairs of systems, after Friedman's (scikit-posthocs).

    Parameters
    ----------
    figures : array of shape (n_data, n_systems)
        Mean figure of each system on each data set.

    Returns
    -------
    ndarray of shape (n_systems, n_systems)
        p of each pair.
    """
    posthocs = require("scikit_posthocs", extra="bench", purpose="Nemenyi's test")
    found: Floats = posthocs.posthoc_nemenyi_friedman(np.asarray(figures, float)).to_numpy(float)
    return found


def nemenyi_distance(n_data: int, n_systems: int, alpha: float = 0.05) -> float:
    """Distance of mean ranks from which on Nemenyi's test tells two systems apart.

    Parameters
    ----------
    n_data, n_systems : int
        How many there are.
    alpha : float, default=0.05
        The level.

    Returns
    -------
    float
        The critical distance.

    Examples
    --------
    >>> from planetree.bench.stats import nemenyi_distance
    >>> round(nemenyi_distance(14, 4), 2)
    1.25
    """
    q = stats.studentized_range.isf(alpha, n_systems, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_systems * (n_systems + 1) / (6 * n_data)))


def wilcoxon_holm(figures: ArrayLike) -> Floats:
    """Wilcoxon's signed-rank test of all pairs of systems, with Holm's correction.

    Differences of 0 count half for either side (Demšar 2006).

    Parameters
    ----------
    figures : array of shape (n_data, n_systems)
        Mean figure of each system on each data set.

    Returns
    -------
    ndarray of shape (n_systems, n_systems)
        Corrected p of each pair.

    Examples
    --------
    >>> from planetree.bench.stats import wilcoxon_holm
    >>> float(wilcoxon_holm([[1, 2], [2, 3.5], [3, 5], [4, 6.5], [5, 8]])[0, 1])
    0.0625
    """
    multitest = require("statsmodels.stats.multitest", extra="bench", purpose="Holm's correction")
    figures = np.asarray(figures, float)
    k = figures.shape[1]
    pairs = [(i, j) for i in range(k) for j in range(i)]
    raw = []
    for i, j in pairs:
        d = figures[:, i] - figures[:, j]
        same = not d.any()
        raw.append(1.0 if same else float(stats.wilcoxon(d, zero_method="zsplit").pvalue))
    corrected = multitest.multipletests(raw, method="holm")[1]
    found = np.ones((k, k))
    for (i, j), p in zip(pairs, corrected, strict=True):
        found[i, j] = found[j, i] = p
    return found


@dataclass(frozen=True)
class Bayes:
    """Posterior probabilities of a comparison of two systems.

    Parameters
    ----------
    first, equal, second : float
        That the first is better, that they are practically equal, that the second is better.
    """

    first: float
    equal: float
    second: float


def bayes_signed_rank(
    first: ArrayLike,
    second: ArrayLike,
    rope: float,
    *,
    prior: float = 0.5,
    n_samples: int = 50_000,
    seed: int = 0,
) -> Bayes:
    """Bayesian signed-rank test with a region of practical equivalence (Benavoli et al. 2017).

    The data sets and one made-up data set without a difference get Dirichlet weights; each draw
    of weights says how much weight the pairs of data sets have whose mean difference lies above,
    in and below the region. The probabilities are the shares of draws in which each is largest.

    Parameters
    ----------
    first, second : array of shape (n_data,)
        Mean figures of two systems; larger is better.
    rope : float
        Differences up to this are no difference.
    prior : float, default=0.5
        Weight of the made-up data set, where a real one weighs 1.
    n_samples : int, default=50000
        How many draws.
    seed : int, default=0
        Their source.

    Returns
    -------
    Bayes
        The three probabilities.

    Examples
    --------
    >>> from planetree.bench.stats import bayes_signed_rank
    >>> found = bayes_signed_rank([0.9, 0.8, 0.7, 0.9], [0.8, 0.7, 0.6, 0.7], rope=0.01)
    >>> found.first > 0.99
    True
    """
    z = np.concatenate([[0.0], np.asarray(first, float) - np.asarray(second, float)])
    pairs = (z[:, None] + z) / 2
    weights = np.random.default_rng(seed).dirichlet([prior, *np.ones(len(z) - 1)], n_samples)

    def weight_above(pairs: Floats) -> Floats:
        which = np.heaviside(pairs - rope, 0.5)  # on the border counts half
        total: Floats = ((weights @ which) * weights).sum(axis=1)
        return total

    above, below = weight_above(pairs), weight_above(-pairs)
    largest = np.argmax([above, 1 - above - below, below], axis=0)
    shares = np.bincount(largest, minlength=3) / n_samples
    return Bayes(*(float(share) for share in shares))


def _statsmodels() -> tuple[Any, Any, Any]:
    purpose = "the analysis of variance"
    return (
        require("pandas", extra="bench", purpose=purpose),
        require("statsmodels.formula.api", extra="bench", purpose=purpose),
        require("statsmodels.stats.anova", extra="bench", purpose=purpose).anova_lm,
    )
