"""What shows, explains and ships a tree says in one line what is wrong with what it is given."""

from __future__ import annotations

import pytest

from planetree import datasets, export, show
from planetree.importance import permutation_importance
from planetree.presets import CART

pytest.importorskip("onnx")
IRIS = datasets.load_iris(as_frame=True)
TREE = CART(max_depth=3).fit(IRIS.data, IRIS.target)

OF_A_TREE = {
    "tree": lambda t: show.tree(t),
    "node": lambda t: show.node(t, 0, IRIS.data, IRIS.target),
    "weights": lambda t: show.weights(t, 0),
    "partition": lambda t: show.partition(t, ("petal_length", "petal_width"), IRIS.data),
    "path": lambda t: show.path(t, IRIS.data[:1]),
    "pruning_path": lambda t: show.pruning_path(t),
    "importances": lambda t: show.importances(t),
    "permutation": lambda t: permutation_importance(t, IRIS.data, IRIS.target),
    "report": lambda t: t.report("never.html"),
    "explain": lambda t: t.explain(IRIS.data),
    "counterfactual": lambda t: t.counterfactual(IRIS.data[:1]),
    "feature_importances_": lambda t: t.feature_importances_,
    **{name: getattr(export, name) for name in export.__all__ if name.startswith("to_")},
}
OF_ROWS = {
    "node": lambda X: show.node(TREE, 0, X, IRIS.target),
    "partition": lambda X: show.partition(TREE, ("petal_length", "petal_width"), X),
    "path": lambda X: show.path(TREE, X[:1]),
    "pruning_path": lambda X: show.pruning_path(TREE, X, IRIS.target),
    "importances": lambda X: show.importances(TREE, X, IRIS.target),
    "report": lambda X: TREE.report("never.html", X, IRIS.target),
    "explain": lambda X: TREE.explain(X),
    "counterfactual": lambda X: TREE.counterfactual(X[:1]),
}


@pytest.mark.parametrize("name", OF_A_TREE)
def test_an_unfitted_tree(name):
    with pytest.raises(ValueError, match=r"fit it first|not fitted yet") as error:
        OF_A_TREE[name](CART())
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", OF_ROWS)
def test_a_column_that_is_not_there(name):
    with pytest.raises(ValueError, match="petal_width") as error:
        OF_ROWS[name](IRIS.data.drop(columns="petal_width"))
    assert "\n" not in str(error.value)


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize("name", OF_ROWS)
def test_an_array_of_another_width(name):
    with pytest.raises(ValueError, match=r"3 (columns|features)") as error:
        OF_ROWS[name](IRIS.data.to_numpy()[:, :3])
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("write", [TREE.save, TREE.report, TREE.to_rules().save])
def test_a_path_that_cannot_be_written(write, tmp_path):
    with pytest.raises(FileNotFoundError) as error:
        write(tmp_path / "no" / "file")
    told = str(error.value)
    assert told.endswith(f"{str(tmp_path / 'no' / 'file')!r}")
    with pytest.raises(IsADirectoryError):
        write(tmp_path)
