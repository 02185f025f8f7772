"""Trees as a C99 header."""

from __future__ import annotations

import re
from collections.abc import Sequence

from planetree.export.nested import Language
from planetree.export.source import Model, identifiers, summary, tree_of, used_features
from planetree.schema import Feature
from planetree.tree import Tree

__all__ = ["to_c"]

# Of C to C23 and of C++, whose programs include C headers.
WORDS = (
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const "
    "constexpr const_cast continue default delete do double dynamic_cast else enum explicit export "
    "extern false float for friend goto if inline int long mutable namespace new noexcept not "
    "not_eq nullptr operator or or_eq private protected public register reinterpret_cast restrict "
    "return short signed sizeof static static_assert static_cast struct switch template this "
    "thread_local throw true try typedef typeid typename typeof union unsigned using virtual void "
    "volatile wchar_t while xor xor_eq linux unix i386 errno NULL EOF"
)
RESERVED = WORDS.split()

TEMPLATE = """\
/* {summary}.

   C99, no library, no memory from the heap, no state. Fill a struct {prefix}_row and ask
   {prefix}_predict for the place of its class in {prefix}_classes, or {prefix}_proba for the
   probability of each class. A number or boolean is a double, NAN where it is missing; a symbol is
   the code that {prefix}_code_FEATURE gives for its text (UTF-8; NULL is missing), -1 where it is
   missing. Not for -ffast-math, which does away with NAN. */
#ifndef {guard}
#define {guard}

#ifdef __FAST_MATH__
#error "compile without -ffast-math: missing values are NAN"
#endif

#define {macro}_CLASSES {n_classes}
#define {macro}_LEAVES {n_leaves}

#ifdef __GNUC__
#define {macro}_UNUSED __attribute__((unused))
#else
#define {macro}_UNUSED
#endif

static const char *const {prefix}_classes[{n_classes}] {macro}_UNUSED = {{
{classes}
}};

struct {prefix}_row {{
{fields}
}};

{coding}static const double {prefix}_shares[{n_leaves}][{n_classes}] = {{
{shares}
}};

/* Rounded before it is added to anything: no fused multiply-add. */
{macro}_UNUSED static double {prefix}_times(double weight, double x)
{{
    volatile double product = weight * x;
    return product;
}}

/* A discriminant that overflowed into no number at all is the least. */
{macro}_UNUSED static double {prefix}_total(double discriminant)
{{
    volatile double huge = 1e308;
    return discriminant == discriminant ? discriminant : -(huge * 10.0);
}}

{functions}

{answers}
#endif
"""

AT_ONE_LEAF = """
static const int {prefix}_labels[{n_leaves}] = {{
{labels}
}};

/* The place of the row's class in {prefix}_classes. */
{macro}_UNUSED static int {prefix}_predict(const struct {prefix}_row *row)
{{
    return {prefix}_labels[{prefix}_node_0(row)];
}}

/* The probability of each class, in the order of {prefix}_classes. */
{macro}_UNUSED static void {prefix}_proba(const struct {prefix}_row *row, double out[{n_classes}])
{{
    const double *share = {prefix}_shares[{prefix}_node_0(row)];
    int i;
    for (i = 0; i < {n_classes}; ++i) out[i] = share[i];
}}
"""

IN_PARTS = """
/* The probability of each class, in the order of {prefix}_classes. The row may be in several
   leaves, since a missing value sends it down every branch of a test, in parts. */
{macro}_UNUSED static void {prefix}_proba(const struct {prefix}_row *row, double out[{n_classes}])
{{
    double parts[{n_leaves}] = {{0.0}};
    int leaf, i;
    {prefix}_node_0(row, 1.0, parts);
    for (i = 0; i < {n_classes}; ++i) out[i] = 0.0;
    for (leaf = 0; leaf < {n_leaves}; ++leaf) {{
        if (!(parts[leaf] > 0.0)) continue;
        for (i = 0; i < {n_classes}; ++i)
            out[i] += {prefix}_times(parts[leaf], {prefix}_shares[leaf][i]);
    }}
}}

/* The place of the row's class in {prefix}_classes: the most probable, the first of equals. */
{macro}_UNUSED static int {prefix}_predict(const struct {prefix}_row *row)
{{
    double share[{n_classes}];
    int i, best = 0;
    {prefix}_proba(row, share);
    for (i = 1; i < {n_classes}; ++i)
        if (share[i] > share[best]) best = i;
    return best;
}}
"""

SAME = """\
static int {prefix}_same(const char *a, const char *b)
{{
    while (*a != 0 && *a == *b) {{
        ++a;
        ++b;
    }}
    return *a == *b;
}}
"""

CODE = """\
/* The code of a symbol of {name}; {n} is any that training never saw. */
{macro}_UNUSED static int {prefix}_code_{field}(const char *symbol)
{{
    static const char *const known[{n}] = {{
{symbols}
    }};
    int code;
    if (symbol == 0) return -1;
    for (code = 0; code < {n}; ++code)
        if ({prefix}_same(symbol, known[code])) break;
    return code;
}}
"""


