"""Measure answers to what the papers left open, for docs/questions: `make questions`.

`--only 4 7` takes some of the questions. The results stay in build/questions, a file a comparison;
what was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import re
from importlib.metadata import version
from pathlib import Path

import numpy as np

from planetree.bench import stats
from planetree.bench.results import Results
from planetree.bench.run import run
from planetree.bench.tables import Figure, Table, scores, state
from questions_studies import MEASURES, QUESTIONS, Comparison
from when import without_spread

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs" / "questions"
MADE = re.compile(r"(<!-- made by make questions -->\n).*?(<!-- to here -->)", re.DOTALL)

NOTE = """\
{protocol} The first system of a table is its baseline. CPU seconds are
those of the fit, all threads together, as a multiple of the baseline's. Better, alike and worse
count sets by mean accuracy. p is that of Wilcoxon's signed-rank test against the baseline over the
sets, with Holm's correction over all pairs of systems. Measured with planetree {version}."""


def summary(results: Results, comparison: Comparison) -> Table:
    """A line a system: means over the data sets, and whether it differs from the baseline."""
    base = results.place("system", comparison.baseline)
    means = {name: results.means(name) for name in MEASURES}
    whole = np.all([~np.isnan(mean).any(axis=1) for mean in means.values()], axis=0)
    means = {name: mean[whole] for name, mean in means.items()}
    tests = means["tests"].sum(axis=0)
    features, planes = (means[name].sum(axis=0) / tests for name in ("size", "multivariate_tests"))
    seconds = means["fit_seconds"].sum(axis=0)
    p_accuracy = stats.wilcoxon_holm(-means["accuracy"])[base]
    p_leaves = stats.wilcoxon_holm(means["leaves"])[base]
    rows: list[list[str | Figure]] = []
    for j, system in enumerate(results.systems):
        gained = np.round(means["accuracy"][:, j] - means["accuracy"][:, base], 9)
        better, worse = int((gained > 0).sum()), int((gained < 0).sum())
        told = [
            f"{better}–{len(gained) - better - worse}–{worse}",
            Figure(float(p_accuracy[j]), None, 3),
            Figure(float(p_leaves[j]), None, 3),
        ]
        rows.append(
            [
                system,
                Figure(100 * float(means["accuracy"][:, j].mean())),
                Figure(float(means["leaves"][:, j].mean())),
                Figure(100 * float(planes[j]), None, 0),
                Figure(float(features[j])),
                Figure(float(seconds[j] / seconds[base]), None, 2),
                *(["", "", ""] if j == base else told),
            ]
        )
    head = ["system", "accuracy, %", "leaves", "planes, % of tests", "features a test"]
    head += ["CPU, × baseline", "better–alike–worse", "p, accuracy", "p, leaves"]
    return Table(f"{comparison.title}: means over {whole.sum()} sets", head, rows, state(results))


def measured(comparison: Comparison, path: Path, jobs: int | None) -> str:
    """Tables of one comparison, done as far as it is not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    results = run(comparison.study, path, jobs=jobs, retry=True)
    tables = [summary(results, comparison)]
    tables += [without_spread(scores(results, name)) for name in ("accuracy", "leaves")]
    return "\n\n".join(table.to_markdown() for table in tables)


def write(page: Path, made: str) -> None:
    """Put what was made between the marks of a page."""
    text = page.read_text(encoding="utf-8")
    text = MADE.sub(lambda found: f"{found[1]}\n{made}\n\n{found[2]}", text)
    page.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", type=int, nargs="+", choices=sorted(QUESTIONS), default=sorted(QUESTIONS)
    )
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "questions")
    parser.add_argument("--jobs", type=int, default=None)
    options = parser.parse_args()
    for number in options.only:
        question = QUESTIONS[number]
        parts = [
            measured(comparison, options.results / f"{question.page}-{i}.sqlite", options.jobs)
            for i, comparison in enumerate(question.comparisons())
        ]
        parts += [make() for make in question.others]
        parts.append(NOTE.format(protocol=question.protocol, version=version("planetree")))
        page = PAGES / f"{question.page}.md"
        write(page, "\n\n".join(parts))
        print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
