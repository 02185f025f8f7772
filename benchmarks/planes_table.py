"""The table of five planes: every preset beside every peer."""

from __future__ import annotations

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from planes_peers import ENOUGH, PEERS, Fitted, measure
from planetree import PlaneTreeClassifier, datasets, learners, presets
from planetree.presets import CART
from planetree.pruners import Unpruned
from report import Run
from timing import number, seconds, tell

ROOT = Path(__file__).parent.parent
# An interpreter that has the package, where the one running does not.
ENVIRONMENTS = {"treeple": ROOT / ".venvs/treeple/bin/python"}
PATIENCE = 100  # seconds for one contestant

TWO_STARTS = ("univariate", "least_squares")


def tree(learner: Any, **options: Any) -> PlaneTreeClassifier:
    return PlaneTreeClassifier(learner=learner, random_state=0, **options)


# Each takes options of the estimator.
OURS: dict[str, Callable[..., PlaneTreeClassifier]] = {
    "univariate": lambda **o: CART(**o, pruner=Unpruned()),
    "RLS": lambda **o: tree(learners.RLS(), **o),
    "LeastSquares": lambda **o: tree(learners.LeastSquares(), **o),
    "Thermal": lambda **o: tree(learners.Thermal(), **o),
    "SmoothMerit": lambda **o: tree(learners.SmoothMerit(), **o),
    "CARTLC": lambda **o: tree(learners.CARTLC(), **o),
    "CARTLC, two starts": lambda **o: tree(learners.CARTLC(starts=TWO_STARTS), **o),
    "OC1": lambda **o: tree(learners.OC1(), **o),
    "OC1, two starts": lambda **o: tree(learners.OC1(starts=TWO_STARTS), **o),
    "BIT1": lambda **o: tree(learners.BIT1(), **o),
    "BIT2": lambda **o: tree(learners.BIT2(), **o),
}
QUICK = {"n_starts": 2, "max_rows": 5000}
OURS["SmoothMerit, quick"] = lambda **o: tree(learners.SmoothMerit(**QUICK), **o)
# Fewer leaves than the 64 that are allowed: nearer the number of planes.
for _name in (
    "RLS",
    "Thermal",
    "SmoothMerit",
    "SmoothMerit, quick",
    "CARTLC, two starts",
    "OC1, two starts",
):
    OURS[f"{_name}, 16 leaves"] = lambda make=OURS[_name], **o: make(**o | {"max_leaves": 16})
PRESETS: dict[str, Callable[..., PlaneTreeClassifier]] = {
    f"presets.{name}()": partial(getattr(presets, name), random_state=0)
    for name in ("Default", "LMDT", "CARTLC", "OC1", "BIT1", "BIT2", "PseudoinverseTree")
}
# Systems that prune, held to 64 leaves too; the default one never has more than 40.
for _name in ("LMDT", "PseudoinverseTree"):
    OURS[f"presets.{_name}()"] = PRESETS[f"presets.{_name}()"]
OURS["presets.Default()"] = lambda **_: PRESETS["presets.Default()"]()
# Takes as many leaves as it is told: its own 16, or what a peer has, where that is less.
OURS["presets.Refined()"] = lambda max_leaves=16, **o: presets.Refined(min(16, max_leaves), **o)
PRESETS["presets.Refined()"] = OURS["presets.Refined()"]


def held_to_64_leaves(run: Run) -> None:
    """Nobody may have more than 64 leaves."""
    what = "held to 64 leaves: by number where a package has such a limit, else by depth 6"
    contest(run, "Five planes, 64 leaves", what, OURS, 64)


def at_their_defaults(run: Run) -> None:
    """As each package comes; ours are the published systems."""
    contest(run, "Five planes, defaults", "as they come; ours with their pruning", PRESETS, 0)


