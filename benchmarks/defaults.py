"""How the defaults of the default system were chosen: `make defaults`.

Development sets only; writes docs/benchmarks/defaults.md.
"""

from __future__ import annotations

import os
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
from joblib import Parallel, delayed

from frontier_data import DEVELOPMENT, FOLDS, load
from planetree import presets
from planetree.pruners import CrossValidated
from planetree.selectors import Thin
from report import Report
from timing import machine

ALLOWED = (0.5, 1.0, 1.5, 2.0, 3.0)  # `standard_errors`
CHOSEN = ("as it is", 1.5)
VARIANTS = {
    "as it is": {},
    "`refiner=None`": {"refiner": None},
    "`root=None`": {"root": None},
    "`Thin(price=2)`": {"selector": Thin(price=2.0)},
    "`feature_price=0.2`": {"pruner": CrossValidated(feature_price=0.2)},
}


def one(name: str, fold: int, variant: str) -> list[list[float]]:
    """Accuracy in per cent, leaves and features a test, by what the choice of a tree allows."""
    data = load(name)
    train, test = data.folds()[fold]
    X, y = data.frame.iloc[train], data.y[train]
    fitted = presets.Default(n_threads=1, **VARIANTS[variant]).fit(X, y)
    found = []
    for standard_errors in ALLOWED:
        # The path is the same whatever is allowed: only the choice differs.
        rule = CrossValidated(standard_errors)
        tree = fitted.with_tree(fitted.path_[rule.choose(fitted.path_)].tree)
        right = (tree.predict(data.frame.iloc[test]) == data.truth[test]).mean()
        found.append([100 * right, tree.n_leaves_, tree.mean_features_per_test_])
    return found


def main() -> None:
    cells = [(name, fold, v) for v in VARIANTS for name in DEVELOPMENT for fold in range(FOLDS)]
    found = np.array(Parallel(n_jobs=-1)(delayed(one)(*cell) for cell in cells))
    means = found.reshape(len(VARIANTS), len(DEVELOPMENT) * FOLDS, len(ALLOWED), 3).mean(axis=1)
    report = Report("How the defaults were chosen", machine(["planetree", "scikit-learn", "numpy"]))
    report.say(
        f"Written by `make defaults`. Means over ten folds of {', '.join(DEVELOPMENT)}: accuracy "
        "in per cent / leaves / features a test, by `standard_errors` of `CrossValidated` and by "
        "what is changed in `presets.Default()`. What was chosen is in bold. These sets are the "
        "development sets, by which and by made tables the choice was made."
    )
    rows = []
    for variant, of_variant in zip(VARIANTS, means, strict=True):
        texts = []
        for allowed, (accuracy, leaves, features) in zip(ALLOWED, of_variant, strict=True):
            text = f"{accuracy:.1f} / {leaves:.1f} / {features:.1f}"
            texts.append(f"**{text}**" if (variant, allowed) == CHOSEN else text)
        rows.append([variant, *texts])
    report.table(["", *(f"{allowed:g}" for allowed in ALLOWED)], rows)
    report.write(Path(__file__).parent.parent / "docs/benchmarks", "defaults")
    print(report.markdown())


if __name__ == "__main__":
    main()
