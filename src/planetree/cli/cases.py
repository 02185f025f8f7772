"""The commands that ask a model about rows: predict, explain, counterfactual."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import typer

from planetree.cli import models, options, output, work
from planetree.cli.shared import as_json, load_model, load_predictor, open_data
from planetree.counterfactual import Counterfactual
from planetree.rules import Fired, RuleSet
from planetree.sources import n_rows, read_rows
from planetree.text import counted
from planetree.tree import Explanation

__all__ = ["counterfactual", "explain", "predict"]


def predict(
    model: options.ModelFile,
    data: options.DataFile,
    out: options.TableOutput = None,
    proba: options.Proba = False,
    keep: options.Keep = False,
    score: options.TrueClass = None,
    json: options.Json = False,
    format: options.Format = None,
) -> None:
    """Predict the class of every row of a table, as CSV.

    MODEL may also be rules, of planetree rules -o or planetree fit --preset c45-rules.

    Examples, with the model of planetree fit bundled:iris -o iris.json:

      $ planetree predict iris.json bundled:iris --score class -o predicted.csv
      $ planetree predict iris.json bundled:iris --proba --keep | head -3
      $ planetree predict - bundled:iris < iris.json > predicted.csv

    Columns are found by name; those the model does not know are ignored.
    """
    source = open_data(data, format)
    predictor = load_predictor(model, data)
    if proba and isinstance(predictor, RuleSet):
        raise typer.BadParameter("rules have no probabilities", param_hint="--proba")
    output.check_output(out, [source.path, model])
    schema = models.schema_of(predictor)
    columns = read_rows(source, schema, also=[score] if score is not None else [])
    kept = (columns if json else source.read(columns)) if keep else {}  # numbers, or as written
    predicted, table = work.predictions(predictor, source.name, columns, proba=proba, keep=kept)
    accuracy = None if score is None else work.accuracy(predicted, source, columns, score)
    output.write_output(out, as_json(work.records(table)) if json else work.csv_text(table))
    told = output.console(stderr=True)
    if accuracy is not None:
        told.print(accuracy)
    if out not in (None, "-"):
        told.print(output.visible(f"{counted(n_rows(columns), 'prediction')} written to {out}"))


def explain(
    model: options.ModelFile,
    data: options.DataFile,
    row: options.Rows = None,
    turns: options.Changes = False,
    json: options.Json = False,
    format: options.Format = None,
) -> None:
    """Explain rows: the tests on their way through the tree, and how close each was.

    MODEL may also be rules, of planetree rules -o: then the rule that fires.

    A margin is the distance from the cut: with a margin of 0.05, the row would
    have gone the other way had its value been 0.05 less.

    Examples, with the model of planetree fit bundled:iris -o iris.json:

      $ planetree explain iris.json bundled:iris --row 70
      $ planetree explain iris.json bundled:iris --row 70 --changes
      $ planetree explain iris.json bundled:iris --row 70 --row 149 --json
    """
    source = open_data(data, format)
    predictor = load_predictor(model, data)
    if turns and isinstance(predictor, RuleSet):
        raise typer.BadParameter("rules do not tell them; a tree does", param_hint="--changes")
    explained = work.explain(predictor, source, row or [])
    if json:
        output.write_output("-", as_json([_entry(i, why) for i, why in explained]))
        return
    screen = output.console()
    for i, why in explained:
        screen.print(f"row {i}")
        text = str(why) if isinstance(why, Fired) else why.to_text(changes=turns)
        for line in text.split("\n"):
            screen.print(f"  {output.visible(line)}")


def counterfactual(
    model: options.ModelFile,
    data: options.DataFile,
    row: options.Rows = None,
    to: options.ToClass = None,
    frozen: options.Frozen = None,
    bounds: options.ValueBounds = None,
    cost: options.Costs = None,
    fill: options.Fill = None,
    switch_cost: options.SwitchCost = 1.0,
    json: options.Json = False,
    format: options.Format = None,
) -> None:
    """Find the smallest change of a row that gets it another class; proven smallest.

    A change of a number costs its size in standard deviations of the column in
    DATA, another symbol or boolean costs --switch-cost.

    Examples, with the model of planetree fit bundled:iris -o iris.json:

      $ planetree counterfactual iris.json bundled:iris --row 60
      $ planetree counterfactual iris.json bundled:iris --row 60 --to Iris-virginica
      $ planetree counterfactual iris.json bundled:iris --row 60 --bounds petal_width=:1.5
    """
    pairs = [work.pair("--bounds", word, "COLUMN=LOW:HIGH") for word in bounds or []]
    costs = [work.pair("--cost", word, "COLUMN=NUMBER") for word in cost or []]
    source = open_data(data, format)
    found = work.counterfactuals(
        load_model(model, data),
        source,
        row or [],
        to,
        frozen=frozen or [],
        bounds={name: work.interval(name, text) for name, text in pairs},
        weights={name: work.number("--cost", name, text) for name, text in costs},
        fill=fill or [],
        switch_cost=switch_cost,
    )
    if json:
        output.write_output("-", as_json([_counterfactual_entry(i, change) for i, change in found]))
        return
    screen = output.console()
    for i, change in found:
        screen.print(f"row {i}")
        said = "no allowed change gets another class" if change is None else str(change)
        for line in said.split("\n"):
            screen.print(f"  {output.visible(line)}")


def _counterfactual_entry(row: int, change: Counterfactual | None) -> dict[str, Any]:
    if change is None:
        return {"row": row, "counterfactual": None}
    labels = {str(label): share for label, share in change.probabilities.items()}
    return {
        "row": row,
        "counterfactual": {
            **asdict(change),
            "binding": list(change.binding),
            "probabilities": labels,
        },
    }


def _entry(row: int, why: Explanation | Fired) -> dict[str, Any]:
    if isinstance(why, Fired):
        return {
            "row": row,
            "prediction": why.label,
            "rule": None if why.place is None else why.place + 1,
            "accuracy": why.accuracy,
            "met": [asdict(met) for met in why.met],
        }
    return {
        "row": row,
        "prediction": why.label,
        "probabilities": {str(label): share for label, share in why.probabilities.items()},
        "leaf": why.leaf,
        "shares": why.shares,
        "steps": [
            {
                "node": step.node,
                "condition": step.condition,
                "values": step.values,
                "unseen": list(step.unseen),
                "margin": step.margin,
                "changes": step.changes,
                "switches": {name: list(values) for name, values in step.switches.items()},
                "contributions": step.contributions,
            }
            for step in why.steps
        ],
    }
