"""For tests and examples alike: pictures are drawn without a screen, and put away."""

import os
import sys

import pytest

os.environ.setdefault("MPLBACKEND", "agg")


@pytest.fixture(autouse=True)
def _put_pictures_away():
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
