"""Text in files: read as UTF-8, and written so that an interruption loses nothing."""

from __future__ import annotations

import os
import secrets
import shutil
from typing import Protocol

__all__ = ["FilePath", "Readable", "Writable", "read_text", "write_text"]

FilePath = str | os.PathLike[str]


class Readable(Protocol):
    """A file opened for reading text."""

    def read(self) -> str:
        """All of it."""


class Writable(Protocol):
    """A file opened for writing text."""

    def write(self, text: str, /) -> object:
        """Add to it."""


def read_text(file: FilePath | Readable) -> str:
    """All text of a file.

    Parameters
    ----------
    file : str, path or text file
        What to read.

    Returns
    -------
    str
        Its text; UnicodeDecodeError where that is not UTF-8.
    """
    if isinstance(file, (str, os.PathLike)):
        with open(file, encoding="utf-8") as opened:
            return opened.read()
    text = file.read() if hasattr(file, "read") else None
    if not isinstance(text, str):
        raise TypeError(f"a path or a file opened for text is needed, not {file!r}")
    return text


def write_text(file: FilePath | Writable, text: str) -> None:
    """Write a file, or leave the one that was there as it is.

    The text goes into a new file beside, which then takes the other's place.

    Parameters
    ----------
    file : str, path or text file
        Where to write. An open file is simply written to, and so is what is no regular file, such
        as a pipe.
    text : str
        All that the file is to hold.
    """
    if not isinstance(file, (str, os.PathLike)):
        if not hasattr(file, "write"):
            raise TypeError(f"a path or a file opened for text is needed, not {file!r}")
        file.write(text)
        return
    if os.path.exists(file) and not os.path.isfile(file):
        with open(file, "w", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
        return
    target = os.path.realpath(file)  # a link stays one
    beside = os.path.join(os.path.dirname(target), f".planetree-{secrets.token_hex(8)}")
    try:
        with open(beside, "x", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
            opened.flush()
            os.fsync(opened.fileno())
        if os.path.exists(target):
            shutil.copymode(target, beside)
        os.replace(beside, target)
    except BaseException as error:
        if os.path.exists(beside):
            os.remove(beside)
        if isinstance(error, OSError):
            # Of the kind and with the number it has, but of the file that was asked for.
            raise type(error)(error.errno, error.strerror, os.fspath(file)) from None
        raise
