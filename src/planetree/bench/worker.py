"""A process that does cells, so that one which hangs, crashes or eats memory harms no other.

`Worker` is its handle. The process reads pickles from its standard input and answers on its
standard output. It ends when its standard input does, so no worker outlives who started it, even
if that one is killed.
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import signal
import struct
import subprocess
import sys
import time
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from planetree.bench.cells import Bench, Outcome
from planetree.bench.memory import limit_memory
from planetree.bench.seeds import seed_of
from planetree.bench.study import Cell
from planetree.errors import StudyError

__all__ = ["Worker", "main"]

_LENGTH = struct.Struct(">Q")
_START = "from planetree.bench.worker import main; main()"
_ONE_THREAD = {
    f"{library}_NUM_THREADS": "1"
    for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")
}


def _send(stream: IO[bytes], message: bytes) -> None:
    stream.write(_LENGTH.pack(len(message)) + message)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes | None:
    """Read a message; None if there will be no more, or the last one is cut short."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    body = stream.read(length)
    return body if len(body) == length else None


class Worker:
    """Handle of a process that does cells, started when it is needed and again when it died.

    Parameters
    ----------
    study : bytes
        The pickled study.
    seed : int
        The study's seed.
    time_limit : float or None
        Seconds a cell may take.
    """

    def __init__(self, study: bytes, seed: int, time_limit: float | None) -> None:
        self._study = study
        self._seed = seed
        self._time_limit = time_limit
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def do(self, cell: Cell) -> Outcome:
        """Do one cell; if the process dies over it, that is its outcome.

        Parameters
        ----------
        cell : Cell
            Which.

        Returns
        -------
        Outcome
            What came of it.
        """
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        begun = time.perf_counter()
        answer = None
        with suppress(OSError):  # it has died already: there is no answer either
            _send(process.stdin, pickle.dumps(tuple(cell)))
            answer = _receive(process.stdout)
        if answer is not None:
            outcome: Outcome = pickle.loads(answer)
            return outcome
        seconds = time.perf_counter() - begun
        self.stop()
        seed = seed_of(self._seed, "system", *cell)
        limit = self._time_limit
        # faulthandler ends a process with this code.
        if limit is not None and seconds >= limit and process.returncode == 1:
            error = f"took longer than {limit:g} seconds"
            return Outcome(cell, seed, "time", error, seconds=seconds)
        error = f"its process died ({_cause(process.returncode)})"
        return Outcome(cell, seed, "failed", error, seconds=seconds)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | _ONE_THREAD,
            )
            process = self._process
            assert process.stdin is not None
            assert process.stdout is not None
            ready = None
            with suppress(OSError):  # it died at once
                _send(process.stdin, pickle.dumps(sys.path))
                _send(process.stdin, self._study)
                ready = _receive(process.stdout)
            if ready is None or self._closed:
                self.stop()
                raise StudyError(
                    f"a process to do cells could not be started ({_cause(process.returncode)})"
                )
        return self._process

    def close(self) -> None:
        """End the process for good."""
        self._closed = True
        self.stop()

    def stop(self) -> None:
        """End the process, whatever it does; the next cell starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                assert stream is not None
                with suppress(OSError):  # what could not be sent is lost, as it should be
                    stream.close()


def _cause(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit code {code}"


def main() -> None:
    """Do the cells that come in on standard input, one answer on standard output for each."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a system prints is no answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches who started this, too
    messages: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(sys.stdin.buffer, messages), daemon=True).start()
    sys.path[:] = pickle.loads(messages.get())
    study: Any = pickle.loads(messages.get())
    bench = Bench(study)
    _answer(answers, b"ready")
    with open(os.devnull, "w") as nowhere:
        if study.memory_limit is not None:
            limit_memory(study.memory_limit)
        while True:
            cell = Cell(*pickle.loads(messages.get()))
            if study.time_limit is not None:
                # Ends this process even while a kernel runs that lets no other Python thread in.
                faulthandler.dump_traceback_later(study.time_limit, exit=True, file=nowhere)
            outcome = bench.do(cell)
            faulthandler.cancel_dump_traceback_later()
            _answer(answers, pickle.dumps(outcome))


def _answer(stream: IO[bytes], message: bytes) -> None:
    try:
        _send(stream, message)
    except BrokenPipeError:  # who started this has gone, perhaps before `_listen` was told
        os._exit(0)


def _listen(stream: IO[bytes], messages: SimpleQueue[bytes]) -> None:
    while (message := _receive(stream)) is not None:
        messages.put(message)
    os._exit(0)
