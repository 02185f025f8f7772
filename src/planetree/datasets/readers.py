"""Readers of data files: CSV, ARFF and Parquet to plain numpy columns.

Every reader returns an ordered dictionary from column name to a 1-D array: float64 with NaN
where a number is missing, objects (`str`, None where missing) for symbols, and bool where the
file itself declares booleans. Files that cannot be read raise :class:`DataFileError`.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arff import read_arff
from ._parquet import read_parquet
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

__all__ = ["DataFileError", "read_arff", "read_csv", "read_parquet", "read_table"]

MISSING = frozenset({"", "?", "NA", "NaN", "nan", "null"})
FORMATS = ("csv", "tsv", "arff", "parquet")

# The first line that is not blank; a line end within quotes does not end it.
_HEADER = re.compile(r'[\r\n]*((?:[^"\r\n]|"[^"]*(?:"|\Z))*)')
_QUOTED = re.compile(r'"[^"]*(?:"|\Z)')


def read_table(
    source: Source, format: str | None = None, *, symbolic: Iterable[str] = ()
) -> Columns:
    r"""Read a data file of any known format.

    Parameters
    ----------
    source : str, path or file object
        The file, or an open file of text or bytes (standard input, say).
    format : {"csv", "tsv", "arff", "parquet"}, optional
        By default the name's suffix decides: .csv, .tsv, .arff (each may be followed by .gz)
        or .parquet.
    symbolic : iterable of str
        Columns to read as symbols although they look like numbers.

    Returns
    -------
    dict of str to ndarray
        The columns in the order of the file; see the module for their types.

    Raises
    ------
    DataFileError
        If the file cannot be read.
    ValueError
        If the format is unknown.

    Examples
    --------
    >>> import io
    >>> from planetree.datasets import read_table
    >>> read_table(io.StringIO("hurry,money\nY,50\nN,?\n"), "csv")
    {'hurry': array(['Y', 'N'], dtype=object), 'money': array([50., nan])}
    """
    name = name_of(source)
    if format is None:
        format = format_of(name)
        if format not in FORMATS:
            raise DataFileError(
                name, "unknown format: expected .csv, .tsv, .arff or .parquet, or format=..."
            )
    if format == "csv":
        return read_csv(source, symbolic=symbolic)
    if format == "tsv":
        return read_csv(source, separator="\t", symbolic=symbolic)
    if format == "arff":
        return read_arff(source, symbolic=symbolic)
    if format == "parquet":
        return read_parquet(source, symbolic=symbolic)
    raise ValueError(f"format={format!r}: choose one of {', '.join(FORMATS)}")


def format_of(name: str) -> str:
    """What a file's name says about its format."""
    return name.lower().removesuffix(".gz").rpartition(".")[2]


def read_csv(
    source: Source, *, separator: str | None = None, symbolic: Iterable[str] = ()
) -> Columns:
    r"""Read a table of text with a header row.

    A cell that is empty, `?`, `NA`, `NaN`, `nan` or `null` is missing, quoted or not. A column is
    numeric if each of its known cells is a number (so a column of codes 1, 2, 3 is: name it in
    `symbolic` if it is not), and symbolic otherwise. Infinities are numbers here. Spaces after a
    separator do not count, and blank lines are skipped.

    Parameters
    ----------
    source : str, path or file object
        UTF-8 text, with or without byte order mark, or the same gzipped.
    separator : str, optional
        One character; by default the comma, semicolon or tab that cuts the header into most
        columns.
    symbolic : iterable of str
        Columns to read as symbols although they look like numbers.

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
    >>> from planetree.datasets import read_csv
    >>> table = read_csv(io.StringIO("type;legs\n1;4\n2;\n"), symbolic=["type"])
    >>> table["type"], table["legs"]
    (array(['1', '2'], dtype=object), array([ 4., nan]))
    """
    name = name_of(source)
    text = read_text(source)
    if separator is None:
        separator = _sniff(text)
    line, header = next(record for record in _records(text, separator, name) if record[1])
    names = [column.strip() for column in header]
    check_names(names, name, [line] * len(names))
    wanted = symbolic_names(symbolic, names, name)
    rows = _rows(text, separator, name)
    del rows[0]
    if not rows:
        raise DataFileError(name, "only a header, expected rows of data below it", line)
    if any(len(cells) != len(names) for cells in rows):
        for line, cells in _records(text, separator, name):
            if cells and len(cells) != len(names):
                raise DataFileError(name, f"expected {len(names)} cells, found {len(cells)}", line)
    return {
        column: _symbols(cells) if column in wanted else _numbers_or_symbols(cells)
        for column, cells in zip(names, zip(*rows, strict=True), strict=True)
    }


def _sniff(text: str) -> str:
    """Pick the separator that occurs most often in the header outside quotes, the comma first."""
    header = _HEADER.match(text)
    unquoted = _QUOTED.sub("", header[1]) if header else ""
    return max(",;\t", key=unquoted.count)


def _rows(text: str, separator: str, name: str) -> list[list[str]]:
    """Cut the text into the cells of its rows, blank lines left out."""
    quoted_or_padded = ('"', separator + " ", "\n ", "\r ")
    if text.startswith(" ") or any(mark in text for mark in quoted_or_padded):
        return [cells for _, cells in _records(text, separator, name) if cells]
    # Without quotes and padding `split` says the same as the csv module in a third of the time.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [line.split(separator) for line in lines if line]


def _records(text: str, separator: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the number of the line it begins on (a quoted cell may span more)."""
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=separator,
        skipinitialspace=separator != " ",
        strict=True,
    )
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        # An open quote swallows the file up to its end or to the module's limit for one cell.
        if "end of data" in str(error) or "field limit" in str(error):
            problem = 'a quoted cell is not closed, expected a closing "'
        else:
            problem = (
                f"text after the closing quote of a cell, expected {separator!r} "
                '(a quote within a quoted cell is written "")'
            )
        raise DataFileError(name, problem, line) from None


def _numbers_or_symbols(cells: tuple[str, ...]) -> npt.NDArray[Any]:
    everything = "".join(cells)
    if everything.isascii() and "_" not in everything:
        # The common case, a column of numbers only, at the speed of `float`.
        try:
            return np.array(list(map(float, cells)), dtype=np.float64)
        except ValueError:
            pass
    try:
        value = {
            cell: np.nan if cell.strip() in MISSING else parse_number(cell) for cell in set(cells)
        }
    except ValueError:
        return _symbols(cells)
    return np.array([value[cell] for cell in cells], dtype=np.float64)


def _symbols(cells: tuple[str, ...]) -> npt.NDArray[np.object_]:
    # One string object a distinct value, which keeps long symbolic columns small.
    value = {cell: None if cell.strip() in MISSING else cell for cell in set(cells)}
    column = np.empty(len(cells), dtype=object)
    column[:] = [value[cell] for cell in cells]
    return column
