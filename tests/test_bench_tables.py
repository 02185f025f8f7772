"""Tables and pictures of results that are made up here, cell by cell."""

from __future__ import annotations

import csv
import io
import sys

import numpy as np
import pytest

from planetree.bench import RepeatedKFold, Results, Study
from planetree.bench.cells import Outcome
from planetree.bench.comparisons import Question, compare, wins
from planetree.bench.figures import accuracy_against_size, critical_differences, save
from planetree.bench.protocols import FiveByTwo, Protocol
from planetree.bench.store import Store
from planetree.bench.tables import FORMATS, Figure, Table, scores
from planetree.errors import StudyError

X, Y = np.arange(20.0)[:, None], np.repeat(["a", "b"], 10)


def results(tmp_path, accuracy, *, protocol: Protocol | None = None, leaves=3.0, factors=None):
    """Results with accuracy[data][system] plus a little for each cell."""
    data = {f"d{i}": (X, Y) for i in range(len(accuracy))}
    systems = {
        f"s{j}": {"preset": "cart", "factors": (factors or {}).get(j, {})}
        for j in range(len(accuracy[0]))
    }
    protocol = protocol or RepeatedKFold(repeats=3, folds=2)
    study = Study(
        data=data,
        systems=systems,
        protocol=protocol,
        measures=["accuracy", "leaves"],
        baselines=False,
    )
    path = tmp_path / "made-up.sqlite"
    path.unlink(missing_ok=True)
    store = Store.of(path, study)
    run = store.begin_run()
    for cell in study.cells():
        mean = accuracy[int(cell.data[1:])][int(cell.system[1:])]
        if mean is None:
            outcome = Outcome(cell, 0, "failed", "ValueError: no")
        else:
            jitter = 0.01 * (cell.repetition % 2) * (1 + int(cell.system[1:])) + 0.004 * cell.fold
            values = {"accuracy": mean + jitter, "leaves": leaves}
            outcome = Outcome(cell, 0, n_train=10, n_test=10, values=values)
        store.write(run, outcome)
    store.close()
    return Results.read(path)


def test_scores(tmp_path):
    found = results(tmp_path, [[0.9, 0.7], [0.8, None]])
    table = scores(found, "accuracy")
    assert table.head == ["data", "s0", "s1"]
    assert [str(cell) for cell in table.rows[0]] == ["d0", "90.5 ± 0.6", "70.9 ± 1.1"]
    assert [str(cell) for cell in table.rows[1]] == ["d1", "80.5 ± 0.6", "–†"]
    assert [str(cell) for cell in table.rows[2]] == ["mean", "85.5", "–"]
    assert table.best == {(0, 1), (1, 1)}
    assert table.notes == [
        "† Without 6 cells that went wrong; the first: s1 on d1, repetition 0, fold 0: "
        "ValueError: no"
    ]
    # Means of repetitions are 90.2, 91.2 and 90.2.
    by_repetition = scores(found, "accuracy", spread="repetitions").rows[0][1]
    assert str(by_repetition) == "90.5 ± 0.6"
    assert by_repetition.spread == pytest.approx(np.std([90.2, 91.2, 90.2], ddof=1))
    ranked = scores(results(tmp_path, [[0.9, 0.7], [0.8, 0.9], [0.9, 0.8]]), "accuracy")
    assert [str(cell) for cell in ranked.rows[-1]] == ["mean rank", "1.33", "1.67"]


def test_formats():
    table = Table(
        "a & b",
        ["x|y", "50 %"],
        [["<i>", Figure(1.25, 0.5)], ["−", Figure(np.nan)]],
        ["Note_1"],
        frozenset({(0, 1)}),
    )
    assert (
        table.to_text() == "a & b\n\nx|y         50 %\n<i>  1.2 ± 0.5 *\n−            –\n\nNote_1"
    )
    assert "| x\\|y | 50 % |\n|---|---:|\n| <i> | **1.2 ± 0.5** |" in table.to_markdown()
    latex = table.to_latex()
    assert "\\caption{a \\& b}" in latex
    assert "<i> & \\textbf{1.2 $\\pm$ 0.5} \\\\\n$-$ & -- \\\\" in latex
    assert latex.endswith("\\par Note\\_1\n\\end{table}")
    assert list(csv.reader(io.StringIO(table.to_csv()))) == [
        ["table", "x|y", "50 %", "50 % ±"],
        ["a & b", "<i>", "1.25", "0.5"],
        ["a & b", "−", "", ""],
    ]
    assert "<td>&lt;i&gt;</td><td><strong>1.2 ± 0.5</strong></td>" in table.to_html()
    assert set(FORMATS) == {"text", "markdown", "latex", "csv", "html"}


def test_unfinished_results_say_so(tmp_path):
    study = Study(data={"d": (X, Y)}, systems={"s": "cart"}, baselines=False)
    Store.of(tmp_path / "r.sqlite", study).close()
    table = scores(Results.read(tmp_path / "r.sqlite"), "accuracy")
    assert table.notes == ["Not complete: 0 of 100 cells are done."]
    assert str(table.rows[0][1]) == "–"


