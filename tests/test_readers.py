"""Readers: what they read, and what they say of files that cannot be read."""

from __future__ import annotations

import csv
import gzip
import io
import os
import pickle
import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from planetree.datasets import DataFileError, read_arff, read_csv, read_parquet, read_table
from planetree.datasets.readers import MISSING, _records, _rows


def read(text, **arguments):
    return read_csv(io.StringIO(text), **arguments)


def read_relation(text, **arguments):
    return read_arff(io.StringIO(text), **arguments)


def assert_same(found, expected):
    assert list(found) == list(expected)
    for name, column in expected.items():
        assert found[name].dtype == column.dtype, name
        assert found[name].ndim == 1
        if column.dtype == object:
            assert found[name].tolist() == column.tolist(), name
        else:
            np.testing.assert_array_equal(found[name], column)


def symbols(*values):
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


# CSV


def test_csv_kinds_and_missing_cells():
    found = read("x,code,how,gone\n1,7,a,?\n?,8,NA,\nNaN,9,null,nan\n-1e-3,7,b,NA\n")
    assert_same(
        found,
        {
            "x": np.array([1, np.nan, np.nan, -0.001]),
            "code": np.array([7.0, 8, 9, 7]),
            "how": symbols("a", None, None, "b"),
            "gone": np.full(4, np.nan),
        },
    )


def test_csv_symbolic_columns_keep_their_text():
    found = read("a,b\n01,1\n?,2\n", symbolic=["a"])
    assert_same(found, {"a": symbols("01", None), "b": np.array([1.0, 2.0])})
    assert_same(read("ab,b\n1,1\n", symbolic="ab"), {"ab": symbols("1"), "b": np.array([1.0])})
    with pytest.raises(DataFileError, match=r"column c: no such column .* the columns are a, b"):
        read("a,b\n1,2\n", symbolic=["c"])


@pytest.mark.parametrize("cell", ["1_000", "١", "0x1", "1,5", "yes", "--1"])
def test_what_is_no_number(cell):
    assert_same(read(f'a\n2\n"{cell}"\n'), {"a": symbols("2", cell)})


def test_csv_infinity_is_a_number():
    assert_same(read("a\ninf\n-Infinity\n1e999\n"), {"a": np.array([np.inf, -np.inf, np.inf])})


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_csv_separator_is_sniffed_from_the_header(separator):
    rows = [["a", "b c", "d"], ["1", "x", "2"]]
    text = "\n".join(separator.join(row) for row in rows)
    quoted = "\n".join(separator.join(f'"{cell}"' for cell in row) for row in rows)
    for source in (text, quoted):
        assert_same(read(source), {"a": np.array([1.0]), "b c": symbols("x"), "d": np.array([2.0])})


def test_csv_given_separator_wins():
    assert_same(read("a|b,c\n1|2\n", separator="|"), {"a": np.array([1.0]), "b,c": np.array([2.0])})
    assert_same(read("a b\n1 2\n", separator=" "), {"a": np.array([1.0]), "b": np.array([2.0])})


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_csv_line_ends_blank_lines_and_padding(end):
    text = end.join(["", "a, b", "", "1, x", "", '2, "y, z"', "", ""])
    assert_same(read(text), {"a": np.array([1.0, 2.0]), "b": symbols("x", "y, z")})
    plain = end.join(["", "a,b", "", "1,x", "", "2,y"])
    assert_same(read(plain), {"a": np.array([1.0, 2.0]), "b": symbols("x", "y")})


def test_csv_accepts_every_kind_of_source(tmp_path):
    text = "größe,b\n1,é\n"
    expected = {"größe": np.array([1.0]), "b": symbols("é")}
    path = tmp_path / "a.csv"
    for content in (text.encode(), b"\xef\xbb\xbf" + text.encode(), gzip.compress(text.encode())):
        path.write_bytes(content)
        assert_same(read_csv(path), expected)
        assert_same(read_csv(str(path)), expected)
        assert_same(read_csv(io.BytesIO(content)), expected)
    assert_same(read(text), expected)
    assert_same(read("\ufeff" + text), expected)


