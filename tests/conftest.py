"""How the tests run: the same on a fast machine, a slow one and under sanitizers."""

import os

import pytest
from hypothesis import settings

# Time limits for one example measure the machine. CI looks at the same examples every time.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_collection_modifyitems(items):
    """A name that holds an address differs from process to process, and the cores share by name."""
    for item in items:
        if " at 0x" in item.nodeid:
            raise pytest.UsageError(f"the name of a test holds an address: {item.nodeid}")
