"""What turns an error into one line and an exit code.

0 is fine, 1 means the data or the model is at fault, 2 the usage, 130 an interruption. A reader
that has seen enough, as ``| head`` has, is no error.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from typing import Any

import typer
from typer.core import TyperGroup

from planetree.cli.output import visible

__all__ = ["Commands", "tell"]

# The class above BadParameter is click's UsageError, which moved between typer's releases.
UsageError: type[Any] = typer.BadParameter.__bases__[0]


class Commands(TyperGroup):
    """The group of all commands."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Run, and leave Python with the exit code."""
        try:
            code = super().main(*args, **{**options, "standalone_mode": False})
        except UsageError as error:
            see = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
            tell("error", f"{error.format_message()}{see}")
            code = error.exit_code
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        """Run a command whose options have been read."""
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: tell("warning", str(message))
            try:
                super().invoke(ctx)
                sys.stdout.flush()
            except BrokenPipeError:
                # What is left in the buffer would raise again when Python ends.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            except KeyboardInterrupt:
                tell("interrupted")
                raise typer.Exit(130) from None
            except MemoryError:
                tell("error", "out of memory; this needs a larger machine or fewer rows")
                raise typer.Exit(1) from None
            except OSError as error:
                place = f"{error.filename}: " if error.filename is not None else ""
                tell("error", f"{place}{error.strerror or error}")
                raise typer.Exit(1) from None
            except (ValueError, ImportError) as error:
                tell("error", str(error))
                raise typer.Exit(1) from None


def tell(kind: str, message: str = "") -> None:
    """Say one line on standard error.

    Parameters
    ----------
    kind : str
        What the line begins with.
    message : str, default=""
        What follows it; line ends become spaces.
    """
    line = re.sub(r"\s*\n\s*", " ", f"{kind}: {message}" if message else kind)
    print(visible(line), file=sys.stderr, flush=True)
