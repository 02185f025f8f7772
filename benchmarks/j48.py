"""C4.5 against Weka's J48: the same root, sizes, and accuracies on the same ten folds.

    make bench-j48

J48 is run straight from the jar that `python-weka-wrapper3` brings, with the Java of the machine.
Writes docs/benchmarks/j48.md and tests/fixtures/j48.json; without Java it says so and leaves both.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold

from planetree import datasets, presets
from planetree.nodetests import Threshold
from planetree.schema import Schema
from planetree.table import read_training, split

ROOT = Path(__file__).parent.parent
SETS = (
    *("iris", "vote", "glass", "hepatitis", "bupa", "zoo", "monks1", "cleveland", "wine"),
    *("heart-statlog", "breast", "ecoli", "pima", "car", "ionosphere"),
    *("monks2", "monks3", "flare", "chess", "vowel", "segment"),
)
FOLDS = 10
JAVA = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp")  # starts fast


PAGE = """# C4.5 beside Weka's J48

`presets.C45()` and `weka.classifiers.trees.J48` (Weka {version}, defaults) on bundled sets.
`make bench-j48` writes this page; `tests/fixtures/j48.json` keeps its numbers.

Each pair is J48 · planetree. *Root* is that of the unpruned tree on all rows, as J48 prints it;
*same* says whether ours parts the rows alike. Accuracy in per cent, over the same ten stratified
folds; *leaves in a fold* is their mean over the folds.

| set | root | same | leaves, unpruned | leaves, pruned | leaves in a fold | accuracy |
|---|---|---|---|---|---|---|
{rows}

## Where they differ

- J48, like C4.5, wants on each side of a numeric cut a tenth of the node's known cases divided by
  the number of classes, but no fewer than 2 and no more than 25; planetree wants `min_leaf_rows`
  (2). Fewer cuts also mean a smaller penalty.
- C4.5 lets through tests whose gain is within 0.001 of the mean, and leaves tests of very many
  values out of that mean; our guard does neither.
- A value that is not seen at a node has an empty leaf in J48, which counts as a leaf; ours goes
  down every branch in parts, and counts for nothing.
- On zoo, feathers and milk both have a gain ratio of exactly 1. Rounding decides which comes out
  first. On flare the slack decides: area gains 0.0004 bits less than the mean.
"""


def load(name):
    return getattr(datasets, "load_" + name.replace("-", "_"))(return_X_y=True, as_frame=True)


def arff(schema: Schema, values, labels, classes) -> str:
    """Columns a0, a1 ..., symbols v0, v1 ..., classes c0, c1 ...: nothing needs quotes."""
    lines = ["@relation planetree"]
    for j, feature in enumerate(schema.features):
        symbols = {"boolean": 2, "symbolic": len(feature.symbols)}.get(feature.kind)
        kind = "numeric" if symbols is None else f"{{{','.join(f'v{v}' for v in range(symbols))}}}"
        lines.append(f"@attribute a{j} {kind}")
    lines += [f"@attribute class {{{','.join(f'c{k}' for k in range(len(classes)))}}}", "@data"]
    for row, label in zip(values, labels, strict=True):
        cells = [
            "?"
            if np.isnan(x)
            else repr(float(x))
            if feature.kind == "numeric"
            # A symbol that these training rows do not hold is unknown to J48 as well.
            else f"v{int(x)}"
            for x, feature in zip(row, schema.features, strict=True)
        ]
        lines.append(",".join([*cells, f"c{label}"]))
    return "\n".join(lines) + "\n"


def j48(jars: Path, *options: str) -> str:
    command = [*JAVA, f"{jars}/*", "weka.classifiers.trees.J48", *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def size_of(printed: str) -> tuple[int, int]:
    """Leaves, and tests that are not leaves."""
    found = [re.search(rf"{what} :\s*(\d+)", printed) for what in ("Leaves ", "the tree")]
    leaves, nodes = (int(match[1]) for match in found if match is not None)
    return leaves, nodes - leaves


def root_of(printed: str) -> tuple[int, float | None]:
    """Place of the root's feature and its cut, None for a branching."""
    match = re.search(r"^a(\d+) (?:= v\d+|<= (-?[\d.E-]+))", printed, re.MULTILINE)
    assert match is not None, printed[:400]
    return int(match[1]), None if match[2] is None else float(match[2])


