"""The arguments and options of the commands: names, help and completion."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer

import planetree
from planetree.bench.data import GENERATORS
from planetree.choices import (
    CLASS_WEIGHTS,
    EXPORTS,
    FORMATS,
    LEARNERS,
    MERITS,
    PRESETS,
    PRUNERS,
    REFINERS,
    SELECTORS,
    SYMBOLS,
)
from planetree.export import DIALECTS
from planetree.sources import BUNDLED

__all__: list[str] = []  # one name an option; `planetree.cli.app` takes them from the module

DATA = "The data"
TREE = "The tree"


def starting(known: Iterable[str]) -> Callable[[str], list[str]]:
    """Complete what begins one of the known words.

    Parameters
    ----------
    known : iterable of str
        The words.

    Returns
    -------
    callable
        For typer: what has been typed to the words that it may become.
    """
    return lambda incomplete: [word for word in known if word.startswith(incomplete)]


def _sources(incomplete: str) -> list[str]:
    return starting(BUNDLED + name for name in planetree.datasets.names())(incomplete)


def option(*names: str, known: Iterable[str] = (), **settings: Any) -> Any:
    """Describe an option, which by default does not show its default.

    Parameters
    ----------
    *names : str
        How it is written.
    known : iterable of str
        Words that the shell completes.
    **settings : dict
        What typer knows besides.

    Returns
    -------
    object
        For `typing.Annotated`.
    """
    if known:
        settings["autocompletion"] = starting(known)
    return typer.Option(*names, **{"show_default": False, **settings})


def _number(help: str, **limits: Any) -> Any:
    return option(metavar="N", help=help, rich_help_panel=TREE, **limits)


# --- what is read and written -----------------------------------------------------------------

DataFile = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="A .csv, .tsv, .arff or .parquet file, - for standard input, or bundled:NAME.",
        autocompletion=_sources,
        show_default=False,
    ),
]
ModelFile = Annotated[
    str,
    typer.Argument(
        metavar="MODEL", help="A model file, or - for standard input.", show_default=False
    ),
]
OptionalData = Annotated[
    str | None,
    typer.Argument(
        metavar="[DATA]",
        help="Labelled rows: a file, - for standard input, or bundled:NAME.",
        autocompletion=_sources,
        show_default=False,
    ),
]
Format = Annotated[
    str | None,
    option(
        "--format",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)}. [dim]By default as DATA's name ends; csv for -.[/dim]",
        known=FORMATS,
        rich_help_panel=DATA,
    ),
]
ModelOutput = Annotated[
    str | None,
    option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the model here, - is standard output. [dim]By default it is not kept.[/dim]",
    ),
]
TableOutput = Annotated[
    str | None,
    option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the result here. [dim]By default to standard output.[/dim]",
    ),
]
Json = Annotated[bool, option("--json", metavar="", help="Print JSON instead.")]

# --- fit --------------------------------------------------------------------------------------

Target = Annotated[
    str | None,
    option(
        "--target",
        "-t",
        metavar="COLUMN",
        help="The column that holds the class. [dim]Known for bundled sets.[/dim]",
        rich_help_panel=DATA,
    ),
]
Weight = Annotated[
    str | None,
    option(
        "--weight",
        metavar="COLUMN",
        help="A column that holds the rows' weights.",
        rich_help_panel=DATA,
    ),
]
Drop = Annotated[
    list[str] | None,
    option(
        "--drop",
        metavar="COLUMN",
        help="Leave this column out; may be repeated.",
        rich_help_panel=DATA,
    ),
]
Symbolic = Annotated[
    list[str] | None,
    option(
        "--symbolic",
        metavar="COLUMN",
        help="Its numbers are names, such as codes; may be repeated.",
        rich_help_panel=DATA,
    ),
]
Preset = Annotated[
    str,
    option(
        "--preset",
        metavar="NAME",
        help=f"Where to start from: {', '.join(PRESETS)}.",
        known=PRESETS,
        rich_help_panel=TREE,
        show_default=True,
    ),
]


def _plug_in(name: str, help: str, known: Iterable[str]) -> Any:
    return option(
        f"--{name}",
        metavar="NAME",
        help=f"{help}: {', '.join(known)}. [dim]By default the preset's.[/dim]",
        known=known,
        rich_help_panel=TREE,
    )


Merit = Annotated[str | None, _plug_in("merit", "What makes a split good", MERITS)]
Symbols = Annotated[
    str | None,
    _plug_in(
        "symbols", "A branch for each value of a symbol, or for each group of values", SYMBOLS
    ),
]
Learner = Annotated[str | None, _plug_in("learner", "Finds the weights of linear tests", LEARNERS)]
Selector = Annotated[
    str | None, _plug_in("selector", "Picks the columns of a linear test", SELECTORS)
]
Refiner = Annotated[
    str | None, _plug_in("refiner", "Learns the tests of the grown tree anew", REFINERS)
]
Pruner = Annotated[str | None, _plug_in("pruner", "Makes the tree smaller", PRUNERS)]
Univariate = Annotated[
    bool | None,
    option(
        "--univariate/--no-univariate",
        help="Whether tests of one feature compete with linear ones.",
        rich_help_panel=TREE,
    ),
]
ClassWeight = Annotated[
    str | None,
    option(
        "--class-weight",
        metavar="balanced",
        help="balanced gives every class the same total weight.",
        known=CLASS_WEIGHTS,
        rich_help_panel=TREE,
    ),
]
MaxFeatures = Annotated[int | None, _number("Most features a test looks at.", min=1)]
MinRowsPerFeature = Annotated[
    float | None, _number("Rows that a linear test needs for each column.", min=0)
]
MaxDepth = Annotated[int | None, _number("Most tests on a path.", min=0)]
MaxLeaves = Annotated[int | None, _number("Most leaves.", min=1)]
MinRows = Annotated[int | None, _number("A node with fewer rows is a leaf.", min=0)]
MinLeafRows = Annotated[int | None, _number("No leaf gets fewer rows.", min=1)]
MinShare = Annotated[
    float | None, _number("A node with a smaller share of the rows is a leaf.", min=0, max=1)
]
MinMerit = Annotated[float | None, _number("No test is worth less.", min=0)]
Threads = Annotated[
    int | None, _number("Threads to use; the tree is the same. [dim]By default all.[/dim]", min=1)
]
Folds = Annotated[
    int | None,
    option(
        "--cv",
        metavar="K",
        min=2,
        help="Compare with scikit-learn's tree in a K-fold cross-validation.",
    ),
]
Seed = Annotated[
    int,
    option(
        "--seed",
        metavar="N",
        min=0,
        max=2**32 - 1,
        help="Shuffles the rows into folds; chance of learners and pruners.",
        show_default=True,
    ),
]

# --- predict, show, explain -------------------------------------------------------------------

Proba = Annotated[
    bool, option("--proba", metavar="", help="Add a column proba_CLASS for each class.")
]
Keep = Annotated[
    bool, option("--keep", metavar="", help="Begin with the columns of DATA as they are.")
]
TrueClass = Annotated[
    str | None,
    option(
        "--score",
        metavar="COLUMN",
        help="Compare with the classes in this column; standard error tells the accuracy.",
    ),
]
Digits = Annotated[
    int,
    option(
        "--digits",
        metavar="N",
        min=1,
        max=17,
        help="Significant digits of the cuts shown.",
        show_default=True,
    ),
]
ShownDepth = Annotated[
    int | None,
    option("--max-depth", metavar="N", min=0, help="Deeper nodes are counted, not shown."),
]
Picture = Annotated[
    str | None,
    option("--picture", metavar="FILE", help="Draw the tree (svg, pdf, png)."),
]
Rows = Annotated[
    list[int] | None,
    option(
        "--row",
        metavar="N",
        help="A row, counted from 0; may be repeated. [dim]By default all rows.[/dim]",
    ),
]

# --- report -----------------------------------------------------------------------------------

PageOutput = Annotated[
    str,
    option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the page here, - is standard output.",
        show_default=True,
    ),
]
Title = Annotated[str | None, option("--title", metavar="TEXT", help="The page's heading.")]
ReportFolds = Annotated[
    int,
    option("--cv", metavar="K", min=2, help="Folds of the cross-validation.", show_default=True),
]

# --- explain and counterfactual ---------------------------------------------------------------

Changes = Annotated[
    bool,
    option(
        "--changes",
        metavar="",
        help="Add what would have sent the row another way, and each feature's share.",
    ),
]
ToClass = Annotated[
    str | None,
    option("--to", metavar="CLASS", help="The class wanted. [dim]By default any other.[/dim]"),
]
Frozen = Annotated[
    list[str] | None,
    option("--frozen", metavar="COLUMN", help="It stays as it is; may be repeated."),
]
ValueBounds = Annotated[
    list[str] | None,
    option(
        "--bounds",
        metavar="COLUMN=LOW:HIGH",
        help="Where a changed number must lie, either end may be empty; may be repeated.",
    ),
]
Costs = Annotated[
    list[str] | None,
    option(
        "--cost",
        metavar="COLUMN=NUMBER",
        help="What its changes cost beside others', which cost 1; may be repeated.",
    ),
]
Fill = Annotated[
    list[str] | None,
    option(
        "--fill", metavar="COLUMN", help="A missing value here may become known; may be repeated."
    ),
]
SwitchCost = Annotated[
    float,
    option(
        "--switch-cost",
        metavar="NUMBER",
        help="What another symbol or boolean costs.",
        show_default=True,
    ),
]

# --- export -----------------------------------------------------------------------------------

ExportTo = Annotated[
    str,
    option("--to", metavar="FORMAT", help=f"{', '.join(EXPORTS)}.", known=EXPORTS),
]
ExportOutput = Annotated[
    str | None,
    option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the export here. [dim]By default to standard output.[/dim]",
    ),
]
ExportTable = Annotated[
    str | None, option("--table", metavar="NAME", help="sql: the table with the rows.")
]
ExportDialect = Annotated[
    str | None,
    option(
        "--dialect",
        metavar="NAME",
        help=f"sql: {', '.join(DIALECTS)}.",
        known=DIALECTS,
    ),
]
ExportKeep = Annotated[
    list[str] | None,
    option(
        "--keep-column",
        metavar="COLUMN",
        help="sql: a column to stand beside the predictions; may be repeated. "
        "[dim]By default the features.[/dim]",
    ),
]
ExportName = Annotated[
    str | None, option("--name", metavar="NAME", help="c: what all names begin with.")
]
ExportSingle = Annotated[
    bool, option("--single", metavar="", help="onnx: numbers of single precision.")
]
Nodes = Annotated[
    bool, option("--nodes", metavar="", help="Show the number of the node on each line.")
]

# --- prune, round, rules ----------------------------------------------------------------------

PrunedBy = Annotated[
    str | None,
    option("--pruner", metavar="NAME", help=f"How: {', '.join(PRUNERS)}.", known=PRUNERS),
]
At = Annotated[
    list[int] | None,
    option("--at", metavar="N", min=0, help="Make a leaf of this node; may be repeated."),
]
Step = Annotated[
    int | None,
    option("--step", metavar="N", min=0, help="Take the tree of this step; -o keeps it."),
]
PathPicture = Annotated[
    str | None,
    option("--picture", metavar="FILE", help="Draw errors against leaves (svg, pdf, png)."),
]
GrownFrom = Annotated[
    str | None,
    option(
        "--training",
        metavar="FILE",
        help="The cases of the fit, for a pruner that learns tests anew from them.",
    ),
]
Confidence = Annotated[
    float,
    option(
        "--confidence",
        metavar="CF",
        help="How cautious the accuracy expected of a rule is, up to 0.5; smaller is more so.",
        show_default=True,
    ),
]
RuleOutput = Annotated[
    str | None, option("--output", "-o", metavar="FILE", help="Write the rules here, as JSON.")
]

# --- datasets ---------------------------------------------------------------------------------

DataSetName = Annotated[
    str | None,
    typer.Argument(
        metavar="[NAME]",
        help="A bundled set, or a generator with its options: wave:n=500.",
        autocompletion=starting([*planetree.datasets.names(), *GENERATORS]),
        show_default=False,
    ),
]
DrawnBy = Annotated[
    int,
    option(
        "--seed",
        metavar="N",
        min=0,
        max=2**32 - 1,
        help="What a generator draws by.",
        show_default=True,
    ),
]