class _C(Language):
    if_, elif_, else_, end = "if ({}) {{", "else if ({}) {{", "else {", "}"
    put, do, missing_number = "parts[{}] = {};", "{};", "{0} != {0}"
    return_, not_, and_, or_ = "return {};", "!({})", " && ", " || "
    pick, local = "({0} ? {1} : {2})", "const double {} = {};"
    missing_symbol, known_symbol = "{} == -1", "{} != -1"

    def __init__(self, tree: Tree, prefix: str, fields: Sequence[str]) -> None:
        super().__init__(tree, [f"row->{field}" for field in fields])
        self.prefix = prefix
        self.total = f"{prefix}_total({{}})"
        self.product = f"{prefix}_times({{}}, {{}})"
        self.place = dict(zip(tree.is_leaf.nonzero()[0].tolist(), range(tree.n_leaves)))

    def number(self, value: float) -> str:
        return repr(float(value))

    def is_one_of(self, feature: int, symbols: Sequence[int]) -> str:
        x = self.names[feature]
        return " || ".join(f"{x} == {s}" for s in symbols)

    def call(self, node: int, part: str = "part") -> str:
        return f"{self.prefix}_node_{node}(row{f', {part}, parts' if self.in_parts else ''})"

    def head(self, node: int) -> str:
        row = f"const struct {self.prefix}_row *row"
        if self.in_parts:
            return f"static void {self.prefix}_node_{node}({row}, double part, double *parts)\n{{"
        return f"static int {self.prefix}_node_{node}({row})\n{{" + (
            "\n    (void)row;" if self.tree.n_tests == 0 else ""
        )

    def leaf(self, node: int) -> str:
        return str(self.place[node])

    def comment(self, text: str) -> str:
        return f" /* {_remark(text)} */"


def to_c(model: Model, *, name: str = "model") -> str:
    """Write a tree as a header of C99 that needs no other.

    Parameters
    ----------
    model : PlaneTreeClassifier or Tree
        A fitted one.
    name : str, default="model"
        What all its names begin with.

    Returns
    -------
    str
        The header; ``name_predict`` and ``name_proba`` take a ``struct name_row``.

    Examples
    --------
    >>> from planetree import export
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> tree = CART(pruner=Unpruned()).fit({"petal width": [0.2, 1.8]}, ["small", "large"])
    >>> header = export.to_c(tree, name="iris")
    >>> "double petal_width;" in header, "row->petal_width" in header
    (True, True)
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) or name in RESERVED:
        raise ValueError(f"name must be a word that C can use, such as model, not {name!r}")
    tree = tree_of(model, "C")
    fields = identifiers(tree.schema.names, RESERVED)
    language = _C(tree, name, fields)
    macro = name.upper()
    leaves = tree.is_leaf.nonzero()[0].tolist()
    used = used_features(tree)
    coded = [
        _coding(name, macro, fields[f], tree.schema.features[f])
        for f in used
        if tree.schema.features[f].kind == "symbolic"
    ]
    names = {
        "prefix": name,
        "macro": macro,
        "n_classes": len(tree.classes),
        "n_leaves": len(leaves),
    }
    labels = "\n".join(f"    {tree.labels[i]}," for i in leaves)
    answers = IN_PARTS if language.in_parts else AT_ONE_LEAF
    declared = [_field(fields[f], tree.schema.features[f]) for f in used]
    return TEMPLATE.format(
        **names,
        summary=summary(tree),
        guard=f"{macro}_H",
        classes="\n".join(f"    {_string(str(label))}," for label in tree.classes),
        fields="\n".join(declared) or "    char nothing; /* the tree asks for no feature */",
        coding="\n".join([SAME.format(prefix=name), *coded, ""]) if coded else "",
        shares="\n".join(
            f"    {{{', '.join(map(repr, tree.probabilities[i].tolist()))}}}," for i in leaves
        ),
        functions="\n\n".join("\n".join(lines) for lines in language.functions()),
        answers=answers.format(**names, labels=labels).strip("\n") + "\n",
    )


def _field(field: str, feature: Feature) -> str:
    kind = "int" if feature.kind == "symbolic" else "double"
    return f"    {kind} {field}; /* {_remark(feature.name)} */"


def _coding(prefix: str, macro: str, field: str, feature: Feature) -> str:
    return CODE.format(
        prefix=prefix,
        macro=macro,
        field=field,
        name=_remark(feature.name),
        n=len(feature.symbols),
        symbols="\n".join(f"        {_string(str(symbol))}," for symbol in feature.symbols),
    )


def _string(text: str) -> str:
    """A literal of plain ASCII; the question mark could begin a trigraph."""
    if "\0" in text:
        raise ValueError(f"C ends a string at its first null character, so it cannot hold {text!r}")
    plain = (
        chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in text.encode()
    )
    return f'"{"".join(plain)}"'


def _remark(text: str) -> str:
    """Words that neither end a comment nor begin one, in ASCII."""
    plain = ascii(text)[1:-1].replace("?", ".")
    return plain.replace("*/", "* /").replace("/*", "/ *")
