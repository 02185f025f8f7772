"""Threshold trees against scikit-learn's, YDF's and LightGBM's: `make bench-grow`.

ARGS=--quick takes smaller tables, ARGS="--only memory import" some sections; both write below
build/. ARGS="--only memory --merge" puts these sections in the published report, among those
measured before on the same machine with the same versions.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import grow_costs
import grow_speed
import grow_trees
from report import Report, Run
from timing import machine, tell

ROOT = Path(__file__).parent.parent

SECTIONS: dict[str, Callable[[Run], None]] = {
    "unpruned": grow_speed.unpruned,
    "depth-10": grow_speed.depth_10,
    "tables": grow_speed.other_tables,
    "memory": grow_costs.memory,
    "gini": grow_trees.training_gini,
    "precision": grow_trees.precision,
    "predict": grow_costs.predict,
    "import": grow_costs.import_time,
    "scaling": grow_speed.scaling,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller tables; under two minutes")
    parser.add_argument(
        "--only", nargs="+", choices=SECTIONS, default=list(SECTIONS), help="only these sections"
    )
    parser.add_argument(
        "--merge", action="store_true", help="keep the other sections of the published report"
    )
    parser.add_argument("--output", type=Path, help="folder for grow.md and grow.json")
    options = parser.parse_args()
    if options.quick and options.merge:
        parser.error("a quick run is not for the published report")
    whole = not options.quick and (options.merge or len(options.only) == len(SECTIONS))
    folder = options.output or (ROOT / "docs/benchmarks" if whole else ROOT / "build/benchmarks")

    facts = machine(["planetree", "scikit-learn", "ydf", "lightgbm", "numpy"])
    report = Report("Growing threshold trees", facts)
    report.say(
        "Written by `make bench-grow`. All contestants of a comparison run in one process and take "
        "turns, five rounds or more; a time is the median of the rounds, a ratio that of two "
        "medians, and the range behind it is that of the rounds. Every time is that of the public "
        "call, from the user's array of doubles to the finished model. A section may be measured "
        "again alone (`--merge`); the others then stay as they were."
    )
    if options.merge:
        report.take_parts(folder / "grow.json", list(SECTIONS))
    if options.quick:
        report.say("**Quick run**: its tables are smaller than those the targets speak of.")
    began = time.perf_counter()
    for name in options.only:
        tell(f"{name} ({time.perf_counter() - began:.0f} s)")
        report.begin(name)
        SECTIONS[name](Run(report, options.quick))
    report.write(folder, "grow")
    sys.stdout.write(report.markdown())
    tell(f"written to {folder.name} after {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
