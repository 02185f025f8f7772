"""Sessions named for what a person wants: `nox -s wheel`, or plain `nox` for all tests."""

from __future__ import annotations

import shutil
from pathlib import Path

import nox

nox.needs_version = ">=2024.10"
nox.options.sessions = ["tests"]
nox.options.error_on_missing_interpreters = False


def install_editable(session: nox.Session, *arguments: str) -> None:
    """Install the package as a developer has it, each session with a build folder of its own."""
    session.install("--upgrade", "pip>=25.1")
    session.install("--group", "build")
    build_dir = f"-Cbuild-dir=build/nox-{session.name}"
    session.install(
        "--no-build-isolation", build_dir, "-e", ".[all]", "--group", "test", *arguments
    )


def build_distributions(session: nox.Session) -> Path:
    """Build the sdist, and the wheel from it."""
    session.install("--upgrade", "pip>=25.1")
    session.install("build", "twine", "--group", "test")
    dist = Path(session.create_tmp()) / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(dist))
    session.run("python", "-m", "twine", "check", "--strict", *map(str, dist.iterdir()))
    return dist


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def tests(session: nox.Session) -> None:
    """Tests, docstring examples and the README, on every Python that is here."""
    install_editable(session)
    session.run("python", "-m", "pytest", *session.posargs)


@nox.session(python="3.11")
def oldest(session: nox.Session) -> None:
    """Tests with the oldest of everything that pyproject.toml declares."""
    install_editable(session, "--group", "oldest")
    session.run("python", "-m", "pytest", "tests", *session.posargs)


@nox.session
def newest(session: nox.Session) -> None:
    """Tests with the newest of everything, pre-releases too: what is coming."""
    install_editable(session, "--upgrade", "--upgrade-strategy", "eager", "--pre")
    session.run("python", "-m", "pytest", "tests", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Every linter, by way of the Makefile."""
    session.run("make", "lint", external=True)


@nox.session
def wheel(session: nox.Session) -> None:
    """Tests against an installed wheel."""
    (built,) = build_distributions(session).glob("*.whl")
    session.install("--force-reinstall", f"{built}[all]")
    session.run("python", "-m", "pytest", "tests", *session.posargs)


@nox.session
def sdist(session: nox.Session) -> None:
    """Does the sdist hold all that building needs: install from it."""
    (built,) = build_distributions(session).glob("*.tar.gz")
    session.install(
        "--force-reinstall",
        "--no-binary",
        "planetree",
        f"planetree[cli] @ {built.absolute().as_uri()}",
    )
    session.run("python", "tools/check_wheel.py")
