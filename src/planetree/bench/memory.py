"""What a process holds in memory, measured and limited, where the system tells (Linux)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from planetree.errors import StudyError

__all__ = ["Peak", "check_limit", "limit_memory", "peak_memory"]

_STATUS = Path("/proc/self/status")
_RESET = Path("/proc/self/clear_refs")
MIB = 2**20


@dataclass
class Peak:
    """How much memory a block took at most.

    Parameters
    ----------
    mib : float or None
        MiB beyond what was held when it began; None where the system does not tell.
    """

    mib: float | None = None


@contextmanager
def peak_memory(wanted: bool = True) -> Iterator[Peak]:
    """Measure how much memory a block takes at most beyond what is held already.

    Parameters
    ----------
    wanted : bool, default=True
        Whether to measure at all.

    Yields
    ------
    Peak
        Filled in at the end of the block.
    """
    peak = Peak()
    if not wanted or not _RESET.exists():
        yield peak
        return
    try:
        _RESET.write_text("5")  # the high-water mark of this process begins anew
    except OSError:
        yield peak
        return
    before = _kib("VmHWM")
    yield peak
    peak.mib = (_kib("VmHWM") - before) / 1024


def check_limit(limit: float | None) -> None:
    """Raise StudyError where a limit of memory cannot be kept."""
    if limit is not None and not _STATUS.exists():
        raise StudyError("memory_limit can be kept on Linux only; leave it out here")


def limit_memory(mib: float) -> None:
    """Let every allocation fail that takes this process beyond so many MiB more than it has now.

    Parameters
    ----------
    mib : float
        How many.
    """
    import resource

    # RLIMIT_DATA counts what can be written; address space that is only reserved does not count.
    resource.setrlimit(
        resource.RLIMIT_DATA, (_kib("VmData") * 1024 + int(mib * MIB), resource.RLIM_INFINITY)
    )


def _kib(field: str) -> int:
    match = re.search(rf"^{field}:\s+(\d+) kB", _STATUS.read_text(), re.MULTILINE)
    assert match is not None
    return int(match[1])
