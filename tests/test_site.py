"""What the site of the documentation is made of; `make docs` builds it."""

import inspect
import re
import runpy
from pathlib import Path

import pytest
import typer

from planetree import learners, merits, presets, pruners, selectors, symbols
from planetree.cli.app import app
from planetree.learners import CoefficientLearner
from planetree.merits import Merit
from planetree.pruners import Pruner
from planetree.selectors import FeatureSelector
from planetree.symbols import SymbolBranching

ROOT = Path(__file__).parent.parent
command_line_page = runpy.run_path(str(ROOT / "tools" / "document_cli.py"))["page"]
broken_links = runpy.run_path(str(ROOT / "tools" / "check_links.py"))["broken_links"]


def test_reference_tells_every_command_and_option():
    page = command_line_page()
    group = typer.main.get_command(app)
    for name, command in group.commands.items():
        part = page.partition(f"\n## planetree {name}\n")[2].partition("\n## ")[0]
        for parameter in command.params:
            assert parameter.help, (name, parameter.name)
            for word in [*parameter.opts, *parameter.secondary_opts]:
                assert f"`{word}`" in part or parameter.param_type_name == "argument", (name, word)
    assert "[dim]" not in page
    assert len(re.findall(r"^## ", page, re.MULTILINE)) == len(group.commands)


def test_contents_lists_every_page():
    contents = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(([^)]+)\)", contents))
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").as_posix()
        assert name == "README.md" or name in linked or f"{name.partition('/')[0]}/" in linked, name


def test_every_method_has_a_card():
    cards = [*(ROOT / "docs" / "methods").glob("*.md"), ROOT / "docs" / "default.md"]
    text = "\n".join(card.read_text(encoding="utf-8") for card in cards)
    bases = (CoefficientLearner, FeatureSelector, Pruner, Merit, SymbolBranching)
    for module in (learners, selectors, pruners, merits, symbols, presets):
        for name in module.__all__:
            thing = getattr(module, name)
            is_part = inspect.isclass(thing) and issubclass(thing, bases)
            if (is_part and not inspect.isabstract(thing)) or module is presets:
                assert re.search(rf"\b{name}\b", text), f"no card tells of {name}"


@pytest.mark.parametrize("card", [*(ROOT / "docs" / "methods").glob("*.md")], ids=lambda p: p.stem)
def test_a_card_tells_what_a_card_must(card):
    text = card.read_text(encoding="utf-8")
    assert text.startswith("# ")
    for part in ("Reference", "Idea", "Parameters", "Where (we differ|it differs)", "Cost"):
        assert re.search(rf"^\*\*{part}", text, re.MULTILINE), part


@pytest.mark.parametrize(
    "example", sorted((ROOT / "examples").glob("plot_*.py")), ids=lambda p: p.stem
)
def test_example_runs(example, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    monkeypatch.setattr(pyplot, "show", lambda: None)
    with matplotlib.rc_context({"figure.max_open_warning": 0}):
        runpy.run_path(str(example), run_name="__main__")
    assert pyplot.get_fignums()
    pyplot.close("all")


def test_broken_links_are_found(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.html").write_text(
        '<h1 id="top"></h1><a href="sub/b.html#here">1</a><a href="#top">2</a>'
        '<a href="https://example.org/none">3</a><img src="none.png"><a href="sub/b.html#no">4</a>'
    )
    (tmp_path / "sub" / "b.html").write_text('<p id="here"><a href="../../outside">5</a></p>')
    broken, followed = broken_links(tmp_path)
    assert followed == 5
    assert broken == [
        "a.html: none.png: no such file",
        "a.html: sub/b.html#no: no such place in it",
        "sub/b.html: ../../outside: no such file",
    ]
