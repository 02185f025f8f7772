"""The results of a study in one SQLite file, one row a cell, each safe as soon as it is there."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import scipy
import sklearn

import planetree
from planetree.bench.cells import Outcome
from planetree.bench.measures import MEASURES
from planetree.bench.study import Cell, Study
from planetree.errors import StudyError

__all__ = ["FORMAT", "Store", "locked", "versions"]

APPLICATION = 0x706C616E  # "plan"
FORMAT = 1
_SCHEMA = f"""
CREATE TABLE study (name TEXT NOT NULL, description TEXT NOT NULL);
CREATE TABLE runs (run INTEGER PRIMARY KEY, started TEXT NOT NULL, versions TEXT NOT NULL);
CREATE TABLE systems (system TEXT PRIMARY KEY, parameters TEXT NOT NULL);
CREATE TABLE cells (
  data TEXT NOT NULL,
  system TEXT NOT NULL,
  repetition INTEGER NOT NULL,
  fold INTEGER NOT NULL,
  run INTEGER NOT NULL REFERENCES runs,
  finished TEXT NOT NULL,
  seconds REAL,
  seed INTEGER NOT NULL,
  status TEXT NOT NULL,
  error TEXT,
  n_train INTEGER,
  n_test INTEGER,
  {", ".join(f"{name} REAL" for name in MEASURES)},
  PRIMARY KEY (data, system, repetition, fold)
) WITHOUT ROWID;
CREATE VIEW results AS
  SELECT cells.*, systems.parameters, runs.versions
  FROM cells JOIN systems USING (system) JOIN runs USING (run);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
"""
_COLUMNS = (
    *("data", "system", "repetition", "fold", "run", "finished", "seconds", "seed"),
    *("status", "error", "n_train", "n_test"),
    *MEASURES,
)


def versions() -> dict[str, str]:
    """Tell what results depend on beside the study.

    Returns
    -------
    dict of str to str
        Names and versions.
    """
    return {
        "planetree": planetree.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
    }


class Store:
    """A results file.

    Parameters
    ----------
    path : str or path
        Where it is.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._db: sqlite3.Connection
        if not self.path.exists():
            raise FileNotFoundError(2, "no such results file", str(self.path))
        self._open()
        self.name, self.description = self._read_study()

    @classmethod
    def of(cls, path: str | Path, study: Study) -> Store:
        """Open the results file of a study, or begin one.

        Parameters
        ----------
        path : str or path
            Where it is or shall be.
        study : Study
            What its results must belong to. Data, systems and repetitions may have been added.

        Returns
        -------
        Store
            The file.
        """
        path = Path(path)
        described = json.loads(json.dumps(study.describe()))
        if not path.exists():
            _begin(path, study.name, described)
        store = cls(path)
        try:
            _check_same(store.description, described)
        except StudyError as error:
            store.close()
            raise StudyError(
                f"{path}: results of another study: {error}; write to another file"
            ) from None
        if store.description != described:
            with store._db as db:
                db.execute("UPDATE study SET description = ?", (json.dumps(described),))
                _write_systems(db, described["systems"])
            store.description = described
        return store

    def _open(self) -> None:
        if not self.path.is_file():
            raise StudyError(f"{self.path}: not a results file")
        self._db = sqlite3.connect(self.path, timeout=60)
        try:
            (application,) = self._db.execute("PRAGMA application_id").fetchone()
            (format,) = self._db.execute("PRAGMA user_version").fetchone()
        except sqlite3.DatabaseError:
            application, format = None, None
        if application != APPLICATION or format != FORMAT:
            self.close()
            raise StudyError(f"{self.path}: {_wrong_format(application, format)}")
        # A transaction that is committed outlives this process; the disk is told at checkpoints.
        self._db.execute("PRAGMA synchronous = NORMAL")

    def _read_study(self) -> tuple[str, dict[str, Any]]:
        name, description = self._db.execute("SELECT name, description FROM study").fetchone()
        return name, json.loads(description)

    def done(self, *, failed: bool = True) -> set[Cell]:
        """Tell which cells are there.

        Parameters
        ----------
        failed : bool, default=True
            Whether those that went wrong count.

        Returns
        -------
        set of Cell
            The cells.
        """
        which = "" if failed else " WHERE status = 'ok'"
        rows = self._db.execute(f"SELECT data, system, repetition, fold FROM cells{which}")
        return {Cell(*row) for row in rows}

    def begin_run(self) -> int:
        """Note that cells are going to be done, and with which versions.

        Returns
        -------
        int
            The run's number.
        """
        with self._db as db:
            cursor = db.execute(
                "INSERT INTO runs (started, versions) VALUES (?, ?)",
                (_now(), json.dumps(versions())),
            )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def runs(self) -> list[dict[str, str]]:
        """Tell with which versions cells were done.

        Returns
        -------
        list of dict
            One a run that has cells.
        """
        rows = self._db.execute(
            "SELECT versions FROM runs WHERE run IN (SELECT DISTINCT run FROM cells) ORDER BY run"
        )
        return [json.loads(text) for (text,) in rows]

    def write(self, run: int, outcome: Outcome) -> None:
        """Keep what came of a cell; when this returns it is kept.

        Parameters
        ----------
        run : int
            The run it was done in.
        outcome : Outcome
            What came of it.
        """
        values = outcome.values
        row = (
            *outcome.cell,
            *(run, _now(), outcome.seconds, outcome.seed, outcome.status, outcome.error),
            *(outcome.n_train, outcome.n_test),
            *(values.get(name) for name in MEASURES),
        )
        marks = ", ".join("?" * len(_COLUMNS))
        with self._db as db:
            db.execute(f"REPLACE INTO cells ({', '.join(_COLUMNS)}) VALUES ({marks})", row)

    def rows(self, columns: Iterable[str]) -> Iterator[tuple[Any, ...]]:
        """Read some columns of all cells.

        Parameters
        ----------
        columns : iterable of str
            Which.

        Yields
        ------
        tuple
            One a cell, in no order.
        """
        yield from self._db.execute(f"SELECT {', '.join(columns)} FROM cells")

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


