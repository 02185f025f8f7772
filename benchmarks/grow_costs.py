"""What else a tree costs: memory, prediction, import."""

from __future__ import annotations

import statistics
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

import contestants as peers
import tables
from contestants import ONE, SKLEARN, TWO
from report import Run
from timing import Ratio, Sample, fresh, fresh_json, number, tell

HERE = Path(__file__).parent


def memory(run: Run) -> None:
    """Peak beyond the table, each fit in a process of its own."""
    report = run.report
    repeats = 1 if run.quick else 3
    text = (
        "Most memory a process held while fitting, less what it held with the table loaded; each "
        f"in a fresh process, median of {repeats} (scikit-learn at a million rows: of one)."
    )
    report.section("Peak memory", text)
    cases = [
        ("unpruned", tables.noisy(run.rows(100_000, 20_000)), 0),
        ("depth 10", tables.noisy(run.rows(1_000_000, 100_000)), 10),
    ]
    rows = []
    targets = []
    for name, data, depth in cases:
        used: dict[str, float] = {}
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder, "table"))
            np.save(f"{file}.X.npy", data.X)
            np.save(f"{file}.y.npy", data.y)
            for label, contestant, n_threads in (
                (SKLEARN, "sklearn", 1),
                (ONE, "planetree", 1),
                (TWO, "planetree", 2),
            ):
                n = 1 if contestant == "sklearn" and len(data.X) > 500_000 else repeats
                arguments = (contestant, str(n_threads), str(depth), file)
                found = [fresh_json(HERE / "memory.py", *arguments)["bytes"] for _ in range(n)]
                used[label] = statistics.median(found)
                report.raw(f"memory, {name}, {label}", found)
                tell(f"  {name}, {label}: {used[label] / 1e6:.1f} MB")
        table = data.X.nbytes + data.y.nbytes
        megabytes = [f"{value / 1e6:.1f} MB" for value in (table, *used.values())]
        ratios = [used[ours] / used[SKLEARN] for ours in (ONE, TWO)]
        rows.append(
            [f"{data.what}, {name}", *megabytes, *(f"{number(ratio)}×" for ratio in ratios)]
        )
        targets.append((f"peak memory against scikit-learn's, {name}", max(ratios)))
    head = ["table", "the table itself", SKLEARN, ONE, TWO, "ratio, 1 thread", "ratio, 2 threads"]
    report.table(head, rows)
    for what, ratio in targets:
        report.at_most(what, 2, ratio, "×")


def predict(run: Run) -> None:
    """Many rows and one row through the public API."""
    train = tables.noisy(run.rows(100_000, 20_000))
    X = tables.noisy(run.rows(1_000_000, 200_000), seed=1).X
    single = X.astype(np.float32)
    report = run.report
    what = f"{len(X):,} rows of 20 features".replace(",", " ")
    report.section(
        "Prediction",
        f"{what} through `predict`, trees grown on {train.what}. scikit-learn also gets the rows "
        "in single precision, which spares it a copy.",
    )
    for name, depth in (("depth 10", 10), ("unpruned", None)):
        theirs = peers.fit_sklearn(train, depth)
        ours = {k: peers.fit_planetree(train, depth, k) for k in (1, 2)}
        tell(f" {name}")
        samples = run.race(
            {
                SKLEARN: partial(theirs.predict, X),
                "scikit-learn, single precision": partial(theirs.predict, single),
                ONE: partial(ours[1].predict, X),
                TWO: partial(ours[2].predict, X),
            },
            rounds=10,
        )
        report.say(f"{name.capitalize()}:")
        report.times(f"predict, {name}", samples, [ONE, TWO])
        for threads, who in (("1 thread", ONE), ("2 threads", TWO)):
            ratio = Ratio.of(samples[SKLEARN], samples[who])
            report.at_least(f"faster predictions than scikit-learn, {name}, {threads}", 3, ratio)

    tell(" one row")
    row = X[:1].copy()
    calls = 200 if run.quick else 2000
    ours_one = peers.PlaneTreeClassifier(max_depth=10).fit(train.X, train.y)
    one = run.race(
        {
            SKLEARN: partial(peers.fit_sklearn(train, 10).predict, row),
            "planetree": partial(ours_one.predict, row),
        },
        rounds=10,
        calls=calls,
    )
    report.say(
        f"One row, `predict` of a (1, 20) array of doubles, depth 10, each time that of {calls} "
        "calls in a row:"
    )
    report.times("predict, one row", one, ["planetree"])
    report.at_most("one row predicted", 30, 1e6 * one["planetree"].median, " µs")


