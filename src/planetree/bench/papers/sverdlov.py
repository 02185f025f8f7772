"""003: Sverdlov, Decision Trees: its two worked examples, step by step."""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from planetree import datasets, presets
from planetree.bench.papers.contract import Paper
from planetree.bench.papers.published import read_cell, read_published
from planetree.bench.tables import Figure, Table
from planetree.merits import InformationGain

__all__ = ["PAPER"]


def _walk() -> list[Table]:
    return [*_travel(), _missing()]


def _travel() -> list[Table]:
    """ID3 on seven trips, in nats as the paper prints it."""
    trips = datasets.load_travel()
    names = list(trips.feature_names)
    values = {name: _words(trips.data[:, i]) for i, name in enumerate(names)}
    method = trips.target
    rows: list[list[str | Figure]] = []
    for of, question, entropy in read_published("003", 1).rows:
        at = np.ones(len(method), bool)
        if " = " in of:
            column, value = of.split(" = ")
            at = values[column] == value
        answers = np.zeros(at.sum()) if question == "none" else values[question][at]
        rows.append([of, question, entropy, Figure(_left(answers, method[at]), digits=5)])
    tree = presets.ID3().fit(dict(values), method).tree_
    lines = str(tree).replace(" ", "\N{NO-BREAK SPACE}").split("\n")  # Markdown would trim them
    return [
        Table(
            "ID3: the entropy that is left after each question, in nats",
            ["trips", "question", "printed", "ours"],
            rows,
            [
                "Least is left after Money, so it is asked first. Of the trips with 50 the paper "
                "weighs the part of two trips by 1/2, though two of three trips are in it; both "
                "questions stay equal, and the tree is the same.",
            ],
        ),
        Table("The tree, Figure 1 of the paper", ["tree"], [[line] for line in lines]),
    ]


def _words(values: NDArray[np.object_]) -> NDArray[np.str_]:
    """Numbers as the symbols that ID3 knows."""
    return np.array([f"{v:g}" if isinstance(v, float) else str(v) for v in values])


def _left(answers: NDArray[np.generic], labels: NDArray[np.generic]) -> float:
    """Entropy of the labels less what the answers gain of it."""
    rows, columns = (np.unique(v, return_inverse=True)[1] for v in (answers, labels))
    counts = np.zeros((rows.max() + 1, columns.max() + 1))
    np.add.at(counts, (rows, columns), 1.0)
    whole = counts.sum(axis=0)
    shares = whole[whole > 0] / whole.sum()
    entropy = -float(shares @ np.log(shares))
    if len(counts) == 1:
        return entropy
    return entropy - log(2) * float(InformationGain()(counts[None])[0])


def _missing() -> Table:
    """C4.5 on five known values and two missing ones: the two go both ways in parts."""
    printed = read_published("003", 2).rows
    known = [int(cases) for _, cases, _ in printed]
    values = [*(-1.0 - i for i in range(known[0])), *(1.0 + i for i in range(known[1]))]
    names = [row[0] for row in printed]
    labels = np.repeat(names, known).tolist() + names  # one missing value in each class
    model = presets.C45(pruner=None).fit({"value": [*values, np.nan, np.nan]}, labels)
    leaves = np.flatnonzero(model.tree_.is_leaf)
    totals = model.tree_.counts[leaves].sum(axis=1)
    rows: list[list[str | Figure]] = []
    for (branch, cases, weight), total in zip(printed, totals):
        ours = (float(total) - int(cases)) / 2
        digits = read_cell(weight).digits
        rows.append([branch, cases, weight, Figure(ours, digits=digits), Figure(float(total))])
    return Table(
        "C4.5: what part of each of two cases with a missing value goes down each branch",
        ["branch", "known cases", "printed", "ours", "cases in all"],
        rows,
    )


PAPER = Paper(
    number="003",
    title="Decision trees",
    reference="A. Sverdlov, Decision Trees",
    plans={},
    tables=(),
    conclusions=(),
    readings=(
        "An introduction with two worked examples and no study. ID3 is `presets.ID3()`, C4.5 "
        "`presets.C45()`. The walk by hand is on the page "
        "[ID3 by hand](../teaching/travel.md).",
    ),
    beside=_walk,
)
