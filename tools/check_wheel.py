"""Is the planetree of this Python whole: import it, fit, predict, ask the command for help.

Meant for a new environment with nothing but the wheel in it; refuses the source tree.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path

import numpy as np

import planetree
from planetree import PlaneTreeClassifier, datasets


def main() -> None:
    """Fail with a traceback if anything is missing."""
    home = Path(planetree.__file__).resolve()
    if Path(__file__).resolve().parent.parent / "src" in home.parents:
        sys.exit(f"this is the source tree, not an installed wheel: {home}")
    X = np.repeat([[0.0], [1.0]], 10, axis=0)
    y = np.repeat(["a", "b"], 10)
    tree = PlaneTreeClassifier().fit(X, y)
    if list(tree.predict(X)) != list(y):
        sys.exit("a tree cannot tell 0 from 1")
    for name in datasets.names():
        datasets.load(name)
    command = Path(sysconfig.get_path("scripts")) / "planetree"
    subprocess.run([command, "--help"], check=True, stdout=subprocess.DEVNULL)
    print(
        f"planetree {version('planetree')} works on Python {sys.version.split()[0]}: {home.parent}"
    )


if __name__ == "__main__":
    main()