def compare(name: str, jars: Path, folder: Path) -> dict[str, object]:
    X, y = load(name)
    schema, values = read_training(split(X))
    classes, labels = np.unique(np.asarray(y), return_inverse=True)
    whole = folder / "whole.arff"
    whole.write_text(arff(schema, values, labels, classes), encoding="utf-8")
    grown = j48(jars, "-t", str(whole), "-no-cv", "-U", "-O")
    pruned = j48(jars, "-t", str(whole), "-no-cv")
    feature, cut = root_of(grown)

    ours = presets.C45(pruner=None).fit(X, y).tree_
    root = ours.tests[0]
    same = root.features == (feature,)
    if same and isinstance(root, Threshold):
        column = values[:, feature]
        same = column[column <= root.cut][-1:].size > 0 and bool(
            np.array_equal(column <= root.cut, column <= cut + abs(cut) * 1e-5)
        )
    ours_pruned = presets.C45().fit(X, y).tree_
    right = np.zeros((FOLDS, 2))
    sizes = np.zeros((FOLDS, 2))
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y)
    for k, (train, test) in enumerate(folds):
        files = [folder / "train.arff", folder / "test.arff"]
        for file, rows in zip(files, (train, test), strict=True):
            file.write_text(arff(schema, values[rows], labels[rows], classes), encoding="utf-8")
        printed = j48(jars, "-t", str(files[0]), "-T", str(files[1]))
        tested = printed[printed.index("Error on test data") :]
        match = re.search(r"Correctly Classified Instances\s+(\d+)", tested)
        assert match is not None
        model = presets.C45().fit(X.iloc[train], y.iloc[train])
        right[k] = int(match[1]), (model.predict(X.iloc[test]) == y.iloc[test]).sum()
        sizes[k] = size_of(printed)[0], model.n_leaves_
    n = len(labels)
    return {
        "root": schema.features[feature].name,
        "cut": cut,
        "same_root": same,
        "unpruned_leaves": [size_of(grown)[0], ours.n_leaves],
        "pruned_leaves": [size_of(pruned)[0], ours_pruned.n_leaves],
        "fold_leaves": [round(mean, 1) for mean in sizes.mean(axis=0).tolist()],
        "accuracy": [round(100 * total / n, 1) for total in right.sum(axis=0).tolist()],
        "n_rows": n,
    }


def page(results: dict[str, dict[str, object]], version: str) -> str:
    rows = []
    for name, r in results.items():
        cut = "" if r["cut"] is None else f" ≤ {r['cut']:g}"
        pairs = [
            f"{a:g} · {b:g}"
            for a, b in (
                r[key] for key in ("unpruned_leaves", "pruned_leaves", "fold_leaves", "accuracy")
            )
        ]
        rows.append(
            f"| {name} | {r['root']}{cut} | {'yes' if r['same_root'] else 'no'} | "
            f"{' | '.join(pairs)} |"
        )
    n_same = sum(bool(r["same_root"]) for r in results.values())
    means = np.array([r["accuracy"] for r in results.values()], float).mean(axis=0)
    leaves = np.array([r["fold_leaves"] for r in results.values()], float).mean(axis=0)
    mean = (
        f"| mean | | {n_same} of {len(results)} | | | {leaves[0]:.1f} · {leaves[1]:.1f} | "
        f"{means[0]:.1f} · {means[1]:.1f} |"
    )
    return PAGE.format(version=version, rows="\n".join([*rows, mean]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path, help="wheel of python-weka-wrapper3")
    wheel = parser.parse_args().wheel
    if shutil.which("java") is None:
        sys.exit("no Java on this machine: the comparison with J48 is skipped")
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:
            jars = [name for name in archive.namelist() if name.endswith(".jar")]
            archive.extractall(folder, jars)
        place = Path(folder) / Path(jars[0]).parent
        version = subprocess.run(
            [*JAVA, f"{place}/*", "weka.core.Version"], capture_output=True, text=True
        ).stdout.split()[0]
        results = {}
        for name in SETS:
            results[name] = compare(name, place, Path(folder))
            print(name, results[name], flush=True)
    source = f"Weka {version}, weka.classifiers.trees.J48; first of each pair, root and cut"
    fixture = ROOT / "tests" / "fixtures" / "j48.json"
    fixture.write_text(json.dumps({"source": source, "sets": results}, indent=1) + "\n")
    (ROOT / "docs" / "benchmarks" / "j48.md").write_text(page(results, version), encoding="utf-8")


if __name__ == "__main__":
    main()
