"""Build the site of the documentation into build/docs, and check every link inside it.

What Sphinx reads is laid out in build/docs-source as the repository is, so that the links of the
pages hold there too; README.md is the front page, and docs/README.md tells the order of the others.
The reference of the command line and the pages of the API are made from the code.
"""

from __future__ import annotations

import importlib
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

from check_links import broken_links
from document_cli import page as command_line_page

ROOT = Path(__file__).parent.parent
SOURCE, TARGET = ROOT / "build" / "docs-source", ROOT / "build" / "docs"
PAGES = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md")
ENTRY = re.compile(r"^- \[.*\]\(([^)]+)\)$", re.MULTILINE)
# What scikit-learn gives every estimator, with words that only its own site explains.
ROUTING = "set_fit_request, set_predict_request, set_score_request, get_metadata_routing"
MODULES = (
    *("planetree", "planetree.presets", "planetree.learners", "planetree.selectors"),
    *("planetree.merits", "planetree.symbols", "planetree.scaling", "planetree.refiners"),
    *("planetree.pruners", "planetree.rules", "planetree.importance", "planetree.show"),
    *("planetree.report", "planetree.export"),
    *("planetree.datasets", "planetree.encoding", "planetree.bench", "planetree.testing"),
)


def lay_out() -> None:
    """Copy the repository's files, but only those that changed, and make the other pages."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\0")  # fmt: skip
    for name in filter(None, listed):
        here = ROOT / name
        place = name.partition("/")[0]
        wanted = (
            name in PAGES or place in ("docs", "examples", "changelog.d") or here.suffix != ".md"
        )
        if wanted and here.is_file() and name != "README.md":
            update(SOURCE / name, here.read_bytes())
    for old in [*(SOURCE / "docs").rglob("*.md"), *(SOURCE / "examples").glob("*.py")]:
        if not (ROOT / old.relative_to(SOURCE)).exists():
            old.unlink()
    update(SOURCE / "docs" / "command-line-reference.md", command_line_page().encode())
    for module in MODULES:
        update(SOURCE / "api" / f"{module}.rst", api_page(module).encode())
    update(SOURCE / "api" / "index.rst", api_index().encode())
    update(SOURCE / "index.md", front_page().encode())


def update(file: Path, content: bytes) -> None:
    """Write a file if it holds something else: Sphinx builds anew what is newer than its page."""
    if file.exists() and file.read_bytes() == content:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def front_page() -> str:
    """README.md, and the order of the pages as docs/README.md has it."""
    _, *chapters = (ROOT / "docs" / "README.md").read_text(encoding="utf-8").split("\n## ")
    trees = []
    for chapter in chapters:
        caption, _, text = chapter.partition("\n")
        entries = []
        for link in ENTRY.findall(text):
            if link.endswith("/"):
                if any((ROOT / "docs" / link).glob("*.md")):
                    entries.append(f"docs/{link}*")
            else:
                entries.append(f"docs/{link.removesuffix('.md')}")
        entries += {
            "To do something": ["docs/command-line-reference"],
            "To learn and teach": ["gallery/index"],
            "To look up": [
                "api/index",
                "ARCHITECTURE",
                "CONTRIBUTING",
                "CHANGELOG",
                "changelog.d/README",
            ],
        }.get(caption, [])
        options = f":caption: {caption}\n:hidden:\n:glob:\n:maxdepth: 1\n"
        trees.append("```{toctree}\n" + options + "\n" + "\n".join(entries) + "\n```")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    readme = readme.replace("[all pages](docs/README.md)", "all pages in the margin")
    return "\n\n".join([readme, *trees]) + "\n"


def api_page(name: str) -> str:
    """What a module offers, each thing with its docstring."""
    module = importlib.import_module(name)
    first = inspect.getdoc(module) or name
    parts = [f"{name}\n{'=' * len(name)}\n\n{first}\n\n.. currentmodule:: {name}\n"]
    for thing in module.__all__:
        value = getattr(module, thing)
        if inspect.isclass(value):
            parts.append(f".. autoclass:: {thing}\n   :members:\n   :exclude-members: {ROUTING}\n")
        elif inspect.isroutine(value):
            parts.append(f".. autofunction:: {thing}\n")
    return "\n".join(parts)


def api_index() -> str:
    """The list of the modules."""
    modules = "\n".join(f"   {module}" for module in MODULES)
    return f"API\n===\n\n.. toctree::\n   :maxdepth: 1\n\n{modules}\n"


def main() -> None:
    lay_out()
    options = ["-W", "--keep-going", "-q", "-j", "auto", "-c", str(ROOT / "docs")]
    sphinx = [sys.executable, "-m", "sphinx", "-b", "html", *options]
    doctrees = ROOT / "build" / "docs-doctrees"
    done = subprocess.run([*sphinx, "-d", str(doctrees), str(SOURCE), str(TARGET)], check=False)
    if done.returncode:
        sys.exit("the documentation has the faults above")
    broken, n_links = broken_links(TARGET)
    for line in broken:
        print(line)
    if broken:
        sys.exit(f"{len(broken)} of {n_links} links inside lead nowhere")
    n_pages = len([*TARGET.rglob("*.html")])
    where = TARGET.relative_to(ROOT) / "index.html"
    print(f"{where}: {n_pages} pages, {n_links} links inside, none broken")
    shutil.copy2(ROOT / "LICENSE", TARGET / "LICENSE.txt")


if __name__ == "__main__":
    main()
