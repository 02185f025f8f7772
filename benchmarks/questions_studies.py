"""What is compared for each of the questions that the papers left open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from planetree import PlaneTreeClassifier
from planetree.bench import RepeatedKFold, Study
from planetree.learners import RLS, Superclasses, Thermal
from planetree.merits import GainRatio, Gini
from planetree.pruners import CostComplexity, ReducedError
from planetree.selectors import DSBE
from planetree.symbols import Multiway

MEASURES = ("accuracy", "leaves", "tests", "size", "multivariate_tests", "fit_seconds")

MULTICLASS = ("car", "ecoli", "flare", "glass", "iris", "segment", "vowel", "wine", "zoo")


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


QUESTIONS: Mapping[int, Question] = {
    1: Question("rls-many-classes", TEN_FOLDS, many_classes),
    9: Question("branch-or-plane", TEN_FOLDS, branches_or_planes),
}
