"""Write the reference of the command line: a page made of what the commands say of themselves.

python tools/document_cli.py > command-line-reference.md
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import typer

from planetree.cli.app import app

HEAD = """# Reference of the command line

Every command, argument and option, as `planetree COMMAND --help` prints them; made from the code.
For a walk through them see [The command line](command-line.md).
"""


def page() -> str:
    """The whole page as Markdown."""
    group: Any = typer.main.get_command(app)
    parts = [HEAD, *_command(group, "planetree", group)]
    for name in sorted(group.commands):
        parts += [
            f"## planetree {name}",
            *_command(group.commands[name], f"planetree {name}", group),
        ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _command(command: Any, name: str, group: Any) -> Iterator[str]:
    context = typer.Context(command, info_name=name)
    pieces = command.collect_usage_pieces(context)
    yield f"```text\n{name} {' '.join(pieces)}\n```"
    yield _prose(inspect.cleandoc(command.help or ""))
    if command is group:
        rows = [(f"[`{n}`](#planetree-{n})", _first(c)) for n, c in sorted(group.commands.items())]
        yield _table("command", rows)
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    if arguments:
        yield _table("argument", [(f"`{p.metavar}`", _words(p.help)) for p in arguments])
    options = [p for p in command.get_params(context) if p.param_type_name == "option"]
    yield _table("option", [(_option(p), _meaning(p)) for p in options if not p.hidden])


def _first(command: Any) -> str:
    return _words((command.help or "").strip().partition("\n\n")[0])


def _prose(text: str) -> str:
    """Paragraphs as they are; lines of commands as blocks."""
    pieces = []
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("  "):
            pieces.append(f"```sh\n{inspect.cleandoc(paragraph)}\n```")
        else:
            pieces.append(_escaped(re.sub(r"\n-+$", ":", paragraph)))
    return "\n\n".join(pieces)


def _option(parameter: Any) -> str:
    names = ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])
    metavar = "" if parameter.is_flag or parameter.count else parameter.metavar or ""
    return f"{names} `{metavar}`" if metavar else names


def _meaning(parameter: Any) -> str:
    told = _words(parameter.help)
    default = parameter.default
    if parameter.show_default and default is not None and not callable(default):
        told += f" By default {default}."
    return told


def _words(text: str | None) -> str:
    plain = re.sub(r"\[/?dim\]", "", text or "")
    return _escaped(" ".join(plain.split()).replace("|", "\\|"))


def _escaped(text: str) -> str:
    return re.sub(r"([*_<\[])", r"\\\1", text)


def _table(kind: str, rows: list[tuple[str, str]]) -> str:
    return "\n".join([f"| {kind} | |", "|---|---|", *(f"| {a} | {b} |" for a, b in rows)])


if __name__ == "__main__":
    print(page(), end="")
