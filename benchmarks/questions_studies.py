"""What is compared for each of the questions that the papers left open."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from planetree import PlaneTreeClassifier, _core
from planetree.bench import RepeatedKFold, Study
from planetree.bench.tables import Figure, Table
from planetree.datasets import make_planes
from planetree.encoding import Products
from planetree.learners import (
    BIT1,
    BIT2,
    CARTLC,
    OC1,
    RLS,
    BestOf,
    ExactPair,
    SmoothMerit,
    Superclasses,
    Thermal,
)
from planetree.merits import GainRatio, Gini
from planetree.presets import PseudoinverseTree
from planetree.pruners import MTP, CostComplexity, HyperplaneMerging, ReducedError, Unpruned
from planetree.scaling import Deviations, Once, Quartiles, Range, Raw, TableRange
from planetree.selectors import DSBE, SFS
from planetree.symbols import Multiway

MEASURES = ("accuracy", "leaves", "tests", "size", "multivariate_tests", "fit_seconds")

MULTICLASS = ("car", "ecoli", "flare", "glass", "iris", "segment", "vowel", "wine", "zoo")


TWO_CLASSES = ("breast", "bupa", "cleveland", "hepatitis", "ionosphere", "pima", "vote")
NUMERIC = (
    *("bupa", "cleveland", "ecoli", "glass", "heart-statlog", "hepatitis"),
    *("iris", "pima", "vowel", "wine"),
)
CONCEPTS = ("apc", "nc", "oc")
SMALL = ("breast", "bupa", "cleveland", "ecoli", "glass", "hepatitis", "iris", "pima", "wine")
SYMBOLIC = (
    *("car", "cleveland", "flare", "heart-statlog", "hepatitis"),
    *("monks1", "monks2", "monks3", "vote", "zoo"),
)

# Sets that are not bundled but made.
MADE = {name: {"generator": name, "n": 600} for name in (*CONCEPTS, "bivariate-example")}


@dataclass(frozen=True)
class Comparison:
    """One table: some systems on some sets, and which of them the others are measured by."""

    title: str
    study: Study
    baseline: str


@dataclass(frozen=True)
class Question:
    """One page."""

    page: str
    protocol: str
    comparisons: Callable[[], list[Comparison]]
    others: tuple[Callable[[], str], ...] = field(default_factory=tuple)


TEN_FOLDS = "Stratified ten-fold cross-validation, the same folds for all."


def compared(title: str, sets: tuple[str, ...], systems: Mapping[str, Any]) -> Comparison:
    """Ten folds of each set; the first system is the baseline."""
    study = Study(
        data={name: MADE.get(name, f"bundled:{name}") for name in sets},
        systems=systems,
        protocol=RepeatedKFold(folds=10, repeats=1, stratify=True),
        measures=MEASURES,
        baselines=False,
        name=title,
    )
    return Comparison(title, study, next(iter(systems)))


def planes(learner: Any, **options: Any) -> PlaneTreeClassifier:
    """Trees of linear tests alone, pruned by a quarter of the training cases, as in 004."""
    return PlaneTreeClassifier(
        learner=learner,
        **{"univariate": False, "pruner": ReducedError(), "n_threads": 1, **options},
    )


def many_classes() -> list[Comparison]:
    systems = {"Thermal": Thermal(), "RLS": RLS(), "RLS on two groups": Superclasses(RLS())}
    alone = {name: planes(learner) for name, learner in systems.items()}
    beside = {name: planes(learner, univariate=True) for name, learner in systems.items()}
    one = {"one feature": PlaneTreeClassifier(pruner=ReducedError(), n_threads=1)}
    return [
        compared("Linear tests alone", MULTICLASS, alone),
        compared("Beside tests of one feature", MULTICLASS, {**beside, **one}),
    ]


def branches_or_planes() -> list[Comparison]:
    found = []
    for title, merit, selector in (
        ("Planes over all columns", GainRatio(), None),
        ("Planes over few columns", GainRatio(), DSBE()),
        ("The same by the Gini index", Gini(), DSBE()),
    ):
        one = {"merit": merit, "pruner": CostComplexity(cv=5), "n_threads": 1}
        plane = {**one, "learner": RLS(), "selector": selector}
        systems = {
            "value against rest": PlaneTreeClassifier(**one),
            "branch a value": PlaneTreeClassifier(**one, symbols=Multiway()),
            "planes alone": PlaneTreeClassifier(**plane, univariate=False),
            "value against rest or plane": PlaneTreeClassifier(**plane),
            "branch a value or plane": PlaneTreeClassifier(**plane, symbols=Multiway()),
        }
        found.append(compared(title, SYMBOLIC, systems))
    return found


def tree_of(learner: Any, **options: Any) -> PlaneTreeClassifier:
    """A tree of linear tests alone, as large as it grows."""
    limits = {"univariate": False, "min_rows_per_feature": 0, "n_threads": 1}
    return PlaneTreeClassifier(learner=learner, **{**limits, **options})


def merged(title: str, sets: tuple[str, ...], tree: PlaneTreeClassifier) -> Comparison:
    """One kind of tree: cut off, merged, and merged with planes that shift."""
    pruners = {
        "cut off": HyperplaneMerging(merge=False),
        "merged": HyperplaneMerging(),
        "merged and shifted": HyperplaneMerging(shift=True),
        "as grown": None,
    }
    pruned = {name: clone(tree).set_params(pruner=pruner) for name, pruner in pruners.items()}
    return compared(title, sets, pruned)


def shifted_planes() -> list[Comparison]:
    grown = PseudoinverseTree(n_threads=1)
    return [
        merged("Least squares, as in the paper", (*TWO_CLASSES, *CONCEPTS), grown),
        merged("CART-LC", SMALL, tree_of(CARTLC())),
    ]


def merging_anywhere() -> list[Comparison]:
    groups = Superclasses(RLS())
    return [
        merged(title, sets, tree_of(learner, **options))
        for title, sets, learner, options in (
            ("RLS on two groups of many classes", MULTICLASS, groups, {}),
            ("OC1", SMALL, OC1(restarts=2), {}),
            ("BIT2, pairs of features", SMALL, BIT2(), {}),
            ("RLS over features that SFS picks", SMALL, groups, {"selector": SFS()}),
            ("RLS beside tests of one feature", SMALL, groups, {"univariate": True}),
        )
    ]


def scalings() -> list[Comparison]:
    known = {
        "range, once": TableRange(),
        "range, node": Range(),
        "quartiles, once": Once(Quartiles()),
        "quartiles, node": Quartiles(),
        "deviation, once": Once(Deviations()),
        "deviation, node": Deviations(),
        "none": Raw(),
    }
    return [
        compared(
            title,
            NUMERIC,
            {
                name: PlaneTreeClassifier(learner=BIT2(scaling), pruner=pruner, n_threads=1)
                for name, scaling in known.items()
            },
        )
        for title, pruner in (("As grown", Unpruned()), ("Pruned, as in 000", CostComplexity()))
    ]


RIVALS = {"SmoothMerit": SmoothMerit(), "RLS": RLS(), "BIT2": BIT2()}
SEVERAL = {
    "best of them": BestOf(tuple(RIVALS.values())),
    "best of them, half the node": BestOf(tuple(RIVALS.values()), race_rows=None),
}


def one_learner_or_several() -> list[Comparison]:
    pruned = {"pruner": ReducedError(), "n_threads": 1}
    return [
        compared(
            "One learner or the best at each node",
            (*SMALL, "vowel", *CONCEPTS, "bivariate-example"),
            {
                name: PlaneTreeClassifier(learner=one, **pruned)
                for name, one in (RIVALS | SEVERAL).items()
            },
        )
    ]


def cost_of_a_race() -> str:
    """CPU time of the root's test by the number of rows."""
    rows: list[list[str | Figure]] = []
    for n in (500, 2000, 10_000, 50_000):
        X, y = make_planes(n, n_features=10, random_state=0)
        row: list[str | Figure] = [str(n)]
        for learner in (RIVALS | SEVERAL).values():
            root = PlaneTreeClassifier(
                learner=learner, univariate=False, max_depth=1, n_threads=1, pruner=Unpruned()
            )
            seconds = min(_seconds(partial(root.fit, X, y)) for _ in range(3))
            row.append(Figure(1e3 * seconds))
        rows.append(row)
    title = "CPU milliseconds of one node, ten columns, one thread"
    return Table(title, ["rows", *RIVALS, *SEVERAL], rows).to_markdown()


