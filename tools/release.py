"""Make a release: `make release VERSION=1.2.3`.

Refuses a tree with changes, a branch other than main, a version that is not newer, and a release
without fragments. Then sets the version, collects the fragments into CHANGELOG.md, runs every gate,
commits and tags. Pushing the tag, which this leaves to you, makes the workflow build and publish.
"""

from __future__ import annotations

import datetime
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run(*command: str) -> None:
    """Run a command at the top of the repository and stop if it fails."""
    print("$", *command, flush=True)
    subprocess.run(command, cwd=ROOT, check=True)


def ask_git(*arguments: str) -> str:
    """What git answers."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def substitute(file: str, pattern: str, line: str) -> None:
    """Replace the one line of a file that matches."""
    path = ROOT / file
    text, n_found = re.subn(pattern, line, path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if n_found != 1:
        sys.exit(f"{file}: {n_found} lines match {pattern}")
    path.write_text(text, encoding="utf-8")


def main() -> None:
    """Go through the steps; each stops the release if it fails."""
    if len(sys.argv) != 2 or not re.fullmatch(r"\d+\.\d+\.\d+", sys.argv[1]):
        sys.exit("usage: make release VERSION=1.2.3")
    version = sys.argv[1]
    with (ROOT / "pyproject.toml").open("rb") as file:
        present = tomllib.load(file)["project"]["version"]
    tagged = bool(ask_git("tag", "--list", f"v{present}"))
    if [*map(int, version.split("."))] < [*map(int, present.split("."))] or (
        version == present and tagged
    ):
        sys.exit(f"{version} is not newer than {present}")
    if ask_git("status", "--porcelain"):
        sys.exit("there are changes that are not committed")
    if ask_git("branch", "--show-current") != "main":
        sys.exit("releases are made from main")
    if not [f for f in (ROOT / "changelog.d").glob("*.md") if f.name != "README.md"]:
        sys.exit("changelog.d holds no fragment: there is nothing to release")

    today = datetime.date.today().isoformat()
    substitute("pyproject.toml", r'^version = ".*"$', f'version = "{version}"')
    substitute("CITATION.cff", r"^version: .*$", f"version: {version}")
    substitute("CITATION.cff", r"^date-released: .*$", f"date-released: {today}")
    run(sys.executable, "-m", "towncrier", "build", "--yes", "--version", version, "--date", today)
    run("bash", ".ci/run")
    run("make", "release-check")
    run("git", "add", "--all")
    run("git", "commit", "--message", f"Release {version}")
    run("git", "tag", "--annotate", f"v{version}", "--message", f"planetree {version}")
    print(f"\nTo publish: git push origin main v{version}")


if __name__ == "__main__":
    main()