def contest(
    run: Run, title: str, what: str, ours: dict[str, Callable[..., Any]], n_leaves: int
) -> None:
    report, n = run.report, run.rows(20_000, 2_000)
    # The same rows and planes twice, the second time without noise.
    X, y = datasets.make_planes(2 * n, random_state=0)
    _, true = datasets.make_planes(2 * n, noise=0.0, random_state=0)
    data = {"X": X[:n], "y": y[:n], "X_test": X[n:], "y_test": y[n:], "y_true": true[n:]}
    rounds = 1 if run.quick else 2
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "planes.npz")
        np.savez(file, **data)
        for name in PEERS:
            found[name] = peer(name, file, n_leaves, rounds)
            tell(f"  {name}: {found[name]}")
    for name, make in ours.items():
        found[f"planetree: {name}"] = our(make, data, n_leaves, rounds)
        tell(f"  {name}: {found[f'planetree: {name}']}")
    report.raw(title, found)

    size = f"{n:,} × {X.shape[1]}".replace(",", " ")
    report.section(
        title,
        f"`datasets.make_planes`: {size} rows to train on and as many others to test on, two "
        "classes from a tree of five planes over five features each, a tenth of the labels "
        f"turned; {what}. *Accuracy* is that on the test rows without noise, which a perfect tree "
        "has at 100 %; *noisy* that on their "
        f"labels with noise, where it has 90 %. Times are the median of {rounds} fits after one to "
        f"warm up, or of as many as fit in {ENOUGH} s; features are the mean over the tests.",
    )
    rows = [
        [
            name,
            f"{100 * f['accuracy']:.1f} %",
            f"{100 * f['accuracy_noisy']:.1f} %",
            f["leaves"],
            number(f["features"]) if math.isfinite(f["features"]) else "",
            seconds(statistics.median(f["seconds"])),
        ]
        for name, f in found.items()
        if "error" not in f
    ]
    report.table(["", "accuracy", "noisy", "leaves", "features a test", "fit"], rows)
    versions = {f["version"] for f in found.values() if "version" in f}
    report.say(f"Peers: {', '.join(sorted(versions))}.")
    for name, f in found.items():
        if "error" in f:
            report.say(f"Not in the table: {name}, {f['error']}.")

    def refined(n_leaves: int) -> dict[str, Any]:
        return our(OURS["presets.Refined()"], data, n_leaves, 3)

    verdict(run, title, found, refined)


def verdict(
    run: Run,
    title: str,
    found: dict[str, dict[str, Any]],
    refined: Callable[[int], dict[str, Any]],
) -> None:
    """Whether `presets.Refined` beats every peer at no more leaves than the peer has.

    `refined` measures it with so many leaves.
    """
    peers = {
        name: f
        for name, f in found.items()
        if "error" not in f and not name.startswith("planetree: ")
    }
    ours: dict[int, dict[str, Any]] = {}
    rows, left = [], []
    for name, peer in peers.items():
        n_leaves = min(16, peer["leaves"])
        if n_leaves not in ours:
            ours[n_leaves] = refined(n_leaves)
        own = ours[n_leaves]
        if not beats(own, peer):
            left.append(name)
        rows.append([name, *_figures(peer), *_figures(own)])
    report = run.report
    report.say(
        "presets.Refined, with 16 leaves or as many as the peer has, beside each peer: accuracy, "
        "leaves and fit, the peer's first."
    )
    report.table(["", "accuracy", "leaves", "fit", "ours", "leaves", "fit"], rows)
    report.target(
        not left,
        f"{title}: presets.Refined is more accurate than every peer, at no more leaves, and faster"
        + (f"; but for {', '.join(left)}" if left else ""),
    )
    if title.endswith("leaves"):
        held = {name: f for name, f in found.items() if name not in peers and "error" not in f}
        top = max(held, key=lambda name: held[name]["accuracy"])
        accuracy = 100 * held[top]["accuracy"]
        report.at_least(f"{title}: accuracy of {top}, in per cent", 95, accuracy, "")


def _figures(found: dict[str, Any]) -> list[str]:
    accuracy = f"{100 * found['accuracy']:.1f} %"
    return [accuracy, str(found["leaves"]), seconds(statistics.median(found["seconds"]))]


def beats(ours: dict[str, Any], peer: dict[str, Any]) -> bool:
    return bool(
        ours["accuracy"] > peer["accuracy"]
        and ours["leaves"] <= peer["leaves"]
        and statistics.median(ours["seconds"]) < statistics.median(peer["seconds"])
    )


def peer(name: str, file: Path, n_leaves: int, rounds: int) -> dict[str, Any]:
    """In a process of its own, and in an environment of its own where it needs one."""
    python = ENVIRONMENTS.get(name, Path(sys.executable))
    script = Path(__file__).with_name("planes_peers.py")
    if not python.exists():
        return {"error": "its environment could not be made"}
    arguments = [str(python), str(script), name, str(file), str(n_leaves), str(rounds)]
    try:
        done = subprocess.run(
            arguments, capture_output=True, text=True, timeout=PATIENCE, env=os.environ, check=True
        )
    except subprocess.TimeoutExpired:
        return {"error": f"not done after {PATIENCE} s"}
    except subprocess.CalledProcessError as error:
        return {"error": f"ended by itself: {error.stderr.strip().splitlines()[-1:]}"}
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def our(
    make: Callable[..., Any], data: dict[str, Any], n_leaves: int, rounds: int
) -> dict[str, Any]:
    def fit() -> Fitted:
        model = make(**({"max_leaves": n_leaves} if n_leaves else {})).fit(data["X"], data["y"])
        sizes = [len(test.features) for test in model.tree_.tests if test is not None]
        return Fitted(model.predict, model.n_leaves_, statistics.fmean(sizes))

    result: dict[str, Any] = measure(fit, data["X_test"], data["y_test"], data["y_true"], rounds)
    return result
