"""Studies: what is compared, how rows are parted and spoilt, and what is refused beforehand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from planetree import PlaneTreeClassifier, presets, pruners
from planetree.bench import (
    MEASURES,
    Encode,
    FiveByTwo,
    GivenSplit,
    Noise,
    RepeatedKFold,
    Study,
    Subsampling,
    read_study,
)
from planetree.bench.cells import Bench
from planetree.bench.data import read_data
from planetree.bench.seeds import seed_of
from planetree.bench.study import Cell
from planetree.bench.systems import described, read_system
from planetree.errors import StudyError

ONE = RepeatedKFold(repeats=1, folds=2)


def small(**changes):
    options = {"data": {"iris": "bundled:iris"}, "systems": {"cart": "cart"}, "protocol": ONE}
    return Study(**{**options, "baselines": False, **changes})


def outcomes(study):
    bench = Bench(study)
    return {cell: bench.do(cell) for cell in study.cells()}


# --- protocols --------------------------------------------------------------------------------


@given(
    y=st.lists(st.integers(0, 3), min_size=12, max_size=60),
    folds=st.integers(2, 6),
    prune_share=st.sampled_from([0.0, 0.1, 1 / 3]),
    stratify=st.booleans(),
)
def test_folds_part_the_rows(y, folds, prune_share, stratify):
    y = np.array(y)
    protocol = RepeatedKFold(folds=folds, prune_share=prune_share, stratify=stratify)
    parts = protocol.parts(y, None, np.random.default_rng(0))
    tested = np.concatenate([part.test for part in parts])
    assert sorted(tested) == list(range(len(y)))
    for part in parts:
        assert sorted([*part.grow, *part.prune, *part.test]) == list(range(len(y)))
        assert len(part.prune) == round(prune_share * len(part.train))
        if stratify:
            share = np.bincount(y, minlength=4) / folds
            assert (abs(np.bincount(y[part.test], minlength=4) - share) < 1.01).all()


def test_subsampling_and_given_split():
    y = np.repeat([0, 1], [30, 10])
    [part] = Subsampling(train_share=0.6).parts(y, None, np.random.default_rng(1))
    assert np.bincount(y[part.train]).tolist() == [18, 6]
    [part] = GivenSplit(prune_share=0.5).parts(y, np.arange(30, 40), np.random.default_rng(1))
    assert part.test.tolist() == [*range(30, 40)]
    assert len(part.grow) == len(part.prune) == 15


def test_systems_see_the_same_parts_and_have_seeds_of_their_own():
    study = small(systems={"a": DecisionTreeClassifier(), "b": DecisionTreeClassifier()})
    assert study.data["iris"].family == "iris"
    bench = Bench(study)
    parts = bench._make_parts("iris", 0)[0]
    assert all(
        np.array_equal(p.test, q.test)
        for p, q in zip(parts, Bench(study)._make_parts("iris", 0)[0])
    )
    seeds = {bench.do(cell).seed for cell in study.cells()}
    assert len(seeds) == study.n_cells


def test_seeds_never_change():
    """Results of years ago must come out again."""
    assert [seed_of(0), seed_of(1, "wave", 3), seed_of(0, "système")] == [
        804681139,
        393272130,
        1788893093,
    ]


# --- noise ------------------------------------------------------------------------------------


def test_noise_at_a_rate():
    rng = np.random.default_rng
    X = {"a": np.array(["x", "y", None, "z"] * 500, object), "b": np.arange(2000.0)}
    y = np.repeat(["no", "yes"], 1000)
    same_X, spoilt = Noise(0.2).spoil(X, y, rng(0))
    assert same_X is X
    assert abs((spoilt != y).mean() - 0.2) < 0.03
    spoilt_X, same_y = Noise(0.3, on="attributes").spoil(X, y, rng(0))
    assert same_y is y
    known = X["a"] != None  # noqa: E711
    assert ((spoilt_X["a"] == None) == ~known).all()  # noqa: E711
    assert abs((spoilt_X["a"] != X["a"])[known].mean() - 0.3) < 0.03
    assert abs((spoilt_X["b"] != X["b"]).mean() - 0.3) < 0.03
    spoilt_X, _ = Noise(0.5, on="attributes", how="examples").spoil(X, y, rng(0))
    changed = spoilt_X["b"] != X["b"]
    assert abs(changed.mean() - 0.5) < 0.04
    # Of two thousand values hardly one is drawn again as it was.
    assert (spoilt_X["a"] == X["a"])[~changed].mean() > 0.995


def test_noise_in_the_training_part_only():
    X, y = np.arange(40.0)[:, None], np.repeat([0, 1], 20)
    for where, right in (("train", 1.0), ("both", 0.0)):
        study = small(data={"d": (X, y)}, noise=Noise(1.0, where=where), measures=["accuracy"])
        values = [outcome.values["accuracy"] for outcome in outcomes(study).values()]
        assert np.mean(values) == pytest.approx(1 - right, abs=0.11)


def test_noise_at_several_rates_keeps_the_parts():
    study = small(noise=[Noise(0.0), Noise(0.25)])
    assert list(study.data) == ["iris", "iris, 25 % noise"]
    bench = Bench(study)
    clean, noisy = (bench._make_parts(name, 0) for name in study.data)
    assert np.array_equal(clean[0][0].test, noisy[0][0].test)
    assert (clean[2] != noisy[2]).sum() > 20


# --- data and systems -------------------------------------------------------------------------


def test_any_data(tmp_path):
    (tmp_path / "trips.csv").write_text(
        "id,money,luggage,choice\n" + "1,5,2,a\n2,9,,b\n3,,1,a\n" * 4
    )
    frame = pd.DataFrame({"x": [1.0, 2.0, None, 4.0], "c": pd.Categorical(["u", "v", "u", None])})
    y = ["a", "b", "a", "b"]
    assert read_data("f", (frame, y)).X["c"].tolist() == ["u", "v", "u", None]
    assert read_data("f", (frame.to_dict("list"), y)).X["x"].shape == (4,)
    assert read_data("a", ([[1, 2], [3, 4]], [0, 1])).X.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    own = read_data(
        "t", {"source": "trips.csv", "target": "choice", "drop": ["id"]}, folder=tmp_path
    )
    assert sorted(own.X) == ["luggage", "money"]
    wave = read_data("w", {"generator": "wave", "n": 50, "test_rows": 20})
    assert wave.test.tolist() == [*range(30, 50)]
    assert wave.digest == read_data("w", {"generator": "wave", "n": 50, "test_rows": 20}).digest
    assert wave.digest != read_data("v", {"generator": "wave", "n": 50, "test_rows": 20}).digest
    vowel = read_data("vowel", "bundled:vowel")
    assert (len(vowel.y), len(vowel.test)) == (990, 462)
    assert len(read_data("m", {"source": "bundled:monks1", "part": "test"}).y) == 432


def test_two_files_make_a_given_split(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n" + "1,a\n2,b\n" * 3)
    (tmp_path / "b.csv").write_text("x,y\n3,b\n")
    data = read_data("d", {"source": "a.csv", "test": "b.csv", "target": "y"}, folder=tmp_path)
    assert data.test.tolist() == [6]


def test_systems_of_all_kinds():
    words = {"preset": "uni-g", "min_leaf_rows": 5, "pruner": "reduced-error"}
    assert repr(read_system("s", words).estimator) == repr(
        presets.UniG(min_leaf_rows=5, pruner=pruners.ReducedError())
    )
    steps = [
        {"estimator": "sklearn.preprocessing.StandardScaler"},
        {"estimator": "sklearn.svm.SVC", "C": 2.0},
    ]
    pipe = read_system("s", {"pipeline": steps}).estimator
    assert pipe.steps[1][1].C == 2.0
    bag = {
        "estimator": "sklearn.ensemble.BaggingClassifier",
        "n_estimators": 3,
    }
    assert described(read_system("s", bag).estimator) == {
        "class": "sklearn.ensemble._bagging.BaggingClassifier",
        "n_estimators": 3,
    }


def test_symbols_and_missing_values_reach_every_system():
    study = Study(
        data={"hepatitis": "bundled:hepatitis", "vote": "bundled:vote"},
        systems={
            "tree": "cart",
            "theirs": DecisionTreeClassifier(max_depth=3),
            "knn": {"estimator": "sklearn.neighbors.KNeighborsClassifier"},
            "frame": {
                "encode": False,
                "pipeline": [
                    {
                        "estimator": "sklearn.preprocessing.OneHotEncoder",
                        "handle_unknown": "ignore",
                    },
                    {"estimator": "sklearn.linear_model.LogisticRegression", "max_iter": 1000},
                ],
            },
        },
        protocol=ONE,
        measures=list(MEASURES),
    )
    done = outcomes(study)
    assert {outcome.status for outcome in done.values()} == {"ok"}, done
    values = {cell.system: outcome.values for cell, outcome in done.items() if cell.data == "vote"}
    assert values["theirs"]["leaves"] == values["theirs"]["tests"] + 1
    assert values["tree"]["size"] == values["tree"]["tests"] == values["tree"]["univariate_tests"]
    assert values["knn"]["leaves"] is None
    assert all(v["accuracy"] > 0.85 for v in values.values())


def test_encoding_fills_with_means_and_keeps_missing_where_that_is_fine():
    encoded = Encode().fit({"n": [1.0, None, 3.0], "s": ["a", "b", "c"]})
    later = encoded.transform({"n": [None], "s": ["stranger"]})
    assert later.tolist() == [[2.0, 0.0, 0.0, 0.0]]
    assert np.isnan(Encode(keep_missing=True).fit_transform({"n": [1.0, None]})).any()


def test_the_prune_share_is_what_pruners_see():
    """Grown from the rest and pruned with the share: as it is done by hand."""
    reduced = presets.CART(pruner=pruners.ReducedError())
    systems = {"pruned": reduced, "unnamed": PlaneTreeClassifier(pruner=pruners.ReducedError())}
    systems |= {"all": presets.CART(pruner=pruners.Unpruned())}
    systems["grow"] = {"preset": "cart", "pruner": "unpruned", "learn_from": "grow"}
    study = small(
        protocol=RepeatedKFold(repeats=1, folds=3, prune_share=0.3),
        systems=systems,
        measures=["leaves", "accuracy"],
    )
    X, y = study.data["iris"].X, study.data["iris"].y
    done = outcomes(study)
    part = Bench(study)._make_parts("iris", 0)[0][1]
    rows = {"all": part.train, "grow": part.grow}

    def at(X, rows):
        return {name: values[rows] for name, values in X.items()}

    for name, learnt in rows.items():
        tree = presets.CART(pruner=pruners.Unpruned()).fit(at(X, learnt), y[learnt])
        assert done[Cell("iris", name, 0, 1)].values["leaves"] == tree.n_leaves_
    tree = presets.CART(pruner=pruners.Unpruned()).fit(at(X, part.grow), y[part.grow])
    tree = tree.prune(pruners.ReducedError(), at(X, part.prune), y[part.prune])
    for name in ("pruned", "unnamed"):
        values = done[Cell("iris", name, 0, 1)].values
        assert values["leaves"] == tree.n_leaves_
        assert values["accuracy"] == np.mean(tree.predict(at(X, part.test)) == y[part.test])


def test_a_pruner_at_the_end_of_a_pipeline_sees_the_prune_share():
    pipe = {
        "pipeline": [
            {"estimator": "sklearn.preprocessing.FunctionTransformer"},
            {"preset": "cart", "pruner": "reduced-error"},
        ]
    }
    plain = {"preset": "cart", "pruner": "reduced-error"}
    X, y = load_iris(return_X_y=True)
    protocol = RepeatedKFold(repeats=1, folds=3, prune_share=0.3)
    study = small(data={"iris": (X, y)}, systems={"pipe": pipe, "plain": plain}, protocol=protocol)
    done = outcomes(study)
    for fold in range(3):
        leaves = [done[Cell("iris", name, 0, fold)].values["leaves"] for name in ("pipe", "plain")]
        assert leaves[0] == leaves[1]


def test_what_a_system_raises_is_its_outcome():
    study = small(systems={"bad": DecisionTreeClassifier(max_depth=-3)})
    [outcome, _] = outcomes(study).values()
    assert outcome.status == "failed"
    assert "max_depth" in outcome.error
    assert not outcome.values


def test_classes_that_training_has_not_seen():
    X, y = np.arange(8.0)[:, None], ["a", "b", "a", "b", "a", "b", "a", "c"]
    study = small(
        data={"d": (X, y, np.arange(8) == 7)},
        systems={"cart": {"preset": "cart", "pruner": "unpruned"}},
        protocol=GivenSplit(),
        measures=["accuracy", "balanced_accuracy", "log_loss"],
    )
    [outcome] = outcomes(study).values()
    assert outcome.values["accuracy"] == outcome.values["balanced_accuracy"] == 0
    assert outcome.values["log_loss"] == pytest.approx(36.04, abs=0.01)


def test_baselines_stand_in_every_comparison_unless_switched_off():
    assert list(small(baselines=True).systems) == ["cart", "logistic-regression", "nearest-mean"]
    assert list(small().systems) == ["cart"]


# --- study files ------------------------------------------------------------------------------

GOOD = """
data = ["bundled:iris", "wave"]
measures = ["accuracy"]
[systems]
cart = "cart"
"""


def test_study_file(tmp_path):
    path = tmp_path / "first.toml"
    path.write_text(
        """
        name = "All there is"
        seed = 3
        results = "here.sqlite"
        baselines = false
        time_limit = 60
        measures = ["accuracy", "size"]
        [protocol]
        kind = "subsampling"
        train_share = 0.7
        repeats = 4
        [noise]
        on = "attributes"
        rate = [0, 0.1]
        [data.waves]
        generator = "wave"
        n = 60
        [data.iris]
        source = "bundled:iris"
        noise = { rate = 0.5 }
        [systems.tree]
        preset = "cart"
        merit = "gain-ratio:guard=false"
        factors = { kind = "tree" }
        [systems.theirs]
        estimator = "sklearn.tree.DecisionTreeClassifier"
        max_depth = 2
        """
    )
    read = read_study(path)
    assert read.results == tmp_path / "here.sqlite"
    study = read.study
    assert list(study.data) == ["waves", "waves, 10 % noise", "iris"]
    assert study.data["iris"].noise == Noise(0.5)
    assert study.protocol == Subsampling(train_share=0.7, repeats=4)
    assert study.systems["tree"].estimator.merit.guard is False
    assert study.n_cells == 24


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("measures", "measure"), "no key measure, did you mean measures?"),
        (('"accuracy"', '"accuraxy"'), "no measure accuraxy, did you mean accuracy?"),
        (("bundled:iris", "bundled:irsi"), "data irsi: bundled:irsi: no bundled set irsi, did you"),
        (('"wave"', '"monk.csv"'), "no file "),
        (('"wave"', '"bundled:iris"'), "data lists something twice"),
        (('= "cart"', '= "kart"'), "system cart: no preset or baseline kart, did you mean cart"),
        (
            ('= "cart"', '= {preset="cart", max_dept=3}'),
            "no option of cart named max_dept, did you",
        ),
        (('= "cart"', '= {preset="cart", merit="ginny"}'), "no merit ginny, did you mean gini?"),
        (('= "cart"', '= {preset="cart", max_depth=-1}'), "max_depth must be a whole number of at"),
        (
            ('= "cart"', '= {estimator="sklearn.tree.DecisonTree"}'),
            "no class in sklearn.tree named",
        ),
        (
            ('= "cart"', '= {estimator="nowhere.Tree"}'),
            "nowhere.Tree cannot be imported: No module",
        ),
        (('= "cart"', '= {estimator="sklearn.svm.SVR"}'), "SVR is no classifier"),
        (('= "cart"', "= {max_depth=3}"), "one of preset, estimator, pipeline says what it is"),
        (
            ("[systems]", "protocol = 'k-fold'\n[systems]"),
            "no protocol k-fold. Known: repeated-k-fold, 5x2, sub",
        ),
        (
            ("[systems]", "protocol = {fold = 3}\n[systems]"),
            "no key of the protocol repeated-k-fold",
        ),
        (
            ("[systems]", "protocol = {folds = 1}\n[systems]"),
            "folds of the protocol must be a whole",
        ),
        (
            ("[systems]", "protocol = 'given-split'\n[systems]"),
            "data iris: the protocol given-split",
        ),
        (("[systems]", "noise = {rate = 2}\n[systems]"), "rate of the noise must be from 0 to 1"),
        (("[systems]", "noise = {how = 'some'}\n[systems]"), "how of the noise must be values or"),
        (("[systems]", "time_limit = 0\n[systems]"), "time_limit must be a number above 0, not 0"),
        (("[systems]", "seed = -1\n[systems]"), "seed must be a whole number of at least 0"),
        (('cart = "cart"', ""), "a study needs systems, by name"),
        (("[systems]", "[systems"), "not TOML: "),
    ],
)
def test_wrong_study_file(tmp_path, change, said):
    path = tmp_path / "wrong.toml"
    text = GOOD.replace(*change)
    assert text != GOOD
    path.write_text(text)
    with pytest.raises(StudyError) as caught:
        read_study(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value).strip()


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ({"data": {}}, "a study needs data, by name"),
        ({"data": {"d": ([[1.0], [2.0]], ["a"])}}, "data d: 2 rows, but 1 labels"),
        ({"data": {"d": ([[1.0], [2.0]], ["a", "a"])}}, "data d: one class only"),
        ({"data": {"d": ([[1.0], [2.0]], ["a", "b"], [7])}}, "data d: 1 test rows of 2"),
        ({"data": {"d": 3}}, "data d: a pair"),
        ({"data": {"d": {"source": "bundled:iris", "part": "test"}}}, "part must be train or test"),
        ({"data": {"d": {"generator": "wave", "m": 3}}}, "no option of the generator m"),
        ({"data": {"d": ([[1.0], [2.0]], [0, 1])}, "protocol": RepeatedKFold()}, "10 folds"),
        ({"systems": {"s": PlaneTreeClassifier}}, "system s: an estimator is needed"),
        ({"systems": {"s": {"preset": "cart", "learn_from": "x"}}}, "learn_from is all or grow"),
        ({"protocol": "5x2"}, "protocol must be one such as RepeatedKFold()"),
        ({"measures": "accuracy"}, "measures is a list of words"),
        ({"measures": ["leaves", "leaves"]}, "the measure leaves is listed twice"),
    ],
)
def test_wrong_study(what, said):
    with pytest.raises(StudyError) as caught:
        small(**what)
    assert said in str(caught.value)


def test_five_by_two_is_five_by_two():
    with pytest.raises(StudyError, match="5 repeats and 2 folds"):
        FiveByTwo(repeats=4)
