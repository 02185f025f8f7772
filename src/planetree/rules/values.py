"""Conditions, rules and sets of rules as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planetree import text
from planetree.frames import Library, frame
from planetree.nodetests import NodeTest
from planetree.schema import Schema, Symbol
from planetree.table import read_like, split
from planetree.textfile import FilePath, Writable, write_text

__all__ = ["Condition", "Fired", "Met", "Rule", "RuleSet"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Condition:
    """One branch of a test, as something that holds for a row or does not.

    Parameters
    ----------
    test : NodeTest
        What is asked.
    branch : int
        The answer that is needed.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.nodetests import Threshold
    >>> from planetree.rules import Condition
    >>> Condition(Threshold(feature=0, cut=2.5), branch=1).holds(np.array([[2.0], [3.0]]))
    array([False,  True])
    """

    test: NodeTest
    branch: int

    def holds(self, X: Floats) -> NDArray[np.bool_]:
        """Say for which rows it holds.

        Parameters
        ----------
        X : ndarray of float64
            Rows as the model keeps them.

        Returns
        -------
        ndarray of bool
            One answer a row.
        """
        answer: NDArray[np.bool_] = self.test.route(X) == self.branch
        return answer

    def describe(self, schema: Schema, digits: int = 6) -> str:
        """Say it in the table's own names.

        Parameters
        ----------
        schema : Schema
            The features.
        digits : int, default=6
            Significant digits of the numbers shown.

        Returns
        -------
        str
            A line.
        """
        return text.one_line(self.test.describe(schema, digits)[self.branch])


@dataclass(frozen=True)
class Rule:
    """If all conditions hold, the class.

    Parameters
    ----------
    conditions : tuple of Condition
        What must hold.
    label : object
        The class.
    coverage : float
        Weight of the training cases for which the conditions hold.
    correct : float
        Weight of those among them that are of the class.
    accuracy : float
        The share expected to be of the class among new cases: lower than among those of training,
        the more so the fewer they are.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> rules = CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"]).tree_.to_rules()
    >>> rules[0].label, rules[0].coverage, rules[0].accuracy
    ('a', 1.0, 0.25)
    """

    conditions: tuple[Condition, ...]
    label: Symbol
    coverage: float
    correct: float
    accuracy: float

    def fires(self, X: Floats) -> NDArray[np.bool_]:
        """Say for which rows all conditions hold.

        Parameters
        ----------
        X : ndarray of float64
            Rows as the model keeps them.

        Returns
        -------
        ndarray of bool
            One answer a row.
        """
        answer = np.ones(len(X), bool)
        for condition in self.conditions:
            answer &= condition.holds(X)
        return answer

    def describe(self, schema: Schema, digits: int = 6) -> str:
        """Say the conditions in the table's own names.

        Parameters
        ----------
        schema : Schema
            The features.
        digits : int, default=6
            Significant digits of the numbers shown.

        Returns
        -------
        str
            A line.
        """
        return " and ".join(c.describe(schema, digits) for c in self.conditions) or "always"


@dataclass(frozen=True)
class Met:
    """One condition that held for one row.

    Parameters
    ----------
    condition : str
        The condition in words.
    values : dict
        What the row holds in the features asked for; None is missing, or unseen.
    margin : float or None
        The row's distance from the other side; None where there is none.
    unseen : tuple of str
        Features in which the row holds a symbol that training never saw.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> rules = CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"]).tree_.to_rules()
    >>> rules.explain([[1.25]])[0].met[0].margin
    -0.25
    """

    condition: str
    values: dict[str, Symbol | None]
    margin: float | None
    unseen: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fired:
    """Why one row got its class.

    Parameters
    ----------
    place : int or None
        The place of the rule that fired; None where none did.
    label : object
        The class it got.
    accuracy : float or None
        What the rule expects of itself; None where none fired.
    met : tuple of Met
        The conditions that held.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> rules = CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"]).tree_.to_rules()
    >>> print(rules.explain([[1.25]])[0])
    x0 ≤ 1.5        x0 = 1.25, margin -0.25
    → a (rule 1, 25 % expected)
    """

    place: int | None
    label: Symbol
    accuracy: float | None
    met: tuple[Met, ...]

    def __str__(self) -> str:
        if self.place is None or self.accuracy is None:
            return f"no rule fires\n→ {text.one_line(str(self.label))} (the default)"
        verdict = f"rule {self.place + 1}, {100 * self.accuracy:.3g} % expected"
        return "\n".join(
            [*text.conditions(self.met), f"→ {text.one_line(str(self.label))} ({verdict})"]
        )


@dataclass(frozen=True)
class RuleSet:
    """Rules in order: the first that fires decides, and the default where none does.

    Parameters
    ----------
    schema : Schema
        The features.
    classes : tuple
        The class labels, sorted.
    rules : tuple of Rule
        In the order they are asked.
    default : object
        The class of a row for which no rule fires.

    Examples
    --------
    >>> from planetree import datasets
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> X, y = datasets.load_iris(return_X_y=True, as_frame=True)
    >>> tree = CART(max_depth=3, pruner=Unpruned()).fit(X, y).tree_
    >>> rules = tree.to_rules(X, y)
    >>> print(rules)
    1. petal_length ≤ 2.45 → Iris-setosa (50, 97.3 %)
    2. petal_length > 4.85 and petal_width > 1.75 → Iris-virginica (43, 96.8 %)
    ...
    otherwise → Iris-setosa
    >>> rules.predict(X[:1]).tolist()
    ['Iris-setosa']
    """

    schema: Schema
    classes: tuple[Symbol, ...]
    rules: tuple[Rule, ...]
    default: Symbol

    def __len__(self) -> int:
        return len(self.rules)

    def __getitem__(self, place: int) -> Rule:
        return self.rules[place]

    # --- prediction -------------------------------------------------------------------------------

    def first(self, X: Floats) -> NDArray[np.intp]:
        """Place of the first rule that fires for each row; -1 where none does.

        Parameters
        ----------
        X : ndarray of float64
            Rows as the model keeps them.

        Returns
        -------
        ndarray of int
            One place a row.
        """
        fired = np.full(len(X), -1)
        waiting = np.arange(len(X))
        for place, rule in enumerate(self.rules):
            now = rule.fires(X[waiting])
            fired[waiting[now]] = place
            waiting = waiting[~now]
        return fired

    def predict(self, X: Any) -> NDArray[Any]:
        """Class of every row.

        Parameters
        ----------
        X : array, data frame or mapping
            Rows like those of the training data.

        Returns
        -------
        ndarray
            The class of the first rule that fires.
        """
        labels = np.array([*(rule.label for rule in self.rules), self.default])
        found: NDArray[Any] = labels[self.first(self._read(X))]
        return found

    def explain(self, X: Any) -> list[Fired]:
        """The rule that decides each row, with the row's values and margins.

        Parameters
        ----------
        X : array, data frame or mapping
            Rows like those of the training data.

        Returns
        -------
        list of Fired
            One a row; ``str`` of it reads well.
        """
        rows = self._read(X)
        return [self._explain(x, int(place)) for x, place in zip(rows, self.first(rows))]

    def _explain(self, x: Floats, place: int) -> Fired:
        if place < 0:
            return Fired(None, self.default, None, ())
        rule = self.rules[place]
        met = []
        for condition in rule.conditions:
            asked = [(self.schema.features[f], x[f]) for f in condition.test.features]
            met.append(
                Met(
                    condition.describe(self.schema),
                    {feature.name: feature.value(held) for feature, held in asked},
                    condition.test.margin(x),
                    tuple(feature.name for feature, held in asked if feature.is_unseen(held)),
                )
            )
        return Fired(place, rule.label, rule.accuracy, tuple(met))

    def _read(self, X: Any) -> Floats:
        return read_like(split(X, self.schema.names), self.schema)

    # --- reading and keeping ----------------------------------------------------------------------

    def to_text(self, *, digits: int = 6) -> str:
        """One line a rule: conditions, class, training cases covered, accuracy expected.

        Parameters
        ----------
        digits : int, default=6
            Significant digits of the numbers shown.

        Returns
        -------
        str
            The rules in order, then the default.
        """
        lines = []
        for place, rule in enumerate(self.rules, 1):
            wrong = f"{rule.correct:.6g} of " if rule.correct != rule.coverage else ""
            lines.append(
                f"{place}. {rule.describe(self.schema, digits)} → "
                f"{text.one_line(str(rule.label))} "
                f"({wrong}{rule.coverage:.6g}, {100 * rule.accuracy:.3g} %)"
            )
        return "\n".join([*lines, f"otherwise → {text.one_line(str(self.default))}"])

    def __str__(self) -> str:
        return self.to_text()

    def to_frame(self, *, library: Library | None = None) -> Any:
        """The rules as a data frame.

        Parameters
        ----------
        library : {"pandas", "polars"}, default=None
            What makes the frame; None is pandas, or polars where only that is installed.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            One row a rule: its conditions in words, class, number of conditions, coverage, correct
            cases, accuracy expected.

        Examples
        --------
        >>> from planetree.presets import CART
        >>> from planetree.pruners import Unpruned
        >>> rules = CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"]).tree_.to_rules()
        >>> rules.to_frame()[["rule", "class", "coverage"]].values.tolist()
        [['x0 ≤ 1.5', 'a', 1.0], ['x0 > 1.5', 'b', 1.0]]
        """
        columns: dict[str, list[Any]] = {
            "rule": [rule.describe(self.schema) for rule in self.rules],
            "class": [rule.label for rule in self.rules],
            "n_conditions": [len(rule.conditions) for rule in self.rules],
            "coverage": [rule.coverage for rule in self.rules],
            "correct": [rule.correct for rule in self.rules],
            "accuracy": [rule.accuracy for rule in self.rules],
        }
        return frame(columns, "RuleSet.to_frame", library)

    def to_json(self) -> str:
        """The rules as text that `planetree.rules.load_rules` and other programs read.

        Returns
        -------
        str
            A JSON object, a line a rule.
        """
        from planetree.rules.file import to_text

        return to_text(self)

    def save(self, file: FilePath | Writable) -> None:
        """Write the rules to a file for `planetree.rules.load_rules`, other programs and people.

        Parameters
        ----------
        file : str, path or text file
            Where to write. A file of that name is replaced only when the new one is complete.
        """
        write_text(file, self.to_json())
