"""A study as a value: data × systems × repetitions × folds, and what is measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from planetree.bench.data import DataSet, read_data
from planetree.bench.measures import check_measures
from planetree.bench.noise import Noise
from planetree.bench.protocols import Protocol, RepeatedKFold
from planetree.bench.systems import BASELINES, read_system
from planetree.errors import StudyError

__all__ = ["Cell", "Study"]

DEFAULT_MEASURES = ("accuracy", "leaves", "fit_seconds")


class Cell(NamedTuple):
    """What is done as one piece: one system, fitted to one training part and tested.

    Examples
    --------
    >>> from planetree.bench.study import Cell
    >>> Cell("iris", "cart", repetition=0, fold=3)
    Cell(data='iris', system='cart', repetition=0, fold=3)
    """

    data: str
    system: str
    repetition: int
    fold: int


@dataclass(frozen=True, eq=False)
class Study:
    """A comparison of systems on data sets.

    Parameters
    ----------
    data : mapping
        By name: a pair ``(X, y)``, ``"bundled:NAME"``, a path, the name of a generator, or a
        mapping as a study file has it (`planetree.bench.data.read_data`).
    systems : mapping
        By name: an estimator, a preset's word, or a mapping as a study file has it
        (`planetree.bench.systems.read_system`).
    protocol : Protocol
        How rows are parted; ten times ten-fold if nothing is said.
    measures : sequence of str
        What is measured (`planetree.bench.MEASURES`).
    noise : Noise or sequence of Noise, default=None
        Spoils all data that have no noise of their own; several make several data sets of each.
    baselines : bool, default=True
        Whether logistic regression and the nearest mean take part.
    time_limit : float, default=None
        Seconds that a cell may take; one that takes longer is stopped and recorded as an error.
    memory_limit : float, default=None
        MiB that a cell may take beyond what the data take (Linux).
    seed : int, default=0
        Everything random follows from it and from names.
    name : str, default="study"
        The study's title.
    folder : path, default=None
        Where relative paths of the data begin.

    Examples
    --------
    >>> from planetree import presets
    >>> from planetree.bench import RepeatedKFold, Study
    >>> study = Study(
    ...     data={"iris": "bundled:iris"},
    ...     systems={"cart": presets.CART(), "small": {"preset": "cart", "max_depth": 2}},
    ...     protocol=RepeatedKFold(repeats=1, folds=5),
    ... )
    >>> list(study.systems), study.n_cells
    (['cart', 'small', 'logistic-regression', 'nearest-mean'], 20)
    """

    data: Mapping[str, Any]
    systems: Mapping[str, Any]
    protocol: Protocol = field(default_factory=RepeatedKFold)
    measures: Sequence[str] = DEFAULT_MEASURES
    noise: Noise | Sequence[Noise] | None = None
    baselines: bool = True
    time_limit: float | None = None
    memory_limit: float | None = None
    seed: int = 0
    name: str = "study"
    folder: str | Path | None = None

    def __post_init__(self) -> None:
        for key in ("data", "systems"):
            value = getattr(self, key)
            if not isinstance(value, Mapping) or not value:
                raise StudyError(f"a study needs {key}, by name")
        if not isinstance(self.protocol, Protocol):
            raise StudyError(f"protocol must be one such as RepeatedKFold(), not {self.protocol!r}")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or self.seed < 0:
            raise StudyError(f"seed must be a whole number of at least 0, not {self.seed!r}")
        if not isinstance(self.baselines, bool):
            raise StudyError(f"baselines is true or false, not {self.baselines!r}")
        for key in ("time_limit", "memory_limit"):
            limit = getattr(self, key)
            number = isinstance(limit, int | float) and not isinstance(limit, bool)
            if limit is not None and (not number or not limit > 0):
                raise StudyError(f"{key} must be a number above 0, not {limit!r}")
        object.__setattr__(self, "measures", check_measures(self.measures))
        systems = dict(self.systems)
        if self.baselines:
            systems |= {word: word for word in BASELINES if word not in systems}
        made = {name: read_system(name, what) for name, what in systems.items()}
        object.__setattr__(self, "systems", made)
        object.__setattr__(self, "data", self._read_data())

    def _read_data(self) -> dict[str, DataSet]:
        noises: list[Noise | None] = [None]
        if self.noise is not None:
            noises = [self.noise] if isinstance(self.noise, Noise) else [*self.noise]
        data: dict[str, DataSet] = {}
        folder = None if self.folder is None else Path(self.folder)
        for name, what in self.data.items():
            read = read_data(name, what, seed=self.seed, folder=folder)
            self.protocol.check(name, read.y, read.test)
            variants = [read]
            if read.noise is None:
                variants = [_noisy(read, noise) for noise in noises]
            for variant in variants:
                if variant.name in data:
                    raise StudyError(f"two data sets are called {variant.name}")
                data[variant.name] = variant
        return data

    @property
    def n_cells(self) -> int:
        """How many cells there are."""
        return len(self.data) * len(self.systems) * self.protocol.repeats * self.protocol.n_folds

    def cells(self) -> Iterator[Cell]:
        """Every cell; those of one fold follow each other, so what is there early is comparable.

        Yields
        ------
        Cell
            The next one.
        """
        for repetition in range(self.protocol.repeats):
            for data in self.data:
                for fold in range(self.protocol.n_folds):
                    for system in self.systems:
                        yield Cell(data, system, repetition, fold)

    def describe(self) -> dict[str, Any]:
        """Tell what makes the study what it is, ready for JSON.

        Returns
        -------
        dict
            Two studies with the same are the same; limits and the name are no part of it.
        """
        return {
            "seed": self.seed,
            "protocol": self.protocol.describe(),
            "measures": list(self.measures),
            "data": {name: data.describe() for name, data in self.data.items()},
            "systems": {name: system.describe() for name, system in self.systems.items()},
        }


def _noisy(data: DataSet, noise: Noise | None) -> DataSet:
    if noise is None or noise.rate == 0:
        return data
    return replace(data, name=f"{data.name}, {100 * noise.rate:g} % noise", noise=noise)
