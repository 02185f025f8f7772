"""The command line for programs and pictures: JSON, data sets, drawings, rules that predict."""

import json
import shlex

import numpy as np
import pytest

import planetree
from planetree.bench.data import GENERATORS
from planetree.cli import main
from planetree.rules import load_rules
from planetree.sources import Data


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    def run(line, code=0):
        capsys.readouterr()
        assert main(shlex.split(line)) == code, capsys.readouterr().err
        return capsys.readouterr()

    return run


@pytest.fixture
def iris(run):
    run("fit bundled:iris --max-depth 2 -o iris.json")


# --- JSON -------------------------------------------------------------------------------------


def test_fit_tells_programs_what_it_made(run):
    told = json.loads(run("fit bundled:iris --max-depth 2 --cv 3 -o iris.json --json").out)
    tree = planetree.load("iris.json").tree_
    assert (told["leaves"], told["tests"]) == (tree.n_leaves, tree.n_tests) == (3, 2)
    ours, theirs = told["cross_validation"]["scores"]
    assert (ours["name"], theirs["name"]) == ("planetree", "scikit-learn")
    assert len(ours["accuracy"]) == len(theirs["leaves"]) == 3
    assert "cross_validation" not in json.loads(run("fit bundled:iris --json").out)


def test_predictions_as_json_are_those_of_the_csv(run, iris):
    table = run("predict iris.json bundled:iris --proba").out.splitlines()
    told = json.loads(run("predict iris.json bundled:iris --proba --json").out)
    assert [*told[0]] == table[0].split(",")
    assert [",".join(map(str, row.values())) for row in told] == table[1:]
    run("predict iris.json bundled:iris --json -o told.json")
    with open("told.json", encoding="utf-8") as file:
        assert [row["prediction"] for row in json.load(file)] == [r["prediction"] for r in told]


def test_a_missing_value_is_null(run, folder):
    (folder / "a.csv").write_text("x,word,y\n1,u,a\n,u,b\n3,,b\n")
    run("fit a.csv -t y --pruner unpruned -o a.json")
    told = json.loads(run("predict a.json a.csv --keep --json").out)
    assert [(row["x"], row["word"]) for row in told] == [(1.0, "u"), (None, "u"), (3.0, None)]


@pytest.mark.parametrize(
    "line",
    [
        "fit bundled:iris --json -o -",
        "prune iris.json --pruner pessimistic --json -o -",
        "round iris.json --json -o -",
        "datasets iris --json -o -",
    ],
)
def test_two_results_do_not_share_a_stream(run, iris, line):
    said = run(line, code=2)
    assert said.out == ""
    assert "both write to standard output" in said.err


def test_tables_as_json_hold_the_numbers_in_full(run, folder):
    (folder / "study.toml").write_text(
        'data = ["bundled:iris"]\nsystems = ["cart"]\nmeasures = ["accuracy"]\n'
        "protocol = { repeats = 1, folds = 2 }\nbaselines = false\n"
    )
    (table,) = json.loads(run("bench study.toml --jobs 1 --json").out)
    assert table["title"] == "accuracy, %"
    name, cell = table["rows"][0]
    assert name == "iris"
    assert 80 < cell["value"] <= 100
    assert json.loads(run("tables study.sqlite --json").out) == [table]


# --- datasets ---------------------------------------------------------------------------------


def test_datasets_lists_all_there_are(run):
    listed = run("datasets").out
    told = json.loads(run("datasets --json").out)
    names = planetree.datasets.names()
    assert [entry["name"] for entry in told["bundled"]] == [*names]
    assert [entry["name"] for entry in told["generators"]] == [*GENERATORS]
    for name in [*names, *GENERATORS]:
        assert f"\n{name} " in listed
    iris = next(line for line in listed.splitlines() if line.startswith("iris "))
    assert iris.split() == ["iris", "150", "4", "0", "3", "0", "Iris"]


