"""The commands that make another tree, or rules, of a model: prune, path, round, rules."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from planetree import choices, show
from planetree.cli import models, options, output, work
from planetree.cli.shared import as_json, load_model, one_result, open_data, usage
from planetree.costs import Cost
from planetree.estimator import PlaneTreeClassifier
from planetree.labels import read_cases
from planetree.pruners import cost_complexity_pruning_path
from planetree.sources import Data
from planetree.surgery import tally

__all__ = ["path", "prune", "round_", "rules"]

Cases = Annotated[
    str | None,
    typer.Argument(
        metavar="DATA",
        help="Cases with their classes, as for planetree fit.",
        show_default=False,
    ),
]


def prune(
    model: options.ModelFile,
    data: Cases = None,
    pruner: options.PrunedBy = None,
    at: options.At = None,
    training: options.GrownFrom = None,
    target: options.Target = None,
    format: options.Format = None,
    out: options.ModelOutput = None,
    json: options.Json = False,
) -> None:
    """Make the tree of a model smaller, and tell what that costs.

    DATA are the cases that the pruner counts: new ones for reduced-error,
    cost-complexity and mtp, those of the fit for hyperplane-merging; pessimistic
    needs none. --at cuts by hand; planetree show --nodes shows the numbers.

    Examples, with the model of planetree fit bundled:glass -o glass.json:

      $ planetree prune glass.json --pruner pessimistic -o small.json
      $ planetree prune glass.json bundled:glass --pruner reduced-error
      $ planetree prune glass.json bundled:glass --at 3 --at 8
    """
    one_result(json, out)
    if (pruner is None) == (not at):
        raise typer.BadParameter(
            "say how: --pruner NAME, or --at N", param_hint=["--pruner", "--at"]
        )
    grown, cases, source = _open(model, data, target, format)
    output.check_output(out, [model, source.path if source else None])
    if pruner is None:
        with usage("--at"):
            try:
                pruned = grown.with_tree(grown.tree_.prune_at(at or []))
            except IndexError as error:
                raise choices.ChoiceError(str(error)) from None
    else:
        with usage("--pruner"):
            made = choices.resolve("pruner", pruner, choices.PRUNERS)
            made.check()
        both = work.read_cases(grown, Data(training, format), target) if training else None
        pruned = grown.prune(made, *(cases or ()), training=both)
    _tell(grown, pruned, grown.cost(pruned, *(cases or ())), out, json)


def path(
    model: options.ModelFile,
    data: Cases = None,
    step: options.Step = None,
    target: options.Target = None,
    format: options.Format = None,
    out: options.ModelOutput = None,
    picture: options.PathPicture = None,
    json: options.Json = False,
) -> None:
    """Show the weakest-link path of a tree: ever smaller trees, each within the one before.

    Each is the best where a leaf costs its price, as a share of all cases, or a
    little more. DATA are cases that the tree was not grown from: their errors tell
    which tree to take. --step takes it, and tells what that costs.

    Examples, with the model of planetree fit bundled:glass -o glass.json:

      $ planetree path glass.json
      $ planetree path glass.json bundled:glass --picture path.svg
      $ planetree path glass.json --step 1 -o small.json
    """
    one_result(json, out)
    if out is not None and step is None:
        raise typer.BadParameter("which tree of the path? say --step N", param_hint="-o")
    grown, cases, source = _open(model, data, target, format)
    for written in (out, picture):
        output.check_output(written, [model, source.path if source else None])
    links = cost_complexity_pruning_path(grown.tree_)
    if picture is not None:
        work.draw(lambda: show.pruning_path(grown, *(cases or ())), picture)
    if step is not None:
        with usage("--step"):
            try:
                taken = grown.with_tree(links.tree(step))
            except IndexError as error:
                raise choices.ChoiceError(str(error)) from None
        _tell(grown, taken, grown.cost(taken, *(cases or ())), out, json)
        return
    table: dict[str, list[Any]] = {
        "step": list(range(len(links))),
        "price": links.alphas.tolist(),
        "leaves": links.n_leaves.tolist(),
        "training_errors": links.risks.tolist(),
    }
    if cases is not None:
        held = read_cases(grown.tree_.schema, grown.tree_.classes, *cases)
        table["errors"] = (links.errors(tally(grown.tree_, held)) / held.n_rows).tolist()
    if json:
        output.write_output("-", as_json(work.records(table)))
    else:
        output.print_path(output.console(), table)


def round_(
    model: options.ModelFile,
    data: Cases = None,
    digits: options.Digits = 3,
    target: options.Target = None,
    format: options.Format = None,
    out: options.ModelOutput = None,
    json: options.Json = False,
) -> None:
    """Round the weights and cuts of a model for good, and tell what that costs.

    The tree is then the very one that planetree show prints. DATA are cases to
    judge by.

    Examples, with the model of planetree fit bundled:iris --learner rls -o iris.json:

      $ planetree round iris.json bundled:iris --digits 2
      $ planetree round iris.json bundled:iris --digits 2 -o short.json
    """
    one_result(json, out)
    grown, cases, source = _open(model, data, target, format)
    output.check_output(out, [model, source.path if source else None])
    short = grown.rounded(digits)
    cost = None if cases is None else grown.cost(short, *cases)
    _tell(grown, short, cost, out, json, digits)


def rules(
    model: options.ModelFile,
    data: Cases = None,
    digits: options.Digits = 6,
    confidence: options.Confidence = 0.25,
    target: options.Target = None,
    format: options.Format = None,
    out: options.RuleOutput = None,
    json: options.Json = False,
) -> None:
    """Show the tree of a model as rules.

    Without DATA every path is a rule. With the cases the tree was grown from,
    conditions that do no good go, and the rules stand in the order in which they
    are asked: the first that fires decides.

    Examples, with the model of planetree fit bundled:iris -o iris.json:

      $ planetree rules iris.json
      $ planetree rules iris.json bundled:iris -o rules.json
    """
    grown, cases, source = _open(model, data, target, format)
    output.check_output(out, [model, source.path if source else None])
    found = grown.to_rules(*(cases or ()), confidence=confidence)
    if out is not None:
        output.write_output(out, found.to_json())
        if out == "-":
            return
    if json:
        output.write_output("-", found.to_json())
        return
    screen = output.console()
    screen.print(output.visible(found.to_text(digits=digits)))
    if out is not None:
        screen.print(output.visible(f"\nrules written to {out}"))


def _open(
    model: str, data: str | None, target: str | None, format: str | None
) -> tuple[PlaneTreeClassifier, Any, Data | None]:
    grown = load_model(model, data or "")
    if data is None:
        return grown, None, None
    source = open_data(data, format)
    return grown, work.read_cases(grown, source, target), source


def _tell(
    grown: PlaneTreeClassifier,
    changed: PlaneTreeClassifier,
    cost: Cost | None,
    out: str | None,
    json: bool,
    digits: int = 6,
) -> None:
    if out is not None:
        output.write_output(out, models.model_text(changed))
    if json:
        told = {**models.facts(changed.tree_), "cost": None if cost is None else asdict(cost)}
        output.write_output("-", as_json(told))
        return
    screen = output.console(stderr=out == "-")
    output.print_tree(screen, changed.tree_, digits=digits)
    screen.print()
    screen.print(models.summary(changed.tree_))
    if cost is not None:
        screen.print()
        screen.print(str(cost))
    if out is None:
        screen.print("\nno model written; -o FILE keeps it")
    elif out != "-":
        screen.print(output.visible(f"\nmodel written to {out}"))
