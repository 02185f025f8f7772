"""What a results file says, as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planetree.bench.measures import MEASURES
from planetree.bench.store import Store
from planetree.choices import unknown
from planetree.errors import StudyError

__all__ = ["Results"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Results:
    """The results of a study, done or half done.

    Parameters
    ----------
    name : str
        The study's title.
    description : dict
        The study, as `Study.describe` tells it.
    arrays : dict of str to ndarray
        By measure, and by ``n_train`` and ``n_test``: one value a cell, by data, system,
        repetition and fold; NaN where there is none.
    wrong : dict
        By data, system, repetition and fold: the status and the error of cells that went wrong.
    n_done : int
        How many cells are done, those that went wrong included.
    versions : list of dict
        What they were done with, one a run.

    Examples
    --------
    >>> from planetree.bench import Results
    >>> Results.read("none.sqlite")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] no such results file: 'none.sqlite'
    """

    name: str
    description: Mapping[str, Any]
    arrays: Mapping[str, Floats]
    wrong: Mapping[tuple[str, str, int, int], tuple[str, str]]
    n_done: int
    versions: list[dict[str, str]]

    @classmethod
    def read(cls, path: str | Path) -> Results:
        """Read a results file, which a running study may be writing to.

        Parameters
        ----------
        path : str or path
            The file.

        Returns
        -------
        Results
            What is there now.
        """
        with closing(Store(path)) as store:
            described = store.description
            names = [*described["measures"], "n_train", "n_test"]
            data = {name: i for i, name in enumerate(described["data"])}
            systems = {name: i for i, name in enumerate(described["systems"])}
            shape = (
                *(len(data), len(systems)),
                *(described["protocol"]["repeats"], described["protocol"].get("folds", 1)),
            )
            arrays = {name: np.full(shape, np.nan) for name in names}
            wrong, n_done = {}, 0
            columns = ("data", "system", "repetition", "fold", "status", "error", *names)
            for of, system, repetition, fold, status, error, *values in store.rows(columns):
                at = (data[of], systems[system], repetition, fold)
                n_done += 1
                if status != "ok":
                    wrong[(of, system, repetition, fold)] = (status, error)
                for name, value in zip(names, values, strict=True):
                    if value is not None:
                        arrays[name][at] = value
            return cls(store.name, described, arrays, wrong, n_done, store.runs())

    @property
    def data(self) -> list[str]:
        """Names of the data sets."""
        return list(self.description["data"])

    @property
    def systems(self) -> list[str]:
        """Names of the systems."""
        return list(self.description["systems"])

    @property
    def measures(self) -> list[str]:
        """What was measured."""
        return list(self.description["measures"])

    @property
    def n_cells(self) -> int:
        """How many cells the study has."""
        return int(self.arrays["n_test"].size)

    def values(self, measure: str) -> Floats:
        """Values of a measure, by data, system, repetition and fold.

        Parameters
        ----------
        measure : str
            Which.

        Returns
        -------
        ndarray of shape (n_data, n_systems, n_repetitions, n_folds)
            NaN where there is none.
        """
        if measure not in self.measures:
            what = "measure of this study" if measure in MEASURES else "measure"
            raise StudyError(unknown(what, measure, self.measures))
        return self.arrays[measure]

    def means(self, measure: str) -> Floats:
        """Mean of a measure over the cells that went well.

        Parameters
        ----------
        measure : str
            Which.

        Returns
        -------
        ndarray of shape (n_data, n_systems)
            NaN where there is none.
        """
        values = self.values(measure)
        n = (~np.isnan(values)).sum(axis=(2, 3))
        total = np.where(np.isnan(values), 0.0, values).sum(axis=(2, 3))
        return np.where(n > 0, total / np.maximum(n, 1), np.nan)

    def place(self, kind: str, name: str) -> int:
        """Place of a data set or a system in the arrays.

        Parameters
        ----------
        kind : {"data", "system"}
            Which of them.
        name : str
            Its name.

        Returns
        -------
        int
            The place.
        """
        known = self.data if kind == "data" else self.systems
        if name not in known:
            raise StudyError(unknown(kind, name, known))
        return known.index(name)