def test_a_bundled_set_is_told_and_written(run):
    assert "Rows: 150\n" in run("datasets iris").out
    assert json.loads(run("datasets iris --json").out)["cases"] == 150
    assert run("datasets iris -o iris.csv").err == "150 rows written to iris.csv\n"
    told = run("datasets hepatitis -o h.csv").err
    assert told.startswith("155 rows written to h.csv; its codes are names: --symbolic sex ")
    symbolic = [word for word in told.split() if word in Data("h.csv").read()]
    assert len(symbolic) == 13
    written, bundled = Data("h.csv").read([*symbolic, "class"]), Data("bundled:hepatitis").read()
    assert [*written] == [*bundled]
    assert [*written][-1] == "class"
    for name, values in bundled.items():
        assert written[name].tolist() == values.tolist() or values.dtype == float
        if values.dtype == float:
            np.testing.assert_array_equal(written[name], values)


def test_a_generator_draws_by_the_seed(run):
    run("datasets wave:n=20 --seed 7 -o wave.csv")
    X, y = planetree.datasets.make_wave(20, random_state=7)
    columns = Data("wave.csv").read()
    np.testing.assert_array_equal(np.column_stack([*columns.values()]), np.column_stack([X, y]))
    assert [*columns][:2] == ["x01", "x02"]
    piped = run("datasets wave:n=20 --seed 7 -o -").out
    with open("wave.csv", encoding="utf-8") as file:
        assert file.read() == piped
    assert json.loads(run("datasets monk:problem=1 --json").out)["rows"] == 432


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("datasets irsi", 2, "no data set irsi, did you mean iris?"),
        ("datasets wave:m=3", 2, "no option of wave named m"),
        ("datasets wave:n=0 -o w.csv", 1, "n=0"),
        ("datasets monk", 2, "problem"),
        ("datasets -o all.csv", 2, "which of them?"),
        ("datasets iris -o nowhere/iris.csv", 1, "there is no directory nowhere"),
    ],
)
def test_datasets_and_bad_input(run, folder, line, code, said):
    told = run(line, code)
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert said in told.err
    assert not [*folder.iterdir()]


# --- pictures ---------------------------------------------------------------------------------


def test_show_draws_a_picture(run, iris, folder):
    pytest.importorskip("matplotlib")
    shown = run("show iris.json").out
    assert run("show iris.json --picture tree.svg").out == shown
    assert "<svg" in (folder / "tree.svg").read_text(encoding="utf-8")
    run("show iris.json --picture tree.png --json")
    assert (folder / "tree.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_that_cannot_be_drawn_is_one_line(run, iris, monkeypatch):
    pytest.importorskip("matplotlib")
    assert "tree.doc: pictures are written as" in run("show iris.json --picture tree.doc", 1).err
    assert "no directory" in run("show iris.json --picture nowhere/tree.svg", 1).err
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.pyplot", None)
    said = run("show iris.json --picture tree.svg", 1).err
    assert 'pip install "planetree[plot]"' in said
    assert said.count("\n") == 1


# --- rules that predict -----------------------------------------------------------------------


def test_rules_predict_and_explain(run, iris):
    run("rules iris.json bundled:iris -o rules.json")
    rules = load_rules("rules.json")
    X = planetree.datasets.load("iris").data
    predicted = run("predict rules.json bundled:iris --score class")
    assert predicted.out.splitlines()[1:] == rules.predict(X).tolist()
    assert predicted.err.startswith("accuracy 9")
    explained = run("explain rules.json bundled:iris --row 60").out
    why = rules.explain(X[60:61])[0]
    assert [line.strip() for line in explained.splitlines()[1:]] == [
        line.strip() for line in str(why).splitlines()
    ]
    told = json.loads(run("explain rules.json bundled:iris --row 60 --json").out)
    assert (told[0]["rule"], told[0]["prediction"]) == (why.place + 1, why.label)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("predict rules.json bundled:iris --proba", "rules have no probabilities"),
        ("explain rules.json bundled:iris --changes", "rules do not tell them; a tree does"),
    ],
)
def test_what_rules_cannot_tell_is_refused(run, iris, line, said):
    run("rules iris.json -o rules.json")
    assert said in run(line, 2).err


def test_spoilt_rules_are_one_line(run, folder):
    (folder / "rules.json").write_text('{"format": "planetree-rules", "version": 1}')
    said = run("predict rules.json bundled:iris", 1).err
    assert said.startswith("error: rules.json: ")
    assert said.count("\n") == 1