@contextmanager
def locked(path: str | Path) -> Iterator[None]:
    """Keep a second run away from a results file; readers may come.

    Parameters
    ----------
    path : str or path
        The results file, which need not be there yet.
    """
    # A lock of SQLite's on a file of its own: it goes with the process that holds it.
    beside = Path(f"{path}-running")
    with closing(sqlite3.connect(beside, timeout=0, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            raise StudyError(f"{path}: another run of this study is writing to it") from None
        try:
            yield
        finally:
            if os.name != "nt":  # Windows does not delete what is open
                beside.unlink(missing_ok=True)


def _begin(path: Path, name: str, described: Mapping[str, Any]) -> None:
    """Begin a results file; it takes its place when it is complete."""
    beside = Path(f"{path}-new")
    beside.unlink(missing_ok=True)
    with closing(sqlite3.connect(beside)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(_SCHEMA)
        with db:
            db.execute("INSERT INTO study VALUES (?, ?)", (name, json.dumps(described)))
            _write_systems(db, described["systems"])
    os.replace(beside, path)


def _write_systems(db: sqlite3.Connection, systems: Mapping[str, Any]) -> None:
    rows = [(name, json.dumps(system)) for name, system in systems.items()]
    db.executemany("REPLACE INTO systems VALUES (?, ?)", rows)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _wrong_format(application: int | None, format: int | None) -> str:
    if application != APPLICATION:
        return "not a results file of planetree"
    if format is not None and format < FORMAT:
        return (
            f"results in format {format} of an older planetree, this one writes format {FORMAT}; "
            "write to another file"
        )
    return f"results in format {format}; this planetree knows {FORMAT}, a newer one is needed"


def _check_same(there: dict[str, Any], here: dict[str, Any]) -> None:
    """Raise StudyError where a study is not the one there, with perhaps something added."""
    for key, value in there.items():
        if key in ("data", "systems"):
            for name, described in value.items():
                if name not in here[key]:
                    raise StudyError(f"{key} {name} is there, but not in this study")
                _compare(f"{key} {name}", described, here[key][name])
        elif key == "protocol":
            more = {**here[key], "repeats": value["repeats"]}
            fewer = here[key]["repeats"] < value["repeats"]
            _compare(key, value, here[key] if fewer else more)
        else:
            _compare(key, value, here[key])


def _compare(where: str, there: Any, here: Any) -> None:
    if isinstance(there, dict) and isinstance(here, dict):
        for key in [*there, *here]:
            _compare(f"{where}.{key}", there.get(key), here.get(key))
    elif there != here:
        raise StudyError(f"{where} is {_said(there)} there and {_said(here)} here")


def _said(value: Any) -> str:
    return "not given" if value is None else json.dumps(value, ensure_ascii=False)
