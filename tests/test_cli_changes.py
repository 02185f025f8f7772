"""planetree prune, path, round and rules."""

from __future__ import annotations

import io
import json
import shlex

import pytest

import planetree
from planetree import datasets
from planetree.cli import main
from planetree.pruners import Pessimistic, ReducedError, cost_complexity_pruning_path
from planetree.rules import load_rules


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split("fit bundled:glass --pruner unpruned -o glass.json")) == 0
    assert main(shlex.split("fit bundled:iris --learner rls --max-depth 2 -o iris.json")) == 0
    capsys.readouterr()
    return tmp_path


def run(capsys, line, code=0):
    assert main(shlex.split(line)) == code, capsys.readouterr().err
    said = capsys.readouterr()
    return said.out if code == 0 else said.err


def glass():
    return datasets.load_glass(return_X_y=True, as_frame=True)


def test_prune_writes_the_pruned_tree_and_tells_the_cost(capsys):
    said = run(capsys, "prune glass.json bundled:glass --pruner reduced-error -o small.json")
    grown, small = planetree.load("glass.json"), planetree.load("small.json")
    assert small.tree_ == grown.tree_.prune(ReducedError(), *glass())
    assert str(grown.cost(small, *glass())) in said
    assert said.endswith("model written to small.json\n")
    run(capsys, "prune glass.json --pruner pessimistic:standard-errors=0 -o small.json")
    small = planetree.load("small.json")
    assert small.tree_ == grown.tree_.prune(Pessimistic(standard_errors=0))


def test_prune_by_hand(capsys):
    shown = run(capsys, "show glass.json --nodes --max-depth 1")
    assert shown.startswith("├─ [1] ")
    told = json.loads(run(capsys, "prune glass.json bundled:glass --at 1 --at 2 --json"))
    assert told["leaves"] == told["cost"]["after"]["n_leaves"] == 2
    assert told["cost"]["before"]["accuracy"] == 1
    assert told["cost"]["changed"] > 0


def test_a_pruner_that_learns_anew_is_given_the_training_cases(capsys):
    run(capsys, "fit bundled:bupa --learner rls --no-univariate -o bupa.json")
    run(capsys, "prune bupa.json bundled:bupa --pruner mtp --training bundled:bupa -o small.json")
    assert planetree.load("small.json").n_leaves_ <= planetree.load("bupa.json").n_leaves_


def test_round_makes_the_tree_the_one_shown(capsys):
    shown = run(capsys, "show iris.json --digits 2")
    said = run(capsys, "round iris.json bundled:iris --digits 2 -o short.json")
    assert said.startswith(shown.split("\n\n")[0])
    assert "another class" in said
    short = planetree.load("short.json")
    assert short.tree_ == planetree.load("iris.json").tree_.rounded(2)
    assert run(capsys, "show short.json --digits 2") == shown
    assert "no model written" in run(capsys, "round iris.json --digits 2")
    told = json.loads(run(capsys, "round iris.json bundled:iris --digits 1 --json"))
    assert told["cost"]["weight"] == 150
    told = json.loads(run(capsys, "round iris.json --digits 1 --json"))
    assert (told["cost"], told["leaves"]) == (None, short.n_leaves_)


def test_path_is_that_of_the_tree_and_a_step_of_it_is_a_model(capsys, folder):
    tree, (X, y) = planetree.load("glass.json"), glass()
    links = cost_complexity_pruning_path(tree.tree_)
    header, *lines = run(capsys, "path glass.json").splitlines()
    assert header.split() == ["step", "price", "leaves", "training", "errors"]
    assert [int(line.split()[2]) for line in lines] == links.n_leaves.tolist()
    told = json.loads(run(capsys, "path glass.json bundled:glass --json"))
    assert [row["price"] for row in told] == links.alphas.tolist()
    wrong = [(tree.with_tree(links.tree(i)).predict(X) != y).mean() for i in range(len(links))]
    assert [row["errors"] for row in told] == pytest.approx(wrong)
    assert "after" in run(capsys, "path glass.json bundled:glass --step 2 -o small.json")
    assert planetree.load("small.json").tree_ == links.tree(2)
    pytest.importorskip("matplotlib")
    run(capsys, "path glass.json bundled:glass --picture path.svg")
    assert "leaves" in (folder / "path.svg").read_text()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("path glass.json --step 99", "--step: the path has trees 0 to"),
        ("path glass.json -o small.json", "say --step N"),
        ("path glass.json --step 1 --json -o -", "both write to standard output"),
    ],
)
def test_a_path_takes_no_other_step(capsys, line, message):
    assert main(shlex.split(line)) == 2
    assert message in capsys.readouterr().err


