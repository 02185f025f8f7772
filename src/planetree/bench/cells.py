"""One cell: part the rows, fit, predict, measure. Nothing here knows of files or processes."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from planetree.bench.data import take_rows
from planetree.bench.measures import MEASURES, Fitted
from planetree.bench.memory import peak_memory
from planetree.bench.protocols import Part
from planetree.bench.seeds import seed_of, stream_of
from planetree.bench.study import Cell, Study
from planetree.bench.systems import System
from planetree.estimator import PlaneTreeClassifier
from planetree.pruners import Pruner, Unpruned

__all__ = ["Bench", "Outcome"]


@dataclass(frozen=True)
class Outcome:
    """What came of a cell.

    Parameters
    ----------
    cell : Cell
        Which.
    seed : int
        The system's seed in it.
    status : {"ok", "failed", "time", "memory"}
        Whether it went well; else what went wrong.
    error : str or None
        What it said.
    n_train, n_test : int or None
        How many rows the training part (with what was held out for pruning) and the test part had.
    values : dict of str to float
        The measures.
    seconds : float or None
        What the whole cell took, on the clock.
    """

    cell: Cell
    seed: int
    status: str = "ok"
    error: str | None = None
    n_train: int | None = None
    n_test: int | None = None
    values: Mapping[str, float | None] = field(default_factory=dict)
    seconds: float | None = None


class Bench:
    """Does cells of one study, and keeps at hand what the next one will want too.

    Parameters
    ----------
    study : Study
        The study.

    Examples
    --------
    >>> from planetree.bench import Study
    >>> from planetree.bench.cells import Bench
    >>> study = Study(data={"iris": "bundled:iris"}, systems={"cart": "cart"}, baselines=False)
    >>> outcome = Bench(study).do(next(study.cells()))
    >>> outcome.status, outcome.n_train, outcome.n_test, outcome.values["leaves"] > 2
    ('ok', 135, 15, True)
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._ready = {name: system.ready() for name, system in study.systems.items()}
        self._seeded = {name: _random_states(ready) for name, ready in self._ready.items()}
        # Cells come by repetition, data and fold: the systems of a fold share what is made here.
        self._parts = lru_cache(maxsize=4)(self._make_parts)
        self._rows = lru_cache(maxsize=2)(self._make_rows)

    def do(self, cell: Cell) -> Outcome:
        """Do one cell; what goes wrong in it is its outcome.

        Parameters
        ----------
        cell : Cell
            Which.

        Returns
        -------
        Outcome
            What came of it.
        """
        seed = seed_of(self._study.seed, "system", *cell)
        begun = time.perf_counter()
        try:
            outcome = self._done(cell, seed)
        except MemoryError:
            outcome = Outcome(cell, seed, "memory", "out of memory")
        except Exception as error:  # whatever a system raises is a result
            message = " ".join(f"{type(error).__name__}: {error}".split())
            outcome = Outcome(cell, seed, "failed", message[:500])
        object.__setattr__(outcome, "seconds", time.perf_counter() - begun)
        return outcome

    def _done(self, cell: Cell, seed: int) -> Outcome:
        study = self._study
        system = study.systems[cell.system]
        part, X, y, X_test, y_test = self._rows(cell.data, cell.repetition, cell.fold)
        model = clone(self._ready[cell.system])
        if names := self._seeded[cell.system]:
            model.set_params(**dict.fromkeys(names, seed))
        whole, pruner = _learns_from_all(system, model, part)
        rows = part.train if whole else part.grow
        X_train, y_train = take_rows(X, rows), y[rows]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with peak_memory("peak_memory" in study.measures) as memory:
                begun = time.process_time()
                if pruner is None:
                    model.fit(X_train, y_train)
                else:
                    held = take_rows(X, part.prune), y[part.prune]
                    model = _grown_and_pruned(model, pruner, (X_train, y_train), held)
                fit_seconds = time.process_time() - begun
            begun = time.process_time()
            predicted = np.asarray(model.predict(X_test))
            predict_seconds = time.process_time() - begun
            fitted = Fitted(
                model, y_test, predicted, X_test, fit_seconds, predict_seconds, memory.mib
            )
            values = {name: MEASURES[name].of(fitted) for name in study.measures}
        return Outcome(cell, seed, n_train=len(part.train), n_test=len(y_test), values=values)

    def _make_parts(self, data: str, repetition: int) -> tuple[list[Part], Any, NDArray[Any]]:
        """Part the rows of one repetition, and spoil them."""
        study, rows = self._study, self._study.data[data]
        rng = stream_of(study.seed, "parts", rows.family, repetition)
        parts = study.protocol.parts(rows.y, rows.test, rng)
        X, y = rows.X, rows.y
        if rows.noise is not None:
            X, y = rows.noise.spoil(X, y, stream_of(study.seed, "noise", rows.name, repetition))
        return parts, X, y

    def _make_rows(
        self, data: str, repetition: int, fold: int
    ) -> tuple[Part, Any, NDArray[Any], Any, NDArray[Any]]:
        parts, X, y = self._parts(data, repetition)
        part, of = parts[fold], self._study.data[data]
        tested = (X, y)
        if of.noise is not None and of.noise.where == "train":
            tested = of.X, of.y
        return part, X, y, take_rows(tested[0], part.test), tested[1][part.test]


def _random_states(model: Any) -> list[str]:
    """Parameters that are seeds and not set: those of the steps of pipelines too."""
    return [
        name
        for name, value in model.get_params(deep=True).items()
        if value is None and (name == "random_state" or name.endswith("__random_state"))
    ]


def _last_step(model: Any) -> Any:
    return model.steps[-1][1] if isinstance(model, Pipeline) else model


def _learns_from_all(system: System, model: Any, part: Part) -> tuple[bool, Pruner | None]:
    """Whether a system learns from the whole training part, and what prunes it if not."""
    if not len(part.prune):
        return True, None
    tree = _last_step(model)
    pruner = tree.pruner if isinstance(tree, PlaneTreeClassifier) else None
    if pruner is not None and pruner.reads == "holdout":
        return False, pruner
    return system.learn_from == "all", None


def _grown_and_pruned(
    model: Any,
    pruner: Pruner,
    training: tuple[Any, NDArray[Any]],
    held: tuple[Any, NDArray[Any]],
) -> Any:
    """Grow from some rows and prune with others, the last step of a pipeline too."""
    _last_step(model).set_params(pruner=Unpruned())
    model.fit(*training)
    if not isinstance(model, Pipeline):
        return model.prune(pruner, *held, training=training)
    before = model[:-1]
    tree = model.steps[-1][1].prune(
        pruner,
        before.transform(held[0]),
        held[1],
        training=(before.transform(training[0]), training[1]),
    )
    model.steps[-1] = (model.steps[-1][0], tree)
    return model
