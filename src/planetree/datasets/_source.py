"""Where a table comes from: a path or an open file, its bytes and its text.

Also the one exception of all readers, and the one definition of what text is a number.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterable
from typing import IO, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = [
    "Columns",
    "DataFileError",
    "Source",
    "check_names",
    "name_of",
    "parse_number",
    "read_bytes",
    "read_text",
    "symbolic_names",
]
Source: TypeAlias = str | os.PathLike[str] | IO[str] | IO[bytes]
Columns: TypeAlias = dict[str, npt.NDArray[np.generic]]


class DataFileError(ValueError):
    """A data file cannot be read; the message says where and what would be right.

    Parameters
    ----------
    file : str
        The file as the caller named it.
    problem : str
        What is wrong and what was expected.
    line : int, optional
        Number of the line, the first is 1.
    column : str, optional
        Name of the column, or its number where it has no name.

    Examples
    --------
    >>> raise DataFileError("zoo.csv", "expected a number, found 'two'", line=7, column="legs")
    Traceback (most recent call last):
    ...
    planetree.datasets.DataFileError: zoo.csv, line 7, column legs: expected a number, found 'two'
    """

    def __init__(
        self, file: str, problem: str, line: int | None = None, column: str | None = None
    ) -> None:
        # All four go to the base class, so that the exception survives pickling.
        super().__init__(file, problem, line, column)
        self.file = file
        self.problem = problem
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = self.file
        if self.line is not None:
            place += f", line {self.line}"
        if self.column is not None:
            place += f", column {self.column}"
        return f"{place}: {self.problem}"


DataFileError.__module__ = "planetree.datasets"


def name_of(source: Source) -> str:
    """Name the source in messages as its owner would."""
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<stream>"


def read_bytes(source: Source) -> bytes:
    """Read all bytes of a path or a binary file (of a text file, those beneath it)."""
    name = name_of(source)
    if not isinstance(source, str | os.PathLike):
        content = getattr(source, "buffer", source).read()
        if isinstance(content, str):
            raise DataFileError(name, "expected a file opened in binary mode, found one of text")
        return bytes(content)
    try:
        with open(source, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise DataFileError(name, "no such file") from None
    except IsADirectoryError:
        raise DataFileError(name, "expected a file, found a directory") from None
    except OSError as error:
        # Windows reports a directory as a refused permission.
        problem = (
            "expected a file, found a directory"
            if os.path.isdir(source)
            else f"cannot be read: {error.strerror or error}"
        )
        raise DataFileError(name, problem) from None
    except ValueError:  # a NUL in the path
        raise DataFileError(name.replace("\0", "\\0"), "no such file") from None


def read_text(source: Source) -> str:
    """Read UTF-8 text, with or without byte order mark, gzipped or not."""
    name = name_of(source)
    if isinstance(source, str | os.PathLike):
        content: str | bytes = read_bytes(source)
    else:
        try:
            content = source.read()
        except UnicodeDecodeError as error:
            raise DataFileError(name, "not UTF-8 text: save it as UTF-8") from error
    text = content if isinstance(content, str) else _decode(bytes(content), name)
    text = text.removeprefix("\ufeff")
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise DataFileError(name, "binary data (a NUL), expected a table of text", line)
    if not text.strip():
        raise DataFileError(name, "the file is empty, expected a table")
    return text


def _decode(raw: bytes, name: str) -> str:
    if raw.startswith(b"\x1f\x8b"):
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError, zlib.error) as error:
            raise DataFileError(name, f"damaged gzip file: {error}") from error
    if raw.startswith(b"PAR1"):
        raise DataFileError(name, "this is a Parquet file: read it with read_parquet")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataFileError(name, "this is UTF-16 text: save it as UTF-8")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        problem = f"not UTF-8 text (byte 0x{raw[error.start]:02x}): save it as UTF-8"
        raise DataFileError(name, problem, line) from None


def check_names(names: list[str], file: str, lines: list[int | None]) -> None:
    """Refuse columns without a name and names that occur twice."""
    first: dict[str, int] = {}
    for number, (column, line) in enumerate(zip(names, lines, strict=True), start=1):
        if not column:
            raise DataFileError(
                file,
                "the column has no name (if it is a row index, write the file without it)",
                line,
                str(number),
            )
        if column in first:
            raise DataFileError(
                file,
                f"columns {first[column]} and {number} have the same name, expected distinct names",
                line,
                column,
            )
        first[column] = number


def symbolic_names(symbolic: Iterable[str], names: list[str], file: str) -> frozenset[str]:
    """Check the caller's list of symbolic columns against the file's names."""
    wanted = frozenset([symbolic] if isinstance(symbolic, str) else symbolic)
    unknown = sorted(wanted.difference(names))
    if unknown:
        problem = f"no such column to be symbolic; the columns are {', '.join(names)}"
        raise DataFileError(file, problem, column=unknown[0])
    return wanted


def parse_number(cell: str) -> float:
    """Parse a number as files write it: `float` also takes 1_000 and foreign digits."""
    if "_" in cell or not cell.isascii():
        raise ValueError(cell)
    return float(cell)
