"""Parquet files, by way of pyarrow (the extra `planetree[parquet]`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from planetree.extras import require

from ._source import (
    Columns,
    DataFileError,
    Source,
    check_names,
    name_of,
    read_bytes,
    symbolic_names,
)

__all__ = ["read_parquet"]


def read_parquet(source: Source, *, symbolic: Iterable[str] = ()) -> Columns:
    """Read a Parquet file.

    Numbers become float64 (null is NaN), strings and categories objects (`str`, None
    for null), booleans bool; a boolean column with nulls becomes the symbols "True" and
    "False". Text such as "?" or "NA" is a value here, as Parquet has its own null.

    Parameters
    ----------
    source : str, path or file object
        A Parquet file, or an open binary one.
    symbolic : iterable of str
        Columns to read as symbols although they hold numbers; whole numbers are written without
        a fraction, so 1.0 is "1".

    Returns
    -------
    dict of str to ndarray
        The columns in the order of the file.

    Raises
    ------
    DataFileError
        If the file cannot be read, or a column holds dates, lists or the like.
    ImportError
        If pyarrow is not installed.

    Examples
    --------
    >>> import io
    >>> import pyarrow, pyarrow.parquet
    >>> from planetree.datasets import read_parquet
    >>> file = io.BytesIO()
    >>> pyarrow.parquet.write_table(pyarrow.table({"a": [1, None], "b": ["x", "y"]}), file)
    >>> read_parquet(io.BytesIO(file.getvalue()))
    {'a': array([ 1., nan]), 'b': array(['x', 'y'], dtype=object)}
    """
    parquet = require("pyarrow.parquet", extra="parquet", purpose="reading Parquet")
    arrow = require("pyarrow", extra="parquet", purpose="reading Parquet")
    name = name_of(source)
    raw = read_bytes(source)
    if not raw:
        raise DataFileError(name, "the file is empty, expected a Parquet file")
    try:
        table = parquet.ParquetFile(arrow.BufferReader(raw)).read()
    except (arrow.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise DataFileError(name, f"not a readable Parquet file: {reason}") from error
    names: list[str] = table.column_names
    check_names(names, name, [None] * len(names))
    wanted = symbolic_names(symbolic, names, name)
    if not table.num_rows or not names:
        raise DataFileError(name, "a table without rows, expected rows of data")
    return {
        column: _column(table.column(number), column in wanted, arrow, name, column)
        for number, column in enumerate(names)
    }


def _column(values: Any, symbolic: bool, arrow: Any, file: str, column: str) -> npt.NDArray[Any]:
    types = arrow.types
    kind = values.type
    if types.is_dictionary(kind):
        values = values.combine_chunks().dictionary_decode()
        kind = values.type
    if symbolic and not types.is_nested(kind):
        return _symbols(values.to_pylist())
    if types.is_boolean(kind):
        if values.null_count:
            return _symbols(values.to_pylist())
        return np.asarray(values.to_numpy(zero_copy_only=False), dtype=np.bool_)
    if types.is_null(kind):
        return np.full(len(values), np.nan)
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        # Unsafe only in that integers beyond 2**53 are rounded.
        numbers = values.cast(arrow.float64(), safe=False)
        return np.array(numbers.to_numpy(zero_copy_only=False), dtype=np.float64)
    # By name, as older pyarrow has no predicate for string views.
    if str(kind) in ("string", "large_string", "string_view"):
        return _symbols(values.to_pylist())
    problem = f"values of type {kind}, expected numbers, booleans or strings: convert or drop it"
    raise DataFileError(file, problem, column=column)


def _symbols(values: list[Any]) -> npt.NDArray[np.object_]:
    column = np.empty(len(values), dtype=object)
    column[:] = [_symbol(value) for value in values]
    return column


def _symbol(value: Any) -> str | None:
    if value is None or value != value:
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
