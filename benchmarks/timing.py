"""Measuring: contestants taken in turn, medians, ratios with their spread, fresh processes.

Nothing here knows what is measured; every benchmark of this folder uses it.
"""

from __future__ import annotations

import gc
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

Contestants = Mapping[str, Callable[[], Any]]


@dataclass
class Sample:
    """The times of one contestant, a round each."""

    seconds: list[float] = field(default_factory=list)
    result: Any = None  # what its last round returned

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def spread(self) -> float:
        """Width of the middle half, as a share of the median."""
        low, _, high = statistics.quantiles(self.seconds, n=4)
        return (high - low) / self.median


@dataclass(frozen=True)
class Ratio:
    """How many times longer one sample takes than another: by the medians, and by round."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, slow: Sample, fast: Sample) -> Ratio:
        rounds = [s / f for s, f in zip(slow.seconds, fast.seconds)]
        return cls(slow.median / fast.median, min(rounds), max(rounds))

    def __str__(self) -> str:
        return f"{number(self.value)}× ({number(self.low)}–{number(self.high)})"


def number(x: float) -> str:
    """Three significant digits, no exponent."""
    if x == 0 or not math.isfinite(x):
        return f"{x:g}"
    return f"{x:.{max(0, 2 - math.floor(math.log10(abs(x))))}f}"


def seconds(x: float) -> str:
    factor, unit = (1, "s") if x >= 0.9995 else (1e3, "ms") if x >= 0.9995e-3 else (1e6, "µs")
    return f"{number(x * factor)} {unit}"


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def interleave(
    contestants: Contestants,
    rounds: int,
    *,
    patience: int = 3,
    calls: int = 1,
    noise: Noise | None = None,
) -> dict[str, Sample]:
    """Time every contestant once a round, in an order that turns by one each round.

    A round in which other processes wanted the cores is repeated, and rounds are added while the
    times scatter, until there are `patience` times as many or a minute is over. `calls` is how
    often a contestant is called for one time, which is then that of one call.
    """
    names = list(contestants)
    taken: list[dict[str, float]] = []
    quiet: list[bool] = []
    results: dict[str, Any] = {}
    race_began = time.perf_counter()
    for turn in range(patience * rounds):
        others, began = _time_of_others(), time.perf_counter()
        times = {}
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            results.pop(name, None)  # or two results would be alive at once
            gc.collect()
            gc.disable()
            start = time.perf_counter()
            for _ in range(calls):
                results[name] = contestants[name]()
            times[name] = (time.perf_counter() - start) / calls
            gc.enable()
        wall = time.perf_counter() - began
        taken.append(times)
        quiet.append(_time_of_others() - others < 0.05 * wall + 0.02)
        note = "" if quiet[-1] else " (disturbed)"
        tell(f"  round {turn + 1}{note}: " + ", ".join(f"{n} {seconds(times[n])}" for n in names))
        if turn + 1 >= rounds and time.perf_counter() - race_began > 60:
            break
        if sum(quiet) >= rounds:
            samples = _samples(names, [t for t, is_quiet in zip(taken, quiet) if is_quiet], results)
            if all(sample.spread < 0.1 for sample in samples.values()):
                break
    chosen = quiet if sum(quiet) >= rounds else [True] * len(taken)
    if noise is not None:
        noise.rounds += len(taken)
        noise.disturbed += quiet.count(False)
        noise.used += sum(not q for q, used in zip(quiet, chosen) if used)
    return _samples(names, [t for t, used in zip(taken, chosen) if used], results)


@dataclass
class Noise:
    """How quiet the machine was."""

    rounds: int = 0
    disturbed: int = 0  # other processes took more than a twentieth of a core
    used: int = 0  # of those, for want of quiet ones

    def __add__(self, other: Noise) -> Noise:
        return Noise(
            self.rounds + other.rounds, self.disturbed + other.disturbed, self.used + other.used
        )

    def __str__(self) -> str:
        text = (
            f"Other processes took more than 5 % of a core in {self.disturbed} of {self.rounds} "
            f"rounds; {self.disturbed - self.used} of these were left out."
        )
        if self.used:
            text += (
                f" **{self.used} disturbed rounds had to be counted: the times, and those on two "
                "threads above all, say little until this is run on a quiet machine.**"
            )
        return text


def _samples(names: list[str], rounds: list[dict[str, float]], results: Mapping[str, Any]) -> Any:
    return {name: Sample([times[name] for times in rounds], results[name]) for name in names}


def _time_of_others() -> float:
    """Seconds of processor time that all other processes have had; 0 where nobody tells."""
    try:
        first = Path("/proc/stat").read_text().split("\n", 1)[0]
    except OSError:
        return 0.0
    user, nice, system, _idle, _waiting, *interrupts = map(int, first.split()[1:9])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK") - time.process_time()


def fresh(arguments: Sequence[str], *, environment: Mapping[str, str] | None = None) -> str:
    """Standard output of a new interpreter."""
    done = subprocess.run(
        [sys.executable, *arguments],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    return done.stdout


def fresh_json(script: Path, *arguments: str) -> Any:
    """What a script of this folder prints, run in a process of its own."""
    return json.loads(fresh([str(script), *arguments]))


def slope(x: Iterable[float], y: Iterable[float]) -> float:
    """Exponent of the power law through these points: the slope of their logarithms' line."""
    return statistics.linear_regression(
        [math.log(value) for value in x], [math.log(value) for value in y]
    ).slope


def machine(packages: Iterable[str]) -> dict[str, str]:
    """Facts of the machine that a reader of the figures needs, and none that tell whose it is."""
    facts = {"cores": str(cores()), "processor": _processor(), "system": platform.system()}
    facts["Python"] = platform.python_version()
    return facts | {name: version(name) for name in packages}


def cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


WIDEST = {"AVX-512": "avx512f", "AVX2": "avx2"}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    facts = dict(
        reversed([[part.strip() for part in line.split(":", 1)] for line in lines if ":" in line])
    )
    words = [
        facts.get("vendor_id", ""),
        "family",
        facts.get("cpu family", "?"),
        "model",
        facts.get("model", "?"),
    ]
    widest = (
        "AVX-512"
        if "avx512f" in facts.get("flags", "")
        else "AVX2"
        if "avx2" in facts.get("flags", "")
        else ""
    )
    return ", ".join(part for part in (platform.machine(), " ".join(words), widest) if part)