CSV_ERRORS = {
    "empty": ("", "<stream>: the file is empty, expected a table"),
    "blank": ("\n \n", "<stream>: the file is empty, expected a table"),
    "header": ("a,b\n", "line 1: only a header, expected rows of data below it"),
    "short": ("a,b\n1,2\n\n3\n", "line 4: expected 2 cells, found 1"),
    "long": ("a,b\n1,2,3\n", "line 2: expected 2 cells, found 3"),
    "after a tall row": ('a,b\n"1\n1",2\n3\n', "line 4: expected 2 cells, found 1"),
    "same name": ("a,b,a\n1,2,3\n", "line 1, column a: columns 1 and 3 have the same name"),
    "no name": (",b\n1,2\n", "line 1, column 1: the column has no name"),
    "blank name": ("a, ,b\n1,2,3\n", "line 1, column 2: the column has no name"),
    "open quote": ('a,b\n1,2\n"3,4\n5,6\n', "line 3: a quoted cell is not closed"),
    "open quote above": ('a,"b\n1,2\n', "line 1: a quoted cell is not closed"),
    "endless cell": ('a\n1\n"' + "x" * 140000 + '"\n', "line 3: a quoted cell is not closed"),
    "after a quote": ('a,b\n1,2\n"3"x,4\n', "line 3: text after the closing quote"),
    "binary": ("a,b\n1,\0\n", "line 2: binary data"),
}


@pytest.mark.parametrize("case", CSV_ERRORS)
def test_csv_errors(case):
    text, message = CSV_ERRORS[case]
    with pytest.raises(DataFileError) as caught:
        read(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


BYTE_ERRORS = {
    "latin-1": ("a,b\n1,é\n".encode("latin-1"), r"line 2: not UTF-8 text \(byte 0xe9\)"),
    "utf-16": ("a,b\n1,2\n".encode("utf-16"), "this is UTF-16 text: save it as UTF-8"),
    "parquet": (b"PAR1\x15\x04", "this is a Parquet file: read it with read_parquet"),
    "gzip": (b"\x1f\x8b\x08\x00", "damaged gzip file"),
    "noise": (bytes(range(256)), "line 2: not UTF-8 text"),
}


@pytest.mark.parametrize("reader", [read_csv, read_arff])
@pytest.mark.parametrize("case", BYTE_ERRORS)
def test_text_that_is_none(tmp_path, case, reader):
    content, message = BYTE_ERRORS[case]
    path = tmp_path / "some.csv"
    path.write_bytes(content)
    with pytest.raises(DataFileError, match=message) as caught:
        reader(path)
    assert str(caught.value).startswith(str(path))
    with path.open(encoding="utf-8") as file, pytest.raises(DataFileError):
        reader(file)


@pytest.mark.parametrize("reader", [read_csv, read_arff, read_parquet])
def test_paths_that_lead_nowhere(tmp_path, reader):
    if reader is read_parquet:
        pytest.importorskip("pyarrow")
    with pytest.raises(DataFileError, match=r"none\.csv: no such file"):
        reader(tmp_path / "none.csv")
    with pytest.raises(DataFileError, match="expected a file, found a directory"):
        reader(tmp_path)
    with pytest.raises(DataFileError, match="no such file"):
        reader("a\0b")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="may read everything")
def test_forbidden_file(tmp_path):
    path = tmp_path / "secret.csv"
    path.touch(mode=0)
    with pytest.raises(DataFileError, match="cannot be read"):
        read_csv(path)


def test_errors_know_their_place_and_survive_pickling():
    with pytest.raises(DataFileError) as caught:
        read("a,b,a\n1,2,3\n")
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.file, error.line, error.column) == ("<stream>", 1, "a")
    assert str(error) == str(caught.value)


