"""Tests of significance, each against another implementation or a case worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from planetree.bench import stats


def test_f_5x2_by_hand():
    """Differences 1, 0 | 2, 0 | 0, 0 | 1, 1 | 3, 1: squares 17, variances ½ 2 0 0 2."""
    d = np.array([[1, 0], [2, 0], [0, 0], [1, 1], [3, 1]], float)
    found = stats.f_5x2(d, np.zeros((5, 2)))
    assert found.statistic == pytest.approx(17 / (2 * 4.5))
    assert found.difference == pytest.approx(0.9)
    # Alpaydın (1999): the test rejects at 0.95 above 4.74.
    assert scipy_stats.f.sf(4.74, 10, 5) == pytest.approx(0.05, abs=1e-3)
    assert found.p == pytest.approx(1 - scipy_stats.f.cdf(17 / 9, 10, 5))
    assert stats.f_5x2(d, d).p == 1
    with pytest.raises(ValueError, match="five repetitions of two folds"):
        stats.f_5x2(d.T, d.T)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=12))
def test_paired_t_is_scipys(pairs):
    a, b = np.array(pairs, float).T
    found = stats.paired_t(a, b)
    if (a - b).std() > 0:
        theirs = scipy_stats.ttest_rel(a, b)
        assert found.statistic == pytest.approx(theirs.statistic)
        assert found.p == pytest.approx(theirs.pvalue)
    else:
        assert found.p == (1 if (a == b).all() else 0)


def test_corrected_t_by_hand():
    """Mean 2, variance 1, n = 10: √(1·(1/10 + 1/9)) = 0.4595 where the plain one has 0.3162."""
    d = 2 + np.array([-1, 1] * 5) * np.sqrt(0.9)
    found = stats.corrected_t(d, np.zeros(10), 1 / 9)
    assert found.statistic == pytest.approx(2 / np.sqrt(1 / 10 + 1 / 9))
    assert found.p == pytest.approx(2 * scipy_stats.t.sf(found.statistic, 9))
    assert stats.paired_t(d, np.zeros(10)).statistic == pytest.approx(2 * np.sqrt(10))


def test_one_way_anova_is_scipys():
    groups = [np.random.default_rng(i).normal(i / 3, 1, 6 + i) for i in range(3)]
    levels = [name for name, group in zip("abc", groups) for _ in group]
    found = stats.anova(np.concatenate(groups), {"system": levels})["system"]
    theirs = scipy_stats.f_oneway(*groups)
    assert found.statistic == pytest.approx(theirs.statistic)
    assert found.p == pytest.approx(theirs.pvalue)


def test_two_way_anova_by_hand():
    """Two of each cell, means 1 3 | 5 11: rows 72, columns 32, interaction 8, within 4 of 4."""
    means = {("p", "x"): 1, ("p", "y"): 3, ("q", "x"): 5, ("q", "y"): 11}
    values, rows, columns = [], [], []
    for (row, column), mean in means.items():
        values += [mean - 1 / np.sqrt(2), mean + 1 / np.sqrt(2)]
        rows += [row] * 2
        columns += [column] * 2
    found = stats.anova(values, {"row": rows, "column": columns})
    assert list(found) == ["row", "column", "row × column"]
    assert [test.statistic for test in found.values()] == pytest.approx([72, 32, 8])
    assert found["row"].p == pytest.approx(scipy_stats.f.sf(72, 1, 4))


def test_contrast_by_hand():
    """Means 1, 2, 6 of pairs with variance 2: 6 - 1.5 = 4.5 over √(2·(½ + ⅛ + ⅛)) = 1.2247."""
    found = stats.contrast(
        [0, 2, 1, 3, 5, 7], ["a", "a", "b", "b", "c", "c"], {"c": 1, "a": -0.5, "b": -0.5}
    )
    assert found.difference == pytest.approx(4.5)
    assert found.statistic == pytest.approx(4.5 / np.sqrt(1.5))
    assert found.p == pytest.approx(2 * scipy_stats.t.sf(4.5 / np.sqrt(1.5), 3))
    with pytest.raises(ValueError, match="sum to 0"):
        stats.contrast([1, 2, 3], ["a", "b", "b"], {"a": 1})


# Demšar (2006), Table 6: AUC of C4.5 with and without tuning of m and cf on 14 data sets.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def test_friedman_and_nemenyi_are_demsars():
    """He prints F = 3.69 (χ² = 9.28), ranks 3.143 2.000 2.893 1.964 and a distance of 1.25."""
    ranks = scipy_stats.rankdata(-DEMSAR, axis=1).mean(axis=0)
    assert ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)
    found = stats.friedman(DEMSAR)
    assert found.p == pytest.approx(scipy_stats.f.sf(found.statistic, 3, 39))
    # SciPy's χ² allows for ties and his does not: four alike, and three times two.
    chi = found.statistic * 14 * 3 / (13 + found.statistic)
    chi *= 1 - ((4**3 - 4) + 3 * (2**3 - 2)) / (14 * (4**3 - 4))
    assert chi == pytest.approx(9.28, abs=0.01)
    assert 13 * chi / (14 * 3 - chi) == pytest.approx(3.69, abs=0.01)
    # He takes 2.569 from a table for q at 0.05 and four systems.
    assert stats.nemenyi_distance(14, 4) == pytest.approx(2.569 * np.sqrt(20 / 84), abs=1e-3)


def test_nemenyi_agrees_with_its_distance():
    rng = np.random.default_rng(0)
    figures = rng.normal(size=(20, 4)) + np.array([0, 0.2, 0.6, 1.5])
    p = stats.nemenyi(figures)
    ranks = scipy_stats.rankdata(figures, axis=1).mean(axis=0)
    apart = abs(ranks[:, None] - ranks) > stats.nemenyi_distance(20, 4)
    assert ((p < 0.05) == apart).all()
    assert apart.any()


def test_wilcoxon_with_holm_by_hand():
    """Raw p of 1/16, 1/8 and 1/16: Holm has 3/16, 3/16 and, never less, 3/16."""
    base = np.arange(5.0)
    figures = np.column_stack(
        [base, base + np.arange(1, 6), base + np.array([3, 3.5, 4.5, 6.5, 4.4])]
    )
    raw = {
        (i, j): scipy_stats.wilcoxon(figures[:, i], figures[:, j]).pvalue
        for i, j in [(0, 1), (0, 2), (1, 2)]
    }
    assert list(raw.values()) == pytest.approx([1 / 16, 1 / 16, 1 / 8])
    found = stats.wilcoxon_holm(figures)
    assert [found[0, 1], found[0, 2], found[1, 2]] == pytest.approx([3 / 16] * 3)
    assert (found == found.T).all()
    assert stats.wilcoxon_holm(np.ones((4, 2)))[0, 1] == 1


def test_bayesian_signed_rank_by_hand():
    """One data set, far outside the region, and the made-up one, whose weight w has the density
    of Beta(½, 1).

    The pairs within the region weigh w², the others the rest, which is more up to w = 1/√2: a
    probability of (1/√2)^½.
    """
    found = stats.bayes_signed_rank([0.9], [0.1], rope=0.01)
    assert found.first == pytest.approx(2**-0.25, abs=0.01)
    assert found.second == 0
    assert found.equal == pytest.approx(1 - found.first)


# What baycomp 1.0.3 says of two columns: SignedRankTest.probs(x, y, rope, nsamples=400000).
@pytest.mark.parametrize(
    ("columns", "rope", "theirs"),
    [
        ((0, 1), 0.01, (0.0, 0.3286, 0.6714)),
        ((2, 3), 0.01, (0.0008, 0.2185, 0.7807)),
        ((1, 2), 0.0, (0.9844, 0.0, 0.0156)),
    ],
)
def test_bayesian_signed_rank_is_baycomps(columns, rope, theirs):
    found = stats.bayes_signed_rank(*DEMSAR[:, columns].T, rope=rope)
    assert (found.first, found.equal, found.second) == pytest.approx(theirs, abs=0.01)


def test_no_difference_is_no_difference():
    assert stats.bayes_signed_rank([1, 2], [1, 2], rope=0.1).equal == 1
