"""The pictures: everything is there, nothing overlaps, names are letters and not commands."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from planetree import PlaneTreeClassifier, datasets, presets, show
from planetree.learners import RLS
from planetree.presets import CART
from planetree.pruners import Unpruned
from planetree.show.canvas import looks, wrapped

LONG = "a rather long name of measurement {} in millimetres per second"
ODD = ("$beta_1$", "_hidden", "<b>&\n", "naïve · Ωmega", "100 %")


@pytest.fixture(scope="module")
def iris():
    return datasets.load_iris(as_frame=True)


@pytest.fixture(scope="module")
def machine(iris):
    tree = PlaneTreeClassifier(learner=RLS(), univariate=False, max_depth=2)
    return tree.fit(iris.data, iris.target)


def letters():
    """Twenty-five classes, six features with long names."""
    M = np.random.default_rng(0).normal(size=(1500, 6))
    level = (np.floor((np.tanh(M[:, :2]) + 1) * 6.4)).sum(axis=1).astype(int)
    return {LONG.format(i): M[:, i] for i in range(6)}, [chr(65 + k) for k in level]


def check_nothing_overlaps(ax):
    """No text lies on another, and all lie inside the picture."""
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text()]
    frame = ax.figure.bbox
    for i, box in enumerate(boxes):
        assert frame.x0 - 1 <= box.x0
        assert box.x1 <= frame.x1 + 1
        for other in boxes[:i]:
            across = min(box.x1, other.x1) - max(box.x0, other.x0)
            up = min(box.y1, other.y1) - max(box.y0, other.y0)
            assert across < 2 or up < 2


def many_classes():
    return CART(max_leaves=30, pruner=Unpruned()).fit(*letters())


def deep():
    glass = datasets.load_glass(as_frame=True)
    return CART(pruner=Unpruned()).fit(glass.data, glass.target)


def planes():
    X, _ = letters()
    M = np.array([*X.values()])
    return PlaneTreeClassifier(learner=RLS(), max_depth=3).fit(X, M.T @ [1, 2, -1, 0.5, 0, 0] > 0)


def branches():
    car = datasets.load_car(as_frame=True)
    return CART(max_leaves=8, pruner=Unpruned()).fit(car.data, car.target)


@pytest.mark.parametrize("grown", [many_classes, deep, planes, branches])
def test_a_tree_of_any_kind_fits(grown):
    check_nothing_overlaps(show.tree(grown()))


def test_a_tree_shows_every_node_once(iris):
    tree = CART(max_depth=2, pruner=Unpruned()).fit(iris.data, iris.target)
    words = [text.get_text() for text in show.tree(tree).texts]
    for expected in ("petal_length ≤ 2.45", "petal_width ≤ 1.75", "Iris-setosa (50)"):
        assert words.count(expected) == 1
    assert words.count("yes") == words.count("no") == 2


def test_a_large_tree_is_cut_and_says_so():
    X, y = letters()
    tree = CART(pruner=Unpruned()).fit(X, y)
    assert tree.n_leaves_ > 60
    words = [text.get_text() for text in show.tree(tree).texts]
    counted = [word for word in words if "… " in word]
    assert 0 < len(counted) <= 60
    below = sum(int(word.split("… ")[1].split(" ")[0]) for word in counted)
    drawn_leaves = sum("(" in word and "… " not in word for word in words)
    assert below + drawn_leaves == tree.n_leaves_


def test_some_nodes_of_a_tree(iris):
    tree = CART(max_depth=3, pruner=Unpruned()).fit(iris.data, iris.target)
    top = tree.tree_.node(0).children[1]
    words = [t.get_text() for t in show.tree(tree, nodes=tree.tree_.node(top).children).texts]
    assert not any("2.45" in word for word in words)
    with pytest.raises(IndexError, match="the tree has nodes 0 to"):
        show.tree(tree, nodes=[99])
    with pytest.raises(ValueError, match="nodes is empty"):
        show.tree(tree, nodes=[])


def test_where_missing_values_go_is_marked():
    tree = CART(pruner=Unpruned()).fit([[1.0], [2.0], [np.nan], [3.0]], ["a", "a", "b", "b"])
    words = [text.get_text() for text in show.tree(tree).texts]
    assert any("or missing" in word for word in words)


def test_names_are_letters_and_not_commands():
    rng = np.random.default_rng(0)
    X = {name: rng.normal(size=200) for name in ODD}
    y = [ODD[k] for k in rng.integers(0, len(ODD), 200)]
    tree = PlaneTreeClassifier(learner=RLS(), max_depth=3).fit(X, y)
    for ax in (
        show.tree(tree),
        show.node(tree, 0, X, y),
        show.path(tree, {name: x[:1] for name, x in X.items()}),
        show.partition(tree, ODD[:2], X, y),
    ):
        ax.figure.canvas.draw()
        legend = ax.get_legend()
        texts = [*ax.texts, ax.xaxis.label, ax.yaxis.label, ax.title]
        texts += legend.get_texts() if legend else []
        assert not any(text.get_parse_math() and "$" in text.get_text() for text in texts)


@pytest.mark.parametrize("i", [0, 2])
def test_the_picture_of_a_node(iris, machine, i):
    tree = CART(max_depth=3, pruner=Unpruned()).fit(iris.data, iris.target)
    for model in (tree, machine):
        ax = show.node(model, i, iris.data, iris.target)
        assert ax.get_title().startswith(f"node {i}")


def test_a_linear_machine_shows_its_discriminants(iris, machine):
    ax = show.node(machine, 0, iris.data, iris.target, digits=3)
    told = [label.get_text().replace("\n", " ") for label in ax.get_yticklabels()]
    described = machine.tree_.tests[0].describe(machine.tree_.schema, 3)
    assert told == [
        f"sum {b + 1} = {text.removesuffix(' is greatest')}" for b, text in enumerate(described)
    ]
    check_inside(ax)


def test_a_plane_of_two_features_is_a_line(iris):
    X = iris.data[["petal_length", "sepal_width"]]
    tree = PlaneTreeClassifier(learner=RLS(), univariate=False, max_depth=1)
    tree.fit(X, iris.target == "Iris-virginica")
    ax = show.node(tree, 0, X, iris.target == "Iris-virginica")
    test = tree.tree_.tests[0]
    across, up = ax.lines[0].get_data()
    names = {ax.get_xlabel(): across, ax.get_ylabel(): up}
    weighed = sum(
        w * names[t.name(tree.tree_.schema)] for t, w in zip(test.terms, test.weights, strict=True)
    )
    np.testing.assert_allclose(weighed, test.cut)


def test_weights_are_written_in_the_features_units(iris, machine):
    test = machine.tree_.tests[2]
    ax = show.weights(machine, 2, iris.data)
    written = {float(text.get_text()) for text in ax.texts}
    assert written == {float(f"{w:.3g}") for w in test.weights}
    assert len(show.weights(machine, 0).texts) == 3 * 4
    with pytest.raises(ValueError, match="node 0 has no weights"):
        show.weights(presets.CART(max_depth=1, pruner=Unpruned()).fit(iris.data, iris.target), 0)


def test_a_partition_agrees_with_the_tree(iris):
    tree = CART(max_depth=2, pruner=Unpruned()).fit(iris.data, iris.target)
    ax = show.partition(tree, ("petal_length", "petal_width"), iris.data, resolution=50)
    assert len(ax.get_legend().get_texts()) == 3
    for features, message in (
        (("petal_length", "petal"), "no feature 'petal'"),
        (("petal_length", "petal_length"), "two different features"),
    ):
        with pytest.raises(ValueError, match=message):
            show.partition(tree, features, iris.data)


def check_inside(ax):
    """Everything written lies inside the figure, and the key hides no case."""
    ax.figure.canvas.draw()
    frame, legend = ax.figure.bbox, ax.get_legend()
    written = [ax.xaxis.label, ax.yaxis.label, ax.title]
    for box in [text.get_window_extent() for text in written if text.get_text()]:
        assert frame.x0 - 1 <= box.x0
        assert box.x1 <= frame.x1 + 1
        assert frame.y0 - 1 <= box.y0
        assert box.y1 <= frame.y1 + 1
    if legend:
        key, axes = legend.get_window_extent(), ax.get_window_extent()
        assert not key.overlaps(axes)
        assert frame.x0 - 1 <= key.x0
        assert key.x1 <= frame.x1 + 1


def test_long_names_and_many_classes_stay_inside_and_hide_nothing():
    X, y = letters()
    names = [*X]
    longer = np.where(np.array(y) < "K", "the classes before the letter K", "K and what follows it")
    for labels in (y, longer):
        tree = CART(max_leaves=20).fit(X, labels)
        check_inside(show.node(tree, 0, X, labels))
        check_inside(show.partition(tree, (names[0], names[1]), X, labels, resolution=30))
        check_inside(show.importances(tree, X, labels, n_repeats=1))


def test_the_weights_of_a_machine_of_many_classes_do_not_overlap():
    tree = PlaneTreeClassifier(learner=RLS(), univariate=False, max_depth=1).fit(*letters())
    assert tree.tree_.tests[0].n_branches > 10
    ax = show.weights(tree, 0, letters()[0])
    check_nothing_overlaps(ax)
    check_inside(ax)


def test_a_partition_names_the_classes_of_its_cases_too(iris):
    tree = CART(max_depth=1).fit(iris.data, iris.target)
    ax = show.partition(tree, ("petal_length", "petal_width"), iris.data, iris.target)
    assert len(ax.get_legend().get_texts()) == 3


def test_cases_in_parts_stand_at_every_branch():
    X = {"hue": ["a", "a", "a", "b", None, None]}
    tree = presets.C45(min_leaf_rows=1, pruner=None).fit(X, ["p", "p", "p", "q", "p", "q"])
    ax = show.node(tree, 0, X, ["p", "p", "p", "q", "p", "q"])
    widths = [bar.get_width() for bar in ax.patches]
    # Three quarters of the known hues are a: 3 + 0.75 of class p, 0.75 of q; and b has the rest.
    assert widths == [3.75, 0.25, 0.75, 1.25]


def test_symbols_have_no_axis_and_values_of_their_own():
    X = {"sex": ["f", "m"] * 10, "age": range(20), "size": range(20)}
    tree = CART(pruner=Unpruned()).fit(X, [i % 3 == 0 for i in range(20)])
    show.partition(tree, ("age", "size"), X, at={"sex": "m"}, resolution=20)
    with pytest.raises(ValueError, match="sex is symbolic"):
        show.partition(tree, ("age", "sex"), X)
    with pytest.raises(ValueError, match="sex is one of f, m, not 'x'"):
        show.partition(tree, ("age", "size"), X, at={"sex": "x"})


def test_every_class_has_a_look_of_its_own():
    assert len({(look.color, look.hatch) for look in looks(range(28))}) == 28
    assert looks(["a", "b"], {"a": "red", "b": "blue"})[1].color == "blue"
    with pytest.raises(ValueError, match="colors has none for b"):
        looks(["a", "b"], {"a": "red"})
    with pytest.raises(ValueError, match="one a class, 2 here, not 1"):
        looks(["a", "b"], ["red"])


def test_axes_of_ones_own_come_back(iris):
    tree = CART(max_depth=2, pruner=Unpruned()).fit(iris.data, iris.target)
    axes = Figure(figsize=(12, 9)).subplots(2, 2).ravel()
    X, y = iris.data, iris.target
    assert show.tree(tree, ax=axes[0]) is axes[0]
    assert show.node(tree, 0, X, y, ax=axes[1]) is axes[1]
    assert show.partition(tree, ("petal_length", "petal_width"), X, ax=axes[2]) is axes[2]
    assert show.path(tree, X[:1], ax=axes[3]) is axes[3]


def test_what_cannot_be_drawn_is_refused(iris):
    tree = CART(max_depth=1, pruner=Unpruned()).fit(iris.data, iris.target)
    with pytest.raises(ValueError, match="fit it first"):
        show.tree(CART())
    with pytest.raises(ValueError, match="node 1 is a leaf"):
        show.node(tree, 1, iris.data, iris.target)
    with pytest.raises(ValueError, match="the way of one case is drawn, not of 2"):
        show.path(tree, iris.data[:2])
    two = CART(max_depth=2, pruner=Unpruned()).fit(iris.data, iris.target)
    with pytest.raises(ValueError, match="none of the 1 cases reaches node 2"):
        show.node(two, 2, iris.data[:1], iris.target[:1])


def test_a_formula_is_broken_between_its_terms():
    text = "1.345·petal_length − 0.633·sepal_width ≤ 0.888"
    assert wrapped(text, 24) == "1.345·petal_length\n− 0.633·sepal_width\n≤ 0.888"
