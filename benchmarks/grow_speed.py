"""How long a tree takes, and how that grows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import contestants as peers
import tables
from contestants import ONE, SKLEARN, TWO, YDF
from report import Run
from tables import Data
from timing import Ratio, number, seconds, slope, tell


def fits(data: Data, depth: int | None = None) -> dict[str, Callable[[], Any]]:
    return {
        SKLEARN: lambda: peers.fit_sklearn(data, depth),
        ONE: lambda: peers.fit_planetree(data, depth, 1),
        TWO: lambda: peers.fit_planetree(data, depth, 2),
    }


def unpruned(run: Run) -> None:
    """The whole tree: every leaf pure."""
    data = tables.noisy(run.rows(100_000, 20_000))
    columns = peers.ydf_columns(data)
    samples = run.race(fits(data) | {YDF: lambda: peers.fit_ydf(columns)})
    report = run.report
    report.section("Exact trees, unpruned", f"{data.what}. YDF: {peers.YDF_SETTINGS}.")
    report.times("unpruned", samples, [ONE, TWO])
    report.say(
        f"Leaves: planetree {samples[ONE].result.n_leaves_}, scikit-learn "
        f"{samples[SKLEARN].result.get_n_leaves()}, YDF {peers.ydf_leaves(samples[YDF].result)}."
    )
    report.at_least(
        "unpruned: faster than scikit-learn, 1 thread", 18, Ratio.of(samples[SKLEARN], samples[ONE])
    )
    report.at_least("unpruned: faster than YDF, 1 thread", 5, Ratio.of(samples[YDF], samples[ONE]))
    report.at_least(
        "unpruned: faster than scikit-learn, 2 threads",
        28,
        Ratio.of(samples[SKLEARN], samples[TWO]),
    )


def depth_10(run: Run) -> None:
    """A million rows at depth 10, and one binned tree of LightGBM with as many leaves."""
    data = tables.noisy(run.rows(1_000_000, 50_000))
    n_leaves = peers.fit_planetree(data, 10).n_leaves_
    binned = {k: peers.lightgbm_bins(data, n_leaves, k) for k in (1, 2)}

    def whole(n_threads: int) -> Any:
        return peers.fit_lightgbm(
            peers.lightgbm_bins(data, n_leaves, n_threads), n_leaves, n_threads
        )

    samples = run.race(
        fits(data, 10)
        | {
            "LightGBM, bins and tree, 1 thread": lambda: whole(1),
            "LightGBM, bins and tree, 2 threads": lambda: whole(2),
            "LightGBM, tree alone, 1 thread": lambda: peers.fit_lightgbm(binned[1], n_leaves, 1),
            "LightGBM, tree alone, 2 threads": lambda: peers.fit_lightgbm(binned[2], n_leaves, 2),
        },
    )
    report = run.report
    report.section("Exact trees, depth 10", f"{data.what}. LightGBM: {peers.LIGHTGBM_SETTINGS}.")
    report.times("depth 10", samples, [ONE, TWO])
    booster = samples["LightGBM, bins and tree, 1 thread"].result
    report.say(
        f"Leaves: planetree {n_leaves}, scikit-learn {samples[SKLEARN].result.get_n_leaves()}, "
        f"LightGBM {peers.lightgbm_leaves(booster)}. Our time includes sorting, as LightGBM's with "
        "bins includes binning."
    )
    report.at_least(
        "depth 10: faster than scikit-learn, 1 thread", 18, Ratio.of(samples[SKLEARN], samples[ONE])
    )
    report.at_least(
        "depth 10: faster than scikit-learn, 2 threads",
        28,
        Ratio.of(samples[SKLEARN], samples[TWO]),
    )
    for ours, n_threads in ((ONE, "1 thread"), (TWO, "2 threads")):
        ratio = Ratio.of(samples[f"LightGBM, bins and tree, {n_threads}"], samples[ours])
        report.at_least(f"depth 10: faster than a binned LightGBM tree, {n_threads}", 1, ratio)


def other_tables(run: Run) -> None:
    """Wide, many classes, ties, missing values, weights."""
    report = run.report
    report.section("Other tables", "Unpruned, each in one run with scikit-learn.")
    kinds = {
        "wide": tables.noisy(run.rows(5_000, 1_000), 500),
        "many classes": tables.many_classes(run.rows(50_000, 3_000)),
        "ties": tables.ties(run.rows(100_000, 20_000)),
        "missing": tables.missing(run.rows(50_000, 5_000)),
        "weighted": tables.weighted(run.rows(50_000, 5_000)),
    }
    rows = []
    for name, data in kinds.items():
        tell(f" {name}: {data.what}")
        samples = run.race(fits(data))
        report.raw(name, {contestant: sample.seconds for contestant, sample in samples.items()})
        ratios = [Ratio.of(samples[SKLEARN], samples[ours]) for ours in (ONE, TWO)]
        times = [seconds(samples[who].median) for who in (SKLEARN, ONE, TWO)]
        leaves = [samples[ONE].result.n_leaves_, samples[SKLEARN].result.get_n_leaves()]
        rows.append([data.what, *times, *ratios, *leaves])
    head = [
        "table",
        SKLEARN,
        ONE,
        TWO,
        "faster, 1 thread",
        "faster, 2 threads",
        "our leaves",
        "its leaves",
    ]
    report.table(head, rows)


def scaling(run: Run) -> None:
    """How time grows with rows, features and classes."""
    report = run.report
    report.section(
        "How time grows",
        "Unpruned, one thread. The slope is that of the line fitted to the logarithms: 1 is "
        "proportional.",
    )
    rows = [1_000, 10_000, 100_000, 1_000_000] if not run.quick else [1_000, 3_000, 10_000]
    features = [5, 20, 50, 100, 200, 500] if not run.quick else [5, 20, 100]
    classes = [2, 4, 8, 16, 26] if not run.quick else [2, 8, 26]
    n = run.rows(5_000, 1_000)
    m = run.rows(20_000, 3_000)
    sweeps: list[tuple[str, list[int], Callable[[int], Data]]] = [
        ("rows", rows, tables.noisy),
        ("features", features, lambda k: tables.noisy(n, k)),
        ("classes", classes, lambda k: tables.many_classes(m, 16, k)),
    ]
    for name, sizes, make in sweeps:
        ours: list[float] = []
        theirs: list[float] = []
        lines = []
        for size in sizes:
            data = make(size)
            tell(f" {name} {size}: {data.what}")
            fits_of = fits(data)
            # Minutes a fit: left to the section at depth 10.
            who = [ONE] if len(data.X) >= 1_000_000 else [ONE, SKLEARN]
            calls = 10 if len(data.X) <= 1_000 else 1
            samples = run.race({name: fits_of[name] for name in who}, calls=calls)
            ours.append(samples[ONE].median)
            report.raw(f"{name}, {size}", {key: s.seconds for key, s in samples.items()})
            leaves = samples[ONE].result.n_leaves_
            line = [data.what, leaves, seconds(ours[-1])]
            if SKLEARN in samples:
                theirs.append(samples[SKLEARN].median)
                lines.append([*line, seconds(theirs[-1]), Ratio.of(samples[SKLEARN], samples[ONE])])
            else:
                lines.append([*line, "not run", ""])
        slopes = [number(slope(sizes, ours)), number(slope(sizes[: len(theirs)], theirs))]
        report.table(
            [f"by {name}", "leaves", ONE, SKLEARN, "faster"],
            [*lines, ["**slope**", "", *slopes, ""]],
        )
