"""Print the memory that one fit needs beyond its table.

Arguments: contestant, threads, depth (0: unpruned), and the path of the table without its ending.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

import numpy as np

from planetree.presets import CART
from planetree.pruners import Unpruned

STATUS = Path("/proc/self/status")


def peak() -> int:
    """Most bytes this process has held.

    On Linux getrusage starts from what the parent held, so the kernel is asked elsewhere.
    """
    if STATUS.exists():
        line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return 1024 * int(line.split()[1])
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def main(contestant: str, n_threads: str, depth: str, file: str) -> None:
    X, y = np.load(f"{file}.X.npy"), np.load(f"{file}.y.npy")
    if contestant == "planetree":
        tree = CART(max_depth=int(depth) or None, n_threads=int(n_threads), pruner=Unpruned())
    else:
        from sklearn.tree import DecisionTreeClassifier

        tree = DecisionTreeClassifier(max_depth=int(depth) or None, random_state=0)
    tree.fit(X[:100], y[:100])  # whatever is loaded at the first call
    before = peak()
    tree.fit(X, y)
    print(json.dumps({"before": before, "bytes": peak() - before}))


if __name__ == "__main__":
    main(*sys.argv[1:])
