"""Spoilt model files: each is refused with ModelFileError, or predicts what it says.

`FUZZ_CASES=100000 pytest tests/fuzz` looks longer, `FUZZ_SEED=2` elsewhere.
"""

from __future__ import annotations

import copy
import io
import json
import math
import os
import random
import warnings
from importlib.resources import files

import jsonschema
import numpy as np
import pytest

import planetree
from planetree import ModelFileError, PlaneTreeClassifier, merits
from planetree.planes import LinearMachine, LinearThresholdUnit, Term
from planetree.presets import CART
from planetree.pruners import Unpruned
from planetree.symbols import Multiway
from planetree.tree import Tree

CASES = int(os.environ.get("FUZZ_CASES", "1500"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))
SCHEMA = json.loads((files("planetree") / "model.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

ODD = [
    *(None, True, False, 0, 1, -1, 2, 3, 0.5, -0.0, 1.0, 1e308, 5e-324, 2**31 - 1, 2**31, 2**53),
    *(2**63 - 1, 2**63, 2**64 - 1, 10**30, math.nan, math.inf, "", "a", "é", "\0", "\ud800"),
    *([], {}, [[]], [0, 1], ["a", "b"], {"kind": "known", "feature": 0}, {"repr": "x"}),
    *("threshold", "category", "known", "numeric", "boolean", "symbolic", "|O", "<U4", "<f2"),
    *("linear", "machine", {"feature": 0, "fill": 0.5}, {"feature": 2, "symbol": 1, "fill": 0.5}),
    *({"class": "RLS", "params": {"passes": 2}}, [0.5, 2.0], [[1.0], [2.0]]),
    *({"class": "Gini", "params": {}}, {"pairs": [["a", 1]]}, "Gini", "balanced"),
]


def models():
    rng = np.random.default_rng(0)
    X = {
        "x": rng.normal(size=60).round(1).tolist(),
        "b": rng.choice([True, False], 60).tolist(),
        "c": rng.choice(list("rst"), 60).tolist(),
        "d": rng.choice(list("uv"), 60).tolist(),
    }
    for name in X:
        for row in rng.choice(60, 12):
            X[name][row] = None
    number = np.array([[1.0], [2.0]])
    yield CART(max_depth=4, pruner=Unpruned()).fit(X, rng.choice(["no", "yes", "maybe"], 60))
    yield PlaneTreeClassifier(merits.GainRatio(guard=False), min_leaf_rows=2).fit(
        X, rng.integers(0, 3, 60), rng.random(60) + 0.1
    )
    yield PlaneTreeClassifier(merits.GainRatio(), symbols=Multiway(), fractional=True).fit(
        X, rng.choice(["no", "yes", "maybe"], 60)
    )
    yield CART(class_weight={True: 2}, pruner=Unpruned()).fit(number, [True, False])
    yield CART(max_depth=0, pruner=Unpruned()).fit(number, np.array([0, 1], np.float16))


def linear_models():
    """Linear tests over all kinds of features, with missing values."""
    rng = np.random.default_rng(1)
    model = next(models())
    schema = model.tree_.schema
    terms = Term(0, None, 0.25), Term(1, None, 0.5), Term(2, 1, 0.25), Term(3, 0, 0.5)
    unit = LinearThresholdUnit(terms, (1.0, -0.5, 0.25, 0.125), 0.1)
    rows = tuple(tuple(row) for row in rng.normal(size=(3, 2)).round(2).tolist())
    machine = LinearMachine(terms[1:3], rows, (0.0, 0.25, -0.5))
    rounded = unit.rounded(1), machine.rounded(1)
    for first, second in [(unit, machine), (machine, unit), rounded]:
        tests = [first, second, *[None] * (first.n_branches + second.n_branches - 1)]
        counts = np.ones((len(tests), 3))
        inner = 1 + first.n_branches  # where the branches of node 1 begin
        counts[1] = counts[inner:].sum(axis=0)
        counts[0] = counts[1:inner].sum(axis=0)
        tree = Tree(schema, model.tree_.classes, tuple(tests), counts, 3 * counts[:, 0].astype(int))
        model.tree_ = tree
        yield model


def text_of(model):
    file = io.StringIO()
    model.save(file)
    return file.getvalue()


BASES = [text_of(model) for make in (models, linear_models) for model in make()]


# --- spoiling -------------------------------------------------------------------------------------


def places(value):
    """Every (container, key) below a value."""
    found, stack = [], [value]
    while stack:
        container = stack.pop()
        entries = container.items() if isinstance(container, dict) else enumerate(container)
        for key, entry in entries:
            found.append((container, key))
            if isinstance(entry, (dict, list)):
                stack.append(entry)
    return found


def nudge(rng, value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice([-1, 1, 1, 7])
    if isinstance(value, float):
        return rng.choice([-value, value * 2, math.nextafter(value, 9), rng.uniform(-2, 2)])
    if isinstance(value, str):
        return rng.choice([value + "a", value[1:], value.upper(), value[::-1]])
    return [] if isinstance(value, list) else {}


def spoil(rng, document):
    """One change somewhere; now and then one that keeps the file in order."""
    found = places(document)
    if rng.random() < 0.3:  # the nodes are most of a file, so the rest gets a turn of its own
        found = [place for place in found if place[0] is document] + places(
            {key: entry for key, entry in document.items() if key != "nodes"}
        )
    if not found:
        return
    container, key = rng.choice(found)
    match rng.randrange(8):
        case 0:
            del container[key]
        case 1:
            container[key] = copy.deepcopy(rng.choice(ODD))
        case 2:
            other, its_key = rng.choice(found)
            container[key] = copy.deepcopy(other[its_key])
        case 3 if isinstance(container, list):
            container.insert(rng.randrange(len(container) + 1), copy.deepcopy(container[key]))
        case 4 if isinstance(container, list):
            i = rng.randrange(len(container))
            container[key], container[i] = container[i], container[key]
        case 5 if isinstance(container, dict):
            container[rng.choice(["extra", "test", "missing", key + "_"])] = container[key]
        case _:
            container[key] = nudge(rng, container[key])


def spoil_bytes(rng, text):
    data = bytearray(text.encode())
    for _ in range(rng.randrange(1, 4)):
        i = rng.randrange(len(data))
        match rng.randrange(5):
            case 0:
                data[i] ^= 1 << rng.randrange(8)
            case 1:
                del data[i : i + rng.randrange(1, 20)]
            case 2:
                data[i:i] = bytes([rng.randrange(256)])
            case 3:
                data[i:i] = rng.choice([b"NaN", b"1e999", b"[[", b'"', b"-", b"\\ud800", b"9" * 25])
            case 4:
                j = rng.randrange(len(data))
                data[i:i] = data[j : j + rng.randrange(1, 200)]
        if not data:
            break
    return bytes(data)


def spoilt(seed):
    rng = random.Random(seed)
    text = rng.choice(BASES)
    if rng.random() < 0.25:
        return spoil_bytes(rng, text)
    document = json.loads(text)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        spoil(rng, document)
    return json.dumps(document).encode()


# --- what a file says, read as the documentation has it -------------------------------------------


def weighted_sum(terms, weights, row, total=0.0):
    for term, weight in zip(terms, weights):
        x = row[term["feature"]]
        if x is None:
            x = term["fill"]
        elif "symbol" in term:
            x = float(x == term["symbol"])
        total += weight * x
    return total


def parts_of(document, row, i=0, part=1.0):
    """The leaves a row reaches, and how much of it each gets."""
    nodes = document["nodes"]
    while "test" in nodes[i]:
        test = nodes[i]["test"]
        x = row[test["feature"]] if "feature" in test else None
        if test["kind"] == "known":
            branch = int(x is None)
        elif test["kind"] == "linear":
            branch = int(not weighted_sum(test["terms"], test["weights"], row) <= test["cut"])
        elif test["kind"] == "machine":
            rows = zip(test["weights"], test["constants"])
            sums = [weighted_sum(test["terms"], weights, row, start) for weights, start in rows]
            sums = [-math.inf if math.isnan(value) else value for value in sums]
            branch = sums.index(max(sums))
        elif x is None:
            branch = test["missing"]
        elif test["kind"] == "threshold":
            branch = int(x > test["cut"])
        else:
            branch = test["branches"][x] if x < len(test["branches"]) else test["unseen"]
        children = nodes[i]["children"]
        if branch is None:
            weights = [sum(nodes[child]["counts"]) for child in children]
            shares = [weight / sum(weights) for weight in weights]
            below = [parts_of(document, row, c, part * s) for c, s in zip(children, shares)]
            return sorted(leaf for leaves in below for leaf in leaves)
        i = children[branch]
    return [(i, part)]


def check_predictions(document, model, rng):
    cuts = [n["test"]["cut"] for n in document["nodes"] if "cut" in n.get("test", {})]
    rows = []
    for _ in range(8):
        row = []
        for feature in document["features"]:
            if feature["kind"] == "numeric":
                known = rng.choice([rng.gauss(0, 1), *cuts])
            else:
                known = rng.randrange(
                    2 if feature["kind"] == "boolean" else 1 + len(feature["symbols"])
                )
            row.append(None if rng.random() < 0.2 else known)
        rows.append(row)
    X = np.array([[math.nan if x is None else x for x in row] for row in rows], float)
    parts = [parts_of(document, row) for row in rows]
    leaves = model.tree_.apply(X).tolist()
    assert [model.tree_.path(x).leaf for x in X] == leaves
    for leaf, here, row in zip(leaves, parts, model.tree_.parts(X).toarray(), strict=True):
        assert dict(here)[leaf] >= max(part for _, part in here) * (1 - 1e-12)
        expected = np.zeros(len(row))
        expected[[i for i, _ in here]] = [part for _, part in here]
        np.testing.assert_allclose(row, expected, rtol=1e-12)
    for leaf in (leaf for here in parts for leaf, _ in here):
        counts = np.array(document["nodes"][leaf]["counts"], float)
        assert model.tree_.probabilities[leaf].tobytes() == (counts / counts.sum()).tobytes()
        label = model.classes_[model.tree_.labels[leaf]]
        assert label == document["classes"][int(counts.argmax())]
    assert model.classes_.dtype == np.dtype(document["classes_dtype"])
    if all(feature["kind"] == "numeric" for feature in document["features"]):
        frame = {f["name"]: X[:, j] for j, f in enumerate(document["features"])}
        assert model.apply(frame if document["named"] else X).tolist() == leaves


def check(data, path, seed):
    """Whether the file was accepted."""
    path.write_bytes(data)
    refusal = None
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "a model file cannot hold every object")
            model = planetree.load(path)
    except ModelFileError as error:
        refusal = str(error)
    if refusal is not None:
        assert refusal.startswith(f"{path}: ")
        assert len(refusal) < len(str(path)) + 500
        return False
    document = json.loads(data)
    VALIDATOR.validate(document)
    check_predictions(document, model, random.Random(seed))
    assert str(model.tree_)
    again = planetree.load(io.StringIO(text_of(model)))
    assert again.tree_ == model.tree_
    return True


@pytest.mark.parametrize("part", range(4))
def test_spoilt_files(part, tmp_path):
    accepted = 0
    for seed in range(SEED * 10**6 + part, SEED * 10**6 + CASES, 4):
        data = spoilt(seed)
        try:
            accepted += check(data, tmp_path / "model.json", seed)
        except BaseException as error:
            error.add_note(f"seed {seed}: {data.decode(errors='replace')}")
            raise
    assert 0.02 < accepted / (CASES / 4) < 0.7


def test_bases_are_accepted(tmp_path):
    for text in BASES:
        assert check(text.encode(), tmp_path / "model.json", 0)


@pytest.mark.parametrize("base", range(len(BASES)))
def test_cut_short(base, tmp_path):
    data = BASES[base].rstrip().encode()
    for length in range(0, len(data), max(1, len(data) // 200)):
        assert not check(data[:length], tmp_path / "model.json", 0)
