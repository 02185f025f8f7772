"""Ways to fit one tree, ours and its peers'. Each gets what users have: an array of doubles."""

from __future__ import annotations

from typing import Any

import lightgbm
import numpy as np
import ydf
from sklearn.tree import DecisionTreeClassifier

from planetree import PlaneTreeClassifier
from planetree.presets import CART
from planetree.pruners import Unpruned
from tables import Data

ydf.verbose(0)

YDF_SETTINGS = (
    '`CartLearner(validation_ratio=0, min_examples=1, sorting_strategy="FORCE_PRESORT", '
    "num_threads=1)`, the fastest of its sorting strategies here; `max_depth` is -1 (no limit). It "
    "grows by information gain (it has no Gini index) on values rounded to single precision. Its "
    "times are from columns in memory to a model"
)
LIGHTGBM_SETTINGS = (
    "`lightgbm.train` for one round with `num_leaves` = our leaves, `min_data_in_leaf=1`, "
    "`min_sum_hessian_in_leaf=0`, 255 bins, leaf by leaf, without a limit to the depth"
)


ONE, TWO = "planetree, 1 thread", "planetree, 2 threads"
SKLEARN, YDF = "scikit-learn", "YDF CART, 1 thread"


def fit_planetree(data: Data, depth: int | None = None, n_threads: int = 1) -> PlaneTreeClassifier:
    return CART(max_depth=depth, n_threads=n_threads, pruner=Unpruned()).fit(
        data.X, data.y, data.weight
    )


def fit_sklearn(data: Data, depth: int | None = None, seed: int = 0) -> DecisionTreeClassifier:
    tree = DecisionTreeClassifier(max_depth=depth, random_state=seed)
    return tree.fit(data.X, data.y, sample_weight=data.weight)


def ydf_columns(data: Data) -> dict[str, Any]:
    columns = {f"x{j}": np.ascontiguousarray(data.X[:, j]) for j in range(data.X.shape[1])}
    return columns | {"y": data.y}


def fit_ydf(columns: dict[str, Any]) -> Any:
    learner = ydf.CartLearner(
        label="y",
        validation_ratio=0.0,
        max_depth=-1,
        min_examples=1,
        sorting_strategy="FORCE_PRESORT",
        num_threads=1,
    )
    return learner.train(columns)


def _lightgbm_settings(n_leaves: int, n_threads: int) -> dict[str, Any]:
    return {
        "objective": "binary",
        "num_leaves": n_leaves,
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0,
        "num_threads": n_threads,
        "verbose": -1,
    }


def lightgbm_bins(data: Data, n_leaves: int, n_threads: int) -> lightgbm.Dataset:
    """The table as LightGBM grows on it: what corresponds to our sorting."""
    settings = _lightgbm_settings(n_leaves, n_threads)
    return lightgbm.Dataset(data.X, data.y, params=settings, free_raw_data=False).construct()


def fit_lightgbm(bins: lightgbm.Dataset, n_leaves: int, n_threads: int) -> lightgbm.Booster:
    return lightgbm.train(_lightgbm_settings(n_leaves, n_threads), bins, num_boost_round=1)


def lightgbm_leaves(booster: lightgbm.Booster) -> int:
    return int(booster.dump_model()["tree_info"][0]["num_leaves"])


def ydf_leaves(model: Any) -> int:
    return (model.num_nodes() + 1) // 2