def exact_pairs() -> list[Comparison]:
    systems = {
        "BIT2": BIT2(),
        "BIT1": BIT1(),
        "exact, 100 rows": ExactPair(max_rows=100),
        "exact, 300 rows": ExactPair(),
    }
    pruned = {"pruner": ReducedError(), "n_threads": 1}
    trees = {name: PlaneTreeClassifier(learner=one, **pruned) for name, one in systems.items()}
    trees["one feature"] = PlaneTreeClassifier(**pruned)
    return [compared("Planes over two features", (*SMALL, "bivariate-example"), trees)]


def cost_of_a_pair() -> str:
    """CPU time of one pair of columns by the number of rows."""
    rng = np.random.default_rng(0)
    rows: list[list[str | Figure]] = []
    for n in (50, 100, 200, 300, 500, 1000, 2000):
        columns = {"Z": rng.normal(size=(n, 2)), "y": rng.integers(0, 2, n).astype(np.int32)}
        node = {**columns, "weight": None, "n_classes": 2, "merit": "gini"}
        limits = {"min_leaf_rows": 1, "n_threads": 1}
        seconds = min(_seconds(partial(_core.exact_pair, **node, **limits)) for _ in range(3))
        row = [1e3 * seconds, 1e9 * seconds / (n**2 * np.log2(n))]
        rows.append([str(n), Figure(row[0], None, 2), Figure(row[1], None, 2)])
    head = ["rows", "ms a pair", "ns a pair / (n² log₂ n)"]
    return Table("What the exact search costs, one thread, two classes", head, rows).to_markdown()


