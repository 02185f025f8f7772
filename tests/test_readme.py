"""What the README and the pages of docs/ show is run: nothing there may go stale.

The blocks of a page run in order, in one namespace and one empty folder:

- ```python: the code runs; if it holds `>>>`, its output must be the one shown.
- ```console: each line `$ planetree ...` runs, and what is shown under it must be what it prints
  (`...` stands for anything; nothing shown means nothing compared).
- ```sh: each line `$ planetree ...` runs.

A block under `<!-- the whole of FILE -->` must be that file, and is not run.
"""

import doctest
import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
NEEDS = re.compile(r"^<!-- needs: (.*) -->$", re.MULTILINE)  # not every environment has them
BLOCK = re.compile(r"(?<!-->\n)^```(python|console|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INCLUDED = re.compile(r"^<!-- the whole of (\S+) -->\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page):
    text = page.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        yield block[1], block[2], text.count("\n", 0, block.start(2))


def run_python(code, page, line, namespace):
    if ">>> " not in code:
        exec(compile("\n" * line + code, page, "exec"), namespace)
        return
    test = doctest.DocTestParser().get_doctest(code, namespace, page.name, str(page), line)
    runner = doctest.DebugRunner(optionflags=OPTIONS)
    runner.run(test, clear_globs=False)
    namespace.update(test.globs)


def commands(code):
    """What follows each `$`, over lines that end in a backslash, and what is shown under it."""
    for entry in re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]:
        command, _, shown = re.sub(r"\\\n>? *", "", entry).partition("\n")
        yield command, shown.strip()


def run_command(command, shown):
    scripts = sysconfig.get_path("scripts")
    assert shutil.which("planetree", path=scripts), "planetree is not installed"
    env = os.environ | {
        "PATH": scripts + os.pathsep + os.environ["PATH"],
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(
        command, shell=True, env=env, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"
    if shown:
        # Space at the end of a line cannot be seen, so it need not be shown.
        printed = "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())
        equal = doctest.OutputChecker().check_output(shown + "\n", printed + "\n", doctest.ELLIPSIS)
        assert equal, f"$ {command}\nprints\n{printed}\nbut this is shown:\n{shown}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page_can_be_followed(page, tmp_path, monkeypatch):
    for needed in NEEDS.findall(page.read_text(encoding="utf-8")):
        for module in needed.split(", "):
            pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "__main__"}
    for kind, code, line in blocks(page):
        if kind == "python":
            run_python(code, page, line, namespace)
            continue
        for command, shown in commands(code):
            if command.startswith("planetree "):
                run_command(command, shown if kind == "console" else "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_files_shown_are_the_files_themselves(page):
    for file, shown in INCLUDED.findall(page.read_text(encoding="utf-8")):
        assert shown == (ROOT / file).read_text(encoding="utf-8")


def test_readme_names_the_commands_that_ci_runs():
    assert "make test" in PAGES[0].read_text(encoding="utf-8")
    assert "\nmake test " in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
