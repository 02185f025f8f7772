"""The bundled sets against their index, the generators against their papers' rules."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from planetree import datasets
from planetree.datasets._bundled import index

GENERATORS = [name for name in datasets.__all__ if name.startswith("make_")]
LOADERS = [name for name in datasets.__all__ if name.startswith("load_")]


def loader(name):
    return getattr(datasets, "load_" + name.replace("-", "_"))


def make(name, **arguments):
    first = (1,) if name == "make_monk" else ()
    if name == "make_monk":
        arguments["training"] = True
    return getattr(datasets, name)(*first, **arguments)


# Bundled sets


def test_each_set_has_a_loader_and_each_loader_a_set():
    expected = {"load_" + name.replace("-", "_") for name in datasets.names()} | {"load_travel"}
    assert set(LOADERS) == expected
    assert len(datasets.names()) == 21


@pytest.mark.parametrize("name", datasets.names())
def test_counts_agree_with_the_index(name):
    entry, bunch = index()[name], loader(name)()
    assert bunch.data.shape == (entry["cases"], entry["features"])
    assert sorted(bunch.feature_names) == sorted(entry["numeric"] + entry["symbolic"])
    assert Counter(bunch.target.tolist()) == entry["class_distribution"]
    assert len(bunch.target_names) == entry["classes"]
    missing = np.array([[x is None or x != x for x in row] for row in bunch.data])
    assert missing.sum() == entry["missing_cells"]
    assert missing.any(axis=1).sum() == entry["cases_with_missing"]
    assert ("split" in bunch) == entry["split"]


@pytest.mark.parametrize("name", datasets.names())
def test_numeric_cells_are_floats_and_symbolic_ones_strings(name):
    entry, bunch = index()[name], loader(name)()
    assert bunch.target.dtype.kind == "U"
    if not entry["symbolic"]:
        assert bunch.data.dtype == np.float64
        return
    assert bunch.data.dtype == object
    for column, feature in zip(bunch.data.T, bunch.feature_names, strict=True):
        allowed = (float,) if feature in entry["numeric"] else (str, type(None))
        assert all(isinstance(cell, allowed) for cell in column), feature


@pytest.mark.parametrize("name", datasets.names())
def test_index_says_where_a_set_comes_from(name):
    entry = index()[name]
    assert "UCI Machine Learning Repository" in entry["source"]
    assert entry["licence"].startswith("not stated" if name == "pima" else "CC BY 4.0")
    assert entry["licence"] in loader(name)().DESCR
    assert entry["remarks"] in loader(name)().DESCR


def test_bundled_files_carry_no_time_and_no_name():
    for file in (Path(datasets.__file__).parent / "data").glob("*.gz"):
        assert file.read_bytes()[:10] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff", file.name


@pytest.mark.parametrize("name", LOADERS)
def test_data_and_target_alone_give_the_same_arrays(name):
    load = getattr(datasets, name)
    bunch, (X, y) = load(), load(return_X_y=True)
    known = X == X  # NaN in an array of objects is not even equal to itself
    np.testing.assert_array_equal(known, bunch.data == bunch.data)
    np.testing.assert_array_equal(X[known], bunch.data[known])
    np.testing.assert_array_equal(y, bunch.target)
    assert X is not bunch.data


@pytest.mark.parametrize("kind", [True, "pandas"])
@pytest.mark.parametrize("name", LOADERS)
def test_pandas_frames_hold_the_same_cells(name, kind):
    pandas = pytest.importorskip("pandas")
    load = getattr(datasets, name)
    plain, framed = load(), load(as_frame=kind)
    assert isinstance(framed.data, pandas.DataFrame)
    assert isinstance(framed.target, pandas.Series)
    assert list(framed.frame.columns) == [*plain.feature_names, framed.target.name]
    for number, feature in enumerate(plain.feature_names):
        column, cells = framed.data[feature], plain.data[:, number]
        known = np.array([cell is not None and cell == cell for cell in cells])
        np.testing.assert_array_equal(column.notna(), known)
        assert column[known].tolist() == cells[known].tolist()
    assert framed.target.tolist() == plain.target.tolist()


@pytest.mark.parametrize("name", LOADERS)
def test_polars_frames_hold_the_same_cells(name):
    polars = pytest.importorskip("polars")
    load = getattr(datasets, name)
    plain, framed = load(), load(as_frame="polars")
    assert isinstance(framed.data, polars.DataFrame)
    assert isinstance(framed.target, polars.Series)
    assert framed.frame.columns == [*plain.feature_names, framed.target.name]
    for number, feature in enumerate(plain.feature_names):
        cells = [cell if cell == cell else None for cell in plain.data[:, number].tolist()]
        assert framed.data[feature].to_list() == cells
    assert framed.target.to_list() == plain.target.tolist()


def test_unknown_names_and_frames_are_refused_with_the_choices():
    with pytest.raises(ValueError, match=r"no data set 'irises': choose one of breast, .*zoo"):
        datasets.load("irises")
    with pytest.raises(ValueError, match="choose False, True, 'pandas' or 'polars'"):
        datasets.load_iris(as_frame="arrow")
    with pytest.raises(ValueError, match="as_frame=1"):
        datasets.load_iris(as_frame=1)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_missing_frame_library_names_the_extra(monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ImportError, match=rf'pip install "planetree\[{library}\]"'):
        datasets.load_iris(as_frame=library)


def test_import_is_light():
    # An empty package stands for planetree, whose other rooms may import what they like.
    code = """
