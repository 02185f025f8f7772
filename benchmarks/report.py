"""A benchmark's report: Markdown to read, raw numbers beside it.

Whether a target is met is computed, never typed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from timing import Contestants, Noise, Ratio, Sample, interleave, number, seconds


@dataclass
class Part:
    """What one run has added to a report."""

    lines: list[str] = field(default_factory=list)
    targets: list[tuple[bool, str]] = field(default_factory=list)
    noise: Noise = field(default_factory=Noise)
    raw: dict[str, Any] = field(default_factory=dict)


class Report:
    """Lines of Markdown, the raw numbers behind them, and the targets, in named parts."""

    def __init__(self, title: str, facts: Mapping[str, str]) -> None:
        self._title = title
        self._facts = dict(facts)
        self._parts = {"": Part()}
        self.begin("")

    def begin(self, name: str) -> None:
        """What follows belongs to the part of this name, and replaces what it held."""
        self._part = self._parts[name] = Part()

    def take_parts(self, file: Path, order: Sequence[str]) -> None:
        """Put the parts of an earlier report of the same machine and versions in this order."""
        earlier = json.loads(file.read_text(encoding="utf-8"))
        if earlier["machine"] != self._facts:
            raise SystemExit(f"{file.name} is of {earlier['machine']}, this is {self._facts}")
        for name in order:
            part = earlier["parts"].get(name)
            self._parts[name] = _part(part) if part else Part()

    @property
    def noise(self) -> Noise:
        """How quiet the machine was for this part."""
        return self._part.noise

    def section(self, title: str, text: str = "") -> None:
        self._part.lines += [f"## {title}", ""]
        if text:
            self.say(text)

    def say(self, text: str) -> None:
        self._part.lines += [text, ""]

    def table(self, head: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """First column text, the others figures."""
        cells = [[str(cell) for cell in row] for row in rows]
        self._part.lines += [
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
        self._part.raw[key] = value

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
        met = bool(met)  # NumPy's own is no JSON
        self._part.targets.append((met, text))
        if len(self._part.lines) > 1 and self._part.lines[-2].startswith("- "):
            self._part.lines.pop()  # one list
        self._part.lines += [f"- {_verdict(met)}: {text}", ""]

    def markdown(self) -> str:
        facts = "; ".join(f"{name}: {value}" for name, value in self._facts.items())
        targets = [target for part in self._parts.values() for target in part.targets]
        summary = [
            f"{sum(met for met, _ in targets)} of {len(targets)} targets met.",
            "",
            str(sum((part.noise for part in self._parts.values()), Noise())),
            "",
            *(f"- {_verdict(met)}: {text}" for met, text in targets),
            "",
        ]
        lines = [f"# {self._title}", "", facts + ".", "", *(summary if targets else [])]
        lines += [line for part in self._parts.values() for line in part.lines]
        return "\n".join(lines).rstrip() + "\n"

    def kept(self) -> dict[str, Any]:
        """What `put_back` needs to show this part again within another report."""
        return asdict(self._part)

    def put_back(self, kept: Mapping[str, Any]) -> None:
        """Add a part as it was kept."""
        self._parts[str(len(self._parts))] = _part(kept)

    def write(self, folder: Path, stem: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{stem}.md").write_text(self.markdown(), encoding="utf-8")
        raw = {
            "machine": self._facts,
            "parts": {name: asdict(part) for name, part in self._parts.items()},
        }
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
        return interleave(
            contestants, rounds, patience=patience, calls=calls, noise=self.report.noise
        )


def number_or_whole(x: float) -> str:
    return str(int(x)) if x == int(x) else number(x)


def _part(kept: Mapping[str, Any]) -> Part:
    return Part(**{**kept, "noise": Noise(**kept["noise"])})


def _verdict(met: bool) -> str:
    return "met" if met else "**not met**"