def test_rules_as_text_as_json_and_in_a_file(capsys):
    tree = planetree.load("glass.json")
    assert run(capsys, "rules glass.json") == f"{tree.to_rules()}\n"
    simple = tree.to_rules(*glass())
    assert run(capsys, "rules glass.json bundled:glass") == f"{simple}\n"
    run(capsys, "rules glass.json bundled:glass -o rules.json")
    assert load_rules("rules.json") == simple
    told = json.loads(run(capsys, "rules glass.json bundled:glass --json"))
    assert [rule["accuracy"] for rule in told["rules"]] == [rule.accuracy for rule in simple.rules]
    assert "·" in run(capsys, "rules iris.json --digits 2")


def test_rules_are_fitted_shown_kept_asked_and_judged(capsys, monkeypatch):
    said = run(capsys, "fit bundled:zoo --preset c45-rules:confidence=0.1 -o zoo.json --cv 3")
    rules = load_rules("zoo.json")
    zoo = planetree.datasets.load_zoo(as_frame=True)
    model = planetree.presets.C45Rules(confidence=0.1).fit(zoo.data, zoo.target)
    assert rules == model.rules_
    size = f"{len(rules)} rules, {sum(len(rule.conditions) for rule in rules.rules)} conditions; "
    assert said.startswith(f"{rules}\n\n{size}")
    assert "of planetree the rules are counted" in said
    assert said.endswith("model written to zoo.json\n")
    assert run(capsys, "show zoo.json").startswith(f"{rules}\n\n{size}")
    told = json.loads(run(capsys, "show zoo.json --json"))
    assert (told["rules"], told["default"]) == (len(rules), str(rules.default))
    assert told == json.loads(
        run(capsys, "fit bundled:zoo --preset c45-rules:confidence=0.1 --json")
    )
    predicted = run(capsys, "predict zoo.json bundled:zoo").split()
    assert predicted == ["prediction", *map(str, model.predict(zoo.data))]
    why = str(model.explain(zoo.data.iloc[[5]])[0]).replace("\n", "\n  ")
    assert run(capsys, "explain zoo.json bundled:zoo --row 5") == f"row 5\n  {why}\n"
    with open("zoo.json", "rb") as file:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(file))
        assert run(capsys, "predict - bundled:zoo").split() == predicted


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("show rules.json --nodes", 2, "--nodes: has no meaning with rules"),
        ("show rules.json --max-depth 2", 2, "--max-depth: has no meaning with rules"),
        ("show rules.json --picture r.svg", 2, "--picture: has no meaning with rules"),
        ("predict rules.json bundled:iris --proba", 2, "rules have no probabilities"),
        ("prune rules.json --pruner pessimistic", 1, "rules.json: these are rules, not a tree"),
        ("fit bundled:iris --preset c45-rules:confidence=2", 2, "at most 0.5, not 2.0"),
        ("fit bundled:iris --preset c45-rules --pruner mtp", 2, "MTP works on linear tests"),
    ],
)
def test_what_rules_cannot_do(capsys, line, code, message):
    run(capsys, "rules iris.json -o rules.json")
    assert main(shlex.split(line)) == code
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("prune glass.json", 2, "--pruner NAME, or --at N"),
        (
            "prune glass.json --pruner pesimistic",
            2,
            "no pruner pesimistic, did you mean pessimistic",
        ),
        ("prune glass.json --at 999", 2, "the tree has nodes 0 to"),
        ("prune glass.json --pruner reduced-error", 1, "ReducedError counts cases that"),
        ("prune glass.json bundled:glass --pruner mtp", 1, "MTP works on linear tests"),
        ("prune glass.json bundled:iris --pruner reduced-error", 1, "the model needs columns"),
        ("prune glass.json new.csv --pruner pessimistic", 1, "new.csv"),
        ("prune glass.json bundled:glass --at 1 -o glass.json", 1, "glass.json is read here"),
        ("round glass.json --digits 0", 2, "--digits"),
        ("rules glass.json bundled:glass --confidence 0.9", 1, "confidence must be above 0"),
        ("rules - -", 2, "only one of them can be standard input"),
    ],
)
def test_what_is_wrong_is_one_line(capsys, line, code, message):
    said = run(capsys, line, code)
    assert message in said
    assert said.count("\n") == 1


def test_classes_of_cases_are_read_as_the_model_has_them(capsys, folder):
    (folder / "a.csv").write_text("x,y\n1,1\n2,2\n3,2\n")
    run(capsys, "fit a.csv -t y --pruner unpruned -o a.json")
    assert "0 of 3" in run(capsys, "prune a.json a.csv -t y --at 1")
    assert "which column holds the class? say --target" in run(capsys, "rules a.json a.csv", 1)
    (folder / "b.csv").write_text("x,y\n1,1\n2,7\n")
    assert "row 1 holds 7; the model knows 1, 2" in run(capsys, "rules a.json b.csv -t y", 1)