import sys, types
package = types.ModuleType("planetree")
package.__path__ = [sys.argv[1]]
sys.modules["planetree"] = package
import planetree.datasets
heavy = {"pandas", "polars", "pyarrow", "sklearn"} & set(sys.modules)
assert not heavy, heavy
"""
    where = str(Path(datasets.__file__).parents[1])
    subprocess.run([sys.executable, "-c", code, where], check=True, timeout=120)


def test_flare_has_the_usual_ten_predictors():
    names = datasets.load_flare().feature_names
    assert len(names) == 10
    assert not {"m_class_flares", "x_class_flares"} & set(names)


def test_target_names_follow_the_sorted_labels():
    zoo = datasets.load_zoo()
    assert np.unique(zoo.target).tolist() == list("1234567")
    assert zoo.target_names.tolist()[:2] == ["mammal", "bird"]
    assert datasets.load_iris().target_names.tolist()[0] == "Iris-setosa"


def test_vowel_split():
    vowel = datasets.load_vowel()
    assert Counter(vowel.split.tolist()) == {"train": 528, "test": 462}
    assert "split" not in vowel.feature_names


@pytest.mark.parametrize("problem", [1, 2, 3])
def test_published_monks_obey_the_rules(problem):
    bunch = datasets.load(f"monks{problem}")
    X, y = datasets.make_monk(problem)
    test = bunch.split == "test"
    np.testing.assert_array_equal(bunch.data[test].astype(float), X)
    np.testing.assert_array_equal(bunch.target[test].astype(int), y)
    rule = {tuple(row): label for row, label in zip(X, y, strict=True)}
    wrong = sum(
        rule[tuple(row)] != label
        for row, label in zip(
            bunch.data[~test].astype(float), bunch.target[~test].astype(int), strict=True
        )
    )
    assert wrong == (6 if problem == 3 else 0)


def test_travel_has_the_entropy_the_text_computes():
    _, y = datasets.load_travel(return_X_y=True)
    p = np.unique(y, return_counts=True)[1] / len(y)
    assert -(p * np.log(p)).sum() == pytest.approx(0.59827, abs=5e-6)


# Generators

APC_FIRST_ROW = [
    0.4525174757234932,
    0.7897675622034946,
    0.920922674130749,
    0.9027233339116116,
    0.8046024606542672,
]
WAVE_FIRST_CLASSES = [2, 1, 1, 0, 0, 0, 0, 0, 0, 2]
WAVE_FIRST_CELLS = [0.74917404804, 2.049944452791708]
PLANES_FIRST_CLASSES = [0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0]


@pytest.mark.parametrize("name", GENERATORS)
def test_seeds_decide(name):
    X, y = make(name, random_state=7)
    again = make(name, random_state=np.int64(7))
    np.testing.assert_array_equal(X, again[0])
    np.testing.assert_array_equal(y, again[1])
    stream = np.random.default_rng(7)
    np.testing.assert_array_equal(X, make(name, random_state=stream)[0])
    assert not np.array_equal(X, make(name, random_state=stream)[0])
    assert not np.array_equal(X, make(name, random_state=8)[0])
    assert make(name)[0].shape == X.shape
    assert X.dtype == np.float64
    assert y.dtype == np.int64
    with pytest.raises(TypeError, match="expected an int, a numpy Generator or None"):
        make(name, random_state="7")


@pytest.mark.parametrize("name", [name for name in GENERATORS if name != "make_monk"])
def test_sizes_are_kept_or_refused(name):
    n = 10 if name == "make_planes" else 3
    X, y = make(name, n=n, random_state=0)
    assert len(X) == len(y) == n
    for wrong in (0, 2.5):
        with pytest.raises(ValueError, match=r"n=.*expected an integer of at least"):
            make(name, n=wrong)


def test_same_tables_on_every_platform():
    X, _ = datasets.make_apc(random_state=0)
    assert X[0].tolist() == APC_FIRST_ROW
    X, y = datasets.make_wave(random_state=0)
    assert y[:10].tolist() == WAVE_FIRST_CLASSES
    assert X[0, :2] == pytest.approx(WAVE_FIRST_CELLS, abs=1e-11)
    _, y = datasets.make_planes(random_state=0)
    assert y[:20].tolist() == PLANES_FIRST_CLASSES


@pytest.mark.parametrize(("problem", "n"), [(1, 124), (2, 169), (3, 122)])
def test_monk_training_rows_are_distinct_and_noisy_in_problem_3_only(problem, n):
    everything, truth = datasets.make_monk(problem)
    rule = {tuple(row): label for row, label in zip(everything, truth, strict=True)}
    X, y = datasets.make_monk(problem, training=True, random_state=0)
    assert len({tuple(row) for row in X}) == n
    wrong = sum(rule[tuple(row)] != label for row, label in zip(X, y, strict=True))
    assert wrong == (round(0.05 * n) if problem == 3 else 0)
    with pytest.raises(ValueError, match="choose 1, 2 or 3"):
        datasets.make_monk(4)


def test_wave_means_are_those_of_the_triangles():
    X, y = datasets.make_wave(30000, random_state=0)
    i = np.arange(1, 22)
    h = {peak: np.maximum(6 - abs(i - peak), 0) for peak in (7, 11, 15)}
    for label, (a, b) in enumerate([(11, 15), (11, 7), (15, 7)]):
        np.testing.assert_allclose(X[y == label].mean(axis=0), (h[a] + h[b]) / 2, atol=0.1)
        # Variance of u is 1/12, so that is what the mixing adds to the noise.
        variance = 1 + (h[a] - h[b]) ** 2 / 12
        np.testing.assert_allclose(X[y == label].var(axis=0), variance, rtol=0.1)
    np.testing.assert_allclose(np.bincount(y) / len(y), 1 / 3, atol=0.02)


def test_led_shows_ten_digits_and_inverts_a_tenth():
    X, y = datasets.make_led(20000, noise=0.0, random_state=0)
    shown = {(label, tuple(row)) for label, row in zip(y.tolist(), X.tolist(), strict=True)}
    assert len(shown) == 10
    assert len({row for _, row in shown}) == 10
    assert {label: int(sum(row)) for label, row in shown} == dict(
        enumerate([6, 2, 5, 5, 4, 5, 6, 3, 7, 6])
    )
    noisy, same = datasets.make_led(20000, random_state=0)
    np.testing.assert_array_equal(y, same)
    np.testing.assert_allclose((noisy != X).mean(axis=0), 0.1, atol=0.01)
    with pytest.raises(ValueError, match=r"noise=1\.5: expected a number from 0 to 1"):
        datasets.make_led(noise=1.5)


def test_sum_plane_and_bivariate_rules():
    X, y = datasets.make_sum_plane(2000, random_state=0)
    np.testing.assert_array_equal(y, X.sum(axis=1) > 8)
    assert y.mean() == pytest.approx(0.5, abs=0.05)
    X, y = datasets.make_bivariate_example(2000, random_state=0)
    np.testing.assert_array_equal(y, (X[:, 0] <= X[:, 1]) & (X[:, 3] <= X[:, 5]))
    assert y.mean() == pytest.approx(0.25, abs=0.05)


def apc(x1, x2, x3, x4, x5):
    if x1 <= 0.5:
        if x3 <= 0.4:
            return x2 <= 0.6 or x5 > 0.5
        return x2 <= 0.3 if x4 <= 0.6 else x5 <= 0.5
    if x2 <= 0.5:
        return x5 <= 0.2 or (x4 > 0.5 and x3 <= 0.5)
    return x4 > 0.4 and x3 <= 0.84


CONCEPTS = {
    "apc": (800, 5, apc),
    "oc": (3000, 3, lambda a, b, c: 1.147 < a + b + c <= 1.853),
    "nc": (
        2000,
        3,
        lambda a, b, c: (a - 0.5) ** 2 + (b - 0.5) ** 2 + (c - 0.5) ** 2 <= 0.4**2,
    ),
}


@pytest.mark.parametrize("name", CONCEPTS)
def test_concepts_follow_their_rule_and_are_balanced(name):
    n, n_features, rule = CONCEPTS[name]
    X, y = getattr(datasets, f"make_{name}")(random_state=0)
    assert X.shape == (n, n_features)
    assert y.sum() == n // 2
    assert [rule(*row) for row in X.tolist()] == (y == 1).tolist()
    # Rows are shuffled: the last ones, to be tested on, are a fair sample.
    assert y[-datasets.TEST_ROWS[name] :].mean() == pytest.approx(0.5, abs=0.08)


@pytest.mark.parametrize("name", ["apc", "oc"])
def test_concepts_take_half_of_the_cube(name):
    _, n_features, rule = CONCEPTS[name]
    cube = np.random.default_rng(0).random((40000, n_features)).tolist()
    assert np.mean([rule(*row) for row in cube]) == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("name", CONCEPTS)
def test_odd_sizes_have_one_negative_more(name):
    _, y = getattr(datasets, f"make_{name}")(7, random_state=0)
    assert np.bincount(y).tolist() == [4, 3]


def test_planes_turn_exactly_the_share_of_noise():
    X, truth = datasets.make_planes(2000, noise=0.0, random_state=0)
    same, y = datasets.make_planes(2000, random_state=0)
    np.testing.assert_array_equal(X, same)
    assert (y != truth).sum() == 200
    assert truth.mean() == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize(("asked", "weighed"), [(2, 2), (None, 6), (9, 6)])
def test_a_plane_weighs_as_many_features_as_asked(asked, weighed):
    X, y = datasets.make_planes(
        4000, 6, n_planes=1, features_per_plane=asked, noise=0.0, random_state=1
    )
    told_apart = np.abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)) > 0.05
    assert told_apart.sum() == weighed


def test_one_plane_is_linearly_separable():
    X, y = datasets.make_planes(1000, 4, n_planes=1, noise=0.0, random_state=0)
    bordered = np.column_stack([X, np.ones(len(X))])
    weights = np.linalg.lstsq(bordered, 2.0 * y - 1.0, rcond=None)[0]
    assert ((bordered @ weights > 0) == y).mean() > 0.97


def test_planes_refuse_what_cannot_be():
    for arguments in (
        {"n": 9},
        {"n_features": 0},
        {"n_planes": 0},
        {"features_per_plane": 0},
        {"noise": -0.1},
    ):
        (name,) = arguments
        with pytest.raises(ValueError, match=f"{name}=.*expected"):
            datasets.make_planes(**arguments)


def test_everything_public_is_documented():
    for name in set(datasets.__all__) - {"TEST_ROWS"}:
        assert inspect.getdoc(getattr(datasets, name)), name
