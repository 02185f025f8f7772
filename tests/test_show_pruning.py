"""The picture of the pruning path shows what is so."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import pyplot as plt

from planetree import MissingExtraError, TableError, datasets, show
from planetree.presets import CART
from planetree.pruners import CostComplexity, Unpruned, cost_complexity_pruning_path

X, Y = datasets.load_glass(return_X_y=True)


@pytest.fixture
def grown():
    return CART(pruner=Unpruned()).fit(X[::2], Y[::2])


def test_the_pruning_path_is_drawn_as_it_is(grown):
    path = cost_complexity_pruning_path(grown.tree_)
    ax = show.pruning_path(grown, X[1::2], Y[1::2])
    training, other, ring = ax.get_lines()
    for line in (training, other):
        np.testing.assert_array_equal(line.get_xdata(), path.n_leaves)
    np.testing.assert_allclose(training.get_ydata(), 100 * path.risks)
    wrong = [path.tree(i).labels[path.tree(i).apply(X[1::2])] for i in range(len(path))]
    codes = np.unique(Y, return_inverse=True)[1][1::2]
    np.testing.assert_allclose(other.get_ydata(), [100 * (w != codes).mean() for w in wrong])
    chosen = grown.prune(CostComplexity(), X[1::2], Y[1::2])
    assert ring.get_xdata() == chosen.n_leaves_
    assert ring.get_ydata() == pytest.approx(100 - 100 * chosen.score(X[1::2], Y[1::2]))


def test_a_path_goes_where_it_is_told_and_needs_no_cases(grown):
    _, axes = plt.subplots(1, 2)
    assert show.pruning_path(grown.tree_, risk="gini", ax=axes[1]) is axes[1]
    assert len(axes[1].get_lines()) == 1
    assert not axes[0].get_lines()
    with pytest.raises(TableError, match="X has 1 columns"):
        show.pruning_path(grown, X[:, :1], Y)


def test_without_matplotlib_there_is_one_clear_line(grown, monkeypatch):
    def refuse(name):
        raise ImportError(name)

    monkeypatch.setattr("planetree.extras.import_module", refuse)
    with pytest.raises(MissingExtraError, match=r'matplotlib: pip install "planetree\[plot\]"'):
        show.pruning_path(grown)
