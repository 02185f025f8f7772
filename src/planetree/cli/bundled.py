"""The command `datasets`: what comes with planetree, and a set of it as a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import typer

import planetree
from planetree.bench.data import GENERATORS
from planetree.choices import ChoiceError, resolve, unknown
from planetree.cli import options, output, work
from planetree.cli.shared import as_json, one_result, usage
from planetree.datasets._bundled import describe, index
from planetree.sources import BUNDLED, Columns, Data, is_number, n_rows
from planetree.text import counted

__all__ = ["datasets"]

HEAD = ("bundled", "rows", "features", "symbolic", "classes", "missing", "")
NAME = 18  # letters of the longest name


def datasets(
    name: options.DataSetName = None,
    out: options.TableOutput = None,
    seed: options.DrawnBy = 0,
    json: options.Json = False,
) -> None:
    """List the data sets that come with planetree, tell of one, or write it as CSV.

    The class is the last column of the file. Generators follow the formulas of the
    papers, and draw the same table everywhere.

    Examples
    --------
      $ planetree datasets
      $ planetree datasets iris
      $ planetree datasets iris -o iris.csv
      $ planetree datasets wave:n=500 --seed 7 -o wave.csv
    """
    one_result(json, out)
    if name is None and out is not None:
        raise typer.BadParameter("which of them? give its name", param_hint="NAME")
    if name is None:
        _list(json)
        return
    if name.partition(":")[0] in GENERATORS:
        columns = _drawn(name, seed)
        about: dict[str, Any] = {"name": name, "rows": n_rows(columns), "columns": [*columns]}
        told = str(GENERATORS[name.partition(":")[0]].__doc__).partition("\n")[0] + "\n"
    else:
        known = planetree.datasets.names()
        if name not in known:
            with usage("NAME"):
                raise ChoiceError(unknown("data set", name, [*known, *GENERATORS]))
        columns = Data(BUNDLED + name).read()
        about = {"name": name, **index()[name]}
        told = describe(name)
    if out is not None:
        output.check_output(out, [])
        output.write_output(out, work.csv_text({c: v.tolist() for c, v in columns.items()}))
        if out != "-":
            written = f"{counted(n_rows(columns), 'row')} written to {out}"
            codes = [f"--symbolic {c}" for c in about.get("symbolic", ()) if _codes(columns[c])]
            written += f"; its codes are names: {' '.join(codes)}" if codes else ""
            output.console(stderr=True).print(output.visible(written))
    elif not json:
        output.console().print(output.visible(told), end="")
    if json:
        output.write_output("-", as_json(about))


def _codes(values: Any) -> bool:
    """Whether symbols would be taken for numbers, read from a CSV file."""
    return all(value is None or is_number(value) for value in values)


def _drawn(name: str, seed: int) -> Columns:
    makers = {word: partial(make, random_state=seed) for word, make in GENERATORS.items()}
    with usage("NAME"):
        try:
            X, y = resolve("data set", name, makers)
        except TypeError as error:  # an option that has no default
            raise ChoiceError(f"{name}: {error}") from None
    width = len(str(X.shape[1]))
    columns: Columns = {f"x{j + 1:0{width}}": X[:, j] for j in range(X.shape[1])}
    columns["class"] = np.asarray(y)
    return columns


def _list(json: bool) -> None:
    sets = index()
    makers = {word: str(make.__doc__).partition("\n")[0] for word, make in GENERATORS.items()}
    if json:
        listed = [{"name": name, **sets[name]} for name in planetree.datasets.names()]
        made = [{"name": word, "title": what} for word, what in makers.items()]
        output.write_output("-", as_json({"bundled": listed, "generators": made}))
        return
    rows: list[Sequence[object]] = [HEAD]
    for name in planetree.datasets.names():
        about = sets[name]
        symbolic, missing = len(about["symbolic"]), about["missing_cells"]
        figures = (about["cases"], about["features"], symbolic, about["classes"], missing)
        rows.append((name, *figures, about["title"]))
    lines = [
        f"{first:<{NAME}}" + "".join(f"{cell!s:>10}" for cell in figures) + f"  {title}"
        for first, *figures, title in rows
    ]
    lines += ["", f"{'generator':<{NAME}}"]
    lines += [f"{word:<{NAME}}  {what}" for word, what in makers.items()]
    output.console().print("\n".join(line.rstrip() for line in lines))
