"""A learner a node, chosen by a race; and the parts of views that it needs."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planetree import PlaneTreeClassifier, PlugInError, load
from planetree.choices import plug_in
from planetree.learners import BIT2, CARTLC, RLS, BestOf, CoefficientLearner, SmoothMerit, Thermal
from planetree.scaling import Deviations, Once, Quartiles, Range, Raw, TableRange
from planetree.view import NodeView
from tables import tables
from views import view_of


class Spy(CoefficientLearner):
    """Learns as another does, and remembers how many rows it was shown."""

    def __init__(self, learner, seen):
        self.learner = learner
        self.seen = seen

    def fit(self, view):
        self.seen.append(view.n_rows)
        return self.learner.fit(view)


class Blind(CoefficientLearner):
    """A plane that has nothing to do with the classes."""

    def fit(self, view):
        return view.unit([0.0] * (view.n_columns - 1) + [1.0])


def two_blobs(n, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return np.c_[rng.normal(size=(n, 2)) + 4 * y[:, None], rng.normal(size=n)], y


# --- the race -------------------------------------------------------------------------------------


def test_the_learner_that_parts_unseen_rows_best_wins_by_hand():
    X, y = two_blobs(60)
    view = view_of(X, y)
    assert BestOf((Blind(), RLS())).fit(view) == RLS().fit(view)
    assert BestOf((RLS(), Blind())).fit(view) == RLS().fit(view)
    # Classes that lie crosswise: only a pair's difference in one half of them helps.
    assert BestOf((Blind(), Blind())).fit(view) == Blind().fit(view)


def test_it_takes_pairs_or_planes_as_the_node_asks():
    """Of one table, two nodes: on a side of ten columns' plane, and of x1 + x2."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 10))
    learner = BestOf((RLS(), BIT2()))
    assert len(learner.fit(view_of(X, X @ rng.normal(size=10) > 0)).features) == 10
    assert learner.fit(view_of(X, np.abs(X[:, 1] + X[:, 2] - 1) > 1)).features == (1, 2)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), race_rows=st.sampled_from([None, 10, 40]))
def test_the_winner_has_the_greatest_score_counted_anew(seed, race_rows):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 90)
    X = rng.normal(size=(90, 4)) + rng.normal(size=(3, 4))[y]
    weight = rng.uniform(0.5, 2, 90)
    view = view_of(X, y, weight, seed=seed)
    learners = (RLS(), BIT2(), CARTLC())
    best = BestOf(learners, race_rows=race_rows)
    learning, judging = best._parts(view)
    scores = []
    for learner in learners:
        scaled = view.rescaled(learner.scaling or learner.default_scaling)
        test = learner.fit(scaled.take_rows(learning))
        branch = test.route(X)
        score = 0.0
        for i in judging:
            here = learning[branch[learning] == branch[i]]
            share = np.array([weight[here][y[here] == k].sum() for k in range(3)])
            node = np.array([weight[learning][y[learning] == k].sum() for k in range(3)])
            share += weight[learning].mean() * node / node.sum()
            share /= share.sum()
            score += weight[i] * (2 * share[y[i]] - (share**2).sum())
        scores.append(score)
    winner = learners[int(np.argmax(np.round(scores, 9)))]
    alone = winner.fit(view.rescaled(winner.scaling or winner.default_scaling))
    assert best.fit(view) == alone


def test_the_parts_of_a_race_hold_every_class_and_no_row_twice():
    X, y = two_blobs(101)
    y = np.where(np.arange(101) < 6, 2, y)
    view = view_of(X, y)
    for race_rows in (None, 1000, 40, 7):
        learning, judging = BestOf(race_rows=race_rows)._parts(view)
        assert not set(learning.tolist()) & set(judging.tolist())
        assert max(len(learning), len(judging)) <= (51 if race_rows is None else race_rows)
        assert set(y[learning]) >= {0, 1}
        assert abs((y[learning] == 0).sum() - (y[learning] == 1).sum()) <= 2


def test_a_large_node_is_learned_from_once():
    X, y = two_blobs(5000)
    losers, winner = [], []
    learner = BestOf((Spy(Blind(), losers), Spy(Blind(), losers), Spy(RLS(), winner)), race_rows=50)
    assert learner.fit(view_of(X, y)) == RLS().fit(view_of(X, y))
    assert losers == [50, 50]
    assert winner == [50, 5000]


def test_few_rows_are_not_raced_over():
    view = view_of([[0.0, 1.0], [1.0, 3.0], [2.0, 5.0]], [0, 1, 1])
    assert BestOf((BIT2(), RLS())).fit(view) == BIT2().fit(view.rescaled(TableRange()))


# --- what it says of itself -----------------------------------------------------------------------


def test_it_takes_what_all_of_them_take():
    assert BestOf((RLS(), Thermal())).multiclass
    assert BestOf((BIT2(),)).most_columns == 2
    assert BestOf((BIT2(), RLS())).most_columns is None
    assert BestOf((RLS(), SmoothMerit(max_rows=500))).max_rows == 500
    assert BestOf((RLS(), BIT2())).max_rows is None


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (BestOf([RLS()]), "must be a tuple of learners"),
        (BestOf(()), "must be a tuple of learners"),
        (BestOf((RLS(), "bit2")), "must be learners such as .* not 'bit2'"),
        (BestOf(race_rows=1), "race_rows must be a whole number of at least 2, not 1"),
    ],
)
def test_nonsense_is_refused(learner, message):
    with pytest.raises((ValueError, PlugInError), match=message):
        PlaneTreeClassifier(learner=learner).fit([[0], [1], [2]], [0, 1, 2])


def test_it_is_saved_and_has_a_word():
    learner = plug_in("learner", "best-of:learners=rls+bit2,race-rows=60")
    assert repr(learner) == "BestOf(learners=(RLS(), BIT2()), race_rows=60)"
    tree = PlaneTreeClassifier(learner=learner).fit(*two_blobs(40))
    tree.save(file := io.StringIO())
    assert repr(load(io.StringIO(file.getvalue())).learner) == repr(learner)


# --- views ----------------------------------------------------------------------------------------

SCALINGS = [Deviations(), Quartiles(), Range(), TableRange(), Raw(), Once(Quartiles())]


@given(
    table=tables(max_rows=25, weights=True, symbols=True),
    first=st.sampled_from(SCALINGS),
    second=st.sampled_from(SCALINGS),
)
def test_a_view_brought_to_another_scale_is_one_made_on_it(table, first, second):
    rows = np.arange(0, table.n_rows, 2, dtype=np.uint32)
    again, fresh = NodeView(table, rows, first).rescaled(second), NodeView(table, rows, second)
    np.testing.assert_array_equal(again.Z, fresh.Z)
    assert again.features == fresh.features


@given(table=tables(max_rows=25, symbols=True), seed=st.integers(0, 2**32 - 1))
def test_rows_of_a_view_take_the_branches_that_the_tree_sends_them_down(table, seed):
    rows = np.arange(table.n_rows, dtype=np.uint32)
    view = NodeView(table, rows, Deviations())
    rng = np.random.default_rng(seed)
    test = view.unit(rng.integers(-1, 2, view.n_columns), 0.1) if view.n_columns else None
    if test is not None:
        np.testing.assert_array_equal(view.route(test), test.route(table.X))
    machine = view.machine(rng.normal(size=(view.n_classes, view.n_columns + 1)))
    if machine is not None:
        np.testing.assert_array_equal(view.route(machine), machine.route(table.X))
