"""Every public name says what it is and shows how it is used."""

import importlib
import inspect

import pytest

PUBLIC_MODULES = [
    "planetree",
    "planetree.bench",
    "planetree.datasets",
    "planetree.encoding",
    "planetree.export",
    "planetree.importance",
    "planetree.learners",
    "planetree.merits",
    "planetree.presets",
    "planetree.pruners",
    "planetree.refiners",
    "planetree.report",
    "planetree.rules",
    "planetree.selectors",
    "planetree.show",
    "planetree.symbols",
    "planetree.testing",
]


def public_names():
    for module in PUBLIC_MODULES:
        for name in importlib.import_module(module).__all__:
            thing = getattr(importlib.import_module(module), name)
            if inspect.isclass(thing) or inspect.isroutine(thing):
                yield pytest.param(thing, id=f"{module}.{name}")


@pytest.mark.parametrize("module", PUBLIC_MODULES)
def test_module_is_documented_and_keeps_its_promises(module):
    module = importlib.import_module(module)
    assert module.__doc__
    assert sorted(module.__all__) == sorted(set(module.__all__))
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


@pytest.mark.parametrize("thing", [*public_names()])
def test_public_name_has_an_example(thing):
    assert thing.__doc__, "has no docstring"
    if inspect.isclass(thing):
        assert "__doc__" in vars(thing), "has no docstring of its own"
    assert ">>> " in thing.__doc__, "has no example"
