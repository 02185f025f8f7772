"""004: Brodley and Utgoff, Multivariate Decision Trees: data, systems, and tables of figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from planetree import learners, merits, presets, pruners, selectors
from planetree.bench.papers import brodley_utgoff_tests as tests
from planetree.bench.papers.contract import Conclusion, OwnTable, Paper, Place, Plan
from planetree.bench.papers.figures import FigureTable
from planetree.bench.protocols import GivenSplit, RepeatedKFold
from planetree.bench.systems import System

__all__ = ["PAPER"]

LEARNERS = {
    "RLS": learners.RLS(),
    "Pocket": learners.Pocket(),
    "Thermal": learners.Thermal(whole_pass=False),
}
SELECTORS = {
    "DSBE": selectors.DSBE,
    "HSS": selectors.HSS,
    "SBE": selectors.SBE,
    "SFS": selectors.SFS,
}
MERITS = {"G": merits.Gini(), "I": merits.InformationGain(), "R": merits.GainRatio()}
HOLDOUT = 1 / 3  # a quarter of all cases, of the three quarters that a fold learns from
RATIO = ("Uni-I", *(f"{name}-I + Uni" for name in SELECTORS))


def _linear(learner: str, selector: str, merit: str, univariate: bool, pruner: Any) -> Any:
    return presets.brodley_utgoff(
        LEARNERS[learner], SELECTORS[selector](), MERITS[merit], univariate, pruner=pruner
    )


def _systems(learner: str, pruned: bool) -> dict[str, Any]:
    """All systems but those that compare learners; of vowel's only C4.5 and CART are pruned."""
    reduced = pruners.ReducedError(HOLDOUT) if pruned else pruners.Unpruned()
    simplest = pruners.CostComplexity(HOLDOUT if pruned else 1 / 4, standard_errors=1)
    c45 = presets.C45(pruner=pruners.PessimisticBound(confidence=0.1, raising=True))
    made: dict[str, Any] = {
        f"{learner} {name}": _linear(learner, name, "R", False, reduced) for name in SELECTORS
    }
    made["C4.5"] = System("C4.5", c45, learn_from="grow")
    if pruned:
        made["RP-C4.5"] = presets.C45(pruner=reduced)
        made |= {
            f"{learner} {name} MTP": _linear(learner, name, "R", False, pruners.MTP(HOLDOUT))
            for name in SELECTORS
        }
    made["CART (Uni)"] = presets.CART(pruner=simplest)
    made |= {f"CART ({b})": presets.CARTLC(b, pruner=simplest) for b in (0.0, 0.1, 0.2)}
    for letter, merit in MERITS.items():
        made[f"Uni-{letter}"] = presets.UniG(merit=merit, pruner=reduced)
        made |= {
            f"{name}-{letter} + Uni": _linear(learner, name, letter, True, reduced)
            for name in SELECTORS
        }
    return made


def _learners(names: Sequence[str]) -> dict[str, Any]:
    return {
        f"{name} {selector}": _linear(name, selector, "R", False, pruners.ReducedError(HOLDOUT))
        for name in names
        for selector in ("DSBE", "SBE", "SFS")
    }


FOLDS = RepeatedKFold(folds=4, repeats=10, prune_share=HOLDOUT)
TWO = {**_learners(("Pocket", "Thermal")), **_systems("RLS", True)}
MANY = _systems("Thermal", True)
VOWEL = _systems("Thermal", False)


def _slow(systems: Mapping[str, Any]) -> tuple[str, ...]:
    """What a quick run leaves out: the second reading of -I."""
    return tuple(name for name in systems if "-R" in name)


PLANS: Mapping[str, Plan] = {
    "two-class": Plan(
        {name: f"bundled:{name}" for name in ("breast", "bupa", "cleveland", "hepatitis")},
        TWO,
        FOLDS,
        quick=("bupa", "hepatitis"),
        slow=_slow(TWO),
    ),
    "multiclass": Plan(
        {"glass": "bundled:glass", "led": {"generator": "led", "n": 1000},
         "segment": "bundled:segment"},
        MANY,
        FOLDS,
        quick=("glass",),
        slow=_slow(MANY),
    ),
    "vowel": Plan(
        {"vowel": "bundled:vowel"},
        VOWEL,
        GivenSplit(repeats=10),
        quick=(),
    ),
}  # fmt: skip
STUDY_OF = {data: study for study, plan in PLANS.items() for data in plan.data}
LEARNER_OF = {"two-class": "RLS", "multiclass": "Thermal", "vowel": "Thermal"}
WORDS = {"tests": "tests", "size": "size", "leaves": "leaves"}
WORDS |= {"mv": "multivariate_tests", "uv": "univariate_tests"}


def _measured(column: str) -> tuple[str, str]:
    data, _, word = column.partition(" ")
    return data, WORDS[word] if word else "accuracy"


def _by_learner(keys: Sequence[str], column: str) -> Place:
    data, measure = _measured(column)
    return Place(STUDY_OF[data], data, " ".join(keys), measure)


def _by_selector(keys: Sequence[str], column: str) -> Place:
    data, measure = _measured(column)
    study = STUDY_OF[data]
    return Place(study, data, f"{LEARNER_OF[study]} {keys[0]}", measure)


def _by_name(keys: Sequence[str], column: str) -> Place | str:
    data, measure = _measured(column)
    study, name = STUDY_OF[data], keys[0]
    if name not in PLANS[study].systems:
        return "has no cases to prune with there"
    return Place(study, data, name, measure)


def _by_ratio(keys: Sequence[str], column: str) -> Place | str:
    if keys[0] not in RATIO:
        return "as above"
    return _by_name([keys[0].replace("-I", "-R")], column)


