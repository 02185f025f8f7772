r"""ARFF, the attribute-relation file format of Weka: its dense part.

A file declares its attributes (numeric, nominal or string) and then lists rows of cells. What
has no counterpart in a table of numbers and symbols is refused with the line it stands on: dates,
relational attributes, sparse rows.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._source import (
    Columns,
    DataFileError,
    Source,
    check_names,
    name_of,
    parse_number,
    read_text,
    symbolic_names,
)

__all__ = ["read_arff"]

_QUOTED = r"""'(?P<single>(?:[^'\\]|\\.)*)'|"(?P<double>(?:[^"\\]|\\.)*)\""""
_DECLARATION = re.compile(rf"@attribute\s+(?:{_QUOTED}|(?P<bare>[^\s{{'\"]+))\s*(?P<kind>.*)", re.I)
# A cell ends at the separator, at a comment or at the end of the line; quotes count only at its
# start, so that it's may stand unquoted.
_CELL = {
    separator: re.compile(
        rf"{space}*(?:{_QUOTED}|(?P<bare>[^\s{separator}%'\"][^{separator}%]*)?){space}*"
        rf"(?P<end>{separator}|%|$)"
    )
    for separator, space in ((",", r"\s"), ("\t", "[ ]"))
}
_VALUE = re.compile(rf"\s*(?:{_QUOTED}|(?P<bare>[^\s,}}%'\"][^,}}%]*)?)\s*(?P<end>[,}}])")
_NEEDS_CARE = re.compile(r"['\"\\%]")
_ESCAPE = re.compile(r"\\(.)")
_CONTROL = {"n": "\n", "t": "\t", "r": "\r"}

Row = list[str | None]


@dataclass(frozen=True)
class Attribute:
    """One declared column: numeric, one of a set of values, or any string."""

    name: str
    line: int
    numeric: bool
    values: frozenset[str] | None


def read_arff(source: Source, *, symbolic: Iterable[str] = ()) -> Columns:
    """Read an ARFF file.

    Numeric, real and integer attributes become float64 columns, nominal and string ones symbols.
    An unquoted `?` is a missing value. The order in which a nominal attribute declares its values
    is not kept.

    Parameters
    ----------
    source : str, path or file object
        UTF-8 text, with or without byte order mark, or the same gzipped.
    symbolic : iterable of str
        Columns to read as symbols although they are declared numeric.

    Returns
    -------
    dict of str to ndarray
        The columns in the order of the file.

    Raises
    ------
    DataFileError
        If the file cannot be read.

    Examples
    --------
    >>> import io
    >>> from planetree.datasets import read_arff
    >>> read_arff(io.StringIO('''@relation trips
    ... @attribute money numeric
    ... @attribute how {taxi, 'night train'}
    ... @data
    ... 50, taxi
    ... ?, 'night train'
    ... '''))
    {'money': array([50., nan]), 'how': array(['taxi', 'night train'], dtype=object)}
    """
    file = name_of(source)
    # Only \n, \r\n and \r end a line; str.splitlines knows eight more that may stand in a cell.
    lines = enumerate(io.StringIO(read_text(source), newline=None), start=1)
    attributes = _header(lines, file)
    names = [attribute.name for attribute in attributes]
    check_names(names, file, [attribute.line for attribute in attributes])
    wanted = symbolic_names(symbolic, names, file)
    numbers, rows = _rows(lines, len(attributes), file)
    return {
        attribute.name: _numbers(cells, numbers, attribute, file)
        if attribute.numeric and attribute.name not in wanted
        else _symbols(cells, numbers, attribute, file)
        for attribute, cells in zip(attributes, zip(*rows, strict=True), strict=True)
    }


def _header(lines: Iterator[tuple[int, str]], file: str) -> list[Attribute]:
    attributes: list[Attribute] = []
    number = 0
    for number, line in lines:
        text = line.strip()
        word = text.split(None, 1)[0].lower() if text else ""
        if not text or text.startswith("%") or word == "@relation":
            continue
        if word == "@attribute":
            attributes.append(_attribute(text, number, file))
        elif word.partition("%")[0] == "@data":
            if not attributes:
                raise DataFileError(file, "no @attribute before @data", number)
            return attributes
        else:
            problem = f"expected @relation, @attribute or @data, found {text[:30]!r}"
            raise DataFileError(file, problem, number)
    raise DataFileError(file, "the file ends before @data", number)


