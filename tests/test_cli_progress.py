"""The progress bar: seldom seen, never left behind."""

import io
import re
from contextlib import suppress
from types import SimpleNamespace

import pytest

from planetree import progress
from planetree.presets import CART
from planetree.progress import Bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    stream = Terminal()
    # Not sys.stderr itself, which pytest sets anew when the test begins.
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=stream))
    return stream


def on_screen(stream):
    """What a terminal shows: carriage returns overwrite the line."""
    screen = ""
    for text in stream.getvalue().split("\r"):
        screen = text + screen[len(text) :]
    return screen.rstrip()


def test_bar_draws_and_removes_itself(terminal):
    with Bar("folds", delay=0) as bar:
        bar(0.5)
        assert on_screen(terminal) == "folds  50% ##########.........."
        bar(1.5)
        assert on_screen(terminal) == "folds 100% ####################"
    assert on_screen(terminal) == ""
    assert "\x1b" not in terminal.getvalue()


def test_bar_removes_itself_when_the_work_fails(terminal):
    def work():
        with Bar(delay=0) as bar:
            bar(0.5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert on_screen(terminal) == ""


def test_nothing_in_the_first_second(terminal):
    with Bar() as bar:
        bar(0.5)
    assert terminal.getvalue() == ""


def test_nothing_where_a_line_cannot_be_redrawn(capsys):
    with Bar(delay=0) as bar:
        bar(0.5)
    assert capsys.readouterr().err == ""


def test_nothing_twice(terminal):
    with Bar(delay=0) as bar:
        for _ in range(5):
            bar(0.501)
    assert len(re.findall("growing", terminal.getvalue())) == 1


def test_no_standard_error(monkeypatch):
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=None))
    with Bar(delay=0) as bar:
        bar(0.5)


@pytest.mark.parametrize("fails", [False, True])
def test_estimator_leaves_no_bar_behind(terminal, monkeypatch, fails):
    at_once = Bar.__init__
    monkeypatch.setattr(
        progress.Bar, "__init__", lambda self, *args, **_: at_once(self, *args, delay=0)
    )
    said = []

    def grow(*args, listener, **kwargs):
        listener(1)
        said.append(on_screen(terminal))
        if fails:
            raise KeyboardInterrupt

    monkeypatch.setattr("planetree.estimator.grow", grow)
    with suppress(KeyboardInterrupt):
        CART(progress=True, pruner=None).fit([[1.0], [2.0]], ["a", "b"])
    assert said == ["growing  50% ##########.........."]
    assert on_screen(terminal) == ""
