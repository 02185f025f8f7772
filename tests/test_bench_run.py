"""Running studies: results are kept as they come, whatever happens."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from planetree.bench import Noise, RepeatedKFold, Results, Study, read_study, run
from planetree.bench.cells import Bench
from planetree.bench.store import Store
from planetree.bench.tables import scores
from planetree.errors import StudyError

ONE = RepeatedKFold(repeats=1, folds=2)
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux tells and limits it")

# Systems that go wrong, in a module beside the study file.
TROUBLE = '''
import os, time
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

class Trouble(ClassifierMixin, BaseEstimator):
    """Predicts the first class, and does something on the way."""

    def __init__(self, kind="none"):
        self.kind = kind

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if self.kind == "raise":
            raise RuntimeError("no luck\\ntoday")
        if self.kind == "die":
            os.kill(os.getpid(), 9)
        if self.kind == "hang":
            time.sleep(60)
        if self.kind == "eat":
            np.ones(2**30)
        if self.kind == "chatter":
            print("this is no answer")
        if self.kind == "slow":
            time.sleep(0.02)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])
'''


def write_study(folder, *kinds, more=""):
    (folder / "trouble_for_tests.py").write_text(TROUBLE)
    systems = "\n".join(
        f'{kind} = {{ estimator = "trouble_for_tests.Trouble", kind = "{kind}" }}' for kind in kinds
    )
    path = folder / "study.toml"
    path.write_text(f'data = ["bundled:iris"]\nbaselines = false\n{more}\n[systems]\n{systems}\n')
    return path


def small(**changes):
    options = {"data": {"iris": "bundled:iris"}, "systems": {"cart": "cart"}, "protocol": ONE}
    return Study(**{**options, "baselines": False, "measures": ["accuracy", "leaves"], **changes})


def rows(path):
    with closing(sqlite3.connect(path)) as db:
        return set(db.execute("SELECT data, system, repetition, fold, run, finished FROM cells"))


def test_a_second_run_does_only_what_is_left(tmp_path):
    path = tmp_path / "r.sqlite"
    told = []
    first = run(small(), path, jobs=1, listener=lambda *t: told.append(t))
    assert told == [(0, 2, 0), (1, 2, 0), (2, 2, 0)]
    before = rows(path)
    run(small(), path, jobs=1, listener=lambda *t: told.append(t))
    assert len(told) == 3  # nothing was left to tell of
    assert rows(path) == before
    more = small(
        systems={"cart": "cart", "stump": {"preset": "cart", "max_depth": 1}},
        protocol=RepeatedKFold(repeats=2, folds=2),
    )
    both = run(more, path, jobs=1)
    assert rows(path) > before
    assert len(rows(path)) == 8
    assert np.array_equal(both.values("accuracy")[0, 0, 0], first.values("accuracy")[0, 0, 0])
    # The same cells in another process: the same figures.
    bench = Bench(more)
    for cell in more.cells():
        at = both.place("system", cell.system), cell.repetition, cell.fold
        for measure, value in bench.do(cell).values.items():
            assert both.values(measure)[0][at] == value
    assert [p.name for p in tmp_path.iterdir()] == ["r.sqlite"]


def test_a_run_may_be_told_what_to_do_now(tmp_path):
    path, told = tmp_path / "r.sqlite", []
    first = run(
        small(), path, jobs=1, only=lambda cell: cell.fold == 1, listener=lambda *t: told.append(t)
    )
    assert told == [(0, 1, 0), (1, 1, 0)]
    assert np.isnan(first.values("accuracy")[0, 0, 0]).tolist() == [True, False]


@linux
def test_cells_that_go_wrong_are_recorded_and_the_study_goes_on(tmp_path):
    limits = "time_limit = 1\nmemory_limit = 300\nmeasures = ['accuracy', 'peak_memory']\n"
    limits += "protocol = { kind = 'subsampling', repeats = 1 }"
    path = write_study(tmp_path, "none", "raise", "die", "hang", "eat", "chatter", more=limits)
    read = read_study(path)
    results = run(read.study, read.results, jobs=2)
    assert results.n_done == results.n_cells == 6
    by_system = {key[1]: said for key, said in results.wrong.items()}
    assert by_system == {
        "raise": ("failed", "RuntimeError: no luck today"),
        "die": ("failed", "its process died (SIGKILL)"),
        "hang": ("time", "took longer than 1 seconds"),
        "eat": ("memory", "out of memory"),
    }
    table = scores(results, "accuracy")
    assert "† Without 4 cells that went wrong; the first: " in table.notes[0]
    assert [str(cell) for cell in table.rows[0]][2:6] == ["–†"] * 4
    with closing(Store(read.results)) as store:  # what --retry leaves alone
        assert {cell.system for cell in store.done(failed=False)} == {"none", "chatter"}


@linux
def test_peak_memory_is_that_of_the_fit():
    from planetree.bench.memory import peak_memory

    with peak_memory() as peak:
        np.ones(2**22)
    assert 30 < peak.mib < 40
    with peak_memory() as peak:
        pass
    assert peak.mib < 8


def test_results_of_another_study_are_refused_before_anything_runs(tmp_path):
    path = tmp_path / "r.sqlite"
    Store.of(path, small(seed=1)).close()
    for changes, said in [
        ({"seed": 2}, "seed is 1 there and 2 here"),
        (
            {"systems": {"cart": {"preset": "cart", "max_depth": 2}}},
            "systems cart.estimator.max_depth is not given there and 2 here",
        ),
        ({"systems": {"tree": "cart"}}, "systems cart is there, but not in this study"),
        ({"data": {"iris": "bundled:glass"}}, "data iris.rows is 150 there and 214 here"),
        ({"noise": Noise(0.1)}, "data iris is there, but not in this study"),
        ({"protocol": RepeatedKFold(repeats=1, folds=3)}, "protocol.folds is 2 there and 3 here"),
        ({"measures": ["leaves"]}, "measures is "),
    ]:
        with pytest.raises(StudyError) as caught:
            run(small(**{"seed": 1, **changes}), path)
        assert str(caught.value).startswith(f"{path}: results of another study: {said}")
    assert rows(path) == set()


def test_fewer_repetitions_than_are_there_are_another_study(tmp_path):
    path = tmp_path / "r.sqlite"
    Store.of(path, small(protocol=RepeatedKFold(repeats=3, folds=2))).close()
    with pytest.raises(StudyError, match="repeats is 3 there and 1 here"):
        run(small(), path)


def test_files_that_are_no_results(tmp_path):
    for name, content in (("text.sqlite", b"hello " * 200), ("other.sqlite", None)):
        path = tmp_path / name
        if content is None:
            with closing(sqlite3.connect(path)) as db:
                db.execute("CREATE TABLE t (x)")
        else:
            path.write_bytes(content)
        with pytest.raises(StudyError, match="not a results file of planetree"):
            run(small(), path)
    for version, said in ((0, "in format 0 of an older planetree"), (9, "a newer one is needed")):
        path = tmp_path / f"v{version}.sqlite"
        Store.of(path, small()).close()
        with closing(sqlite3.connect(path)) as db:
            db.execute(f"PRAGMA user_version = {version}")
        with pytest.raises(StudyError, match=said):
            Results.read(path)
        with pytest.raises(StudyError, match=said):
            run(small(), path)


def test_two_runs_do_not_write_at_once(tmp_path):
    from planetree.bench.store import locked

    path = tmp_path / "r.sqlite"
    with locked(path), pytest.raises(StudyError, match="another run of this study is writing"):
        run(small(), path)
    run(small(), path, jobs=1)


def test_bad_calls(tmp_path):
    with pytest.raises(StudyError, match="jobs must be at least 1"):
        run(small(), tmp_path / "r.sqlite", jobs=0)

    class Local(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            return self

    with pytest.raises(StudyError, match="cannot be sent to other processes"):
        run(small(systems={"mine": Local()}), tmp_path / "r.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_does_not_start_is_no_failed_cell(tmp_path, monkeypatch):
    monkeypatch.setattr("planetree.bench.worker._START", "raise SystemExit(3)")
    with pytest.raises(StudyError, match=r"could not be started \(exit code 3\)"):
        run(small(), tmp_path / "r.sqlite", jobs=1)
    assert rows(tmp_path / "r.sqlite") == set()


def test_a_system_of_the_main_program_is_refused(tmp_path, monkeypatch):
    class Local(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            return self

    Local.__module__, Local.__qualname__ = "__main__", "Local"
    monkeypatch.setattr(sys.modules["__main__"], "Local", Local, raising=False)
    with pytest.raises(StudyError, match="defined in the main program"):
        run(small(systems={"mine": Local()}), tmp_path / "r.sqlite")


# --- killed ---------------------------------------------------------------------------------------

COMMAND = [sys.executable, "-m", "planetree", "bench", "study.toml", "--jobs", "1"]


@linux
def test_killed_at_any_moment_nothing_is_lost_or_done_twice(tmp_path):
    more = 'measures = ["accuracy"]\nprotocol = { repeats = 10, folds = 5 }'
    path = write_study(tmp_path, "slow", "none", more=more)
    kept = tmp_path / "study.sqlite"
    rng = random.Random(0)
    seen, workers = set(), []
    for _ in range(3):
        with subprocess.Popen(COMMAND, cwd=tmp_path, stderr=subprocess.DEVNULL) as started:
            least = len(seen) + rng.randrange(1, 30)
            while started.poll() is None and len(seen) < least:
                time.sleep(0.02)
                seen = rows(kept) if kept.exists() else set()
            workers += children(started.pid)
            started.send_signal(signal.SIGKILL)
        now = rows(kept)
        assert now >= seen  # as they were, to the moment they were finished
        seen = now
    assert workers
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{pid}/cmdline").exists() for pid in workers):  # nor do they outlive it
        time.sleep(0.02)
        assert time.monotonic() < deadline
    read = read_study(path)
    results = run(read.study, kept, jobs=1)
    done = rows(kept)
    assert done >= seen
    assert len(done) == results.n_cells == len(list(read.study.cells())) == 100
    assert {row[:4] for row in done} == set(map(tuple, read.study.cells()))
    whole = Bench(read.study)
    for cell in read.study.cells():
        if cell.system == "none":  # as a run that was never disturbed has it
            at = results.place("system", "none"), cell.repetition, cell.fold
            assert results.values("accuracy")[0][at] == whole.do(cell).values["accuracy"]


def children(pid):
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(child) for child in task.read_text().split()]
    return found


@linux
def test_interrupted_by_hand(tmp_path):
    write_study(tmp_path, "hang")
    with subprocess.Popen(COMMAND, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as started:
        assert started.stderr.readline() == "100 cells\n"
        os.kill(started.pid, signal.SIGINT)
        assert started.stderr.read() == "interrupted\n"
        assert started.wait() == 130


# --- a cluster ------------------------------------------------------------------------------------


def test_a_cluster_gives_the_same_results_though_a_worker_is_killed(tmp_path):
    distributed = pytest.importorskip("distributed")
    write_study(tmp_path)  # for the module beside it
    systems = {
        name: {"estimator": "trouble_for_tests.Trouble", "kind": name} for name in ("slow", "raise")
    }
    sys.path.append(str(tmp_path))
    study = small(
        systems=systems, protocol=RepeatedKFold(repeats=10, folds=5), measures=["accuracy"]
    )
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--no-nanny", "--nthreads", "1"]
    worker += ["--no-dashboard", "--local-directory", str(tmp_path)]
    file = tmp_path / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": env}
    started = [
        subprocess.Popen(
            [*scheduler, "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file)],
            **quiet,
        )
    ]
    try:
        started += [
            subprocess.Popen([*worker, "--scheduler-file", str(file)], **quiet) for _ in range(2)
        ]
        while not file.exists():
            time.sleep(0.05)
        with distributed.Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
            address = client.scheduler.address

        def kill_one(done, total, wrong):
            if done == 10:
                started[1].kill()

        kept = tmp_path / "cluster.sqlite"
        results = run(study, kept, scheduler=address, listener=kill_one)
        assert started[1].wait(timeout=30) == -signal.SIGKILL
    finally:
        for process in started:
            process.kill()
            process.wait()
        sys.path.remove(str(tmp_path))
    assert len(rows(kept)) == 100
    assert {status for status, _ in results.wrong.values()} == {"failed"}
    assert len(results.wrong) == 50
    assert not np.isnan(results.values("accuracy")[0, 0]).any()


def test_no_scheduler_and_no_dask(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r'needs distributed: pip install "planetree\[dask\]"'):
        run(small(), tmp_path / "r.sqlite", scheduler="tcp://127.0.0.1:1")
