"""What is compared for each of the questions that the papers left open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from planetree import PlaneTreeClassifier
from planetree.bench import RepeatedKFold, Study
from planetree.learners import BIT2, CARTLC, OC1, RLS, LeastSquares, Superclasses, Thermal
from planetree.merits import GainRatio, Gini
from planetree.pruners import CostComplexity, HyperplaneMerging, ReducedError
from planetree.selectors import DSBE, SFS
from planetree.symbols import Multiway

MEASURES = ("accuracy", "leaves", "tests", "size", "multivariate_tests", "fit_seconds")

MULTICLASS = ("car", "ecoli", "flare", "glass", "iris", "segment", "vowel", "wine", "zoo")


TWO_CLASSES = ("breast", "bupa", "cleveland", "hepatitis", "ionosphere", "pima", "vote")
SMALL = ("breast", "bupa", "cleveland", "ecoli", "glass", "hepatitis", "iris", "pima", "wine")
SYMBOLIC = (
    *("car", "cleveland", "flare", "heart-statlog", "hepatitis"),
    *("monks1", "monks2", "monks3", "vote", "zoo"),
)


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
    """Ten folds of bundled sets; the first system is the baseline."""
    study = Study(
        data={name: f"bundled:{name}" for name in sets},
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
    """A tree of linear tests alone, as it grows."""
    return PlaneTreeClassifier(
        learner=learner, **{"univariate": False, "min_leaf_rows": 3, "n_threads": 1, **options}
    )


def merged(title: str, sets: tuple[str, ...], learner: Any, **options: Any) -> Comparison:
    """One kind of tree: cut off, merged, and merged with planes that shift."""
    pruners = {
        "cut off": HyperplaneMerging(merge=False),
        "merged": HyperplaneMerging(),
        "merged and shifted": HyperplaneMerging(shift=True),
    }
    pruned = {name: tree_of(learner, pruner=pruner, **options) for name, pruner in pruners.items()}
    return compared(title, sets, {**pruned, "as grown": tree_of(learner, **options)})


def shifted_planes() -> list[Comparison]:
    balanced = LeastSquares(balanced=True)
    return [
        merged("Two classes, least squares", TWO_CLASSES, balanced),
        merged("Any number of classes, CART-LC", SMALL, CARTLC()),
    ]


def merging_anywhere() -> list[Comparison]:
    return [
        merged("Two groups of many classes, RLS", MULTICLASS, Superclasses(RLS())),
        merged("OC1", SMALL, OC1(restarts=2)),
        merged("BIT2, pairs of features", SMALL, BIT2()),
        merged("RLS over features that SFS picks", SMALL, Superclasses(RLS()), selector=SFS()),
        merged("RLS beside tests of one feature", SMALL, Superclasses(RLS()), univariate=True),
    ]


QUESTIONS: Mapping[int, Question] = {
    1: Question("rls-many-classes", TEN_FOLDS, many_classes),
    7: Question("merged-offset", TEN_FOLDS, shifted_planes),
    8: Question("merging-anywhere", TEN_FOLDS, merging_anywhere),
    9: Question("branch-or-plane", TEN_FOLDS, branches_or_planes),
}
