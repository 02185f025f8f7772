"""Check the docstrings of all public names with numpydoc.

`[tool.numpydoc_validation]` in pyproject.toml names the checks. Public is what `__all__` of
the modules below holds, with the methods and properties that planetree itself writes. That each
name has an example is a test: tests/test_docs.py.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from numpydoc.validate import validate

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = (
    "planetree",
    "planetree.bench",
    "planetree.datasets",
    "planetree.encoding",
    "planetree.merits",
    "planetree.presets",
    "planetree.pruners",
    "planetree.refiners",
    "planetree.rules",
    "planetree.testing",
)


def public_names() -> Iterator[tuple[str, bool]]:
    """Every public class and function and their own members, once, and whether it is a property."""
    seen: set[int] = set()
    for module_name in PUBLIC:
        module = importlib.import_module(module_name)
        for name in module.__all__:
            thing = getattr(module, name)
            if id(thing) in seen or not (inspect.isclass(thing) or inspect.isfunction(thing)):
                continue
            seen.add(id(thing))
            yield f"{module_name}.{name}", False
            for member, value in vars(thing).items() if inspect.isclass(thing) else ():
                value = inspect.unwrap(getattr(value, "__func__", value))
                is_property = not inspect.isfunction(value)
                function = getattr(value, "fget", getattr(value, "func", value))
                ours = getattr(function, "__module__", None) or ""
                told_by_base = not getattr(function, "__doc__", None) and inspect.getdoc(value)
                is_ours = callable(function) and ours.startswith("planetree") and member[0] != "_"
                if is_ours and not told_by_base:
                    yield f"{module_name}.{name}.{member}", is_property


def main() -> None:
    """Print what is wrong, one line each, and fail if anything is."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        settings = tomllib.load(file)["tool"]["numpydoc_validation"]
    count = 0
    problems = []
    for name, is_property in public_names():
        if any(re.search(pattern, name) for pattern in settings["exclude"]):
            continue
        count += 1
        result = validate(name)
        for code, message in result["errors"]:
            if code in settings["checks"] and not (is_property and code.startswith(("RT", "PR"))):
                problems.append(f"{result['file']}:{result['file_line']}: {name}: {code} {message}")
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{count} public docstrings, {len(problems)} problems")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