def _seconds(act: Callable[[], object]) -> float:
    start = time.process_time()
    act()
    return time.process_time() - start


def simpler_subtrees() -> list[Comparison]:
    pruners = {
        "reduced error": ReducedError(),
        "MTP": MTP(),
        "MTP, subtrees": MTP(subtrees=True),
    }
    return [
        compared(
            title,
            sets,
            {name: tree_of(learner, pruner=pruner) for name, pruner in pruners.items()},
        )
        for title, sets, learner in (
            ("Planes by RLS", TWO_CLASSES, RLS()),
            ("Planes between groups of classes", MULTICLASS, Superclasses(RLS())),
            ("Machines by RLS", MULTICLASS, RLS()),
        )
    ]


def products() -> list[Comparison]:
    pruned = {"pruner": CostComplexity(cv=5), "n_threads": 1}
    one, pairs = PlaneTreeClassifier(**pruned), PlaneTreeClassifier(learner=BIT2(), **pruned)
    return [
        compared(
            "Products of features",
            (*SMALL, *CONCEPTS),
            {
                "one feature": one,
                "one feature or product": make_pipeline(Products(), one),
                "one or product, centred": make_pipeline(Products(center=True), one),
                "one, product or square": make_pipeline(Products(squares=True), one),
                "sum or difference (BIT2)": pairs,
            },
        )
    ]


QUESTIONS: Mapping[int, Question] = {
    1: Question("rls-many-classes", TEN_FOLDS, many_classes),
    2: Question("learner-per-node", TEN_FOLDS, one_learner_or_several, (cost_of_a_race,)),
    3: Question("subtrees", TEN_FOLDS, simpler_subtrees),
    4: Question("products", TEN_FOLDS, products),
    5: Question("bit2-scaling", TEN_FOLDS, scalings),
    6: Question("exact-pair", TEN_FOLDS, exact_pairs, (cost_of_a_pair,)),
    7: Question("merged-offset", TEN_FOLDS, shifted_planes),
    8: Question("merging-anywhere", TEN_FOLDS, merging_anywhere),
    9: Question("branch-or-plane", TEN_FOLDS, branches_or_planes),
}
