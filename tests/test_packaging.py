"""Facts that are written down in more than one place agree."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import planetree

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_version_is_one():
    assert planetree.__version__ == version("planetree") == PYPROJECT["project"]["version"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {planetree.__version__}\n" in citation


def test_oldest_is_what_is_declared():
    """What `make test-oldest` installs is the lower end of every range that users are promised."""
    extras = PYPROJECT["project"]["optional-dependencies"]
    declared = [*PYPROJECT["project"]["dependencies"], *(d for e in extras.values() for d in e)]
    declared += [d for d in PYPROJECT["dependency-groups"]["test"] if d.startswith("pytest>")]
    minimum = dict(re.match(r"([\w-]+)>=([\d.]+)", d).groups() for d in declared if ">=" in d)
    oldest = dict(d.split("==") for d in PYPROJECT["dependency-groups"]["oldest"])
    assert (
        oldest.pop("pyparsing") == "3.1.*"
    )  # not ours: newer ones warn of what matplotlib 3.8 does
    assert oldest == {name: f"{least}.*" for name, least in minimum.items()}
