"""Run benchmarks/when.toml and put its tables into docs/when.md: `make when`.

The results stay in build/when.sqlite; a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import re
from importlib.metadata import version
from pathlib import Path

from planetree.bench.results import Results
from planetree.bench.run import run
from planetree.bench.studyfile import read_study
from planetree.bench.tables import Figure, Table, scores

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "when.md"
MADE = re.compile(r"(<!-- made by make when -->\n).*?(<!-- to here -->)", re.DOTALL)


def without_spread(table: Table) -> Table:
    """The same means; the deviations of ten folds would fill the page."""
    rows = [
        [Figure(c.value, None, c.digits, c.mark) if isinstance(c, Figure) else c for c in row]
        for row in table.rows
    ]
    return Table(table.title, table.head, rows, table.notes, table.best)


def page_part(results: Results) -> str:
    """Both tables, and what was measured."""
    made = [without_spread(scores(results, name)).to_markdown() for name in ("accuracy", "leaves")]
    packages = ", ".join(f"{name} {version(name)}" for name in ("planetree", "scikit-learn"))
    return "\n\n".join([*made, f"Measured with {packages}."]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "when.sqlite")
    parser.add_argument("--jobs", type=int, default=None)
    options = parser.parse_args()
    options.results.parent.mkdir(exist_ok=True)
    study = read_study(str(ROOT / "benchmarks" / "when.toml")).study
    results = run(study, options.results, jobs=options.jobs)
    text = PAGE.read_text(encoding="utf-8")
    part = page_part(results)
    PAGE.write_text(
        MADE.sub(lambda found: f"{found[1]}\n{part}\n{found[2]}", text), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
