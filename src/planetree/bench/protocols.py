"""How rows are parted into those to learn from, to prune with and to test on.

The parts depend on the data, the repetition and the study's seed, not on the system, so every
system sees the same ones.

The dealing is our own, and short: scikit-learn's stratified splitters refuse or warn of classes
that have fewer rows than there are folds, which the papers' data sets (zoo, flare) have.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from planetree.errors import StudyError

__all__ = ["PROTOCOLS", "FiveByTwo", "GivenSplit", "Part", "Protocol", "RepeatedKFold"]
__all__ += ["Subsampling"]

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Part:
    """Rows of one fold, by place, each list in ascending order.

    Parameters
    ----------
    grow : ndarray of int
        Rows to learn from.
    prune : ndarray of int
        Rows held out of the training part for pruning; none without a prune share.
    test : ndarray of int
        Rows to test on.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.bench.protocols import Part
    >>> Part(np.array([0, 3]), np.array([1]), np.array([2])).train
    array([0, 1, 3])
    """

    grow: Rows
    prune: Rows
    test: Rows

    @property
    def train(self) -> Rows:
        """The whole training part: to learn from and to prune with."""
        return np.union1d(self.grow, self.prune)


@dataclass(frozen=True, kw_only=True)
class Protocol(ABC):
    """How often and in which way rows are parted.

    Parameters
    ----------
    repeats : int, default=10
        How often all of it is done, each time with other parts.
    prune_share : float, default=0.0
        Share of each training part to hold out for pruning. A system whose pruner counts cases
        held out (`planetree.pruners.ReducedError`) grows from the rest and prunes with these.
    stratify : bool, default=True
        Whether every part gets its share of every class, as far as whole rows allow.
    """

    kind: ClassVar[str]
    repeats: int = 10
    prune_share: float = 0.0
    stratify: bool = True

    def __post_init__(self) -> None:
        _at_least(self, "repeats", 1)
        _share(self, "prune_share", least_included=True)

    @property
    def n_folds(self) -> int:
        """How many folds a repetition has."""
        return 1

    @property
    def test_share(self) -> float | None:
        """Share of the rows in a test part, where the protocol fixes it."""
        return None

    def parts(self, y: NDArray[Any], given: Rows | None, rng: np.random.Generator) -> list[Part]:
        """Part the rows for one repetition.

        Parameters
        ----------
        y : ndarray
            The class of each row.
        given : ndarray of int or None
            The test rows, where the data come with some.
        rng : numpy.random.Generator
            The repetition's stream.

        Returns
        -------
        list of Part
            One a fold.
        """
        parts = []
        for test in self._test_rows(y, given, rng):
            train = np.setdiff1d(np.arange(len(y)), test)
            held = _dealt_share(y, train, self.prune_share, rng, self.stratify)
            parts.append(Part(np.setdiff1d(train, held), held, test))
        return parts

    @abstractmethod
    def _test_rows(
        self, y: NDArray[Any], given: Rows | None, rng: np.random.Generator
    ) -> list[Rows]:
        """Rows to test on, one list a fold."""

    def describe(self) -> dict[str, Any]:
        """Tell what it is, ready for JSON."""
        return {"kind": self.kind, **asdict(self)}

    def check(self, name: str, y: NDArray[Any], given: Rows | None) -> None:
        """Raise StudyError where these rows cannot be parted so.

        Parameters
        ----------
        name : str
            What the study calls the data.
        y : ndarray
            The class of each row.
        given : ndarray of int or None
            The test rows, where the data come with some.
        """
        least = min(len(part.grow) for part in self.parts(y, given, np.random.default_rng(0)))
        if least < 2:
            raise StudyError(f"data {name}: {len(y)} rows are too few for the protocol {self.kind}")


@dataclass(frozen=True, kw_only=True)
class RepeatedKFold(Protocol):
    """Cross-validation, repeated.

    Parameters
    ----------
    repeats : int, default=10
        How often.
    prune_share : float, default=0.0
        Share of each training part to hold out for pruning.
    stratify : bool, default=True
        Whether every fold gets its share of every class.
    folds : int, default=10
        How many folds.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.bench import RepeatedKFold
    >>> y = np.array([0, 0, 0, 0, 1, 1])
    >>> parts = RepeatedKFold(folds=2).parts(y, None, np.random.default_rng(0))
    >>> [np.bincount(y[part.test]).tolist() for part in parts]
    [[2, 1], [2, 1]]
    """

    kind: ClassVar[str] = "repeated-k-fold"
    folds: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        _at_least(self, "folds", 2)

    @property
    def n_folds(self) -> int:
        """How many folds a repetition has."""
        return self.folds

    @property
    def test_share(self) -> float | None:
        """Share of the rows in a test part."""
        return 1 / self.folds

    def _test_rows(
        self, y: NDArray[Any], given: Rows | None, rng: np.random.Generator
    ) -> list[Rows]:
        order = _shuffled(y, np.arange(len(y)), rng, self.stratify)
        return [np.sort(order[fold :: self.folds]) for fold in range(self.folds)]

    def check(self, name: str, y: NDArray[Any], given: Rows | None) -> None:
        """Raise StudyError where there are fewer rows than folds.

        Parameters
        ----------
        name : str
            What the study calls the data.
        y : ndarray
            The class of each row.
        given : ndarray of int or None
            The test rows, where the data come with some.
        """
        if len(y) < self.folds:
            raise StudyError(f"data {name}: {len(y)} rows are too few for {self.folds} folds")
        super().check(name, y, given)


@dataclass(frozen=True, kw_only=True)
class FiveByTwo(RepeatedKFold):
    """Five times two-fold cross-validation, which the combined F test needs.

    Parameters
    ----------
    repeats : int, default=5
        Five.
    prune_share : float, default=0.0
        Share of each training part to hold out for pruning.
    stratify : bool, default=True
        Whether every fold gets its share of every class.
    folds : int, default=2
        Two.

    Examples
    --------
    >>> from planetree.bench import FiveByTwo
    >>> FiveByTwo().n_folds
    2
    """

    kind: ClassVar[str] = "5x2"
    repeats: int = 5
    folds: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.repeats, self.folds) != (5, 2):
            raise StudyError("the protocol 5x2 has 5 repeats and 2 folds; or take repeated-k-fold")


@dataclass(frozen=True, kw_only=True)
class Subsampling(Protocol):
    """Random divisions into a training and a test part.

    Parameters
    ----------
    repeats : int, default=10
        How many.
    prune_share : float, default=0.0
        Share of each training part to hold out for pruning.
    stratify : bool, default=True
        Whether both parts get their share of every class.
    train_share : float, default=0.6
        Share of the rows to train on.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.bench import Subsampling
    >>> y = np.repeat([0, 1], 50)
    >>> [part] = Subsampling(train_share=0.6).parts(y, None, np.random.default_rng(0))
    >>> len(part.train), len(part.test)
    (60, 40)
    """

    kind: ClassVar[str] = "subsampling"
    train_share: float = 0.6

    def __post_init__(self) -> None:
        super().__post_init__()
        _share(self, "train_share")

    @property
    def test_share(self) -> float | None:
        """Share of the rows in a test part."""
        return 1 - self.train_share

    def _test_rows(
        self, y: NDArray[Any], given: Rows | None, rng: np.random.Generator
    ) -> list[Rows]:
        return [_dealt_share(y, np.arange(len(y)), 1 - self.train_share, rng, self.stratify)]


@dataclass(frozen=True, kw_only=True)
class GivenSplit(Protocol):
    """The division into training and test rows that the data come with.

    Repetitions differ in what is held out for pruning and in the systems' own chance.

    Parameters
    ----------
    repeats : int, default=1
        How many runs.
    prune_share : float, default=0.0
        Share of the training part to hold out for pruning.
    stratify : bool, default=True
        Whether the rows held out have their share of every class.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.bench import GivenSplit
    >>> y, test = np.array([0, 1, 0, 1]), np.array([2, 3])
    >>> GivenSplit().parts(y, test, np.random.default_rng(0))[0].train
    array([0, 1])
    """

    kind: ClassVar[str] = "given-split"
    repeats: int = 1

    def _test_rows(
        self, y: NDArray[Any], given: Rows | None, rng: np.random.Generator
    ) -> list[Rows]:
        assert given is not None
        return [given]

    def check(self, name: str, y: NDArray[Any], given: Rows | None) -> None:
        """Raise StudyError where the data come without test rows.

        Parameters
        ----------
        name : str
            What the study calls the data.
        y : ndarray
            The class of each row.
        given : ndarray of int or None
            The test rows, where the data come with some.
        """
        if given is None:
            raise StudyError(
                f"data {name}: the protocol given-split needs test rows, and these data come "
                "without: say test = FILE or test_rows = N"
            )
        super().check(name, y, given)


PROTOCOLS: dict[str, type[Protocol]] = {
    kind.kind: kind for kind in (RepeatedKFold, FiveByTwo, Subsampling, GivenSplit)
}


def _shuffled(y: NDArray[Any], rows: Rows, rng: np.random.Generator, stratify: bool) -> Rows:
    """Rows in random order; those of a class one after the other if stratified.

    Whoever takes every k-th of them gets each class's share to within one row.
    """
    order: Rows = rng.permutation(rows)
    return order[np.argsort(y[order], kind="stable")] if stratify else order


def _dealt_share(
    y: NDArray[Any], rows: Rows, share: float, rng: np.random.Generator, stratify: bool
) -> Rows:
    n = round(share * len(rows))
    order = _shuffled(y, rows, rng, stratify)
    return np.sort(order[np.arange(n) * len(rows) // max(n, 1)])


def _at_least(protocol: Protocol, name: str, least: int) -> None:
    value = getattr(protocol, name)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise StudyError(
            f"{name} of the protocol must be a whole number of at least {least}, not {value!r}"
        )


def _share(protocol: Protocol, name: str, *, least_included: bool = False) -> None:
    value = getattr(protocol, name)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not (0 <= value < 1) or (value == 0 and not least_included):
        least = "at least" if least_included else "above"
        raise StudyError(
            f"{name} of the protocol must be a share, {least} 0 and below 1, not {value!r}"
        )