NEEDED = "scikit-learn, what any classifier needs"
IMPORTS = {
    "nothing": "pass",
    "scikit-learn, the name alone": "import sklearn",
    NEEDED: (
        "import sklearn.base, sklearn.utils.validation, "
        "sklearn.utils.multiclass, sklearn.utils.class_weight"
    ),
    "scikit-learn, its trees": "import sklearn.tree",
    "planetree": "import planetree",
}


def _import_time(statement: str) -> float:
    code = f"import time\nt = time.perf_counter()\n{statement}\nprint(time.perf_counter() - t)"
    return float(fresh(["-c", code]))


def _own_import_times(statement: str) -> dict[str, float]:
    """Milliseconds spent in each package's own modules, by the interpreter's own account."""
    code = (
        "import subprocess, sys; print(subprocess.run([sys.executable, '-X', 'importtime', '-c', "
        f"{statement!r}], capture_output=True, text=True, check=True).stderr)"
    )
    own: dict[str, float] = {}
    for line in fresh(["-c", code]).splitlines():
        parts = line.removeprefix("import time:").split("|")
        if len(parts) == 3 and parts[0].strip().isdigit():
            package = parts[2].strip().split(".")[0]
            own[package] = own.get(package, 0.0) + int(parts[0]) / 1000
    return own


def import_time(run: Run) -> None:
    """What `import planetree` costs beyond scikit-learn."""
    rounds = 3 if run.quick else 15
    samples = {name: Sample() for name in IMPORTS}
    for turn in range(rounds + 1):
        for name, statement in IMPORTS.items():
            taken = _import_time(statement)
            if turn > 0:  # the first fills the file cache
                samples[name].seconds.append(taken)
    report = run.report
    report.section(
        "Import",
        f"Medians of {rounds} fresh interpreters each, taken in turn. *What any classifier needs*: "
        f"`{IMPORTS[NEEDED]}`.",
    )
    report.raw("import", {name: sample.seconds for name, sample in samples.items()})
    ours = samples["planetree"]

    def beyond(name: str) -> float:
        pairs = zip(ours.seconds, samples[name].seconds)
        return 1000 * statistics.median(a - b for a, b in pairs)

    rows = [
        [
            name,
            f"{1000 * s.median:.0f} ms ({1000 * min(s.seconds):.0f}–{1000 * max(s.seconds):.0f})",
            f"{beyond(name):+.0f} ms",
        ]
        for name, s in samples.items()
        if name != "nothing"
    ]
    report.table(["", "time", "planetree's beyond it"], rows)
    runs = [_own_import_times("import planetree") for _ in range(1 if run.quick else 7)]
    bare = set(_own_import_times("pass"))
    packages = {
        name: statistics.median(r.get(name, 0.0) for r in runs)
        for name in set().union(*runs) - bare
    }
    biggest = sorted(packages.items(), key=lambda item: -item[1])[:8]
    report.raw("import, own milliseconds", dict(sorted(packages.items())))
    listed = ", ".join(f"{name} {value:.0f} ms" for name, value in biggest)
    report.say(
        "Own time of each package's modules in `import planetree` (`-X importtime`, which slows "
        f"it): {listed}."
    )
    report.at_most(
        "import beyond scikit-learn's trees", 50, beyond("scikit-learn, its trees"), " ms"
    )
    report.at_most(
        "import beyond what any classifier needs of scikit-learn", 50, beyond(NEEDED), " ms"
    )
