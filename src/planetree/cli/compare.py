"""A cross-validation beside scikit-learn's decision tree."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from planetree.cli.work import Progress, fit
from planetree.errors import TableError
from planetree.estimator import PlaneTreeClassifier
from planetree.rule_classifier import RuleClassifier
from planetree.sources import Columns, Training, take
from planetree.table import is_missing
from planetree.text import counted

__all__ = ["Comparison", "Score", "cross_validate"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Score:
    """How one kind of tree did in a cross-validation.

    Parameters
    ----------
    name : str
        The kind.
    accuracy : ndarray
        Share of the test rows' weight it got right, one number a fold.
    leaves : ndarray
        How many leaves, or rules, it had, one number a fold.
    """

    name: str
    accuracy: Floats
    leaves: Floats


@dataclass(frozen=True)
class Comparison:
    """What a cross-validation found.

    Parameters
    ----------
    scores : list of Score
        Planetree's first.
    notes : list of str
        What their reader should know.
    """

    scores: list[Score]
    notes: list[str]

    def facts(self) -> dict[str, Any]:
        """Tell the figures, ready for JSON."""
        return {
            "scores": [
                {
                    "name": score.name,
                    "accuracy": score.accuracy.tolist(),
                    "leaves": score.leaves.tolist(),
                }
                for score in self.scores
            ],
            "notes": self.notes,
        }


def cross_validate(
    estimator: PlaneTreeClassifier | RuleClassifier,
    training: Training,
    k: int,
    seed: int,
    progress: Progress,
) -> Comparison:
    """Compare the tree with scikit-learn's in a stratified, shuffled k-fold cross-validation.

    Parameters
    ----------
    estimator : PlaneTreeClassifier or RuleClassifier
        How planetree's tree is grown, or its rules are made.
    training : Training
        The rows.
    k : int
        How many folds.
    seed : int
        Of the shuffling, and of scikit-learn's tree.
    progress : callable
        Is told the share done.

    Returns
    -------
    Comparison
        The scores of planetree's tree, or rules, and of scikit-learn's tree.
    """
    classes, sizes = np.unique(training.y, return_counts=True)
    if (sizes > 1).sum() < 2:
        raise TableError(f"{training.name}: --cv needs two classes of two rows or more")
    if k > sizes.max():
        raise TableError(
            f"{training.name}: --cv {k} is more folds than the largest class has rows, "
            f"{sizes.max()}"
        )
    notes = []
    if k > sizes.min():
        notes.append(
            f"class {classes[sizes.argmin()]} has {counted(int(sizes.min()), 'row')}, "
            "so some folds are without it"
        )
    folds = StratifiedKFold(k, shuffle=True, random_state=seed)
    reference = DecisionTreeClassifier(random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        parts = list(folds.split(np.zeros(len(training.y)), training.y))
    ours: list[tuple[float, int]] = []
    theirs: list[tuple[float, int]] | None = []
    for i, (train, test) in enumerate(parts):
        learn, check = _rows(training, train), _rows(training, test)
        nothing = [name for name, values in learn.X.items() if all(map(is_missing, values))]
        for name in nothing:  # the few known values are all in the other part
            del learn.X[name]
        made = fit(estimator, learn, lambda share, i=i: progress((i + share) / k))  # type: ignore[misc]
        size = len(made.rules_) if isinstance(made, RuleClassifier) else made.n_leaves_
        ours.append((_hits(made.predict(check.X), check), size))
        if theirs is not None:
            try:
                X, X_check = _encode(learn.X, check.X)
                with np.errstate(over="ignore"):  # it says so itself, and better
                    reference.fit(X, learn.y, sample_weight=learn.weight)
                    right = _hits(reference.predict(X_check), check)
                theirs.append((right, reference.get_n_leaves()))
            except (ValueError, MemoryError) as error:  # it has single precision, and dense symbols
                notes.append(f"scikit-learn's tree cannot take these data: {error}")
                theirs = None
        progress((i + 1) / k)
    scores = [Score("planetree", *np.array(ours, float).T)]
    if isinstance(estimator, RuleClassifier):
        notes.append("of planetree the rules are counted, of scikit-learn the leaves")
    if theirs is not None:
        scores.append(Score("scikit-learn", *np.array(theirs, float).T))
        notes.append(_treatment(training.X))
    return Comparison(scores, notes)


def _rows(training: Training, rows: NDArray[np.intp]) -> Training:
    X = take(training.X, rows)
    weight = None if training.weight is None else training.weight[rows]
    return Training(training.name, training.target, X, training.y[rows], weight)


def _hits(predicted: NDArray[Any], check: Training) -> float:
    return float(np.average(predicted == check.y, weights=check.weight))


def _encode(learn: Columns, check: Columns) -> tuple[Floats, Floats]:
    """Numbers as they are, symbols one-hot, for both parts of a fold."""
    numbers = [name for name, values in learn.items() if values.dtype.kind != "O"]
    symbols = [name for name in learn if name not in numbers]
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    blocks = []
    for part in (learn, check):
        block = [part[name].astype(float).reshape(-1, 1) for name in numbers]
        if symbols:
            strings = np.column_stack([part[name] for name in symbols])
            block.append(
                encoder.fit_transform(strings) if part is learn else encoder.transform(strings)
            )
        blocks.append(np.hstack(block))
    return blocks[0], blocks[1]


def _treatment(X: Columns) -> str:
    symbols = [values for values in X.values() if values.dtype.kind == "O"]
    numbers = [values for values in X.values() if values.dtype.kind == "f"]
    said = []
    if symbols:
        said.append("symbols one-hot encoded")
    if any(value is None for values in symbols for value in values):
        said.append("a missing symbol as one more symbol")
    if any(np.isnan(values).any() for values in numbers):
        said.append("missing numbers as they are")
    how = f"; {', '.join(said)}" if said else ""
    return f"scikit-learn {sklearn.__version__}: DecisionTreeClassifier, default settings{how}"
