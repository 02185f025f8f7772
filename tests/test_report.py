"""The report page: what it says, that it is one file, and that names in it are letters."""

from __future__ import annotations

import io
import json
import re

import numpy as np
import pytest

from planetree import PlaneTreeClassifier, TableError, datasets
from planetree.learners import RLS
from planetree.presets import CART
from planetree.pruners import Unpruned
from planetree.report import report

ODD = ("</script><script>alert(1)</script>", 'quo"te', "<b>&amp;", "naïve 🌳")


def page_of(model, *args, **options):
    file = io.StringIO()
    report(model, file, *args, **options)
    return file.getvalue()


def facts(page):
    text = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1]
    return json.loads(text)


@pytest.fixture(scope="module")
def iris():
    return datasets.load_iris(as_frame=True)


def test_it_says_what_the_tree_is_and_how_good(iris):
    tree = CART(max_depth=2, pruner=Unpruned()).fit(iris.data, iris.target)
    data = facts(page_of(tree, iris.data, iris.target, title="Iris", cv=5))
    assert data["what"].startswith("A decision tree that tells 3 classes apart by 2 tests and 3 l")
    ours, linear, theirs, largest = data["judged"]["scores"]
    assert (ours[0], linear[0], largest[0]) == (
        "this tree",
        "logistic regression",
        "always the largest class",
    )
    assert largest[1] == "33.3 %"
    assert np.sum(data["judged"]["confusion"]) == 150
    assert float(theirs[3]) > float(ours[3])  # leaves: scikit-learn's is not limited to two levels
    assert data["rules"][0] == "petal_length ≤ 2.45 → Iris-setosa (50, 97.3 %)"


def test_it_is_one_file(iris):
    page = page_of(CART(pruner=Unpruned()).fit(iris.data, iris.target))
    assert not re.search(r"""(src|href)=["'](?!#|data:)""", page)
    assert "http" not in page.replace("http-equiv", "")
    assert "default-src 'none'" in page


def test_names_stay_names():
    rng = np.random.default_rng(0)
    X = {name: rng.normal(size=60) for name in ODD}
    y = [ODD[k] for k in rng.integers(0, 4, 60)]
    tree = PlaneTreeClassifier(learner=RLS(), max_depth=3).fit(X, y)
    page = page_of(tree, X, y, title=ODD[0], cv=2)
    assert page.count("<script") == 2  # the data and the page's own
    assert "<b>&" not in page
    data = facts(page)
    assert [feature["name"] for feature in data["features"]] == list(ODD)
    assert data["title"] == ODD[0]


def test_the_pruning_path_begins_with_the_tree_itself():
    glass = datasets.load_glass(as_frame=True)
    tree = CART(pruner=Unpruned()).fit(glass.data, glass.target)
    pruning = facts(page_of(tree, glass.data, glass.target, cv=2))["pruning"]
    assert pruning["leaves"][0] == tree.n_leaves_
    assert pruning["leaves"][-1] == 1
    assert pruning["errors"][0] == pytest.approx(1 - tree.score(glass.data, glass.target))
    commonest = max(np.unique(glass.target, return_counts=True)[1])
    assert pruning["errors"][-1] == pytest.approx(1 - commonest / 214)


def test_symbols_gaps_and_weights_are_judged_too():
    vote = datasets.load_vote(as_frame=True)
    weight = np.where(vote.target == vote.target.iloc[0], 2.0, 1.0)
    tree = CART(max_depth=2, pruner=Unpruned()).fit(vote.data, vote.target, weight)
    data = facts(page_of(tree, vote.data, vote.target, weight, cv=3))
    assert np.sum(data["judged"]["confusion"]) == weight.sum()


def test_what_is_asked_wrongly_is_said(iris, tmp_path):
    tree = CART(max_depth=1, pruner=Unpruned()).fit(iris.data, iris.target)
    for arguments, error, message in (
        ((CART(), io.StringIO()), ValueError, "fit it first"),
        ((tree, io.StringIO(), iris.data), TableError, "give y as well"),
        ((tree, io.StringIO(), iris.data[["petal_width"]], iris.target), TableError, "missing"),
        ((tree, tmp_path / "no" / "page.html"), OSError, "page.html"),
    ):
        with pytest.raises(error, match=message):
            report(*arguments)
    with pytest.raises(ValueError, match="cv must be a whole number of at least 2, not 1"):
        report(tree, io.StringIO(), iris.data, iris.target, cv=1)


def test_the_command_writes_the_same_page(iris, tmp_path, monkeypatch, capsys):
    from planetree.cli import main

    monkeypatch.chdir(tmp_path)
    for line in (
        "fit bundled:iris --max-depth 2 -o iris.json",
        "report iris.json bundled:iris -o page.html --cv 3 --title Iris",
    ):
        assert main(line.split()) == 0
    assert "page written to page.html" in capsys.readouterr().err
    said = facts((tmp_path / "page.html").read_text(encoding="utf-8"))
    tree = CART(max_depth=2, pruner=Unpruned()).fit(iris.data, iris.target)
    assert said["judged"] == facts(page_of(tree, iris.data, iris.target, cv=3))["judged"]
    for line, message in (
        ("report iris.json bundled:glass", "no column sepal_length"),
        ("report nothing.json", "nothing.json"),
        ("report iris.json -o no/page.html", "page.html"),
    ):
        assert main(line.split()) == 1
        assert message in capsys.readouterr().err


def test_progress_is_told_fold_by_fold(iris):
    told = []
    tree = CART(max_depth=2).fit(iris.data, iris.target)
    tree.report(io.StringIO(), iris.data, iris.target, cv=4, progress=told.append)
    assert told == [0.0, 0.25, 0.5, 0.75, 1.0]
