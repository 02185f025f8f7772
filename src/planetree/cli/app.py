"""The commands: what typer has read goes to `planetree.cli.work`, what comes back is printed."""

from __future__ import annotations

import inspect
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

import planetree
from planetree import choices
from planetree.cli import bundled, cases, changes, models, options, output, papers, studies, work
from planetree.cli.guard import Commands
from planetree.cli.shared import (
    as_json,
    load_model,
    load_predictor,
    one_result,
    open_data,
    usage,
)
from planetree.estimator import PlaneTreeClassifier
from planetree.progress import Bar
from planetree.rule_classifier import RuleClassifier
from planetree.rules import RuleSet
from planetree.sources import read_labelled, read_training

__all__ = ["app"]

TREE_LINES = 100  # a larger tree is not flung at somebody who asked for a fit

app = typer.Typer(
    name="planetree",
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"planetree {planetree.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _planetree(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version and exit.",
            metavar="",
            callback=_version,
            is_eager=True,
            show_default=False,
        ),
    ] = False,
) -> None:
    """Decision trees to be read: fit them to a table, show them, predict and explain rows.

    Try it on a data set that comes with planetree:

      $ planetree fit bundled:iris -o iris.json
      $ planetree show iris.json

    Exit codes: 0 fine; 1 the data or the model is at fault; 2 the usage is;
    130 interrupted.
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def fit(
    data: options.DataFile,
    target: options.Target = None,
    weight: options.Weight = None,
    drop: options.Drop = None,
    symbolic: options.Symbolic = None,
    format: options.Format = None,
    preset: options.Preset = "cart",
    merit: options.Merit = None,
    symbols: options.Symbols = None,
    learner: options.Learner = None,
    selector: options.Selector = None,
    univariate: options.Univariate = None,
    max_features: options.MaxFeatures = None,
    min_rows_per_feature: options.MinRowsPerFeature = None,
    refiner: options.Refiner = None,
    pruner: options.Pruner = None,
    max_depth: options.MaxDepth = None,
    max_leaves: options.MaxLeaves = None,
    min_rows: options.MinRows = None,
    min_leaf_rows: options.MinLeafRows = None,
    min_share: options.MinShare = None,
    min_merit: options.MinMerit = None,
    class_weight: options.ClassWeight = None,
    threads: options.Threads = None,
    cv: options.Folds = None,
    seed: options.Seed = 0,
    out: options.ModelOutput = None,
    json: options.Json = False,
) -> None:
    """Fit a tree, or rules, to a table, show it and write the model.

    Examples, with data that comes with planetree, and with a file of your own:

      $ planetree fit bundled:glass --cv 10 -o glass.json
      $ planetree fit bundled:car --merit gain-ratio --min-leaf-rows 5
      $ planetree fit bundled:bupa --learner rls --selector sbe --pruner mtp
      $ planetree fit bundled:vote --preset c45-rules -o rules.json
      $ planetree fit trips.csv --target choice --drop id -o trips.json
      $ planetree fit - --target choice -o - < trips.csv > trips.json

    A column of numbers is numeric, one of words symbolic. An empty cell, ? or NA is
    a missing value. --json tells programs the size, the features, the classes and
    the figures of --cv.
    """
    one_result(json, out)
    source = open_data(data, format)
    target = target or source.known_target
    if target is None:
        raise typer.BadParameter("which column holds the class?", param_hint="--target")
    left_out = [target, *([weight] if weight is not None else []), *(drop or [])]
    for column in left_out:
        if left_out.count(column) > 1:
            raise typer.BadParameter(
                f"{column} is given more than once", param_hint=["--target", "--weight", "--drop"]
            )
    estimator = _estimator(
        preset,
        {
            "merit": merit,
            "symbols": symbols,
            "learner": learner,
            "selector": selector,
            "refiner": refiner,
            "pruner": pruner,
        },
        class_weight,
        univariate=univariate,
        max_features_per_test=max_features,
        min_rows_per_feature=min_rows_per_feature,
        random_state=seed or None,
        max_depth=max_depth,
        max_leaves=max_leaves,
        min_rows=min_rows,
        min_leaf_rows=min_leaf_rows,
        min_share=min_share,
        min_merit=min_merit,
        n_threads=threads,
    )
    output.check_output(out, [source.path])
    training = read_training(
        source, target, weight=weight, drop=drop or [], symbolic=symbolic or []
    )
    comparison = None
    if cv is not None:
        from planetree.cli import compare  # scikit-learn's trees take a while to import

        with Bar("folds") as bar:
            comparison = compare.cross_validate(estimator, training, cv, seed, bar)
    with Bar() as bar:
        made = work.fit(estimator, training, bar)
    predictor = made.rules_ if isinstance(made, RuleClassifier) else made
    found = predictor if isinstance(predictor, RuleSet) else predictor.tree_
    if out is not None:
        output.write_output(out, models.model_text(predictor))
    if json:
        told = models.facts(found)
        if comparison is not None:
            told["cross_validation"] = comparison.facts()
        output.write_output("-", as_json(told))
        return

    screen = output.console(stderr=out == "-")
    depth = None
    if isinstance(found, RuleSet):
        screen.print(output.visible(found.to_text()))
    else:
        depth = output.depth_that_fits(found, TREE_LINES)
        output.print_tree(screen, found, max_depth=depth)
    screen.print()
    screen.print(models.summary(found))
    verdict = getattr(made, "verdict_", None)
    if verdict is not None:
        screen.print(verdict)
    if depth is not None:
        model = "MODEL" if out in (None, "-") else out
        screen.print(output.visible(f"shown to depth {depth}; planetree show {model} shows it all"))
    if comparison is not None:  # below the tree, which may be longer than the screen
        screen.print(f"\n{cv}-fold cross-validation, stratified, shuffled with seed {seed}:")
        output.print_scores(screen, comparison.scores)
        for note in comparison.notes:
            screen.print(output.visible(note))
        screen.print()
    if out is None:
        screen.print("no model written; -o FILE keeps it")
    elif out != "-":
        screen.print(output.visible(f"model written to {out}"))


@app.command()
def show(
    model: options.ModelFile,
    digits: options.Digits = 6,
    max_depth: options.ShownDepth = None,
    nodes: options.Nodes = False,
    picture: options.Picture = None,
    json: options.Json = False,
) -> None:
    """Show the tree of a model, or rules, and how large it is.

    MODEL may also be rules, of planetree rules -o or planetree fit --preset c45-rules.

    Examples, with the model of planetree fit bundled:iris -o iris.json:

      $ planetree show iris.json
      $ planetree show iris.json --max-depth 2 --digits 3
      $ planetree show iris.json --picture iris.svg
      $ planetree show iris.json --json

    With --json it tells programs the size, the features and the classes. A picture
    is drawn besides.
    """
    output.check_output(picture, [model])
    predictor = load_predictor(model)
    found = predictor if isinstance(predictor, RuleSet) else predictor.tree_
    if isinstance(found, RuleSet):
        of_trees = {"--max-depth": max_depth, "--nodes": nodes or None, "--picture": picture}
        for option, value in of_trees.items():
            if value is not None:
                raise typer.BadParameter("has no meaning with rules", param_hint=option)
    elif picture is not None:
        work.draw(lambda: planetree.show.tree(found, max_depth=max_depth, digits=digits), picture)
    if json:
        output.write_output("-", as_json(models.facts(found)))
        return
    screen = output.console()
    if isinstance(found, RuleSet):
        screen.print(output.visible(found.to_text(digits=digits)))
    else:
        output.print_tree(screen, found, digits=digits, max_depth=max_depth, numbers=nodes)
    screen.print()
    screen.print(models.summary(found))


@app.command()
def report(
    model: options.ModelFile,
    data: options.OptionalData = None,
    target: options.Target = None,
    weight: options.Weight = None,
    out: options.PageOutput = "report.html",
    title: options.Title = None,
    folds: options.ReportFolds = 10,
    seed: options.Seed = 0,
    format: options.Format = None,
) -> None:
    """Write a page of HTML that shows a model, and how good it is.

    The page is one file that loads nothing: the tree to explore, its figures, a form for a case of
    one's own, and its rules. With DATA the tree is fitted anew to all folds but one, beside
    logistic regression and scikit-learn's tree.

    Examples, with the model of planetree fit bundled:iris -o iris.json:

      $ planetree report iris.json bundled:iris -o iris.html
      $ planetree report iris.json -o iris.html
    """
    from planetree.report import report as write_report  # scikit-learn's models take a while

    tree = load_model(model, data or "")
    output.check_output(out, [model, *([data] if data else [])])
    cases: dict[str, Any] = {}
    if data is not None:
        source = open_data(data, format)
        target = target or source.known_target
        if target is None:
            raise typer.BadParameter("which column holds the class?", param_hint="--target")
        rows = read_labelled(source, tree.tree_.schema, target, weight=weight)
        cases = {"X": rows.X, "y": rows.y, "sample_weight": rows.weight}
    text = io.StringIO()
    heading = title or "Decision tree" + (f": {source.name}" if data is not None else "")
    with Bar("folds") as bar:
        how: dict[str, Any] = {"cv": folds, "random_state": seed, "progress": bar}
        write_report(tree, text, **cases, title=heading, **how)
    output.write_output(out, text.getvalue())
    if out != "-":
        output.console(stderr=True).print(output.visible(f"page written to {out}"))


@app.command()
def export(
    model: options.ModelFile,
    to: options.ExportTo,
    out: options.ExportOutput = None,
    table: options.ExportTable = None,
    dialect: options.ExportDialect = None,
    keep_column: options.ExportKeep = None,
    name: options.ExportName = None,
    single: options.ExportSingle = False,
) -> None:
    """Write a model for other programs: each predicts what planetree predicts.

    Examples, with the model of planetree fit bundled:iris -o iris.json:

      $ planetree export iris.json --to python -o iris.py
      $ planetree export iris.json --to sql --dialect sqlite --table flowers
      $ planetree export iris.json --to onnx -o iris.onnx
    """
    with usage("--to"):
        write = choices.choose("format", to, choices.EXPORTS)
    said: dict[str, Any] = {"table": table, "dialect": dialect, "keep": keep_column}
    said |= {"name": name, "single": single or None}
    given = {option: value for option, value in said.items() if value is not None}
    for option in given:
        if option not in inspect.signature(write).parameters:
            flag = f"--{option}" + ("-column" if option == "keep" else "")
            raise typer.BadParameter(f"has no meaning with --to {to}", param_hint=flag)
    output.check_output(out, [model])
    tree = load_model(model)
    try:
        exported = write(tree, **given)
    except ValueError as error:
        raise type(error)(f"{model}: {error}") from None
    if isinstance(exported, str):
        output.write_output(out, exported)
    elif out in (None, "-"):
        output.write_bytes(exported.SerializeToString())
    else:
        Path(str(out)).write_bytes(exported.SerializeToString())
    if out not in (None, "-"):
        output.console(stderr=True).print(output.visible(f"exported to {out}"))


def _estimator(
    preset: str, words: Mapping[str, str | None], class_weight: str | None, **values: float | None
) -> PlaneTreeClassifier | RuleClassifier:
    """Make the estimator; what was not given is the preset's business."""
    given: dict[str, Any] = {name: value for name, value in values.items() if value is not None}
    for name, word in words.items():
        if word is not None:
            with usage(f"--{name}"):
                given[name] = choices.resolve(name, word, choices.PLUG_INS[name])
    if class_weight is not None:
        with usage("--class-weight"):
            known = choices.CLASS_WEIGHTS
            given["class_weight"] = choices.choose("class weight", class_weight, known)
    with usage("--preset"):
        estimator = choices.resolve("preset", preset, choices.PRESETS, **given)
    try:
        estimator._check_options()
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    return estimator


app.command()(cases.predict)
app.command()(cases.explain)
app.command()(cases.counterfactual)
app.command()(changes.prune)
app.command()(changes.path)
app.command("round")(changes.round_)
app.command()(changes.rules)
app.command()(studies.bench)
app.command()(studies.tables)
app.command("reproduce")(papers.reproduce_paper)
app.command()(bundled.datasets)
