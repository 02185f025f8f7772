"""The command `planetree` as a process of its own: pipes, interruption, terminals."""

import os
import signal
import subprocess
import sys

import pytest

from planetree.cli import main

PLANETREE = [sys.executable, "-m", "planetree"]
ENV = {key: value for key, value in os.environ.items() if "COLOR" not in key} | {
    "PYTHONIOENCODING": "utf-8",
    "TERM": "xterm",
    "COLUMNS": "80",
}
ENV.pop("GITHUB_ACTIONS", None)  # typer colours there
windows = pytest.mark.skipif(os.name == "nt", reason="no such signals and terminals on Windows")

# A merit without a kernel grows node by node, so these rows keep any machine busy for a while.
LONG_FIT = """
import sys
from planetree import merits
from planetree.cli import main
merits.Gini.native = None
sys.exit(main(sys.argv[1:]))
"""


def start(*arguments, **kwargs):
    return subprocess.Popen([*PLANETREE, *arguments], env=ENV, encoding="utf-8", **kwargs)


def noise(path):
    import numpy as np

    rng = np.random.default_rng(0)
    X, y = rng.random((20_000, 5)), rng.integers(0, 2, (20_000, 1))
    np.savetxt(path, np.hstack([X, y]), "%.6g", ",", header="a,b,c,d,e,y", comments="")


def test_pipeline_and_no_escape_codes(tmp_path):
    (tmp_path / "new.csv").write_text("x\n2\n1\n")
    pipe = subprocess.PIPE
    with (
        start(
            "fit",
            "-",
            "-t",
            "y",
            "--pruner",
            "unpruned",
            "-o",
            "-",
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
        ) as fit,
        start("predict", "-", "new.csv", cwd=tmp_path, stdin=fit.stdout, stdout=pipe) as predict,
    ):
        fit.stdout.close()  # predict has it
        fit.stdin.write("x,y\n" + "1,a\n2,b\n" * 3)
        fit.stdin.close()
        assert predict.stdout.read() == "prediction\nb\na\n"
        said = fit.stderr.read()
        assert said.startswith("├─ x ≤ 1.5 → a (3)\n")
        assert "\x1b" not in said
        assert fit.wait() == predict.wait() == 0


@windows
def test_broken_pipe_ends_quietly(tmp_path):
    assert main(["fit", "bundled:segment", "-o", str(tmp_path / "m.json")]) == 0
    with start(
        *("predict", "m.json", "bundled:segment", "--proba"),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as predict:
        assert predict.stdout.readline().startswith("prediction,proba_")
        predict.stdout.close()
        assert predict.stderr.read() == ""
        assert predict.wait() == 0


@windows
def test_interruption_of_a_long_fit_leaves_nothing_half_written(tmp_path):
    import pty

    noise(tmp_path / "noise.csv")
    (tmp_path / "old.json").write_text("old")
    terminal, stderr = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", LONG_FIT, "fit", "noise.csv", "-t", "y", "-o", "old.json"],
        cwd=tmp_path,
        env=ENV,
        stdout=subprocess.PIPE,
        stderr=stderr,
    ) as fit:
        os.close(stderr)
        said = b""
        while b"growing" not in said:  # the bar comes after a second of growing
            said += os.read(terminal, 1000)
        fit.send_signal(signal.SIGINT)
        assert fit.stdout.read() == b""
        assert fit.wait() == 130
    said += os.read(terminal, 10_000)
    os.close(terminal)
    last = said.decode().rpartition("\r" + " " * 33 + "\r")[2]
    assert last == "interrupted\r\n"  # and the bar is gone
    assert (tmp_path / "old.json").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["noise.csv", "old.json"]


def test_the_package_needs_neither_typer_nor_rich():
    code = (
        "import sys; sys.modules['typer'] = sys.modules['rich'] = None\n"
        "import planetree.cli, planetree.progress\n"
        "sys.exit(planetree.cli.main(['fit']))"
    )
    done = subprocess.run([sys.executable, "-c", code], env=ENV, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        'planetree\'s command line needs rich and typer: pip install "planetree[cli]"\n'
    )
