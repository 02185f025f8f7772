"""A benchmark's report: Markdown to read, raw numbers beside it.

Whether a target is met is computed, never typed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from timing import NOISE, Contestants, Ratio, Sample, interleave, number, seconds


class Report:
    """Lines of Markdown, the raw numbers behind them, and the targets."""

    def __init__(self, title: str, facts: Mapping[str, str]) -> None:
        self._title = title
        self._facts = dict(facts)
        self._lines: list[str] = []
        self._raw: dict[str, Any] = {}
        self._targets: list[tuple[bool, str]] = []

    def section(self, title: str, text: str = "") -> None:
        self._lines += [f"## {title}", ""]
        if text:
            self.say(text)

    def say(self, text: str) -> None:
        self._lines += [text, ""]

    def table(self, head: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """First column text, the others figures."""
        cells = [[str(cell) for cell in row] for row in rows]
        self._lines += [
            "| " + " | ".join(head) + " |",
            "|---|" + "---:|" * (len(head) - 1),
            *("| " + " | ".join(row) + " |" for row in cells),
            "",
        ]

    def times(self, key: str, samples: Mapping[str, Sample], ours: Sequence[str]) -> None:
        """One row a contestant: its median, and the ratio of its time to each of ours."""
        self.raw(key, {name: sample.seconds for name, sample in samples.items()})
        rows = []
        for name, sample in samples.items():
            ratios = ["1" if name == our else Ratio.of(sample, samples[our]) for our in ours]
            rows.append([name, seconds(sample.median), *ratios])
        self.table(["", "median", *(f"÷ {our}" for our in ours)], rows)

    def raw(self, key: str, value: Any) -> None:
        self._raw[key] = value

    def at_least(self, what: str, goal: float, found: Ratio | float, unit: str = "×") -> None:
        value = found.value if isinstance(found, Ratio) else found
        text = str(found) if isinstance(found, Ratio) else f"{number(found)}{unit}"
        self.target(
            value >= goal, f"{what}: at least {number_or_whole(goal)}{unit}; measured {text}"
        )

    def at_most(self, what: str, goal: float, found: float, unit: str) -> None:
        text = f"{what}: at most {number_or_whole(goal)}{unit}; measured {number(found)}{unit}"
        self.target(found <= goal, text)

    def target(self, met: bool, text: str) -> None:
        self._targets.append((met, text))
        if len(self._lines) > 1 and self._lines[-2].startswith("- "):
            self._lines.pop()  # one list
        self._lines += [f"- {_verdict(met)}: {text}", ""]

    def markdown(self) -> str:
        facts = "; ".join(f"{name}: {value}" for name, value in self._facts.items())
        met = sum(met for met, _ in self._targets)
        summary = [
            f"{met} of {len(self._targets)} targets met.",
            "",
            str(NOISE),
            "",
            *(f"- {_verdict(met)}: {text}" for met, text in self._targets),
            "",
        ]
        lines = [
            f"# {self._title}",
            "",
            facts + ".",
            "",
            *(summary if self._targets else []),
            *self._lines,
        ]
        return "\n".join(lines).rstrip() + "\n"

    def kept(self) -> dict[str, Any]:
        """What `put_back` needs to show this report again within another."""
        return {
            "lines": self._lines,
            "targets": self._targets,
            "noise": asdict(NOISE),
            "raw": self._raw,
        }

    def put_back(self, kept: Mapping[str, Any]) -> None:
        self._lines += kept["lines"]
        self._targets += [(met, text) for met, text in kept["targets"]]
        self._raw |= kept["raw"]

    def write(self, folder: Path, stem: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{stem}.md").write_text(self.markdown(), encoding="utf-8")
        raw = {"machine": self._facts, "noise": asdict(NOISE), **self._raw}
        (folder / f"{stem}.json").write_text(json.dumps(raw, indent=1) + "\n", encoding="utf-8")


@dataclass(frozen=True)
class Run:
    """What every section gets."""

    report: Report
    quick: bool

    def rows(self, full: int, quick: int) -> int:
        return quick if self.quick else full

    def race(
        self, contestants: Contestants, *, rounds: int = 5, calls: int = 1
    ) -> dict[str, Sample]:
        patience = 1 if self.quick else 3
        return interleave(contestants, rounds, patience=patience, calls=calls)


def number_or_whole(x: float) -> str:
    return str(int(x)) if x == int(x) else number(x)


def _verdict(met: bool) -> str:
    return "met" if met else "**not met**"
