"""What several commands do with their arguments and results."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from planetree import choices
from planetree.cli import models
from planetree.estimator import PlaneTreeClassifier
from planetree.sources import Data

__all__ = ["as_json", "load_model", "load_predictor", "one_result", "open_data", "usage"]


@contextmanager
def usage(option: str) -> Iterator[None]:
    """Report a word that stands for nothing as a misuse of the option."""
    try:
        yield
    except choices.ChoiceError as error:
        raise typer.BadParameter(str(error), param_hint=option) from None


def open_data(where: str, format: str | None) -> Data:
    """A table by its name, and the format that was asked for."""
    if format is not None:
        with usage("--format"):
            choices.choose("format", format, choices.FORMATS)
    return Data(where, format)


def load_model(model: str, data: str = "") -> PlaneTreeClassifier:
    """A model by its name; it and the data cannot both be standard input."""
    _one_input(model, data)
    return models.read_model(model)


def load_predictor(model: str, data: str = "") -> models.Predictor:
    """A model or rules by their name; they and the data cannot both be standard input."""
    _one_input(model, data)
    return models.read_predictor(model)


def _one_input(model: str, data: str) -> None:
    if model == data == "-":
        raise typer.BadParameter("only one of them can be standard input", param_hint="MODEL, DATA")


def one_result(json: bool, out: str | None) -> None:
    """See that not both JSON and the result proper go to standard output."""
    if json and out == "-":
        raise typer.BadParameter("both write to standard output", param_hint="--json, -o -")


def as_json(value: Any) -> str:
    """JSON text for programs."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