def _timed(find: Any, keys: Sequence[str], column: str) -> Place | str:
    place = find(keys, column)
    return place._replace(measure="fit_seconds") if isinstance(place, Place) else place


def _mtp_places() -> Iterator[Place]:
    for data in ("breast", "bupa", "cleveland", "hepatitis", "glass"):
        study = STUDY_OF[data]
        for name in SELECTORS:
            for suffix in ("", " MTP"):
                yield Place(study, data, f"{LEARNER_OF[study]} {name}{suffix}")


def _figures() -> dict[int, list[FigureTable]]:
    table = partial(FigureTable, "004")
    found = {
        5: [table(5, "coefficient learners, accuracy, %", 2, _by_learner)],
        9: [table(9, "coefficient learners, tree size", 2, _by_learner)],
        10: [table(10, "selection, two classes, accuracy, %", 1, _by_selector)],
        11: [table(11, "selection, many classes, accuracy, %", 1, _by_selector)],
    }
    captions = {
        13: "two classes, accuracy, %",
        14: "many classes, accuracy, %",
        16: "two classes, tree size",
        17: "glass and LED, tree size",
        18: "segment and vowel, tree size",
        19: "two classes, tests of several features and of one",
        20: "many classes, tests of several features and of one",
    }
    for number, caption in captions.items():
        found[number] = [table(number, caption, 1, _by_name)]
        if number in (13, 14, 16):
            caption += "; -I by the gain ratio"
            found[number].append(table(number, caption, 1, _by_ratio, counted=False))
    return found


def _places(*numbers: int) -> list[Place]:
    figures = _figures()
    return [p for number in numbers for each in figures[number] for p in each.places()]


def _tables() -> list[Any]:
    own = {
        6: OwnTable(6, partial(_places, 5), tests.table_6),
        7: OwnTable(7, partial(_places, 5), tests.table_7),
        8: OwnTable(8, partial(_places, 5),
                    partial(tests.seconds, 8, 2, "Thermal, DSBE", partial(_timed, _by_learner))),
        12: OwnTable(12, partial(_places, 10, 11),
                     partial(tests.seconds, 12, 1, "DSBE", partial(_timed, _by_selector))),
        15: OwnTable(15, partial(_places, 13, 14), tests.table_15),
        21: OwnTable(21, partial(_places, 10, 11, 13, 14), tests.table_21),
        22: OwnTable(22, partial(_places, 13, 14), tests.table_22),
        23: OwnTable(23, partial(_places, 13, 14),
                     partial(tests.seconds, 23, 1, "DSBE-G + Uni", partial(_timed, _by_name))),
        24: OwnTable(24, lambda: list(_mtp_places()), tests.table_24),
    }  # fmt: skip
    figures = _figures()
    return [each for number in range(5, 25) for each in figures.get(number, [own.get(number)])]


PAPER = Paper(
    number="004",
    title="Multivariate decision trees",
    reference="C. E. Brodley and P. E. Utgoff, Machine Learning 19 (1995)",
    plans=PLANS,
    tables=_tables(),
    conclusions=(
        Conclusion("RLS is the most accurate of the three learners.", tests.rls_most_accurate),
        Conclusion("RLS makes the smallest trees.", tests.rls_smallest),
        Conclusion("RLS takes far more time than Thermal and Pocket.", tests.rls_slowest),
        Conclusion(
            "Selection matters less than the learner, and does not depend on it.",
            tests.selection_matters_less,
        ),
        Conclusion("HSS is never significantly worse than SBE or SFS.", tests.hss_never_worse),
        Conclusion("DSBE is as accurate as SBE.", tests.dsbe_as_good),
        Conclusion("DSBE is much the fastest selection.", tests.dsbe_fastest),
        Conclusion(
            "Adding multivariate tests improves on univariate trees, except on glass.",
            tests.multivariate_wins,
        ),
        Conclusion("Adding multivariate tests makes fewer tests.", tests.fewer_tests),
        Conclusion(
            "Multivariate and univariate tests are no better than multivariate ones alone.",
            tests.mixing_no_better,
        ),
        Conclusion(
            "Multivariate CART is less accurate than the other multivariate methods.",
            tests.cart_worse,
        ),
        Conclusion("CART is not sensitive to β.", tests.beta_does_not_matter),
        Conclusion("Univariate trees take far less time.", tests.univariate_faster),
        Conclusion("MTP changes only hepatitis.", tests.mtp_only_hepatitis),
    ),
    readings=(
        "Ten times four folds, every class shared between them; a third of each training part, a "
        "quarter of all cases, is held out for pruning. The deviation is that of the ten means. "
        "Vowel keeps its own test set, and its trees are not pruned, but for those of C4.5, and of "
        "CART by a quarter of the cases: unpruned they are up to twice as large as printed.",
        "RLS where there are two classes, Thermal where there are more. Thermal ends as the paper "
        "says, by the last 2n cases of a pass; by a whole pass, planetree's default, its trees are "
        "smaller and further from the printed ones. No test that has cases "
        "enough makes a leaf; a tie in reduced error pruning does too.",
        "-G is the Gini index. -I is called the gain ratio, but its figures are those of plain "
        "information gain (vowel: 76 tests), which is counted here; the gain ratio stands beside "
        "it. Tables 5 to 12 go by the gain ratio.",
        "CART prunes by cost-complexity with one standard error on the same cases; C4.5, at 10 %, "
        "does not see them; both are ours.",
        "LED is a sample of 1000 cases with 10 % noise; size counts original features.",
        "Times are CPU seconds of a fit and are set beside the printed ones as ratios.",
    ),
)
