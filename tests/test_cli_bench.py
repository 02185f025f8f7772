"""The commands `planetree bench` and `planetree tables`."""

from __future__ import annotations

import pytest

from planetree.cli import main

STUDY = """
data = ["bundled:iris"]
measures = ["accuracy", "leaves"]
protocol = { repeats = 1, folds = 3 }
[systems]
cart = "cart"
"""


def test_run_and_tables(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(STUDY)
    assert main(["bench", "study.toml", "--jobs", "1"]) == 0
    ran = capsys.readouterr()
    assert ran.err.splitlines() == ["9 cells", "9 of 9 done", "results in study.sqlite"]
    assert ran.out.startswith("accuracy, %\n\ndata ")
    assert "logistic-regression" in ran.out
    assert main(["bench", "study.toml", "--format", "csv", "-o", "t.csv"]) == 0
    assert capsys.readouterr().err == "results in study.sqlite\n"
    assert main(["tables", "study.toml", "--format", "csv"]) == 0
    assert capsys.readouterr().out == (tmp_path / "t.csv").read_text()
    assert main(
        ["tables", "study.sqlite", "-m", "accuracy", "--test", "corrected-t", "--control", "cart",
         "--test", "anova", "--contrast", "cart:nearest-mean,logistic-regression",
         "--plot", "sizes.svg", "--format", "markdown"]
    ) == 0  # fmt: skip
    out = capsys.readouterr().out
    assert "**accuracy, %: corrected paired t test**" in out
    assert "| cart – nearest-mean, logistic-regression |" in out
    assert (tmp_path / "sizes.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bench", "none.toml"], "none.toml: No such file or directory"),
        (["bench", "bad.toml"], "bad.toml: no key system, did you mean systems?"),
        (["bench", "study.toml", "--format", "word"], "no format word. Known: text, markdown"),
        (["bench", "study.toml", "--results", "bad.toml"], "bad.toml: not a results file"),
        (["bench", "study.toml", "--results", "no/r.sqlite"], "there is no directory no"),
        (["tables", "none.sqlite"], "none.sqlite: no such results file"),
        (["tables", "study.toml"], "study.sqlite: no such results file"),
        (["tables", "bad.toml"], "bad.toml: no key system"),
        (["bench", "study.toml", "--scheduler", "nowhere"], "no Dask scheduler answers at nowhere"),
    ],
)
def test_one_line_and_nothing_runs(tmp_path, capsys, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(STUDY)
    (tmp_path / "bad.toml").write_text("system = 3")
    assert main(arguments) in (1, 2)
    err = capsys.readouterr().err
    assert err.startswith("error: ")
    assert said in err
    assert err.count("\n") == 1
