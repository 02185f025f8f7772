"""The estimator."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from copy import copy
from functools import partial
from importlib import import_module
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_class_weight, compute_sample_weight
from sklearn.utils.validation import check_is_fitted, validate_data

from planetree.costs import Cost
from planetree.errors import TableError
from planetree.frames import Library
from planetree.grow import Listener, grow
from planetree.importance import impurity_importance
from planetree.labels import read_cases, read_labels, read_weight
from planetree.merits import Gini, Merit
from planetree.plans import AtRoot, Frugal, Plan
from planetree.progress import listening
from planetree.search import Candidate, Judged, OpenNode, Univariate
from planetree.stopping import Stop
from planetree.table import Table, is_mapping, read_like, read_training, split
from planetree.threads import resolve_threads, single_blas
from planetree.tree import Explanation, Tree, require_pruner

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from planetree.counterfactual import Counterfactual
    from planetree.learners import CoefficientLearner
    from planetree.linear import Linear
    from planetree.pruners import Pruner, SizePath
    from planetree.refiners import Refiner
    from planetree.rules import RuleSet
    from planetree.selectors import FeatureSelector
    from planetree.symbols import SymbolBranching
    from planetree.textfile import FilePath, Writable

__all__ = ["PlaneTreeClassifier"]

Floats = NDArray[np.float64]


# What each part of an estimator has to be, where that is said, and an example. A room is loaded
# when somebody hands over one of its parts: all of them would take half of `import planetree`.
PARTS = {
    "merit": ("planetree.merits", "Merit", "Gini()"),
    "learner": ("planetree.learners", "CoefficientLearner", "RLS()"),
    "selector": ("planetree.selectors", "FeatureSelector", "SBE()"),
    "root": ("planetree.learners", "CoefficientLearner", "Logistic()"),
    "symbols": ("planetree.symbols", "SymbolBranching", "Multiway()"),
    "refiner": ("planetree.refiners", "Refiner", "TAO()"),
    "pruner": ("planetree.pruners", "Pruner", "ReducedError()"),
}


# With fewer cases there is nothing to choose a tree by: it is one of thresholds, as it grows.
FEW_ROWS = 20
# Growth ends here in the default system, whose trees are for reading; pruning makes them smaller.
MOST_LEAVES = 40


class PlaneTreeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A decision tree to be read.

    Takes NumPy arrays, pandas and polars frames and mappings of columns; numbers, booleans,
    strings and categories; missing values anywhere.

    Where no method is named (merit, learner, selector, root, symbols, fractional, refiner, pruner),
    it is the default system, `planetree.presets.Default`: a small tree whose tests look at one
    feature or at several, or a linear model where one is enough, chosen by cross-validation. Limits
    go with it, ``max_features_per_test=1`` asks for thresholds alone. Naming any method makes it a
    system of your own, to which nothing is added.

    Parameters
    ----------
    merit : Merit, default=None
        What makes a split good; None is `planetree.merits.Gini`.
    learner : CoefficientLearner, default=None
        What finds the weights of linear tests (`planetree.learners`); None is for a tree of
        univariate tests.
    selector : FeatureSelector, default=None
        What picks the columns of a linear test (`planetree.selectors`); None is
        `planetree.selectors.All`, or `planetree.selectors.SFS` with `max_features_per_test` below
        what the learner itself keeps to.
    root : CoefficientLearner, default=None
        What finds the weights of a test at the root in a plan of its own, among which the pruner
        `planetree.pruners.CrossValidated` chooses; without that pruner it stands there in any case.
    univariate : bool, default=True
        Whether tests of one feature compete with the linear ones.
    symbols : SymbolBranching, default=None
        How the values of a symbol become the branches of one test (`planetree.symbols`); None asks
        for one value against the rest. Linear tests always weigh one 0/1 column a value.
    fractional : bool, default=False
        Whether a row whose value is missing goes down every branch of a test of one feature in
        parts, as in C4.5: each gets the share it has of the rows whose value is known.
    max_features_per_test : int, default=None
        The most features a test may look at.
    min_rows_per_feature : float, default=None
        A linear test over n columns needs so many times n distinct rows, or it would fit anything;
        None is 2, and 0 in the default system, where a feature has its price.
    max_depth : int, default=None
        The most tests on a path.
    max_leaves : int, default=None
        The most leaves; those splits are made that are worth most to the whole tree. None is no
        limit, and 40 in the default system.
    min_rows : int, default=2
        A node with fewer rows is a leaf.
    min_leaf_rows : int, default=None
        No branch gets fewer rows; of a test with a branch a symbol, two branches at least get so
        many. None is 1, and 3 in the default system.
    min_share : float, default=0.0
        A node with a smaller share of the training rows is a leaf.
    min_merit : float, default=0.0
        No test is worth less.
    refiner : Refiner, default=None
        What learns the tests of the grown tree anew (`planetree.refiners`), before it is pruned.
        `planetree.pruners.CrossValidated` makes of it a plan of its own.
    pruner : Pruner, default=None
        What makes the grown tree smaller (`planetree.pruners`). One that judges by cases growth
        has not seen keeps its share of the training cases from growth.
    random_state : int or RandomState, default=None
        Seed of the learners that use chance and of what is held out for the pruner; None is 0:
        fitting twice gives the same tree.
    class_weight : dict or "balanced", default=None
        Weight of each class, multiplied with the rows' own; "balanced" gives all classes the same
        total.
    n_threads : int, default=None
        Threads to use; None is every core, or as many as ``OMP_NUM_THREADS`` says. The tree does
        not depend on it.
    progress : bool or callable, default=False
        True draws a bar on standard error; a callable is told the share of rows that have reached
        their leaf.

    Attributes
    ----------
    tree_ : Tree
        The frozen tree.
    classes_ : ndarray
        The class labels, sorted.
    path_ : SizePath
        With the pruner `planetree.pruners.CrossValidated`: trees from a single leaf up, and how
        accurate each is.
    n_features_in_ : int
        How many features there are.
    feature_names_in_ : ndarray of str
        Their names, where the training data had some.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from planetree.presets import CART
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = CART(max_depth=2).fit(X, y)
    >>> print(tree.tree_)
    ├─ x2 ≤ 2.45 → 0 (50)
    └─ x2 > 2.45
       ├─ x3 ≤ 1.75 → 1 (49 of 54)
       └─ x3 > 1.75 → 2 (45 of 46)
    """

    tree_: Tree
    classes_: NDArray[Any]
    n_features_in_: int
    path_: SizePath

    def __init__(
        self,
        merit: Merit | None = None,
        *,
        learner: CoefficientLearner | None = None,
        selector: FeatureSelector | None = None,
        root: CoefficientLearner | None = None,
        univariate: bool = True,
        symbols: SymbolBranching | None = None,
        fractional: bool = False,
        max_features_per_test: int | None = None,
        min_rows_per_feature: float | None = None,
        max_depth: int | None = None,
        max_leaves: int | None = None,
        min_rows: int = 2,
        min_leaf_rows: int | None = None,
        min_share: float = 0.0,
        min_merit: float = 0.0,
        refiner: Refiner | None = None,
        pruner: Pruner | None = None,
        random_state: int | np.random.RandomState | None = None,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        n_threads: int | None = None,
        progress: bool | Any = False,
    ) -> None:
        self.merit = merit
        self.learner = learner
        self.selector = selector
        self.root = root
        self.univariate = univariate
        self.symbols = symbols
        self.fractional = fractional
        self.max_features_per_test = max_features_per_test
        self.min_rows_per_feature = min_rows_per_feature
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.min_rows = min_rows
        self.min_leaf_rows = min_leaf_rows
        self.min_share = min_share
        self.min_merit = min_merit
        self.refiner = refiner
        self.pruner = pruner
        self.random_state = random_state
        self.class_weight = class_weight
        self.n_threads = n_threads
        self.progress = progress

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "tree_")

    # --- fitting ----------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X : array, data frame or mapping of shape (n_rows, n_features)
            The training data.
        y : array of shape (n_rows,)
            The class of each row: strings, booleans or whole numbers.
        sample_weight : array of shape (n_rows,), default=None
            Weight of each row; a row of weight 0 is as good as absent.

        Returns
        -------
        PlaneTreeClassifier
            The estimator itself.

        Examples
        --------
        >>> from planetree.presets import CART
        >>> from planetree.pruners import Unpruned
        >>> CART(pruner=Unpruned()).fit({"age": [20, 60]}, ["young", "old"]).n_leaves_
        2
        """
        self._check_options()
        table = self._read_training(X, y, sample_weight)
        system = self._system(table.n_rows)
        linear = system.learner is not None or system.root is not None
        blas = single_blas() if linear else nullcontext()
        with blas, listening(self.progress, table.n_rows) as listener:
            system._fit(table, listener)
        self.tree_ = system.tree_
        if hasattr(system, "path_"):
            self.path_ = system.path_
        return self

    def _system(self, n_rows: int) -> Self:
        """What is fitted: where no method is named, the default system."""
        system = copy(self)
        if self._names_no_method and n_rows >= FEW_ROWS:
            from planetree.learners import Logistic, SmoothMerit
            from planetree.pruners import CrossValidated
            from planetree.refiners import TAO
            from planetree.selectors import Thin

            system.refiner, system.pruner = TAO(), CrossValidated()
            system.max_leaves = MOST_LEAVES if self.max_leaves is None else self.max_leaves
            system.min_leaf_rows = 3 if self.min_leaf_rows is None else self.min_leaf_rows
            if self.max_features_per_test != 1:
                system.learner, system.selector, system.root = SmoothMerit(), Thin(), Logistic()
                if self.min_rows_per_feature is None:
                    system.min_rows_per_feature = 0.0  # a feature has its price
        if system.min_leaf_rows is None:
            system.min_leaf_rows = 1
        if system.min_rows_per_feature is None:
            system.min_rows_per_feature = 2.0
        return system

    @property
    def _names_no_method(self) -> bool:
        named = any(getattr(self, part) is not None for part in PARTS)
        return self.univariate and not self.fractional and not named

    def _fit(self, table: Table, listener: Listener | None) -> None:
        seed, holdout = self._seed(), None
        if self.pruner is not None and self.pruner.held_share > 0:
            from planetree.pruners.base import hold_out

            table, holdout = hold_out(table, self.pruner.held_share, seed)
        plans = self._plans(table, seed)
        if self.pruner is None:
            (plan,) = plans.values()
            self.tree_ = plan.make(table, listener)
            return
        from planetree.pruners.base import Evidence, checked

        growth = self._growth(table, seed)
        known = partial(Evidence, table, holdout, seed=seed, **growth)
        if self.pruner.chooses:
            n_threads = resolve_threads(self.n_threads)
            evidence = known(plans=plans, listener=listener, n_threads=n_threads)
            self.path_ = self.pruner.path(evidence)
            self.tree_ = self.path_.tree
        else:
            (plan,) = plans.values()
            tree = plan.make(table, listener)
            self.tree_ = checked(self.pruner, tree, self.pruner.prune(tree, known(grow=plan.make)))

    def _grow(
        self,
        table: Table,
        listener: Listener | None = None,
        *,
        candidates: Sequence[Candidate],
        seed: int,
    ) -> Tree:
        root = self._root(table, seed)
        return grow(
            table,
            root.merit,
            root.stop,
            candidates,
            max_leaves=self.max_leaves,
            n_threads=resolve_threads(self.n_threads),
            seed=seed,
            listener=listener,
        )

    def _refine(self, tree: Tree, table: Table, *, seed: int) -> Tree:
        assert self.refiner is not None
        root, n_threads = self._root(table, seed), resolve_threads(self.n_threads)
        return self.refiner.refine(tree, root, self._candidates(table), n_threads)

    def prune(
        self,
        pruner: Pruner,
        X: Any = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        *,
        training: tuple[Any, ...] | None = None,
    ) -> Self:
        """Make the tree smaller without growing it again (`Tree.prune`).

        Parameters
        ----------
        pruner : planetree.pruners.Pruner
            How.
        X, y : table and labels
            The cases the pruner counts: new ones for a pruner that holds some out of growth, those
            of training for one that counts them again, none for one that needs none.
        sample_weight : array of shape (n_rows,), default=None
            Weight of each of these cases; `class_weight` is multiplied with it.
        training : tuple, default=None
            X, y and perhaps sample_weight of the cases the tree was grown from, for a pruner that
            needs both kinds.

        Returns
        -------
        PlaneTreeClassifier
            A new fitted estimator with the same parameters; this one stays as it is.

        Examples
        --------
        >>> from planetree.presets import CART
        >>> from planetree.pruners import ReducedError, Unpruned
        >>> tree = CART(pruner=Unpruned()).fit([[1], [2], [3], [4]], ["a", "b", "a", "b"])
        >>> tree.prune(ReducedError(), [[1], [2], [3], [4]], ["a", "b", "b", "b"]).n_leaves_
        2
        """
        check_is_fitted(self)
        require_pruner(pruner)
        cases = None if X is None else self._read_cases(X, y, sample_weight)
        grown_from = None if training is None else self._read_cases(*training)
        growth = {}
        if grown_from is not None:
            growth = self._system(grown_from.n_rows)._growth(grown_from, self._seed())
        pruned = copy(self)
        pruned.tree_ = pruner(self.tree_, cases, grown_from, **growth)
        return pruned

    def with_tree(self, tree: Tree) -> Self:
        """Give the estimator another tree: one that was cut, grafted or rounded by hand.

        Parameters
        ----------
        tree : Tree
            A tree over the same features and classes.

        Returns
        -------
        PlaneTreeClassifier
            A new fitted estimator with the same parameters; this one stays as it is.

        Examples
        --------
        >>> from planetree.presets import CART
        >>> from planetree.pruners import Unpruned
        >>> grown = CART(pruner=Unpruned()).fit([[1], [2], [3]], ["a", "b", "a"])
        >>> grown.with_tree(grown.tree_.prune_at([0])).predict([[2]]).tolist()
        ['a']
        """
        check_is_fitted(self)
        if tree.schema != self.tree_.schema or tree.classes != self.tree_.classes:
            what = "features" if tree.schema != self.tree_.schema else "classes"
            raise ValueError(f"the tree has other {what} than the estimator was fitted to")
        other = copy(self)
        other.tree_ = tree
        return other

    def rounded(
        self, digits: int, X: Any = None, y: Any = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Round weights and cuts for good (`Tree.rounded`).

        Parameters
        ----------
        digits : int
            Significant digits to keep, 1 to 17.
        X, y : table and labels, default=None
            The training cases, to count them anew. Without them every node keeps its counts.
        sample_weight : array of shape (n_rows,), default=None
            Weight of each of these cases; `class_weight` is multiplied with it.

        Returns
        -------
        PlaneTreeClassifier
            A new fitted estimator with the same parameters; this one stays as it is.

        Examples
        --------
        >>> from planetree.presets import CART
        >>> from planetree.pruners import Unpruned
        >>> tree = CART(pruner=Unpruned()).fit([[1.24], [2.31]], ["a", "b"])
        >>> print(tree.rounded(2).to_text())
        ├─ x0 ≤ 1.8 → a (1)
        └─ x0 > 1.8 → b (1)
        """
        check_is_fitted(self)
        weight = None if X is None else self._weigh(y, sample_weight)
        return self.with_tree(self.tree_.rounded(digits, X, y, weight))

    def cost(
        self,
        changed: PlaneTreeClassifier | Tree,
        X: Any = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
    ) -> Cost:
        """Say what a change to the tree costs: size and errors, before and after (`Tree.cost`).

        Parameters
        ----------
        changed : PlaneTreeClassifier or Tree
            The tree as it would be: pruned, grafted, rounded.
        X, y : table and labels, default=None
            Cases to judge by. Without them the training cases are taken, as they are counted in the
            leaves.
        sample_weight : array of shape (n_rows,), default=None
            Weight of each of these cases; `class_weight` is multiplied with it.

        Returns
        -------
        Cost
            ``print`` shows it as a table.

        Examples
        --------
        >>> from planetree.presets import CART
        >>> from planetree.pruners import Unpruned
        >>> X, y = [[1.24], [1.28], [2.31]], ["a", "b", "b"]
        >>> tree = CART(pruner=Unpruned()).fit(X, y)
        >>> print(tree.cost(tree.rounded(2), X, y))
                tests  leaves  features a test  errors  accuracy
        before      1       2                1  0 of 3  100 %
        after       1       2                1  1 of 3  66.7 %
        1 of 3 cases gets another class
        """
        check_is_fitted(self)
        weight = None if X is None else self._weigh(y, sample_weight)
        tree = changed if isinstance(changed, Tree) else changed.tree_
        return self.tree_.cost(tree, X, y, weight)

    def to_frame(self, *, library: Library | None = None) -> Any:
        """Weights, cuts and fills of all tests as a data frame (`Tree.to_frame`).

        Parameters
        ----------
        library : {"pandas", "polars"}, default=None
            What makes the frame; None is pandas, or polars where only that is installed.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            One row a term.
        """
        check_is_fitted(self)
        return self.tree_.to_frame(library=library)

    def sized(self, n_leaves: int | None = None, *, complexity: float | None = None) -> Self:
        """Move along the path to another size, without growing again.

        Parameters
        ----------
        n_leaves : int, default=None
            The most leaves: of the trees of `path_` within it, the most accurate.
        complexity : float, default=None
            The greatest size, as `path_` measures it: leaves but one, and features at their price.

        Returns
        -------
        PlaneTreeClassifier
            A new fitted estimator with the same parameters; this one stays as it is.

        Examples
        --------
        >>> from planetree import PlaneTreeClassifier, datasets
        >>> tree = PlaneTreeClassifier().fit(*datasets.load_glass(return_X_y=True))
        >>> tree.sized(4).n_leaves_, tree.sized(complexity=2.5).n_leaves_
        (4, 3)
        """
        check_is_fitted(self)
        if not hasattr(self, "path_"):
            raise AttributeError(
                "there is no path to move along: planetree.pruners.CrossValidated makes one"
            )
        leaves: Any = n_leaves
        if leaves is not None and (
            isinstance(leaves, bool) or not isinstance(leaves, Integral) or int(leaves) < 1
        ):
            raise ValueError(f"n_leaves must be a whole number of at least 1, not {n_leaves!r}")
        size: Any = complexity
        if size is not None and (
            isinstance(size, bool) or not isinstance(size, Real) or not float(size) >= 0
        ):
            raise ValueError(f"complexity must be a number of at least 0, not {complexity!r}")
        other = copy(self)
        other.tree_ = self.path_.within(
            math.inf if leaves is None else int(leaves), math.inf if size is None else float(size)
        ).tree
        return other

    def _read_cases(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Table:
        weight = self._weigh(y, sample_weight)
        return read_cases(self.tree_.schema, self.tree_.classes, X, y, weight)

    def _root(self, table: Table, seed: int) -> OpenNode:
        """The root as growth searches it."""
        return OpenNode(
            table,
            np.arange(table.n_rows, dtype=np.uint32),
            Gini() if self.merit is None else self.merit,
            Stop(
                max_depth=self.max_depth,
                min_rows=max(self.min_rows, math.ceil(self.min_share * table.n_rows)),
                min_leaf_rows=self.min_leaf_rows or 1,
                min_merit=self.min_merit,
            ),
            tree_seed=seed,
        )

    def _growth(self, table: Table, seed: int) -> dict[str, Any]:
        """How the tree grows, for a pruner that learns tests anew."""
        from planetree.linear import Linear

        linear = [search for search in self._candidates(table) if isinstance(search, Linear)]
        return {"root": self._root(table, seed), "linear": linear[0] if linear else None}

    def _weigh(self, y: Any, sample_weight: ArrayLike | None = None) -> ArrayLike | None:
        if self.class_weight is None:
            return sample_weight
        of_rows: Floats = compute_sample_weight(self.class_weight, read_labels(y))
        return of_rows if sample_weight is None else of_rows * np.asarray(sample_weight, float)

    def _plans(self, table: Table, seed: int) -> dict[str, Plan]:
        """What may stand at the nodes: several plans if the pruner chooses, else the richest."""
        several = self.pruner is not None and self.pruner.chooses
        everything = self._candidates(table)
        price = 0.0 if self.selector is None else self.selector.price
        if price > 0:
            everything = [Frugal(tuple(everything), price)]
        searches: dict[str, list[Candidate]] = {}
        if self.univariate and (several or self.learner is None):
            searches["thresholds"] = self._univariate(table)
        if self.learner is not None:
            searches["planes"] = everything
        *_, refined = searches
        if self.root is not None:
            searches["machine"] = [AtRoot((self._linear(self.root, table),), tuple(everything))]
        if not several:
            searches = dict([*searches.items()][-1:])
            (refined,) = searches
        refine = None if self.refiner is None else partial(self._refine, seed=seed)
        return {
            plan: Plan(
                partial(self._grow, candidates=candidates, seed=seed),
                refine if plan == refined else None,
                all(search.parallel for search in candidates),
            )
            for plan, candidates in searches.items()
        }

    def _candidates(self, table: Table) -> list[Candidate]:
        """Families of tests that compete at every node; of equals the first wins."""
        candidates = self._univariate(table) if self.univariate else []
        if self.learner is not None:
            candidates = [Judged(search) for search in candidates]
            candidates.append(self._linear(self.learner, table))
        return candidates

    def _univariate(self, table: Table) -> list[Candidate]:
        n_threads = resolve_threads(self.n_threads)
        branching = None if table.schema.only_numbers else self.symbols
        if branching is None and not self.fractional:
            return [Univariate(n_threads)]
        from planetree.features import ByFeature

        return [ByFeature(branching, self.fractional, n_threads)]

    def _linear(self, learner: CoefficientLearner, table: Table) -> Linear:
        from planetree.learners.base import check_able
        from planetree.linear import Linear
        from planetree.selectors import SFS, All

        check_able(learner, table)
        n_features = len(table.schema.features)
        most = min(self.max_features_per_test or n_features, n_features)
        keeps_to_it = min(learner.most_columns or n_features, n_features) <= most
        selector = self.selector
        if selector is None:
            selector = All() if keeps_to_it else SFS()
        if isinstance(selector, All) and not keeps_to_it:
            raise ValueError(
                f"{selector!r} drops no feature, and max_features_per_test="
                f"{self.max_features_per_test} allows fewer than the {n_features} there are: "
                "take planetree.selectors.SFS()"
            )
        return Linear(
            learner,
            selector,
            self.max_features_per_test,
            2.0 if self.min_rows_per_feature is None else self.min_rows_per_feature,
            resolve_threads(self.n_threads),
        )

    def _seed(self) -> int:
        if self.random_state is None or isinstance(self.random_state, Integral):
            return int(self.random_state or 0)
        return int(check_random_state(self.random_state).randint(2**31))

    def _read_training(self, X: Any, y: Any, sample_weight: ArrayLike | None) -> Table:
        columns = split(X)
        schema, values = read_training(columns)
        labels = read_labels(y)
        if len(labels) != len(values):
            raise TableError(
                f"X and y differ in length: {len(values)} rows, {len(labels)} labels (inconsistent)"
            )
        weight = None if sample_weight is None else read_weight(sample_weight, len(values))
        if weight is not None and not weight.all():
            keep = weight > 0
            values, labels, weight = values[keep], labels[keep], weight[keep]
        classes, codes = np.unique(labels, return_inverse=True)
        if len(classes) < 2:
            raise TableError(
                f"y holds one class only ({classes[0]!r}); a tree needs two or more to tell apart"
            )
        if self.class_weight is not None:
            of_class = compute_class_weight(self.class_weight, classes=classes, y=labels)
            weight = of_class[codes] if weight is None else weight * of_class[codes]
        if weight is not None and (weight == 1).all():
            weight = None
        if is_mapping(X):
            self.n_features_in_ = len(schema.features)
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        else:
            validate_data(self, X, skip_check_array=True)
        self.classes_ = classes
        return Table(schema, values, codes.astype(np.int32), tuple(classes.tolist()), weight)

    def _check_options(self) -> None:
        whole = {"max_depth": 0, "max_leaves": 1, "min_rows": 0, "min_leaf_rows": 1, "n_threads": 1}
        whole |= {"max_features_per_test": 1}
        for name, least in whole.items():
            value = getattr(self, name)
            may_be_none = name != "min_rows"
            if value is None and may_be_none:
                continue
            if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
                none = " or None" if may_be_none else ""
                raise ValueError(
                    f"{name} must be a whole number of at least {least}{none}, not {value!r}"
                )
        share, merit = vars(self)["min_share"], vars(self)["min_merit"]
        if not isinstance(share, Real) or not 0 <= float(share) <= 1:
            raise ValueError(f"min_share must be a share between 0 and 1, not {share!r}")
        if not isinstance(merit, Real) or not float(merit) >= 0:
            raise ValueError(f"min_merit must be a number of at least 0, not {merit!r}")
        rows_per_feature = vars(self)["min_rows_per_feature"]
        if rows_per_feature is not None and (
            not isinstance(rows_per_feature, Real) or not float(rows_per_feature) >= 0
        ):
            raise ValueError(
                f"min_rows_per_feature must be a number of at least 0, not {rows_per_feature!r}"
            )
        for name, (room, kind, example) in PARTS.items():
            value = getattr(self, name)
            if isinstance(value, type):
                raise ValueError(f"{name} must be an instance, {value.__name__}(), not the class")
            if value is not None and not isinstance(value, getattr(import_module(room), kind)):
                what = {"symbols": "way to branch symbols", "root": "learner"}.get(name, name)
                raise ValueError(f"{name} must be a {what} such as {room}.{example}, not {value!r}")
        if self.pruner is not None:
            self.pruner.check()
        if self.refiner is not None:
            self.refiner.check()
            if self.fractional:
                raise ValueError(
                    f"{type(self.refiner).__name__} counts whole cases: it needs fractional=False"
                )
        if self.learner is None:
            if not self.univariate:
                raise ValueError("univariate=False leaves no tests: give a learner as well")
            if self.selector is not None and self.root is None:
                raise ValueError(
                    f"selector={self.selector!r} picks the columns of linear tests: give a learner "
                    "as well"
                )
            if self.pruner is not None and self.pruner.linear:
                raise ValueError(
                    f"{type(self.pruner).__name__} works on linear tests: give a learner as well"
                )
        if not isinstance(self.fractional, bool | np.bool_):
            raise ValueError(f"fractional must be True or False, not {self.fractional!r}")
        if self.fractional and not self.univariate:
            raise ValueError("fractional is about tests of one feature: it needs univariate=True")
        if self.fractional and self.pruner is not None and self.pruner.linear:
            raise ValueError(
                f"{type(self.pruner).__name__} counts whole cases: it needs fractional=False"
            )
        if not self.univariate and self.symbols is not None:
            raise ValueError(
                f"symbols={self.symbols!r} is about tests of one feature: it needs univariate=True"
            )
        if not isinstance(self.progress, bool | np.bool_) and not callable(self.progress):
            raise ValueError(f"progress must be True, False or callable, not {self.progress!r}")
        if not isinstance(self.univariate, bool | np.bool_):
            raise ValueError(f"univariate must be True or False, not {self.univariate!r}")
        seed = vars(self)["random_state"]
        if isinstance(seed, bool) or not (
            seed is None
            or isinstance(seed, np.random.RandomState)
            or (isinstance(seed, Integral) and int(seed) >= 0)
        ):
            raise ValueError(
                "random_state must be a whole number of at least 0, a numpy.random.RandomState or "
                f"None, not {seed!r}"
            )
        if not (
            self.class_weight is None
            or isinstance(self.class_weight, Mapping)
            or (isinstance(self.class_weight, str) and self.class_weight == "balanced")
        ):
            raise ValueError(
                f'class_weight must be a dict, "balanced" or None, not {self.class_weight!r}'
            )

    # --- prediction -------------------------------------------------------------------------------

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Leaf that every row reaches.

        Parameters
        ----------
        X : array, data frame or mapping
            Rows like those of the training data.

        Returns
        -------
        ndarray of int32
            Node numbers of `tree_`; of a row in parts, the leaf of the greatest.
        """
        rows = self._read(X)
        return self.tree_.apply(rows, resolve_threads(self.n_threads))

    def predict(self, X: Any) -> NDArray[Any]:
        """Class of every row.

        Parameters
        ----------
        X : array, data frame or mapping
            Rows like those of the training data.

        Returns
        -------
        ndarray
            The most probable class; the first of equals.
        """
        rows = self._read(X)
        places = self.tree_.predict(rows, resolve_threads(self.n_threads))
        labels: NDArray[Any] = self.classes_.take(places)  # `[]` is slower
        return labels

    def predict_proba(self, X: Any) -> Floats:
        """Probability of every class for every row.

        Parameters
        ----------
        X : array, data frame or mapping
            Rows like those of the training data.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            Shares of the classes in the leaf each row reaches, in the order of `classes_`; of a row
            in parts, summed over its leaves.
        """
        rows = self._read(X)
        return self.tree_.predict_proba(rows, resolve_threads(self.n_threads))

    def decision_path(self, X: Any) -> csr_matrix:
        """Nodes that every row passes.

        Parameters
        ----------
        X : array, data frame or mapping
            Rows like those of the training data.

        Returns
        -------
        scipy.sparse.csr_matrix of shape (n_rows, n_nodes)
            1 where a row passes a node; the part of it that does, where a missing value has sent it
            down every branch of a test.
        """
        rows = self._read(X)
        leaves = self.tree_.apply(rows, resolve_threads(self.n_threads))
        if not self.tree_.shares:
            return self.tree_.decision_path(leaves)
        ways = self.tree_.decision_path(np.arange(self.tree_.n_nodes, dtype=np.int32))
        passed: csr_matrix = self.tree_.parts(rows, resolve_threads(self.n_threads)) @ ways
        return passed

    def explain(self, X: Any) -> list[Explanation]:
        """Tests that every row meets, with its values and margins.

        Parameters
        ----------
        X : array, data frame or mapping
            Rows like those of the training data.

        Returns
        -------
        list of Explanation
            One a row; ``str`` of it reads well.
        """
        rows = self._read_in_a_line(X)
        return [self.tree_.path(row) for row in rows]

    def counterfactual(
        self,
        x: Any,
        target: Any = None,
        *,
        X: Any = None,
        frozen: Iterable[str] = (),
        bounds: Mapping[str, tuple[float | None, float | None]] | None = None,
        weights: Mapping[str, float] | None = None,
        fill: Iterable[str] = (),
        switch_cost: float = 1.0,
    ) -> Counterfactual | None:
        """Smallest change of one row that gets it another class.

        A change of a number costs its size in units of the feature, another symbol or boolean
        costs `switch_cost`; the total is least, which is proven. A missing value stays missing, and
        a known one known.

        Parameters
        ----------
        x : table of one row, or mapping of names to values
            The case.
        target : object or list, default=None
            The class wanted, or several that will do; None is any other than the case's own.
        X : array, data frame or mapping, default=None
            Cases whose standard deviations are the features' units; None takes the numbers as they
            are.
        frozen : iterable of str, default=()
            Features that stay as they are.
        bounds : mapping of str to (low, high), default=None
            Where a changed number must lie; None is no bound.
        weights : mapping of str to float, default=None
            What a feature's changes cost beside others'; 1 where nothing is said.
        fill : iterable of str, default=()
            Features in which a missing value may become any known one, at the cost of a switch.
        switch_cost : float, default=1.0
            What another symbol or boolean costs.

        Returns
        -------
        planetree.counterfactual.Counterfactual or None
            None where no allowed change gets a wanted class.

        Examples
        --------
        >>> from planetree import datasets
        >>> from planetree.presets import CART
        >>> iris = datasets.load_iris(as_frame=True)
        >>> tree = CART(max_depth=2).fit(iris.data, iris.target)
        >>> print(tree.counterfactual(iris.data[60:61], "Iris-virginica", X=iris.data))
        Iris-versicolor → Iris-virginica
          petal_width = 1 → 1.75 (0.75 more)
        cost 0.986047, and no row costs less than 0.986047; what binds: petal_width > 1.75
        """
        from planetree.counterfactual import Price, nearest

        check_is_fitted(self)
        tree = self.tree_
        if is_mapping(x):
            x = {name: [v] if np.ndim(v) == 0 else v for name, v in x.items()}
        rows = self._read_in_a_line(x)
        if len(rows) != 1:
            raise TableError(f"one case can be changed at a time, not {len(rows)}")
        spread = None
        if X is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # a column without a value
                spread = np.nanstd(self._read_in_a_line(X), axis=0)
            spread = np.where(spread > 0, spread, 1.0)
        own = int(tree.labels[tree.apply(rows)[0]])
        wanted = set(range(len(tree.classes))) - {own}
        if target is not None:
            given = target if isinstance(target, list | tuple | set) else [target]
            unknown = [label for label in given if label not in tree.classes]
            if unknown or not given:
                known = ", ".join(map(repr, tree.classes))
                raise TableError(f"target {target!r} is none of the classes {known}")
            wanted = {tree.classes.index(label) for label in given}
            if own in wanted:
                raise TableError(f"the case is {tree.classes[own]!r} already; nothing must change")
        price = Price.of(tree, spread, frozen, bounds, weights, fill, switch_cost)
        return nearest(tree, rows[0], frozenset(wanted), price)

    def _read(self, X: Any) -> Floats:
        check_is_fitted(self)
        # A plain array of the right shape needs no further look; the kernel finds infinities.
        if (
            type(X) is np.ndarray
            and X.dtype == np.float64
            and X.ndim == 2
            and X.shape[1] == self.n_features_in_
            and len(X)
            and not hasattr(self, "feature_names_in_")
            and self.tree_.schema.only_numbers
        ):
            return X
        schema = self.tree_.schema
        columns = split(X, schema.names)
        if not is_mapping(X):
            validate_data(self, X, reset=False, skip_check_array=True)
        return read_like(columns, schema)

    def _read_in_a_line(self, X: Any) -> Floats:
        """Read rows where scikit-learn does not ask for its own message, which takes several."""
        check_is_fitted(self)
        try:
            return self._read(X)
        except ValueError as error:
            raise TableError(" ".join(str(error).split())) from None

    # --- size -------------------------------------------------------------------------------------

    def get_depth(self) -> int:
        """How many tests the longest path has.

        Returns
        -------
        int
            0 for a single leaf.
        """
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """How many leaves the tree has.

        Returns
        -------
        int
            1 or more.
        """
        return self.n_leaves_

    @property
    def n_leaves_(self) -> int:
        """How many leaves the tree has."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def n_nodes_(self) -> int:
        """How many nodes the tree has, leaves included."""
        check_is_fitted(self)
        return self.tree_.n_nodes

    @property
    def n_tests_(self) -> int:
        """How many nodes have a test."""
        check_is_fitted(self)
        return self.tree_.n_tests

    @property
    def mean_features_per_test_(self) -> float:
        """How many features a test looks at, on average."""
        check_is_fitted(self)
        return self.tree_.mean_features_per_test

    @property
    def feature_importances_(self) -> Floats:
        """Share of each feature in the decrease of the Gini index (`planetree.importance`)."""
        check_is_fitted(self)
        return impurity_importance(self.tree_)

    # --- reading and keeping ----------------------------------------------------------------------

    def to_text(self, *, digits: int = 6, max_depth: int | None = None) -> str:
        """Tree as indented text (`Tree.to_text`).

        Parameters
        ----------
        digits : int, default=6
            Significant digits of the cuts shown.
        max_depth : int, default=None
            Nodes deeper than this are counted, not shown.

        Returns
        -------
        str
            One line a branch. Where cross-validation has chosen a tree of one linear test, a last
            line says that it is enough.

        Examples
        --------
        >>> from planetree import PlaneTreeClassifier, datasets
        >>> tree = PlaneTreeClassifier().fit(*datasets.load_heart_statlog(return_X_y=True))
        >>> print(tree.to_text(digits=2).splitlines()[-1])
        A plane here is enough: ...
        """
        check_is_fitted(self)
        text = self.tree_.to_text(digits=digits, max_depth=max_depth)
        return text if self.verdict_ is None else f"{text}\n{self.verdict_}"

    @property
    def verdict_(self) -> str | None:
        """Says so where cross-validation found one linear test to be enough; else None."""
        path = getattr(self, "path_", None)
        return None if path is None or path.tree is not self.tree_ else path.verdict

    def to_rules(
        self,
        X: Any = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        *,
        confidence: float = 0.25,
    ) -> RuleSet:
        """Tree as rules; with the training cases, simplified and ordered (`Tree.to_rules`).

        Parameters
        ----------
        X, y : table and labels, default=None
            The cases the tree was grown from. Without them every path is a rule as it is.
        sample_weight : array of shape (n_rows,), default=None
            Weight of each of these cases; `class_weight` is multiplied with it.
        confidence : float, default=0.25
            How cautious the accuracy expected of a rule is; smaller is more so.

        Returns
        -------
        RuleSet
            The first rule that fires decides.

        Examples
        --------
        >>> from planetree.presets import CART
        >>> from planetree.pruners import Unpruned
        >>> print(CART(pruner=Unpruned()).fit([[1], [2], [3]], ["a", "b", "b"]).to_rules())
        1. x0 ≤ 1.5 → a (1, 25 %)
        2. x0 > 1.5 → b (2, 50 %)
        otherwise → b
        """
        check_is_fitted(self)
        weight = None if X is None else self._weigh(y, sample_weight)
        return self.tree_.to_rules(X, y, weight, confidence=confidence)

    def report(
        self,
        file: FilePath | Writable,
        X: Any = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        **options: Any,
    ) -> None:
        """Write a page of HTML that shows the tree to whoever asks (`planetree.report.report`).

        Parameters
        ----------
        file : str, path or text file
            Where to write.
        X, y : table and labels, default=None
            Cases to judge the tree by, in a cross-validation beside its baselines.
        sample_weight : array of shape (n_rows,), default=None
            Weight of each case.
        **options : dict
            `title`, `cv`, `random_state`, `colors` and `progress`.

        Examples
        --------
        >>> import io
        >>> from planetree.presets import CART
        >>> from planetree.pruners import Unpruned
        >>> page = io.StringIO()
        >>> CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"]).report(page)
        >>> page.getvalue()[:15]
        '<!doctype html>'
        """
        from planetree.report import report

        check_is_fitted(self)
        report(self, file, X, y, sample_weight, **options)

    def save(self, file: FilePath | Writable) -> None:
        """Write the fitted model to a file for `planetree.load`, other programs and people.

        A file of that name is replaced only when the new one is complete. A callable `progress` is
        not kept.

        Parameters
        ----------
        file : str, path or text file
            Where to write.

        Examples
        --------
        >>> import io
        >>> from planetree.presets import CART
        >>> from planetree.pruners import Unpruned
        >>> file = io.StringIO()
        >>> CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"]).save(file)
        >>> print(file.getvalue())
        {
          "format": "planetree-model",
          "version": 1,
          ...
        """
        from planetree.modelformat import Model, to_text
        from planetree.textfile import write_text

        check_is_fitted(self)
        self._check_options()
        params = {
            name: getattr(self, name) for name in PlaneTreeClassifier().get_params(deep=False)
        }
        if callable(self.progress):
            del params["progress"]
        named = hasattr(self, "feature_names_in_")
        write_text(file, to_text(Model(self.tree_, self.classes_, named, params)))