def _attribute(text: str, line: int, file: str) -> Attribute:
    match = _DECLARATION.match(text)
    if match is None:
        raise DataFileError(file, "expected @attribute, a name and a type", line)
    name, kind = _content(match) or "", match["kind"]
    if kind.startswith("{"):
        return Attribute(name, line, numeric=False, values=_declared(kind, name, line, file))
    kind = kind.partition("%")[0].strip()
    if kind.lower() in ("numeric", "real", "integer"):
        return Attribute(name, line, numeric=True, values=None)
    if kind.lower() == "string":
        return Attribute(name, line, numeric=False, values=None)
    problem = f"type {kind!r}, expected numeric, real, integer, string or {{value, value, ...}}"
    raise DataFileError(file, problem, line, name)


def _declared(kind: str, name: str, line: int, file: str) -> frozenset[str]:
    values: list[str] = []
    position, end = 1, ","
    while end == ",":
        match = _VALUE.match(kind, position)
        value = None if match is None else _content(match)
        if match is None or (value is None and (values or match["end"] == ",")):
            problem = "expected a list of values {value, value, 'with space', ...}"
            raise DataFileError(file, problem, line, name)
        if value is not None:
            values.append(value)
        position, end = match.end(), match["end"]
    return frozenset(values)


def _rows(
    lines: Iterator[tuple[int, str]], n_columns: int, file: str
) -> tuple[list[int], list[Row]]:
    numbers: list[int] = []
    rows: list[Row] = []
    for number, line in lines:
        text = line.strip()
        if not text or text.startswith("%"):
            continue
        if text.startswith("{"):
            raise DataFileError(file, "a sparse row, expected every cell to be written", number)
        separator = "," if "," in text else "\t"
        if _NEEDS_CARE.search(text):
            row = _quoted_row(text, separator, number, file)
        else:
            row = [None if cell == "?" else cell for cell in map(str.strip, text.split(separator))]
        if len(row) != n_columns:
            raise DataFileError(file, f"expected {n_columns} cells, found {len(row)}", number)
        numbers.append(number)
        rows.append(row)
    if not rows:
        raise DataFileError(file, "no rows after @data")
    return numbers, rows


def _quoted_row(text: str, separator: str, line: int, file: str) -> Row:
    row: Row = []
    position, end = 0, separator
    while end == separator:
        match = _CELL[separator].match(text, position)
        if match is None:
            problem = f"a quote that is not closed, or text after it, in cell {len(row) + 1}"
            raise DataFileError(file, problem, line)
        value = _content(match)
        row.append(None if match["bare"] and value == "?" else value or "")
        position, end = match.end(), match["end"]
    return row


def _content(match: re.Match[str]) -> str | None:
    """Return what a cell, name or value says, without quotes; None where there is nothing."""
    if match["bare"] is not None:
        return match["bare"].strip()
    quoted = match["single"] if match["single"] is not None else match["double"]
    if quoted is None:
        return None
    return _ESCAPE.sub(lambda escape: _CONTROL.get(escape[1], escape[1]), quoted)


def _numbers(
    cells: tuple[str | None, ...], lines: list[int], attribute: Attribute, file: str
) -> npt.NDArray[np.float64]:
    try:
        return np.array([np.nan if cell is None else parse_number(cell) for cell in cells])
    except ValueError:
        row = next(row for row, cell in enumerate(cells) if not _is_number(cell))
        problem = f"expected a number or ?, found {cells[row]!r}"
        raise DataFileError(file, problem, lines[row], attribute.name) from None


def _is_number(cell: str | None) -> bool:
    try:
        return cell is None or parse_number(cell) is not None
    except ValueError:
        return False


def _symbols(
    cells: tuple[str | None, ...], lines: list[int], attribute: Attribute, file: str
) -> npt.NDArray[np.object_]:
    if attribute.values is not None:
        unknown = set(cells).difference(attribute.values, [None])
        if unknown:
            row = next(row for row, cell in enumerate(cells) if cell in unknown)
            declared = ", ".join(sorted(attribute.values)[:10])
            problem = f"expected one of {declared} or ?, found {cells[row]!r}"
            raise DataFileError(file, problem, lines[row], attribute.name)
    same: dict[Any, Any] = {}
    column = np.empty(len(cells), dtype=object)
    column[:] = [same.setdefault(cell, cell) for cell in cells]
    return column
