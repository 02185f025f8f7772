"""Trees of planes: accuracy and time beside other packages, and what the learners cost.

`make bench-planes` runs everything; ARGS="--only sbe bit2" some sections, each under five minutes.
docs/benchmarks/planes.json keeps what every section found last on this machine, and planes.md is
written from all of it. ARGS=--quick takes smaller tables and writes below build/.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import planes_costs
import planes_growth
import planes_online
import planes_table
from report import Report, Run
from timing import cores, machine, tell

ROOT = Path(__file__).parent.parent

SECTIONS: dict[str, Callable[[Run], None]] = {
    "leaves-64": planes_table.held_to_64_leaves,
    "defaults": planes_table.at_their_defaults,
    "sbe": planes_costs.backward_elimination,
    "bit2": planes_costs.pairs,
    "twins": planes_costs.twins,
    "oc1": planes_costs.whole_tree,
    "rows": planes_growth.by_rows,
    "features": planes_growth.by_features,
    "classes": planes_growth.by_classes,
    "online": planes_online.accuracy,
    "online-twins": planes_online.twins,
}


def company(load: float) -> str:
    """Say how many processes wanted a core."""
    text = f"Processes that wanted a core as this ended, of {cores()} cores: {load:.0f}."
    return text + " **The times say little: others were at work.**" * (load > 2 * cores())


def earlier(kept_in: Path, facts: dict[str, str]) -> dict[str, Any]:
    """Sections of earlier runs with the same machine and versions; times of others do not mix."""
    kept = json.loads(kept_in.read_text(encoding="utf-8")) if kept_in.exists() else {}
    if kept.get("machine") == facts:
        sections: dict[str, Any] = kept["sections"]
        return sections
    if kept:
        tell(f"{kept_in.name} is of another machine or other versions: all of it is left out")
    return {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller tables, kept below build/")
    parser.add_argument(
        "--only",
        nargs="*",
        default=list(SECTIONS),
        help="these sections; none writes the page anew",
    )
    options = parser.parse_args()
    for name in set(options.only) - set(SECTIONS):
        parser.error(f"no section {name}; known: {', '.join(SECTIONS)}")
    folder = ROOT / ("build/benchmarks" if options.quick else "docs/benchmarks")
    kept_in = folder / "planes.json"
    facts = machine(["planetree", "scikit-learn", "numpy", "scipy"])
    kept = earlier(kept_in, facts)
    began = time.perf_counter()
    for name in options.only:
        tell(f"{name} ({time.perf_counter() - began:.0f} s)")
        report = Report("Trees of planes", facts)
        SECTIONS[name](Run(report, options.quick))
        report.say(company(os.getloadavg()[0]))
        kept[name] = report.kept()

    report = Report("Trees of planes", facts)
    report.say(
        "Written by `make bench-planes`; each section is of one run, and may be run again alone. "
        "Contestants of a section take turns where it says nothing else, a time is the median of "
        "the rounds, a ratio that of two medians, and the range behind it is that of the rounds. "
        "planetree and the peers use all cores."
    )
    if options.quick:
        report.say("**Quick run**: its tables are smaller than those the targets speak of.")
    for name in SECTIONS:
        if name in kept:
            report.put_back(kept[name])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "planes.md").write_text(report.markdown(), encoding="utf-8")
    ordered = {
        "machine": facts,
        "sections": {name: kept[name] for name in SECTIONS if name in kept},
    }
    kept_in.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(report.markdown())
    tell(f"written to {folder.name} after {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