def test_fold_by_fold(tmp_path):
    found = results(tmp_path, [[0.9, 0.5], [0.5, 0.9]], protocol=FiveByTwo())
    for test in ("f5x2", "t", "corrected-t"):
        assert wins(found, "accuracy", test).tolist() == [[0, 1], [1, 0]]
        [table] = compare(found, "accuracy", test, Question(control="s0"))
        assert table.head == ["data", "s1"]
        assert str(table.rows[0][1]).startswith("-39.6 (p ")
        assert str(table.rows[0][1]).endswith(" !")
        [matrix] = compare(found, "accuracy", test)
        assert matrix.head == ["", "s0", "s1"]
        assert matrix.rows[0][1] == ""
    [table] = compare(found, "leaves", "t", Question(control="s0"))
    assert table.rows[-1] == ["better–alike–worse", "0–2–0"]
    with pytest.raises(StudyError, match="f5x2 is for the protocol 5x2; this study has repeated"):
        compare(results(tmp_path, [[0.9, 0.5]]), "accuracy", "f5x2")


def test_over_all_data(tmp_path):
    rng = np.random.default_rng(0)
    accuracy = (0.7 + 0.1 * rng.random((8, 3)) + [0, 0.05, 0.2]).tolist()
    found = results(tmp_path, accuracy)
    [friedman] = compare(found, "accuracy", "friedman")
    assert friedman.rows[0][0] == "mean rank"
    assert friedman.rows[0][3].value == 1.0
    assert "8 data sets" in friedman.notes[0]
    [wilcoxon] = compare(found, "accuracy", "wilcoxon")
    assert str(wilcoxon.rows[0][3]).endswith("!")
    [bayes] = compare(found, "accuracy", "bayes", Question(control="s2"))
    assert [row[0] for row in bayes.rows] == ["s0 – s2", "s1 – s2"]
    assert bayes.rows[0][3].value > 0.99
    accuracy[3][1] = None
    [left_out] = compare(results(tmp_path, accuracy), "accuracy", "friedman")
    assert left_out.notes[1] == "Left out, since not every system has figures there: d3."


def test_analysis_of_variance(tmp_path):
    factors = {
        j: {"learner": learner, "selector": selector}
        for j, (learner, selector) in enumerate([("r", "a"), ("r", "b"), ("p", "a"), ("p", "b")])
    }
    found = results(tmp_path, [[0.9, 0.9, 0.7, 0.7, 0.5]], factors=factors)
    question = Question(contrasts=[(["s0", "s1"], ["s2", "s3"])])
    [table] = compare(found, "accuracy", "anova", question)
    names = ["system", "learner", "selector", "learner × selector", "s0, s1 – s2, s3"]
    assert [row[0] for row in table.rows] == names
    p = {row[0]: row[1].value for row in table.rows}
    assert p["learner"] < 0.001 < 0.05 < p["selector"]
    assert "means of the repetitions" in table.notes[0]


def test_pictures(tmp_path):
    rng = np.random.default_rng(0)
    found = results(tmp_path, (0.7 + 0.1 * rng.random((6, 3)) + [0, 0.05, 0.2]).tolist())
    for name, figure in (
        ("ranks.svg", critical_differences(found)),
        ("sizes.png", accuracy_against_size(found)),
    ):
        save(figure, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
    svg = (tmp_path / "ranks.svg").read_text()
    assert svg.startswith("<?xml")
    with pytest.raises(StudyError, match="pictures are written as "):
        save(figure, tmp_path / "ranks.txt")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda r: compare(r, "accuracy", "freidman"), "no test freidman, did you mean friedman?"),
        (lambda r: compare(r, "size", "t"), "no measure of this study size"),
        (lambda r: compare(r, "accuracy", "t", Question("s9")), "no system s9"),
        (lambda r: compare(r, "accuracy", "friedman"), "needs 2 data sets and 3 systems"),
    ],
)
def test_wrong_questions(tmp_path, call, said):
    with pytest.raises(StudyError) as caught:
        call(results(tmp_path, [[0.9, 0.5]]))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("missing", "extra", "call"),
    [
        (
            "statsmodels.stats.multitest",
            "statsmodels",
            lambda r: compare(r, "accuracy", "wilcoxon"),
        ),
        ("scikit_posthocs", "scikit_posthocs", lambda r: compare(r, "accuracy", "friedman")),
        ("matplotlib.figure", "matplotlib", accuracy_against_size),
    ],
)
def test_missing_extras_name_the_install(tmp_path, monkeypatch, missing, extra, call):
    found = results(tmp_path, [[0.9, 0.5, 0.4], [0.8, 0.6, 0.5]])
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=rf'needs {extra}: pip install "planetree\[bench\]"'):
        call(found)