def is_symbol(text):
    try:
        float(text)
    except ValueError:
        return text.strip() not in MISSING
    return False


characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
words = st.text(characters, max_size=8).filter(is_symbol)
headings = st.text(characters, min_size=1, max_size=8).map(str.strip).filter(bool)


@st.composite
def tables(draw):
    n_rows = draw(st.integers(1, 6))
    table = {}
    for name in draw(st.lists(headings, min_size=1, max_size=5, unique=True)):
        if draw(st.booleans()):
            cells = draw(st.lists(st.floats(), min_size=n_rows, max_size=n_rows))
            table[name] = np.array(cells)
        else:
            cell = st.none() | words
            cells = draw(st.lists(cell, min_size=n_rows, max_size=n_rows).filter(any))
            table[name] = symbols(*cells)
    return table


@given(tables(), st.sampled_from(",;\t"), st.sampled_from(["\n", "\r\n"]))
def test_csv_round_trip(table, separator, end):
    text = io.StringIO()
    writer = csv.writer(
        text, delimiter=separator, lineterminator=end, quoting=csv.QUOTE_ALL, strict=True
    )
    writer.writerow(table)
    for row in zip(*table.values(), strict=True):
        writer.writerow(["" if cell is None or cell != cell else cell for cell in row])
    assert_same(read_csv(io.BytesIO(text.getvalue().encode())), table)


@given(st.text(st.sampled_from("ab1.?,; \t\n\r"), max_size=40), st.sampled_from(",;\t "))
@example("a, b\r\n1,2", ",")
def test_csv_fast_and_careful_cutting_agree(text, separator):
    careful = [cells for _, cells in _records(text, separator, "") if cells]
    assert _rows(text, separator, "") == careful


