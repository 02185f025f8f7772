"""Trees as Python source that imports nothing."""

from __future__ import annotations

import keyword
from collections.abc import Sequence

from planetree.export.nested import Language
from planetree.export.source import Model, identifiers, summary, tree_of, used_features
from planetree.tree import Tree

__all__ = ["to_python"]

TEMPLATE = '''"""{summary}.

predict(row) and predict_proba(row) take a mapping of the features' names to their values; None, NaN
and a name that is not there are missing values.
"""


{answers}


def _number(value):
    return float("nan") if value is None else float(value)


def _symbol(value):
    return None if value is None or value != value else str(value)


def _total(discriminant):
    return discriminant if discriminant == discriminant else float("-inf")


{start}
{read}
    return {call}


{functions}


CLASSES = {classes}
{labels}_SHARES = {{
{shares}
}}
'''

AT_ONE_LEAF = '''
def predict(row):
    """Class of one row."""
    return _LABELS[_leaf(row)]


def predict_proba(row):
    """Probability of each class for one row."""
    return dict(zip(CLASSES, _SHARES[_leaf(row)]))
'''
IN_PARTS = '''
def predict(row):
    """Class of one row."""
    shares = _sum(row)
    return CLASSES[shares.index(max(shares))]


def predict_proba(row):
    """Probability of each class for one row."""
    return dict(zip(CLASSES, _sum(row)))


def _sum(row):
    parts = {}
    _share_out(row, parts)
    shares = [0.0] * len(CLASSES)
    for leaf in sorted(parts):
        shares = [share + parts[leaf] * more for share, more in zip(shares, _SHARES[leaf])]
    return shares
'''


class _Python(Language):
    if_, elif_, else_, end = "if {}:", "elif {}:", "else:", ""
    put, do, missing_number = "parts[{}] = {}", "{}", "{0} != {0}"
    return_, not_, and_, or_ = "return {}", "not {}", " and ", " or "
    pick, local, product = "({1} if {0} else {2})", "{} = {}", "{} * {}"
    total = "_total({})"
    missing_symbol, known_symbol = "{} is None", "{} is not None"

    def __init__(self, tree: Tree, names: Sequence[str]) -> None:
        super().__init__(tree, names)
        used = [names[f] for f in used_features(tree)]
        self.parameters = ", ".join([*used, *(["{}", "parts"] if self.in_parts else [])])

    def number(self, value: float) -> str:
        return repr(float(value))

    def is_one_of(self, feature: int, symbols: Sequence[int]) -> str:
        known = [ascii(self.tree.schema.features[feature].symbols[s]) for s in symbols]
        x = self.names[feature]
        return f"{x} == {known[0]}" if len(known) == 1 else f"{x} in ({', '.join(known)})"

    def call(self, node: int, part: str = "part") -> str:
        return f"_node_{node}({self.parameters.format(part)})"

    def head(self, node: int) -> str:
        return f"def {self.call(node)}:"

    def comment(self, text: str) -> str:
        return f"  # {text}"


def to_python(model: Model) -> str:
    """Write a tree as Python source that needs neither planetree nor anything else.

    Its `predict` and `predict_proba` take one row as a mapping.

    Parameters
    ----------
    model : PlaneTreeClassifier or Tree
        A fitted one.

    Returns
    -------
    str
        A module.

    Examples
    --------
    >>> from planetree import export
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> tree = CART(pruner=Unpruned()).fit({"petal width": [0.2, 1.8]}, ["small", "large"])
    >>> module = {}
    >>> exec(export.to_python(tree), module)
    >>> module["predict"]({"petal width": 0.9}), module["predict_proba"]({"petal width": 2})
    ('small', {'large': 1.0, 'small': 0.0})
    """
    tree = tree_of(model, "Python")
    features = tree.schema.features
    words = ["row", "part", "parts", "float", "str", "print"]
    reserved = [*keyword.kwlist, *keyword.softkwlist, *words]
    names = identifiers(tree.schema.names, reserved)
    language = _Python(tree, names)
    leaves = tree.is_leaf.nonzero()[0].tolist()
    read = [
        f"    {names[f]} = _{'symbol' if features[f].kind == 'symbolic' else 'number'}"
        f"(row.get({features[f].name!a}))"
        for f in used_features(tree)
    ]
    labels = "\n".join(f"    {i}: {tree.classes[tree.labels[i]]!a}," for i in leaves)
    return TEMPLATE.format(
        summary=summary(tree),
        answers=(IN_PARTS if language.in_parts else AT_ONE_LEAF).strip(),
        start="def _share_out(row, parts):" if language.in_parts else "def _leaf(row):",
        read="\n".join(read) or "    del row",
        call=language.call(0, "1.0"),
        functions="\n\n\n".join("\n".join(lines) for lines in language.functions()),
        classes=ascii(list(tree.classes)),
        labels="" if language.in_parts else f"_LABELS = {{\n{labels}\n}}\n",
        shares="\n".join(f"    {i}: {tuple(tree.probabilities[i].tolist())}," for i in leaves),
    )
