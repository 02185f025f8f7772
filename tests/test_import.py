"""What `import planetree` loads, and what it leaves until somebody asks."""

from __future__ import annotations

import subprocess
import sys

import pytest

import planetree

LATER = ["datasets", "features", "learners", "linear", "modelfile", "presets", "pruners"]
LATER += ["rules", "selectors", "show", "symbols", "testing"]


def loaded(code):
    """Modules of planetree in a new interpreter that has run this code."""
    code += "\nimport sys; print(*(name for name in sys.modules if name.startswith('planetree.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_a_univariate_tree_loads_no_room_it_has_no_part_of():
    code = (
        "import planetree; planetree.PlaneTreeClassifier().fit([[1], [2]], [0, 1]).predict([[1]])"
    )
    assert not loaded(code) & {f"planetree.{room}" for room in LATER}


@pytest.mark.parametrize("name", planetree.__all__)
def test_every_public_name_is_there_when_asked_for(name):
    assert hasattr(planetree, name)
    assert name in dir(planetree)
