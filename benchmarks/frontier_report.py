"""The frontier's report: ranks, tests, targets, and two pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import scikit_posthocs
from scipy.stats import wilcoxon
from statsmodels.stats.multitest import multipletests

from frontier_data import DEVELOPMENT, NAMES
from report import Report
from timing import machine

OURS, LINEAR, MODEL_TREE = "planetree", "logistic regression", "Weka LMT"
PACKAGES = ["planetree", "scikit-learn", "ydf", "STree", "obliquetree", "numpy"]
# Accuracy in per cent and leaves, from the issue that asked for the default system.
GOALS = {
    "breast_cancer": (97.5, 3),
    "wine": (98, 3),
    "digits": (96, 15),
    "waveform": (86, 6),
    "iris": (96, 3),
    "monks1": (100, 6),
    "segment": (96.5, 14),
    "five-plane": (95, 20),
}


def write(
    rows: list[tuple[str, str, int, dict[str, Any]]], folder: Path, *, busy: bool = False
) -> None:
    found = pd.DataFrame([{"data": d, "system": s, "fold": f, **r} for d, s, f, r in rows])
    if "error" not in found:
        found["error"] = None
    failed = found[found.error.notna()]
    whole = found[found.error.isna()].groupby(["data", "system"]).filter(lambda g: len(g) == 10)
    means = whole.groupby(["data", "system"])[["accuracy", "leaves", "features", "seconds"]].mean()
    tables = {figure: means[figure].unstack() for figure in means}
    systems = [s for s in found.system.unique() if s in tables["accuracy"]]
    order = [d for d in NAMES if d in tables["accuracy"].index]
    accuracy = 100 * tables["accuracy"].loc[order, systems]
    leaves, seconds = tables["leaves"].loc[order, systems], tables["seconds"].loc[order, systems]

    report = Report("Accuracy against size", machine(PACKAGES))
    report.say(
        "Written by `make bench-frontier`. Ten folds, the same for every system, each at its "
        "defaults and on one thread. planetree gets the tables as they are; the others get symbols "
        "as 0/1 columns and gaps filled with the mean. The five-plane table has a tenth of its "
        "training labels wrong and is judged by the right ones. Times are processor seconds of "
        "one fit, the search for a size included."
    )
    report.say(
        "The defaults of planetree were chosen on the development sets, marked with a star: "
        + ", ".join(DEVELOPMENT)
        + ", and made tables with other seeds. What an earlier version had done on the others was "
        "known: iris is why the rule that chooses the size was looked at again, and the "
        "development sets chose among the rules."
    )
    if busy:
        report.say("**The machine had other work, by turns: the times say little.**")
    _targets(report, accuracy, leaves, seconds, tables["features"])
    _ranks(report, accuracy, leaves, systems)
    _tests(report, accuracy, systems)
    for what, table, digits in (
        ("Accuracy in per cent", accuracy, 1),
        ("Leaves", leaves, 1),
        ("Fit, processor seconds", seconds, 2),
    ):
        report.section(what)
        _table(report, table, digits)
    for name, group in failed.groupby(["data", "system"]):
        report.say(f"No result: {name[1]} on {name[0]} ({group.error.iloc[0]}).")
    report.raw("results", [{"data": d, "system": s, "fold": f, **r} for d, s, f, r in rows])
    folder.mkdir(parents=True, exist_ok=True)
    _pictures(report, accuracy, leaves, folder)
    report.write(folder, "frontier")
    print(report.markdown())


def _complete(table: pd.DataFrame, systems: list[str]) -> tuple[pd.DataFrame, list[str]]:
    """The sets on which all systems have results that have results on half of the sets at least."""
    kept = [s for s in systems if table[s].notna().mean() > 0.5]
    return table[kept].dropna(), kept


def _targets(
    report: Report,
    accuracy: pd.DataFrame,
    leaves: pd.DataFrame,
    seconds: pd.DataFrame,
    features: pd.DataFrame,
) -> None:
    if OURS not in accuracy:
        return
    trees = [s for s in accuracy if s != LINEAR]
    kept, names = _complete(accuracy, trees)
    report.section("Targets")
    # A leaf of LMT is a regression of its own: each of its trees is many linear models.
    plain = [s for s in names if s != MODEL_TREE]
    for among, of in (("trees", names), ("trees whose leaves are classes", plain)):
        ranks = kept[of].round(2).rank(axis=1, ascending=False).mean()
        place = int((ranks < ranks[OURS]).sum()) + 1
        report.target(
            place == 1, f"mean rank of accuracy among {among}: 1st; measured {place} of {len(of)}"
        )
    if LINEAR in accuracy:
        both = accuracy[[OURS, LINEAR]].dropna().mean()
        report.target(
            both[OURS] >= both[LINEAR],
            f"mean accuracy not below logistic regression's: {both[OURS]:.2f} against "
            f"{both[LINEAR]:.2f}",
        )
    size = leaves.loc[kept.index, names].rank(axis=1).mean()
    place = int((size < size[OURS]).sum()) + 1
    report.target(place <= 2, f"mean rank of leaves: 1st or 2nd; measured {place} of {len(names)}")
    for data, (least, most) in GOALS.items():
        if data in accuracy.index and not np.isnan(accuracy.loc[data, OURS]):
            a, n = accuracy.loc[data, OURS], leaves.loc[data, OURS]
            report.target(
                round(a, 1) >= least and round(n, 1) <= most,
                f"{data}: at least {least} % with at most {most} leaves; measured {a:.1f} % "
                f"with {n:.1f}",
            )
    few = [d for d in features.index if d not in ("breast_cancer", "digits", "chess", "ionosphere")]
    mean = features.loc[few, OURS].mean()
    report.target(
        mean <= 5, f"features a test on sets of up to 21 columns: at most 5; measured {mean:.1f}"
    )
    times = seconds.median()
    for peer in ("scikit-learn, pruned by CV", "STree", "obliquetree"):
        if peer in times:
            both = seconds[[OURS, peer]].dropna().median()
            report.target(
                both[OURS] < both[peer],
                f"median fit below that of {peer}: {both[OURS]:.2f} s against {both[peer]:.2f} s",
            )


def _ranks(
    report: Report, accuracy: pd.DataFrame, leaves: pd.DataFrame, systems: list[str]
) -> None:
    kept, names = _complete(accuracy, systems)
    trees = [s for s in names if s != LINEAR]
    ranks = kept.round(2).rank(axis=1, ascending=False).mean()
    sizes = leaves.loc[kept.index, trees].rank(axis=1).mean()
    reporting = [d for d in kept.index if d not in DEVELOPMENT]
    apart = kept.loc[reporting].round(2).rank(axis=1, ascending=False).mean()
    report.section(
        "Ranks",
        f"Over the {len(kept)} sets on which all of these have results; the third column over the "
        f"{len(reporting)} that are no development sets.",
    )
    report.table(
        [
            "",
            "rank of accuracy",
            "on report sets",
            "mean accuracy",
            "rank of leaves",
            "mean leaves",
        ],
        [
            [
                s,
                f"{ranks[s]:.2f}",
                f"{apart[s]:.2f}",
                f"{kept[s].mean():.2f}",
                f"{sizes[s]:.2f}" if s in sizes else "",
                f"{leaves.loc[kept.index, s].mean():.1f}" if s in sizes else "",
            ]
            for s in ranks.sort_values().index
        ],
    )


def _tests(report: Report, accuracy: pd.DataFrame, systems: list[str]) -> None:
    peers = [s for s in systems if s != OURS]
    if OURS not in accuracy or not peers:
        return
    rows, p_values = [], []
    for peer in peers:
        both = accuracy[[OURS, peer]].dropna().round(2)
        difference = both[OURS] - both[peer]
        wins, losses = int((difference > 0).sum()), int((difference < 0).sum())
        p = float(wilcoxon(difference).pvalue) if wins + losses else 1.0
        p_values.append(p)
        rows.append(
            [
                peer,
                f"{difference.mean():+.2f}",
                f"{wins} / {len(both) - wins - losses} / {losses}",
                f"{p:.2g}",
            ]
        )
    corrected = multipletests(p_values, method="holm")[1]
    report.section(
        "planetree against each", "Wilcoxon's signed ranks over the sets, corrected by Holm."
    )
    report.table(
        ["", "mean difference", "wins / ties / losses", "p", "p, Holm"],
        [[*row, f"{p:.2g}"] for row, p in zip(rows, corrected, strict=True)],
    )


def _table(report: Report, table: pd.DataFrame, digits: int) -> None:
    rows = [
        [
            name + (" *" if name in DEVELOPMENT else ""),
            *("" if np.isnan(x) else f"{x:.{digits}f}" for x in row),
        ]
        for name, row in zip(table.index, table.to_numpy(), strict=True)
    ]
    report.table(["", *table.columns], rows)


def _pictures(report: Report, accuracy: pd.DataFrame, leaves: pd.DataFrame, folder: Path) -> None:
    kept, names = _complete(accuracy, list(accuracy))
    if len(kept) < 2 or len(names) < 3:
        return
    ranks = kept.round(2).rank(axis=1, ascending=False)
    nemenyi = scikit_posthocs.posthoc_nemenyi_friedman(kept.round(2).to_numpy())
    nemenyi.index = nemenyi.columns = kept.columns
    plt.rcParams.update({"svg.hashsalt": "planetree", "svg.fonttype": "none"})
    figure, axes = plt.subplots(figsize=(8, 2.8))
    scikit_posthocs.critical_difference_diagram(ranks.mean(), nemenyi, ax=axes)
    figure.savefig(folder / "frontier-ranks.svg", bbox_inches="tight", metadata={"Date": None})
    figure, axes = plt.subplots(figsize=(7, 4.5))
    for system in names:
        if system == LINEAR:
            axes.axhline(kept[system].mean(), color="grey", lw=1, ls="--")
            axes.annotate(system, (1, kept[system].mean()), va="bottom", color="grey")
            continue
        size = float(np.exp(np.log(leaves.loc[kept.index, system]).mean()))
        axes.scatter(size, kept[system].mean(), s=60 if system == OURS else 25)
        axes.annotate(
            system, (size, kept[system].mean()), xytext=(5, 3), textcoords="offset points"
        )
    axes.set_xscale("log")
    axes.set_xlabel("leaves, geometric mean over the sets")
    axes.set_ylabel("accuracy, mean over the sets, per cent")
    figure.savefig(folder / "frontier-size.svg", bbox_inches="tight", metadata={"Date": None})
    plt.close("all")
    report.section("Pictures")
    report.say(
        "![Critical-difference diagram of the ranks of accuracy](frontier-ranks.svg)\n\n"
        "![Accuracy against leaves](frontier-size.svg)"
    )
