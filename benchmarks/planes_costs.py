"""What the searches of a node cost, beside the plain way to do the same."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from planetree import PlaneTreeClassifier, _core, datasets, learners
from planetree.learners import RLS, CoefficientLearner
from planetree.learners.starts import directions
from planetree.linear import Linear
from planetree.merits import Gini
from planetree.presets import CART
from planetree.pruners import Unpruned
from planetree.schema import Feature, Schema
from planetree.search import OpenNode, Univariate
from planetree.selectors import SBE, All
from planetree.stopping import Stop
from planetree.table import Table
from planetree.threads import resolve_threads
from planetree.view import NodeView, Sums
from report import Run
from timing import Ratio, seconds

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from reference import plane_search


def root(X: Any, y: Any) -> OpenNode:
    """The root of a tree, as growth searches it."""
    schema = Schema(tuple(Feature(f"x{j}") for j in range(X.shape[1])))
    classes, codes = np.unique(y, return_inverse=True)
    table = Table(schema, X, codes.astype(np.int32), tuple(classes.tolist()))
    return OpenNode(table, np.arange(len(X), dtype=np.uint32), Gini(), Stop())


def size(X: Any) -> str:
    return f"{X.shape[0]:,} × {X.shape[1]}".replace(",", " ")


class EachAnew(CoefficientLearner):
    """RLS that sums up the cross products of every set of columns anew."""

    def fit(self, view: NodeView) -> Any:
        W = RLS().solve(Sums.of(view.Z, view.y, view.n_classes, view.weight))
        return None if W is None else view.machine(W)


def backward_elimination(run: Run) -> None:
    """SBE from one Gram matrix, and with a fit for every set."""
    X, y = datasets.make_planes(run.rows(20_000, 2_000), 40, random_state=0)
    node, threads = root(X, y), resolve_threads(None)
    samples = run.race(
        {
            "one pass for the sums": lambda: Linear(RLS(), SBE(), n_threads=threads)(node),
            "a fit for every set": lambda: Linear(EachAnew(), SBE(), n_threads=threads)(node),
        },
        rounds=2,
    )
    ours, naive = samples.values()
    run.report.section(
        "Sequential backward elimination under RLS",
        f"SBE over the root of {size(X)}, which looks at up to 820 sets of features. Both ways "
        "score every set on all rows; the naive one also sums up and solves each of them anew.",
    )
    run.report.times("sbe", samples, ["one pass for the sums"])
    same = ours.result.test.features == naive.result.test.features
    features = len(ours.result.test.features)
    run.report.say(
        f"Both keep {features} features{'' if same else ', not the same ones'}, with merit "
        f"{ours.result.merit:.6f} and {naive.result.merit:.6f}."
    )
    run.report.at_least("SBE faster than a fit for every set", 20, Ratio.of(naive, ours))


def pairs(run: Run) -> None:
    """BIT2 beside the univariate tree, by the number of tests a node looks at."""
    X, y = datasets.make_planes(run.rows(20_000, 2_000), random_state=0)
    p = X.shape[1]
    n_pairs = p * (p - 1) // 2
    run.report.section(
        "BIT2 beside univariate trees",
        f"{size(X)}, {n_pairs} pairs and two tests a pair, Gini. The unpruned trees, and the "
        "search of the root alone; *every cut scored* is BIT2 without its bounds.",
    )
    node = root(X, y)
    view, _ = Linear(learners.BIT2(), All()).look(node)
    for threads, on in ((1, "1 thread"), (2, "2 threads")):
        uni, bit2 = f"univariate, {on}", f"BIT2, {on}"
        grown = run.race(
            {
                uni: partial(CART(n_threads=threads, pruner=Unpruned()).fit, X, y),
                bit2: partial(
                    PlaneTreeClassifier(learner=learners.BIT2(), n_threads=threads).fit, X, y
                ),
            },
            rounds=3,
        )
        run.report.times(f"bit2, trees, {on}", grown, [uni])
        leaves = ", ".join(f"{name} {s.result.n_leaves_}" for name, s in grown.items())
        run.report.say(f"Leaves: {leaves}.")
        ratio = Ratio.of(grown[bit2], grown[uni])
        for what, factor in (("tests", 2 * n_pairs), ("pairs", n_pairs)):
            share = Ratio(*(part * p / factor for part in (ratio.value, ratio.low, ratio.high)))
            run.report.target(
                share.value <= 3,
                f"BIT2's tree, {on}: at most 3× the univariate tree's time × {factor} "
                f"{what} / {p} features; measured {share}",
            )
    kernel = _core.bit2
    options = {**view.kernel, "merit": "gini", "choice": "merit", "min_leaf_rows": 1}
    alone = run.race(
        {
            "univariate": lambda: Univariate()(node),
            "BIT2": partial(kernel, **options, n_threads=1),
            "BIT2, every cut scored": partial(kernel, **options, n_threads=1, exhaustive=True),
        },
        rounds=3,
    )
    run.report.say("The root alone, one thread:")
    run.report.times("bit2, root", alone, ["univariate", "BIT2"])
    same = alone["BIT2"].result == alone["BIT2, every cut scored"].result
    run.report.target(same, "BIT2 finds the same split whether it scores every cut or not")


def twins(run: Run) -> None:
    """CART-LC and OC1 beside plain numpy."""
    X, y = datasets.make_planes(run.rows(20_000, 2_000), random_state=0)
    node = root(X, y)
    run.report.section(
        "CART-LC and OC1 beside plain numpy",
        f"One test at the root of {size(X)}, all cores, each with its defaults and from the best "
        "univariate split, both from the standardised node on. The numpy programs are those of "
        "tests/reference, which sort the steps of a coefficient and count with cumulative sums, on "
        "the same random numbers.",
    )
    for name, learner in (("CART-LC", learners.CARTLC()), ("OC1", learners.OC1())):
        view, _ = Linear(learner, All(), n_threads=resolve_threads(None)).look(node)
        plain = partial(_by_numpy, name, learner, view)
        samples = run.race({"numpy": plain, "planetree": partial(learner.fit, view)}, rounds=2)
        ours = node.judge(samples["planetree"].result).merit
        found = {"numpy": samples["numpy"].result, "planetree": ours}
        run.report.say(f"{name}:")
        run.report.times(f"{name} beside numpy", samples, ["planetree"])
        impurity = {who: 0.5 - merit for who, merit in found.items()}
        text = ", ".join(f"{who} {value:.6f}" for who, value in found.items())
        run.report.raw(f"{name}, merit", found)
        run.report.target(
            impurity["planetree"] <= impurity["numpy"] + 1e-12,
            f"{name}: impurity no worse than the numpy program's; merits {text}",
        )
        ratio = Ratio.of(samples["numpy"], samples["planetree"])
        run.report.at_least(f"{name}: faster than plain numpy", 20, ratio)


def _by_numpy(name: str, learner: Any, view: NodeView) -> float:
    """Merit of what the twin finds."""
    search = plane_search.Search(view.Z, view.y, view.n_classes)
    starts = directions(view, learner.starts)
    if name == "OC1":
        w = plane_search.oc1(
            search, starts, view.seed, learner.restarts, learner.jumps, learner.order
        )
    else:
        w = plane_search.cart_lc(
            search, starts[0], learner.gammas, learner.epsilon, learner.max_cycles
        )
    search.start(w)
    parent = np.square(np.bincount(view.y)).sum() / view.n_rows
    return float((search.score - parent) / view.n_rows)


def whole_tree(run: Run) -> None:
    """A tree of OC1, grown to the end."""
    X, y = datasets.make_planes(run.rows(20_000, 2_000), random_state=0)
    lines = []
    contestants: dict[str, Callable[[], Any]] = {
        "OC1": PlaneTreeClassifier(learner=learners.OC1(), random_state=0).fit,
        "OC1, 64 leaves": PlaneTreeClassifier(
            learner=learners.OC1(), max_leaves=64, random_state=0
        ).fit,
    }
    samples = run.race({name: partial(fit, X, y) for name, fit in contestants.items()}, rounds=3)
    run.report.section("A whole tree of OC1", f"{size(X)}, all cores.")
    run.report.raw("oc1", {name: s.seconds for name, s in samples.items()})
    for name, s in samples.items():
        lines.append([name, seconds(s.median), s.result.n_leaves_])
    run.report.table(["", "fit", "leaves"], lines)
    for name, s in samples.items():
        run.report.at_most(f"a tree of {name}", 3, s.median, " s")