@given(st.binary() | st.text(st.sampled_from('ab,"\n\r;\t? 1'), max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused(content):
    for reader in (read_csv, read_arff):
        try:
            found = reader(io.BytesIO(content))
        except DataFileError:
            continue
        assert len({len(column) for column in found.values()}) == 1


# ARFF

RELATION = """% a comment
@RELATION 'some trips'

@attribute money NUMERIC  % in dollars
@Attribute "how long" real
@attribute	'it''s' integer
@attribute how{taxi, 'night train' , "o\\"clock", 50%}
@attribute who string
@data
"""


def test_arff_kinds_quotes_and_missing_cells():
    relation = RELATION.replace("'it''s'", r"'it\'s'").replace(", 50%}", "}  % all")
    found = read_relation(
        relation
        + "50, 1.5, 3, taxi, 'a, b'\n"
        + "% between\n\n"
        + "?,?,?,?,?\n"
        + " 1e1 ,-2,+4, 'night train', '?'  % behind\n"
        + '1\t2\t3\t"o\\"clock"\tit\'s\n'
        + "1,2,3,taxi,'a\\nb\\\\'\n"
    )
    assert_same(
        found,
        {
            "money": np.array([50, np.nan, 10, 1, 1]),
            "how long": np.array([1.5, np.nan, -2, 2, 2]),
            "it's": np.array([3, np.nan, 4, 3, 3]),
            "how": symbols("taxi", None, "night train", 'o"clock', "taxi"),
            "who": symbols("a, b", None, "?", "it's", "a\nb\\"),
        },
    )


def test_arff_symbolic_columns_keep_their_text():
    text = "@attribute a numeric\n@attribute b {}\n@data\n01,?\n"
    assert_same(read_relation(text, symbolic=["a"]), {"a": symbols("01"), "b": symbols(None)})


A = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n"
ARFF_ERRORS = {
    "empty": ("", "the file is empty"),
    "csv": ("a,b\n1,2\n", "line 1: expected @relation, @attribute or @data, found 'a,b'"),
    "no data": (A, "line 3: the file ends before @data"),
    "no rows": (A + "@data\n% none\n", "no rows after @data"),
    "no attributes": ("@relation r\n@data\n1\n", "line 2: no @attribute before @data"),
    "no type": ("@attribute a\n@data\n1\n", "line 1, column a: type '', expected numeric, real"),
    "no attribute name": ("@attribute\n@data\n1\n", "line 1: expected @attribute, a name and"),
    "empty name": ("@attribute '' real\n@data\n1\n", "line 1, column 1: the column has no name"),
    "same name": (A + "@attribute a real\n@data\n1,x,2\n", "line 4, column a: columns 1 and 3"),
    "date": ("@attribute a date\n@data\n1\n", "column a: type 'date', expected numeric"),
    "open values": ("@attribute a {x,y\n@data\nx\n", "line 1, column a: expected a list of val"),
    "empty value": ("@attribute a {x,,y}\n@data\nx\n", "line 1, column a: expected a list of val"),
    "short": (A + "@data\n1,x\n1\n", "line 6: expected 2 cells, found 1"),
    "long": (A + "@data\n1,x,2\n", "line 5: expected 2 cells, found 3"),
    "sparse": (A + "@data\n{0 1, 1 x}\n", "line 5: a sparse row"),
    "no number": (
        A + "@data\n1,x\n\none,x\n",
        "line 7, column a: expected a number or ?, found",
    ),
    "no value": (A + "@data\n1,z\n", "line 5, column b: expected one of x, y or ?, found 'z'"),
    "empty cell": (A + "@data\n,x\n", "line 5, column a: expected a number or ?, found ''"),
    "open quote": (
        A + "@data\n1,'x\n",
        "line 5: a quote that is not closed, or text after it",
    ),
    "after a quote": (A + "@data\n1,'x'y\n", "line 5: a quote that is not closed, or text after"),
    "padded quote": (A + "@data\n1,  'x\n", "line 5: a quote that is not closed, or text after"),
}


@pytest.mark.parametrize("case", ARFF_ERRORS)
def test_arff_errors(case):
    text, message = ARFF_ERRORS[case]
    with pytest.raises(DataFileError) as caught:
        read_relation(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def quoted(text):
    for character, escaped in (("\\", r"\\"), ("'", r"\'"), ("\n", r"\n"), ("\r", r"\r")):
        text = text.replace(character, escaped)
    return f"'{text}'"


@given(tables(), st.booleans(), st.sampled_from([",", " , ", "\t"]))
def test_arff_round_trip(table, nominal, separator):
    lines = ["@relation table"]
    for name, column in table.items():
        kind = "real" if column.dtype == float else "string"
        if kind == "string" and nominal:
            values = dict.fromkeys(cell for cell in column if cell is not None)
            kind = "{" + ",".join(map(quoted, values)) + "}"
        lines.append(f"@attribute {quoted(name)} {kind}")
    lines.append("@data")
    for row in zip(*table.values(), strict=True):
        cells = (
            "?"
            if cell is None or cell != cell
            else (quoted(cell) if isinstance(cell, str) else repr(float(cell)))
            for cell in row
        )
        lines.append(separator.join(cells))
    # A tab separates only where the row has no comma.
    if separator == "\t" and any("," in line for line in lines):
        return
    assert_same(read_relation("\n".join(lines)), table)


# Parquet


def write_parquet(path, **columns):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table(columns), path)
    return path


def test_parquet_kinds(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    path = write_parquet(
        tmp_path / "a.parquet",
        whole=arrow.array([1, None, 2**53 + 1]),
        real=arrow.array([1.5, None, float("nan")], arrow.float32()),
        price=arrow.array([1, 2, None], arrow.decimal128(5, 2)),
        flag=[True, False, True],
        maybe=[True, None, False],
        word=["?", None, ""],
        category=arrow.array(["a", None, "a"]).dictionary_encode(),
        nothing=arrow.nulls(3),
        number=[1.0, 2.5, None],
    )
    expected = {
        "whole": np.array([1, np.nan, 2.0**53]),
        "real": np.array([1.5, np.nan, np.nan]),
        "price": np.array([1, 2, np.nan]),
        "flag": np.array([True, False, True]),
        "maybe": symbols("True", None, "False"),
        "word": symbols("?", None, ""),
        "category": symbols("a", None, "a"),
        "nothing": np.full(3, np.nan),
        "number": symbols("1", "2.5", None),
    }
    assert_same(read_parquet(path, symbolic=["number"]), expected)
    with path.open("rb") as file:
        assert_same(read_table(file, symbolic=["number"]), expected)
    assert_same(read_table(io.BytesIO(path.read_bytes()), "parquet", symbolic="number"), expected)


def test_parquet_columns_can_be_written_to(tmp_path):
    path = write_parquet(tmp_path / "a.parquet", x=[1.0, 2.0])
    read_parquet(path)["x"][0] = 3.0


def test_parquet_errors(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    path = tmp_path / "a.parquet"
    write_parquet(path, when=arrow.array([1], arrow.timestamp("s")))
    with pytest.raises(DataFileError, match=r"column when: values of type timestamp\[ms\], expect"):
        read_parquet(path)
    write_parquet(path, list=[[1, 2]])
    with pytest.raises(DataFileError, match=r"column list: values of type list<.*>, expected"):
        read_parquet(path, symbolic=["list"])
    write_parquet(path, x=arrow.array([], arrow.float64()))
    with pytest.raises(DataFileError, match="a table without rows"):
        read_parquet(path)
    write_parquet(path, **{"": [1]})
    with pytest.raises(DataFileError, match="column 1: the column has no name"):
        read_parquet(path)
    for content in (b"PAR1", b"PAR1 and more", b"a,b\n1,2\n", bytes(range(256))):
        path.write_bytes(content)
        with pytest.raises(DataFileError, match="not a readable Parquet file: ") as caught:
            read_parquet(path)
        assert "\n" not in str(caught.value)
    path.write_bytes(b"")
    with pytest.raises(DataFileError, match="the file is empty, expected a Parquet file"):
        read_parquet(path)
    with pytest.raises(DataFileError, match="expected a file opened in binary mode"):
        read_parquet(io.StringIO("PAR1"))


def test_missing_pyarrow_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match=r'pip install "planetree\[parquet\]"'):
        read_parquet("any.parquet")


# read_table


def test_table_formats_by_suffix(tmp_path):
    expected = {"a": np.array([1.0]), "b;c": symbols("x")}
    text = {
        "a.csv": "a,b;c\n1,x\n",
        "b.TSV": "a\tb;c\n1\tx\n",
        "c.arff": "@attribute a real\n@attribute b;c {x}\n@data\n1,x\n",
    }
    for name, content in text.items():
        (tmp_path / name).write_text(content)
        assert_same(read_table(tmp_path / name), expected)
        with (tmp_path / name).open() as file:
            assert_same(read_table(file), expected)
        packed = tmp_path / (name + ".gz")
        packed.write_bytes(gzip.compress(content.encode()))
        assert_same(read_table(str(packed)), expected)


def test_table_formats_by_name():
    assert_same(read_table(io.BytesIO(b"a\n1\n"), "csv"), {"a": np.array([1.0])})
    assert_same(read_table(io.StringIO("a\n1\n"), format="tsv"), {"a": np.array([1.0])})
    with pytest.raises(ValueError, match="format='xls': choose one of csv, tsv, arff, parquet"):
        read_table(io.StringIO("a\n1\n"), "xls")
    for source in (io.StringIO("a\n1\n"), "a.xlsx", "csv/a"):
        with pytest.raises(DataFileError, match=r"unknown format: expected \.csv, \.tsv"):
            read_table(source)


def test_table_reads_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("a\né\n".encode()), "utf-8"))
    assert_same(read_table(sys.stdin, "csv"), {"a": symbols("é")})
