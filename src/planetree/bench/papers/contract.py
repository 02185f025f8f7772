"""What a reproduced paper consists of: studies, tables and conclusions; one module a paper."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from planetree.bench.papers.published import Printed
from planetree.bench.protocols import Protocol as Parting
from planetree.bench.results import Results
from planetree.bench.study import Cell, Study
from planetree.bench.tables import Table

__all__ = ["Compared", "Conclusion", "Finding", "Judged", "Kind", "OwnTable", "Paper", "PaperTable"]
__all__ += ["Place", "Plan", "Runs", "Verdict"]

MEASURED = (
    *("accuracy", "leaves", "nodes", "tests", "size"),
    *("multivariate_tests", "univariate_tests", "fit_seconds"),
)
Runs = Mapping[str, Results]
"""What came of the studies of a paper, by name."""


Kind = Literal["accuracy", "size"]
"""Which bar a figure is held to."""


class Place(NamedTuple):
    """Where our figure for a printed one is: a study, and what it measured of which system."""

    study: str
    data: str
    system: str
    measure: str = "accuracy"

    @property
    def accuracy(self) -> Place:
        """Where the accuracy of the same trees is."""
        return self._replace(measure="accuracy")


@dataclass(frozen=True)
class Plan:
    """A study of a paper. It is declared in full; a run picks the cells to do now.

    Parameters
    ----------
    data, systems : mapping
        As `planetree.bench.Study` takes them.
    protocol : Protocol
        How rows are parted.
    quick : sequence of str
        The data of a quick run.
    quick_repeats : int
        Its repetitions.
    slow : sequence of str
        The systems that it leaves out.
    noise : object
        As `planetree.bench.Study` takes it.
    """

    data: Mapping[str, Any]
    systems: Mapping[str, Any]
    protocol: Parting
    quick: Sequence[str]
    quick_repeats: int = 1
    slow: Sequence[str] = ()

    def study(self, name: str) -> Study:
        """Declare the study."""
        return Study(
            data=self.data,
            systems=self.systems,
            protocol=self.protocol,
            measures=MEASURED,
            baselines=False,
            name=name,
        )

    def picks(
        self, places: Iterable[Place], *, quick: bool, repeats: int | None
    ) -> Callable[[Cell], bool]:
        """Say which cells a run does.

        Parameters
        ----------
        places : iterable of Place
            The figures it is for, all of this study.
        quick : bool
            Whether only a few repetitions of the quick data are wanted.
        repeats : int or None
            How many repetitions are wanted; None is all of them, or the quick ones.

        Returns
        -------
        callable
            Whether a cell is to be done.
        """
        wanted = {(place.data, place.system) for place in places}
        most = repeats or (self.quick_repeats if quick else self.protocol.repeats)

        def picked(cell: Cell) -> bool:
            if quick and (cell.data not in self.quick or cell.system in self.slow):
                return False
            return cell.repetition < most and (cell.data, cell.system) in wanted

        return picked


@dataclass(frozen=True)
class Judged:
    """A printed figure and ours.

    Parameters
    ----------
    table : int
        The table's number.
    row, column : str
        Its place there.
    kind : {"accuracy", "size"}
        Which bar it is held to.
    place : Place
        Where ours is.
    printed : Printed
        Theirs.
    ours : float
        Ours, in the paper's unit; NaN where there is none.
    met : bool or None
        Whether it comes out as printed or better; None where that is not asked.
    better : bool
        Whether it is met only because ours is better.
    """

    table: int
    row: str
    column: str
    kind: Kind
    place: Place
    printed: Printed
    ours: float
    met: bool | None
    better: bool = False


@dataclass(frozen=True)
class Compared:
    """A printed table beside ours.

    Parameters
    ----------
    table : Table
        To be shown.
    cells : list of Judged
        Its cells, where they are judged one by one.
    counted : bool
        Whether they count in the totals of the paper.
    """

    table: Table
    cells: list[Judged] = field(default_factory=list)
    counted: bool = True


class PaperTable(Protocol):
    """A results table of a paper."""

    @property
    def number(self) -> int:
        """Its number there."""

    def places(self) -> Iterable[Place]:
        """Tell what must be run for it."""

    def compare(self, runs: Runs, accurate: Container[Place]) -> Compared:
        """Set it beside what was run, knowing where the accuracy is as printed or better."""


@dataclass(frozen=True)
class OwnTable:
    """A printed table that is made in its own way: of p values, of ratios.

    Parameters
    ----------
    number : int
        Its number.
    needs : callable
        Gives what must be run for it.
    make : callable
        Makes the table from what was run.
    """

    number: int
    needs: Callable[[], Iterable[Place]]
    make: Callable[[Runs], Table]

    def places(self) -> Iterable[Place]:
        """Tell what must be run for it."""
        return self.needs()

    def compare(self, runs: Runs, accurate: Container[Place]) -> Compared:
        """Set it beside what was run."""
        del accurate
        return Compared(self.make(runs))


Verdict = Literal["confirmed", "refuted", "undecided"]


@dataclass(frozen=True)
class Finding:
    """What our figures say of a conclusion.

    Parameters
    ----------
    verdict : {"confirmed", "refuted", "undecided"}
        In a word.
    because : str
        The statistic that says so.
    """

    verdict: Verdict
    because: str


@dataclass(frozen=True)
class Conclusion:
    """A conclusion that the paper draws.

    Parameters
    ----------
    says : str
        What it says.
    judge : callable
        Finds out what our figures say of it.
    """

    says: str
    judge: Callable[[Runs], Finding]


@dataclass(frozen=True)
class Paper:
    """A published comparison, and what it takes to do it again.

    Parameters
    ----------
    number : str
        Its number here.
    title, reference : str
        What it is called, and where it was printed.
    plans : mapping of str to Plan
        Its studies.
    tables : sequence of PaperTable
        Its results tables.
    conclusions : sequence of Conclusion
        What it concludes.
    readings : sequence of str
        How the paper was read where it is silent.
    also : sequence of Place
        What the conclusions need that no table shows.
    beside : callable
        Makes more tables, from nothing but the paper's own examples.
    """

    number: str
    title: str
    reference: str
    plans: Mapping[str, Plan]
    tables: Sequence[PaperTable]
    conclusions: Sequence[Conclusion]
    readings: Sequence[str]
    also: Sequence[Place] = ()
    beside: Callable[[], Sequence[Table]] = list
