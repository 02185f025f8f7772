"""001: Yıldız and Alpaydın, Comparing Univariate and Multivariate Decision Trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, permutations

import numpy as np

from planetree import presets, selectors
from planetree.bench import stats
from planetree.bench.papers.claims import accurate, all_of, paired, ratio, smaller
from planetree.bench.papers.contract import (
    Conclusion,
    Finding,
    OwnTable,
    Paper,
    Place,
    Plan,
    Runs,
)
from planetree.bench.papers.figures import FigureTable
from planetree.bench.papers.published import read_published
from planetree.bench.protocols import FiveByTwo
from planetree.bench.tables import Table

__all__ = ["PAPER"]

NAMES = (
    *("breast", "bupa", "car", "ecoli", "flare", "glass", "hepatitis"),
    *("iris", "ionosphere", "monks", "vote", "wine", "zoo"),
)
SYSTEMS = {
    "ID3": presets.ID3(),
    "CART": presets.FSCART(selector=selectors.All()),
    "nearest mean": "nearest-mean",
    "FSCART": presets.FSCART(),
}
LEVEL = 0.1  # "over 90 % confidence"


def _data() -> dict[str, object]:
    data: dict[str, object] = {name: f"bundled:{name}" for name in NAMES}
    # The whole of the first problem, whose 432 cases are its test part, as numbers.
    data["monks"] = {"generator": "monk", "problem": 1}
    return data


def _accuracy(keys: Sequence[str], column: str) -> Place:
    return Place("all", keys[0], column)


def _nodes(keys: Sequence[str], column: str) -> Place:
    return Place("all", keys[0], column, "nodes")


def _places() -> Iterable[Place]:
    return (Place("all", data, system) for data in NAMES for system in SYSTEMS)


def _beaten(runs: Runs, data: str) -> set[tuple[str, str]] | None:
    """Pairs of which the first is significantly better; None where not all ten cells are done."""
    results = runs["all"]
    values = results.values("accuracy")[results.place("data", data)]
    if np.isnan(values).any():
        return None
    found = set()
    for a, b in permutations(SYSTEMS, 2):
        first, second = (values[results.place("system", name)] for name in (a, b))
        test = stats.f_5x2(first, second)
        if test.p < LEVEL and test.difference > 0:
            found.add((a, b))
    return found


def _printed_pairs(text: str) -> set[tuple[str, str]]:
    """``A>B>C`` says that A is better than B, and B than C."""
    found = set()
    for chain in filter(None, (part.strip() for part in text.split(";"))):
        names = [name.replace("NM", "nearest mean") for name in chain.split(">")]
        found |= set(pairwise(names))
    return found


def _table_3(runs: Runs) -> Table:
    def said(pairs: Iterable[tuple[str, str]]) -> str:
        return "; ".join(f"{a} > {b}" for a, b in sorted(pairs)) or "none"

    rows = []
    for data, text in read_published("001", 3).rows:
        theirs, ours = _printed_pairs(text), _beaten(runs, data)
        if ours is None:
            rows.append([data, said(theirs), "–", "–", "–"])
            continue
        opposite = {(b, a) for a, b in theirs}
        both, turned = theirs & ours, opposite & ours
        rows.append([data, said(theirs), said(ours), f"{len(both)} of {len(theirs)}", said(turned)])
    return Table(
        "Table 3: differences by the combined 5×2cv F test at 90 %",
        ["data", "printed", "ours", "found again", "found turned round"],
        rows,
        ["Needs all five repetitions."],
    )


def _nobody_dominates(runs: Runs) -> Finding:
    found = {data: _beaten(runs, data) for data in NAMES}
    done = {data: pairs for data, pairs in found.items() if pairs is not None}
    if not done:
        return Finding("undecided", "the F test needs all five repetitions")
    beats = {a: {d for d, p in done.items() if any(x == a for x, _ in p)} for a in SYSTEMS}
    loses = {a: {d for d, p in done.items() if any(x == a for _, x in p)} for a in SYSTEMS}
    unbeaten = [a for a in SYSTEMS if not loses[a] and beats[a]]
    because = "5×2cv F at 90 %, data sets with a win and with a defeat: " + ", ".join(
        f"{a} {len(beats[a])} and {len(loses[a])}" for a in SYSTEMS
    )
    dominating = [a for a in unbeaten if len(beats[a]) == len(done)]
    return Finding("refuted" if dominating else "confirmed", because)


def _selection_needed(runs: Runs) -> Finding:
    return all_of(
        accuracy=accurate(runs, ["FSCART"], ["CART"]),
        nodes=smaller(runs, "nodes", ["FSCART"], ["CART"]),
    )


def _fewer_where_better(runs: Runs) -> Finding:
    told, holds = [], True
    for name in ("CART", "FSCART"):
        data, acc, acc_id3 = paired(runs, "accuracy", [name], ["ID3"])
        _, nodes, nodes_id3 = paired(runs, "nodes", [name], ["ID3"])
        better = acc > acc_id3
        fewer = better & (nodes < nodes_id3)
        holds &= bool((fewer == better).all())
        told.append(f"{name} more accurate on {better.sum()}, fewer nodes on {fewer.sum()} of them")
        if not len(data):
            return Finding("undecided", "not run")
    return Finding("confirmed" if holds else "refuted", "; ".join(told) + " (means)")


def _fewer_but_on_zoo(runs: Runs) -> Finding:
    names, fs, id3 = paired(runs, "nodes", ["FSCART"], ["ID3"])
    more = [name for name, a, b in zip(names, fs, id3) if a >= b]
    because = f"means of {len(names)} data sets; not fewer on: {', '.join(more) or 'none'}"
    if len(names) < len(NAMES):
        return Finding("undecided", because)
    return Finding("confirmed" if more == ["zoo"] else "refuted", because)


PAPER = Paper(
    number="001",
    title="Comparing univariate and multivariate decision trees",
    reference="O. T. Yıldız and E. Alpaydın (2000)",
    plans={
        "all": Plan(
            data=_data(),
            systems=SYSTEMS,
            protocol=FiveByTwo(),
            quick=("bupa", "ecoli", "flare", "glass", "hepatitis", "iris", "wine", "zoo"),
        )
    },
    tables=(
        FigureTable("001", 2, "accuracy, %", 1, _accuracy, spread="cells"),
        OwnTable(3, _places, _table_3),
        FigureTable("001", 4, "nodes", 1, _nodes, spread="cells"),
    ),
    conclusions=(
        Conclusion("None of the four methods dominates.", _nobody_dominates),
        Conclusion("CART needs feature selection, for accuracy and for size.", _selection_needed),
        Conclusion(
            "CART takes about ten times as long as ID3.",
            lambda runs: ratio(runs, "fit_seconds", ["CART"], ["ID3"], lambda r: 5 <= r <= 20),
        ),
        Conclusion(
            "Where CART, with or without selection, is more accurate than ID3, it has fewer nodes.",
            _fewer_where_better,
        ),
        Conclusion("FSCART has fewer nodes than ID3 everywhere but on zoo.", _fewer_but_on_zoo),
    ),
    readings=(
        "Five times two folds, every class shared between both; the deviation is that of the ten "
        "figures.",
        "Nodes are tests and leaves. A node with less than 5 % of the training half is a leaf; "
        "nothing is pruned afterwards.",
        "ID3 branches on the values that a symbol takes at the node; car is symbolic. CART and "
        "FSCART see one 0/1 column a value.",
        "CART is the linear search without selection, FSCART the same with c = 0.1.",
        "Monks is the first of the three problems, all 432 cases, as numbers.",
        "The nearest mean goes by columns of mean 0 and deviation 1.",
    ),
)
