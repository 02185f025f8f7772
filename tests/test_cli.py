"""The command `planetree`: what its commands print and write."""

import csv
import io
import json
import re
import shlex

import numpy as np
import pytest
from typer.testing import CliRunner

import planetree
from planetree import choices
from planetree.cli import compare, main, output
from planetree.cli.app import app
from planetree.cli.models import facts
from planetree.merits import GainRatio, Gini
from planetree.pruners import Unpruned
from planetree.sources import Data, read_training

TRIPS = """\
id,hurry,money,choice
1,yes,50,taxi
2,yes,5,bike
3,no,40,bus
4,no,?,bus
5,yes,60,taxi
6,,8,bike
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trips.csv").write_text(TRIPS)
    return tmp_path


@pytest.fixture
def iris(folder):
    run("fit bundled:iris --pruner unpruned -o iris.json")
    return folder / "iris.json"


def invoke(line, **kwargs):
    try:
        runner = CliRunner(mix_stderr=False)
    except TypeError:  # newer ones never mix
        runner = CliRunner()
    return runner.invoke(app, shlex.split(line), prog_name="planetree", **kwargs)


def run(line, **kwargs):
    result = invoke(line, **kwargs)
    assert result.exit_code == 0, result.stderr
    return result


# --- fit --------------------------------------------------------------------------------------


def test_fit_shows_the_tree_and_says_that_it_is_not_kept(folder):
    result = run("fit trips.csv --target choice --drop id --pruner unpruned")
    assert result.stdout == (
        "├─ hurry = no → bus (2)\n"
        "└─ hurry = yes or missing\n"
        "   ├─ money ≤ 29 or missing → bike (2)\n"
        "   └─ money > 29 → taxi (2)\n"
        "\n"
        "2 tests, 3 leaves, depth 2; 2 of 2 features used; 6 training rows, 3 classes\n"
        "no model written; -o FILE keeps it\n"
    )
    assert result.stderr == ""
    assert [path.name for path in folder.iterdir()] == ["trips.csv"]


def test_fit_writes_what_load_reads(folder):
    result = run("fit trips.csv -t choice --drop id --max-depth 1 --pruner unpruned -o tree.json")
    assert result.stdout.endswith("model written to tree.json\n")
    tree = planetree.load("tree.json")
    assert tree.max_depth == 1
    assert tree.tree_.schema.names == ["hurry", "money"]
    assert sorted(path.name for path in folder.iterdir()) == ["tree.json", "trips.csv"]


def test_fit_is_what_the_estimator_does(iris):
    bundle = planetree.datasets.load("iris")
    columns = {name: bundle.data[:, j] for j, name in enumerate(bundle.feature_names)}
    expected = planetree.presets.CART(pruner=Unpruned()).fit(columns, bundle.target)
    assert planetree.load(iris).tree_ == expected.tree_


def test_options_reach_the_estimator():
    run(
        "fit bundled:iris -o a.json --preset uni-g --max-depth 4 --max-leaves 7 --min-rows 5 "
        "--min-leaf-rows 2 --min-share 0.01 --min-merit 0.001 --class-weight balanced --threads 1"
    )
    params = planetree.load("a.json").get_params(deep=False)
    assert repr(params.pop("merit")) == "Gini()"
    assert repr(params.pop("pruner")).startswith("ReducedError(")
    defaults = planetree.PlaneTreeClassifier().get_params(deep=False)
    assert {name: value for name, value in params.items() if value != defaults.get(name)} == {
        "max_depth": 4,
        "max_leaves": 7,
        "min_rows": 5,
        "min_leaf_rows": 2,
        "min_share": 0.01,
        "min_merit": 0.001,
        "class_weight": "balanced",
        "n_threads": 1,
    }


def test_merit_overrides_the_preset():
    run("fit bundled:iris -o a.json --preset uni-g --merit gain-ratio:guard=false")
    assert repr(planetree.load("a.json").merit) == "GainRatio(guard=False)"


def test_plug_ins_are_words_with_options():
    run(
        "fit bundled:bupa -o a.json --learner thermal:max_passes=20 --selector dsbe:tolerance=0.2 "
        "--pruner mtp:selector=dsbe,holdout=0.3 --no-univariate --max-features 3 "
        "--min-rows-per-feature 1 --seed 5"
    )
    tree = planetree.load("a.json")
    assert repr(tree.learner) == "Thermal(max_passes=20)"
    assert repr(tree.selector) == "DSBE(tolerance=0.2)"
    assert repr(tree.pruner) == "MTP(holdout=0.3, selector=DSBE())"
    assert (tree.univariate, tree.max_features_per_test, tree.random_state) == (False, 3, 5)
    assert tree.min_rows_per_feature == 1


def test_every_plug_in_has_a_word_that_fits():
    for name, base in (
        ("merit", planetree.merits.Merit),
        ("learner", planetree.learners.CoefficientLearner),
        ("selector", planetree.selectors.FeatureSelector),
        ("pruner", planetree.pruners.Pruner),
    ):
        known = choices.PLUG_INS[name]
        assert all(isinstance(choices.resolve(name, word, known), base) for word in known)
    assert {"rls", "thermal"} <= set(choices.LEARNERS)
    assert {"cart-discard", "fscart", "hss"} <= set(choices.SELECTORS)
    assert {"mtp", "reduced-error", "hyperplane-merging"} <= set(choices.PRUNERS)


def test_a_preset_has_options_and_flags_go_before_them():
    run("fit bundled:bupa -o a.json --preset brodley-utgoff:learner=pocket,selector=hss")
    tree = planetree.load("a.json")
    assert (repr(tree.learner), repr(tree.selector)) == ("Pocket()", "HSS()")
    run("fit bundled:bupa -o a.json --preset brodley-utgoff:learner=pocket --learner rls")
    assert repr(planetree.load("a.json").learner) == "RLS()"


def test_values_of_an_option_are_joined_by_a_plus():
    def make(starts=("univariate", "least_squares"), sizes=(1, 2)):
        return starts, sizes

    known = {"made": make}
    assert choices.resolve("thing", "made:starts=a+b+c,sizes=3", known) == (("a", "b", "c"), (3,))
    with pytest.raises(choices.ChoiceError, match="option sizes of made is a whole number"):
        choices.resolve("thing", "made:sizes=3+x", known)


def test_weights_are_no_feature_and_count(folder):
    (folder / "w.csv").write_text("x,w,y\n1,3,a\n2,0,b\n3,0.5,b\n")
    result = run("fit w.csv -t y --weight w --pruner unpruned")
    assert "├─ x ≤ 2 → a (3)\n└─ x > 2 → b (0.5)\n" in result.stdout
    assert "1 of 1 feature used; 2 training rows of weight 3.5, 2 classes" in result.stdout


def test_symbolic_columns_stay_symbolic_when_predicting(folder):
    (folder / "codes.csv").write_text("code,y\n" + "1,a\n02,b\n3,a\n" * 4)
    result = run("fit codes.csv -t y --symbolic code -o codes.json")
    assert "├─ code ≠ 02 → a (8)\n└─ code = 02 → b (4)\n" in result.stdout
    (folder / "new.csv").write_text("code\n02\n2\n")
    assert run("predict codes.json new.csv").stdout == "prediction\nb\na\n"


def test_numbers_among_words_are_words_when_told_so(folder):
    (folder / "cars.csv").write_text("doors,y\n2,a\n5more,b\n")
    result = run("fit cars.csv -t y --symbolic doors --pruner unpruned -o cars.json")
    assert "├─ doors = 2 → a (1)\n└─ doors = 5more → b (1)\n" in result.stdout
    assert run("predict cars.json cars.csv").stdout == "prediction\na\nb\n"
    # Formats that say what a column is are taken at their word.
    (folder / "cars.arff").write_text(
        "@relation cars\n@attribute doors {2,5more}\n@attribute y {a,b}\n@data\n2,a\n5more,b\n"
    )
    assert run("fit cars.arff -t y --pruner unpruned").stdout.startswith("├─ doors = 2 → a (1)\n")


def test_whole_numbers_are_classes(folder):
    (folder / "n.csv").write_text("x,y\n1,0\n2,1\n")
    assert "x ≤ 1.5 → 0 (1)" in run("fit n.csv -t y --pruner unpruned -o n.json").stdout
    assert planetree.load("n.json").classes_.tolist() == [0, 1]
    assert run("predict n.json n.csv --score y").stderr == "accuracy 100.0 % (2 of 2 rows)\n"


@pytest.mark.parametrize("name", ["trips.tsv", "trips.dat"])
def test_other_formats(folder, name):
    (folder / name).write_text(TRIPS.replace(",", "\t"))
    run(f"fit {name} -t choice --format tsv --pruner unpruned")


def test_fit_through_standard_streams():
    result = run("fit - -t choice --drop id --pruner unpruned -o -", input=TRIPS)
    assert result.stdout.startswith('{\n  "format": "planetree-model"')
    assert "2 tests, 3 leaves" in result.stderr
    assert run("predict - trips.csv", input=result.stdout).stdout.startswith("prediction\ntaxi\n")
    assert run("show -", input=result.stdout).stdout.startswith("├─ hurry = no")


def test_a_large_tree_is_shown_in_part(folder):
    rng = np.random.default_rng(0)
    noise = "\n".join(f"{x},{y}" for x, y in zip(rng.random(400), rng.integers(0, 2, 400)))
    (folder / "noise.csv").write_text(f"x,y\n{noise}\n")
    lines = run("fit noise.csv -t y --pruner unpruned -o noise.json").stdout.splitlines()
    assert len(lines) < 110
    shown = re.fullmatch(r"shown to depth (\d+); planetree show noise.json shows it all", lines[-2])
    tree = planetree.load("noise.json").tree_
    assert lines[:-4] == tree.to_text(max_depth=int(shown[1])).splitlines()
    assert run("show noise.json").stdout.startswith(tree.to_text() + "\n\n")


# --- cross-validation -------------------------------------------------------------------------


def test_cross_validation_is_repeatable_and_correct():
    result = run("fit bundled:iris --cv 5 --seed 3 --max-depth 2")
    assert run("fit bundled:iris --cv 5 --seed 3 --max-depth 2").stdout == result.stdout
    tree, first, compared = result.stdout.partition("5-fold cross-validation, ")
    assert tree.endswith("150 training rows, 3 classes\n\n")
    first, header, ours, theirs, how, blank, last = compared.splitlines()
    assert first == "stratified, shuffled with seed 3:"
    assert header.split() == ["accuracy", "±", "sd", "leaves"]
    assert blank == ""
    assert last == "no model written; -o FILE keeps it"

    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.tree import DecisionTreeClassifier

    X, y = planetree.datasets.load("iris", return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=3)
    for line, name, estimator in (
        (ours, "planetree", planetree.PlaneTreeClassifier(max_depth=2)),
        (theirs, "scikit-learn", DecisionTreeClassifier(random_state=3)),
    ):
        accuracy = 100 * cross_val_score(estimator, X, y, cv=folds)
        expected = [name, f"{accuracy.mean():.1f}", "%", f"{accuracy.std(ddof=1):.1f}"]
        assert line.split()[:4] == expected
    assert re.fullmatch(r"scikit-learn [\d.]+: DecisionTreeClassifier, default settings", how)


def test_cross_validation_says_how_symbols_and_gaps_are_treated():
    result = run("fit bundled:breast --cv 3 --max-leaves 2")
    assert "default settings; missing numbers as they are\n" in result.stdout
    result = run("fit bundled:vote --cv 3 --max-leaves 2")
    assert "symbols one-hot encoded, a missing symbol as one more symbol\n" in result.stdout


def test_cross_validation_with_weights_small_classes_and_hardly_known_columns(folder):
    rows = "".join(f"{i},{i % 3 + 1},,{'ab'[i // 10]}\n" for i in range(20))
    (folder / "a.csv").write_text(f"x,w,rare,y\n{rows}20,1,7,c\n")
    result = run("fit a.csv -t y --weight w --cv 4")
    assert "class c has 1 row, so some folds are without it\n" in result.stdout
    assert "scikit-learn " in result.stdout


def test_what_scikit_learn_cannot_take_is_said(folder):
    (folder / "a.csv").write_text("x,y\n" + "1e300,a\n2e300,b\n" * 3)
    result = run("fit a.csv -t y --pruner unpruned --cv 3")
    assert "scikit-learn's tree cannot take these data: " in result.stdout
    assert re.search(r"^planetree +100.0 % +0.0 +2.0$", result.stdout, re.MULTILINE)


def test_comparison_is_a_value():
    training = read_training(Data("bundled:iris"), "class")
    told = []
    found = compare.cross_validate(planetree.PlaneTreeClassifier(), training, 3, 0, told.append)
    assert [score.name for score in found.scores] == ["planetree", "scikit-learn"]
    assert all(len(score.accuracy) == len(score.leaves) == 3 for score in found.scores)
    assert told == sorted(told)
    assert told[-1] == 1


# --- predict ----------------------------------------------------------------------------------


def test_predict_with_everything(iris, folder):
    result = run("predict iris.json bundled:iris --proba --keep --score class -o out.csv")
    assert result.stdout == ""
    assert result.stderr == (
        "accuracy 100.0 % (150 of 150 rows)\n150 predictions written to out.csv\n"
    )
    bundle = planetree.datasets.load("iris")
    rows = list(csv.DictReader(io.StringIO((folder / "out.csv").read_text())))
    assert [row["prediction"] for row in rows] == bundle.target.tolist()
    assert [float(row["petal_width"]) for row in rows] == bundle.data[:, 3].tolist()
    tree = planetree.load(iris)
    shares = tree.predict_proba(dict(zip(bundle.feature_names, bundle.data.T)))
    for j, label in enumerate(tree.classes_):
        assert [float(row[f"proba_{label}"]) for row in rows] == shares[:, j].tolist()


def test_columns_are_kept_as_they_are_written(folder):
    text = 'id,x,note,y\n007,1.50,"a, b",a\n12345678901234567890,2,,b\n'
    (folder / "a.csv").write_text(text)
    run("fit a.csv -t y --drop id --drop note --pruner unpruned -o a.json")
    assert run("predict a.json a.csv --keep").stdout == (
        'id,x,note,y,prediction\n007,1.50,"a, b",a,a\n12345678901234567890,2,,b,b\n'
    )


def test_columns_are_found_by_name_and_others_ignored(iris, folder):
    text = "extra,petal_width,petal_length,sepal_width,sepal_length\nq,0.2,1.4,3.5,5.1\n"
    (folder / "a.csv").write_text(text)
    assert run("predict iris.json a.csv").stdout == "prediction\nIris-setosa\n"
    assert run("predict iris.json -", input=text).stdout == "prediction\nIris-setosa\n"


def test_score_knows_true_from_another_format(folder):
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    parquet.write_table(pyarrow.table({"x": [1, 2], "y": [True, False]}), "a.parquet")
    run("fit a.parquet -t y --pruner unpruned -o a.json")
    (folder / "a.csv").write_text("x,y\n1,True\n2,False\n")
    for name in ("a.parquet", "a.csv"):
        said = run(f"predict a.json {name} --score y").stderr
        assert said == "accuracy 100.0 % (2 of 2 rows)\n"


def test_score_leaves_out_rows_without_a_class(folder):
    run("fit trips.csv -t choice --drop id --pruner unpruned -o a.json")
    (folder / "b.csv").write_text("hurry,money,choice\nno,1,bus\nno,1,taxi\nyes,3,\n")
    assert run("predict a.json b.csv --score choice").stderr == (
        "accuracy 50.0 % (1 of 2 rows with a known class)\n"
    )


# --- show and explain -------------------------------------------------------------------------


def test_show(iris):
    tree = planetree.load(iris).tree_
    summary = "8 tests, 9 leaves, depth 5; 3 of 4 features used; 150 training rows, 3 classes\n"
    assert run("show iris.json").stdout == f"{tree}\n\n{summary}"
    shown = run("show iris.json --digits 2 --max-depth 1").stdout
    assert shown == tree.to_text(digits=2, max_depth=1) + f"\n\n{summary}"
    assert json.loads(run("show iris.json --json").stdout) == facts(tree)


def test_facts_name_the_features_and_classes(iris):
    said = facts(planetree.load(iris).tree_)
    assert said["features_used"] == ["sepal_length", "petal_length", "petal_width"]
    assert said["features"][1] == {"name": "sepal_width", "kind": "numeric", "used": False}
    assert said["classes"] == {f"Iris-{c}": 50.0 for c in ("setosa", "versicolor", "virginica")}


def test_explain(iris):
    tree = planetree.load(iris)
    bundle = planetree.datasets.load("iris")
    why = tree.explain(dict(zip(bundle.feature_names, bundle.data[[70, 3]].T)))
    lines = [f"row {i}\n  " + str(w).replace("\n", "\n  ") + "\n" for i, w in zip((70, 3), why)]
    assert run("explain iris.json bundled:iris --row 70 --row 3").stdout == "".join(lines)
    assert run("explain iris.json bundled:iris").stdout.count("\nrow ") == 149


def test_explain_as_json(iris):
    (entry,) = json.loads(run("explain iris.json bundled:iris --row 70 --json").stdout)
    assert entry["row"] == 70
    assert entry["prediction"] == "Iris-versicolor"
    assert entry["probabilities"]["Iris-versicolor"] == 1
    assert entry["steps"][0] == {
        "node": 0,
        "condition": "petal_length > 2.45",
        "values": {"petal_length": 4.8},
        "unseen": [],
        "margin": pytest.approx(2.35),
        "changes": {"petal_length": pytest.approx(-2.35)},
        "switches": {},
        "contributions": {"petal_length": pytest.approx(1 / 6)},
    }
    assert sum(entry["shares"].values()) == pytest.approx(1)


def test_explain_tells_a_new_symbol_from_a_missing_one(folder):
    run("fit trips.csv -t choice --drop id --pruner unpruned -o a.json")
    (folder / "b.csv").write_text("hurry,money\nsomewhat,\n")
    first, *_ = run("explain a.json b.csv").stdout.splitlines()[1:]
    assert first.endswith("hurry holds a symbol never seen in training")
    (entry,) = json.loads(run("explain a.json b.csv --json").stdout)
    assert [(step["values"], step["unseen"]) for step in entry["steps"]] == [
        ({"hurry": None}, ["hurry"]),
        ({"money": None}, []),
    ]


# --- words, help and terminals ----------------------------------------------------------------


def test_words_are_the_public_names():
    assert {type(make()).__name__ for make in choices.MERITS.values()} == set(
        planetree.merits.__all__
    ) - {"Merit"}
    assert len(choices.PRESETS) == len(planetree.presets.__all__) - 1  # a baseline
    assert {"cart", "c45-rules", "id3", "uni-g"} <= set(choices.PRESETS)
    assert isinstance(choices.resolve("merit", "gini", choices.MERITS), Gini)
    assert not choices.resolve("merit", "gain-ratio-unguarded", choices.MERITS).guard


class Learner:
    def __init__(self, restarts=20, shrink=0.5, random_state=None, kind="a", fast_start=True):
        self.all = restarts, shrink, random_state, kind, fast_start


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("oc1", (20, 0.5, None, "a", True)),
        ("oc1:restarts=5", (5, 0.5, None, "a", True)),
        ("oc1:shrink=2,kind=b,fast-start=no", (20, 2.0, None, "b", False)),
        ("oc1:random_state=7,fast_start=false", (20, 0.5, 7, "a", False)),
        ("oc1:random-state=1e-3", (20, 0.5, 1e-3, "a", True)),
    ],
)
def test_words_take_options(text, expected):
    assert choices.resolve("learner", text, {"oc1": Learner}).all == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("oc2", "no learner oc2, did you mean oc1? Known: oc1"),
        ("oc1:restart=5", "no option of oc1 named restart, did you mean restarts? Known: restarts, "
         "shrink, random-state, kind, fast-start"),
        ("oc1:restarts=2.5", "option restarts of oc1 is a whole number, not 2.5"),
        ("oc1:shrink=much", "option shrink of oc1 is a number, not much"),
        ("oc1:fast-start=1", "option fast-start of oc1 is true or false, not 1"),
        ("oc1:restarts", "option restarts of oc1 needs a value: oc1:restarts=..."),
        ("", "no learner . Known: oc1"),
    ],
)  # fmt: skip
def test_words_that_stand_for_nothing(text, message):
    with pytest.raises(choices.ChoiceError) as caught:
        choices.resolve("learner", text, {"oc1": Learner})
    assert str(caught.value) == message


def test_merit_is_made_with_its_options():
    merit = choices.resolve("merit", "gain-ratio:guard=no", choices.MERITS)
    assert isinstance(merit, GainRatio)
    assert not merit.guard


def test_version_and_help():
    assert run("--version").stdout == f"planetree {planetree.__version__}\n"
    assert "Commands" in run("").stdout
    for command in ("fit", "predict", "show", "explain"):
        assert "$ planetree" in run(f"{command} -h").stdout


STUDY = """
data = ["bundled:iris", "bundled:zoo", "bundled:wine"]
systems = ["cart", "id3"]
measures = ["accuracy", "leaves"]
protocol = { repeats = 1, folds = 2 }
"""


def test_examples_of_the_help_run(folder):
    pytest.importorskip("matplotlib")
    (folder / "study.toml").write_text(STUDY)
    header, rows = TRIPS.split("\n", 1)
    (folder / "trips.csv").write_text(f"{header}\n{rows * 3}")  # enough to prune by
    texts = [app.registered_callback.callback.__doc__]
    texts += [command.callback.__doc__ for command in app.registered_commands]
    lines = [line for text in texts for line in re.findall(r"\$ planetree (.*)", text)]
    # Whole studies take minutes; tests/test_bench_papers.py does a small part of one.
    lines = [line for line in lines if not re.match(r"reproduce (?!003)", line)]
    assert len(lines) > 10
    for line in lines:
        line, _, target = line.removesuffix(" | head -3").partition(" > ")
        line, _, source = line.partition(" < ")
        result = run(line, input=(folder / source).read_text() if source else None)
        if target:
            (folder / target).write_text(result.stdout, encoding="utf-8")


def test_completion_offers_known_words():
    from planetree.cli import options

    assert options._sources("bundled:i") == ["bundled:ionosphere", "bundled:iris"]
    assert options.starting(choices.MERITS)("gi") == ["gini"]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("planetree repo", ["report"]),
        ("planetree fit bundled:ir", ["bundled:iris"]),
        ("planetree fit --merit max", ["max-minority"]),
        ("planetree fit --jso", ["--json"]),
        ("planetree export m.json --to py", ["python"]),
        ("planetree export m.json --to sql --dialect sq", ["sqlite"]),
        ("planetree reproduce 00", ["000", "001", "002", "003", "004"]),
    ],
)
def test_the_shell_completes(typed, offered, monkeypatch, capsys):
    monkeypatch.setenv("_PLANETREE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split()) - 1))
    main([])
    assert capsys.readouterr().out.split() == offered


@pytest.fixture
def terminal():
    from rich.console import Console

    def make(width):
        file = io.StringIO()
        return file, Console(
            file=file, force_terminal=True, width=width, soft_wrap=True, color_system="standard",
            highlight=False, markup=False, emoji=False, legacy_windows=False,
        )  # fmt: skip

    return make


def test_tree_on_a_terminal_has_colours_and_keeps_within_its_width(iris, terminal):
    tree = planetree.load(iris).tree_
    file, screen = terminal(200)
    output.print_tree(screen, tree)
    assert "\x1b[" in file.getvalue()
    assert re.sub(r"\x1b\[[\d;]*m", "", file.getvalue()) == f"{tree}\n"
    file, screen = terminal(40)
    output.print_tree(screen, tree)
    plain = re.sub(r"\x1b\[[\d;]*m", "", file.getvalue())
    assert max(map(len, plain.splitlines())) <= 40
    assert plain.splitlines()[0] == "├─ petal_length ≤ 2.45 → Iris-setosa "
    assert plain.splitlines()[1] == "│     (50)"


def test_markup_and_escape_codes_in_names_are_text(folder):
    (folder / "a.csv").write_text("[red]x[/red] :smile:\x1b[31m,y\n1,[b]\n2,c\n")
    assert run("fit a.csv -t y --pruner unpruned").stdout.splitlines()[:2] == [
        r"├─ [red]x[/red] :smile:\x1b[31m ≤ 1.5 → [b] (1)",
        r"└─ [red]x[/red] :smile:\x1b[31m > 1.5 → c (1)",
    ]


# --- export -----------------------------------------------------------------------------------


@pytest.mark.parametrize("to", ["c", "dot", "python", "rules", "rules-json", "sql"])
def test_export_writes_what_the_function_returns(iris, to):
    want = choices.EXPORTS[to](planetree.load(iris))
    assert run(f"export iris.json --to {to}").stdout == want
    told = run(f"export iris.json --to {to} -o out.txt").stderr
    assert told == "exported to out.txt\n"
    assert (iris.parent / "out.txt").read_text(encoding="utf-8") == want


def test_export_to_onnx(iris):
    onnx = pytest.importorskip("onnx")
    run("export iris.json --to onnx -o iris.onnx")
    model = onnx.load(iris.parent / "iris.onnx")
    assert run("export iris.json --to onnx").stdout_bytes == model.SerializeToString()
    assert model.graph.input[0].type.tensor_type.elem_type == onnx.TensorProto.DOUBLE


def test_export_options(iris):
    query = run("export iris.json --to sql --dialect sqlite --table t --keep-column id").stdout
    assert 'FROM "t"' in query
    assert "MATERIALIZED" in query
    assert '"id"' in query
    assert "flower_predict" in run("export iris.json --to c --name flower").stdout


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("export iris.json --to cobol", 2, "no format cobol. Known: c, dot, onnx, python"),
        ("export iris.json --to c --table t", 2, "--table: has no meaning with --to c"),
        ("export iris.json --to sql --single", 2, "--single: has no meaning with --to sql"),
        ("export iris.json --to sql --dialect db2", 1, "dialect must be one of ansi, duckdb"),
        ("export iris.json --to c --name 1x", 1, "name must be a word that C can use"),
        ("export iris.json --to c -o iris.json", 1, "iris.json is read here"),
        ("export iris.json --to c -o no/where.h", 1, "there is no directory no"),
        ("export nothing.json --to c", 1, "nothing.json"),
        ("export trips.csv --to c", 1, "error: trips.csv: not JSON"),
    ],
)
def test_export_errors(iris, line, code, message):
    result = invoke(line)
    assert result.exit_code == code
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


# --- counterfactual ---------------------------------------------------------------------------


def test_counterfactual_says_the_change_and_what_binds(iris):
    said = run("counterfactual iris.json bundled:iris --row 60 --to Iris-setosa").stdout
    assert said.startswith(
        "row 60\n  Iris-versicolor → Iris-setosa\n    petal_length = 3.5 → 2.45 "
    )
    assert "what binds: petal_length ≤ 2.45" in said


def test_counterfactual_options_are_those_of_the_method(iris):
    line = "counterfactual iris.json bundled:iris --row 60 --row 61 --frozen petal_width --json"
    found = json.loads(run(f"{line} --cost petal_length=2 --bounds petal_length=1:6").stdout)
    model, data = planetree.load(iris), planetree.datasets.load_iris(as_frame=True).data
    for entry, row in zip(found, (60, 61), strict=True):
        change = model.counterfactual(
            data[row : row + 1],
            X=data,
            frozen=["petal_width"],
            weights={"petal_length": 2},
            bounds={"petal_length": (1, 6)},
        )
        assert entry["row"] == row
        assert entry["counterfactual"]["cost"] == pytest.approx(change.cost)
        assert entry["counterfactual"]["values"] == change.values
        assert entry["counterfactual"]["binding"] == list(change.binding)
    frozen = " ".join(f"--frozen {name}" for name in data.columns)
    none = run(f"counterfactual iris.json bundled:iris --row 60 {frozen}").stdout
    assert none == "row 60\n  no allowed change gets another class\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--to Iris-setoza", "no class Iris-setoza, did you mean Iris-setosa?"),
        ("--to Iris-versicolor", "row 60 is Iris-versicolor already"),
        ("--frozen petal", "frozen: the tree has no feature 'petal'"),
        ("--bounds petal_width", "--bounds is COLUMN=LOW:HIGH, not petal_width"),
        ("--bounds petal_width=3", "--bounds of petal_width is LOW:HIGH, not '3'"),
        ("--bounds petal_width=a:3", "--bounds of petal_width is a number, not 'a'"),
        ("--cost petal_width=-1", "the price of petal_width must be above 0"),
        ("--switch-cost 0", "switch_cost must be a number above 0"),
        ("--row 200", "no row 200, the rows are 0 to 149"),
    ],
)
def test_counterfactual_errors(iris, options, message):
    result = invoke(f"counterfactual iris.json bundled:iris --row 60 {options}")
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_explain_says_what_would_have_changed(iris):
    said = run("explain iris.json bundled:iris --row 60 --changes").stdout
    assert "the other way: petal_length 1.05 less" in said
    assert "decided by: " in said
