"""The command `planetree` and bad input: one line on standard error, and nothing written."""

import os
import sys
from contextlib import suppress

import pytest

from planetree.choices import PRESETS
from planetree.cli import main
from planetree.cli.guard import tell
from planetree.datasets import names

GOOD = "x,y\n1,a\n2,b\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.csv").write_text(GOOD)
    return tmp_path


@pytest.fixture
def model(folder, capsys):
    assert main(["fit", "good.csv", "-t", "y", "--pruner", "unpruned", "-o", "model.json"]) == 0
    capsys.readouterr()
    return folder / "model.json"


def fails(capsys, line, code=1):
    assert main(line.split()) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith("\n")
    assert captured.err.count("\n") == 1
    return captured.err.removesuffix("\n")


TABLES = {
    "empty file": ("", "a.csv: the file is empty, expected a table"),
    "header only": ("x,y\n", "a.csv, line 1: only a header, expected rows of data below it"),
    "ragged": ("x,y\n1,a\n2\n", "a.csv, line 3: expected 2 cells, found 1"),
    "same name twice": (
        "x,x,y\n1,2,a\n",
        "a.csv, line 1, column x: columns 1 and 2 have the same name, expected distinct names",
    ),
    "binary": (b"\xff\xd8\xff\xe0", "a.csv, line 1: not UTF-8 text (byte 0xff): save it as UTF-8"),
    "one class": (
        "x,y\n1,a\n2,a\n",
        "a.csv, column y: one class only (a); a tree needs two or more to tell apart",
    ),
    "no value in a column": (
        "x,z,y\n1,,a\n2,?,b\n",
        "a.csv: column z holds no value at all; drop it",
    ),
    "infinity": (
        "x,y\n1,a\ninf,b\n",
        "a.csv: column x holds an infinity (row 1); use NaN for a missing value",
    ),
    "no target": ("x,z\n1,a\n2,b\n", "a.csv: no column y. Known: x, z"),
    "misspelt target": ("x,Y\n1,a\n2,b\n", "a.csv: no column y, did you mean Y? Known: x, Y"),
    "target only": ("y\na\nb\n", "a.csv: no column is left to learn from"),
    "gaps in the target": (
        "x,y\n1,a\n2,b\n3,\n4,NA\n",
        "a.csv, column y: the class is missing in 2 rows, first in row 2; leave such rows out",
    ),
    "a gap in a target of numbers": (
        "x,y\n1,0\n2,\n",
        "a.csv, column y: the class is missing in 1 row, first in row 1; leave such rows out",
    ),
    "a word among numbers": (
        "x,y\n1,a\n,b\noops,a\n3,b\n",
        "a.csv, column x: the number '1' in row 0, but the word 'oops' in row 2 (a missing value "
        "is an empty cell, ? or NA; --symbolic x takes all for words)",
    ),
    "words among numbers": (
        "doors,size,seats,y\n2,big,2,a\n5more,small,more,b\n",
        "a.csv, column doors: the number '2' in row 0, but the word '5more' in row 1 (a missing "
        "value is an empty cell, ? or NA; --symbolic doors takes all for words); likewise seats",
    ),
    "another format": (
        b"PAR1 and so on",
        "a.csv: this is a Parquet file: say --format parquet",
    ),
    "continuous target": (
        "x,y\n1,3\n2,0.5\n",
        "a.csv, column y: a class cannot be 0.5 (row 1); it must be a word or a whole number "
        "(--symbolic y takes every number for a word)",
    ),
}


@pytest.mark.parametrize(("content", "message"), TABLES.values(), ids=TABLES)
def test_table(folder, capsys, content, message):
    (folder / "a.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "model.json").write_text("old")
    assert fails(capsys, "fit a.csv -t y -o model.json") == f"error: {message}"
    assert (folder / "model.json").read_text() == "old"
    assert len(list(folder.iterdir())) == 3


WEIGHTS = {
    "negative": ("1\n-2", "a weight must be a number of at least 0; in row 1 it is -2"),
    "missing": ("1\n", "a weight must be a number of at least 0; in row 1 it is missing"),
    "infinite": ("1\ninf", "a weight must be a number of at least 0; in row 1 it is inf"),
    "all zero": ("0\n0", "every weight is 0, no row is left to learn from"),
    "words": ("1\nmuch", "weights must be numbers"),
}


@pytest.mark.parametrize(("weights", "message"), WEIGHTS.values(), ids=WEIGHTS)
def test_weights(folder, capsys, weights, message):
    first, second = weights.split("\n")
    (folder / "a.csv").write_text(f"x,w,y\n1,{first},a\n2,{second},b\n")
    line = "fit a.csv -t y --weight w -o model.json"
    assert fails(capsys, line) == f"error: a.csv, column w: {message}"
    assert not (folder / "model.json").exists()


def test_a_class_may_vanish_with_its_weight(folder, capsys):
    (folder / "a.csv").write_text("x,w,y\n1,1,a\n2,0,b\n")
    assert "column y: one class only (a)" in fails(capsys, "fit a.csv -t y --weight w")


LINES = {
    "no file": ("fit no.csv -t y", "no.csv: no such file"),
    "directory": ("fit . -t y --format csv", ".: expected a file, found a directory"),
    "unknown format": (
        "fit model.json -t y",
        "model.json: unknown format: expected .csv, .tsv, .arff or .parquet, or --format",
    ),
    "unknown set": (
        "fit bundled:irsi",
        "bundled:irsi: no bundled set irsi, did you mean iris? Known: " + ", ".join(names()),
    ),
    "dropped column": ("fit good.csv -t y --drop z", "good.csv: no column z. Known: x, y"),
    "weight column": ("fit good.csv -t y --weight z", "good.csv: no column z. Known: x, y"),
    "symbolic column": (
        "fit good.csv -t y --symbolic z",
        "good.csv, column z: no such column to be symbolic; the columns are x, y",
    ),
    "symbolic column of a set": (
        "fit bundled:iris --symbolic petal",
        "bundled:iris: no column petal, did you mean petal_width? Known: "
        "sepal_length, sepal_width, petal_length, petal_width, class",
    ),
    "too many folds": (
        "fit bundled:iris --cv 51",
        "bundled:iris: --cv 51 is more folds than the largest class has rows, 50",
    ),
    "too few rows for folds": (
        "fit good.csv -t y --cv 2",
        "good.csv: --cv needs two classes of two rows or more",
    ),
    "output is the input": (
        "fit good.csv -t y -o ./good.csv",
        "./good.csv is read here, write to another file",
    ),
    "output in no directory": (
        "fit good.csv -t y -o no/model.json",
        "no/model.json cannot be written: there is no directory no",
    ),
    "output is a directory": (
        "fit good.csv -t y -o .",
        ". cannot be written: it is a directory",
    ),
    "predictions over the model": (
        "predict model.json good.csv -o model.json",
        "model.json is read here, write to another file",
    ),
    "no model": ("show no.json", "no.json: No such file or directory"),
    "column to score": (
        "predict model.json good.csv --score z",
        "good.csv: no column z. Known: x, y",
    ),
    "row": ("explain model.json good.csv --row 2", "good.csv: no row 2, the rows are 0 to 1"),
    "negative row": (
        "explain model.json good.csv --row -1",
        "good.csv: no row -1, the rows are 0 to 1",
    ),
}


@pytest.mark.parametrize(("line", "message"), LINES.values(), ids=LINES)
def test_line(model, capsys, line, message):
    before = model.read_text()
    assert fails(capsys, line) == f"error: {message}"
    assert (model.read_text(), (model.parent / "good.csv").read_text()) == (before, GOOD)


NEW_ROWS = {
    "misspelt column": (
        "X\n1\n",
        "the model needs a column that it lacks: no column x, did you mean X? Known: X",
    ),
    "infinity": ("x\n-inf\n", "column x holds an infinity (row 0); use NaN for a missing value"),
}


@pytest.mark.parametrize(("content", "message"), NEW_ROWS.values(), ids=NEW_ROWS)
@pytest.mark.parametrize("command", ["predict", "explain"])
@pytest.mark.usefixtures("model")
def test_new_rows(folder, capsys, command, content, message):
    (folder / "a.csv").write_text(content)
    assert fails(capsys, f"{command} model.json a.csv") == f"error: a.csv: {message}"


def test_several_columns_are_missing(folder, capsys):
    (folder / "a.csv").write_text("alpha,beta,gamma,y\n1,2,3,a\n2,3,4,b\n")
    main(["fit", "a.csv", "-t", "y", "--pruner", "unpruned", "-o", "m.json"])
    capsys.readouterr()
    (folder / "b.csv").write_text("alpa,gamma\n1,3\n")
    assert fails(capsys, "predict m.json b.csv") == (
        "error: b.csv: the model needs columns that it lacks: no column alpha, did you mean alpa? "
        "Known: alpa, gamma; also lacking: beta"
    )


@pytest.mark.usefixtures("model")
def test_a_word_among_numbers(folder, capsys):
    (folder / "a.csv").write_text("x\n1\nunknown\n")
    assert fails(capsys, "predict model.json a.csv") == (
        "error: a.csv, column x: numbers in training, but row 1 holds 'unknown' "
        "(a missing value is an empty cell, ? or NA)"
    )


@pytest.mark.usefixtures("model")
def test_kept_column_that_is_there_already(folder, capsys):
    (folder / "a.csv").write_text("x,prediction\n1,a\n")
    assert fails(capsys, "predict model.json a.csv --keep") == (
        "error: a.csv: a column prediction is there already, so --keep cannot be"
    )


def test_nothing_to_score(folder, model, capsys):
    (folder / "a.csv").write_text("x,y\n1,\n")
    assert fails(capsys, f"predict {model} a.csv --score y") == (
        "error: a.csv, column y: no row has a class to compare with"
    )


@pytest.mark.parametrize("content", ["", "x,y\n1,a\n", "{}", "[]", '{"format": "planetree-model"}'])
def test_malformed_model(folder, capsys, content):
    (folder / "bad.json").write_text(content)
    for line in ("show bad.json", "predict bad.json good.csv", "explain bad.json good.csv"):
        assert fails(capsys, line).startswith("error: bad.json: not ")


USAGE = {
    "unknown merit": (
        "fit good.csv -t y --merit ginni",
        "Invalid value for --merit: no merit ginni, did you mean gini? Known: "
        "gain-ratio-unguarded, gain-ratio, gini, information-gain, max-minority, "
        "misclassification, sum-minority, twoing",
    ),
    "unknown option of a merit": (
        "fit good.csv -t y --merit gain-ratio:guarded=no",
        "Invalid value for --merit: no option of gain-ratio named guarded, did you mean guard? "
        "Known: guard, penalty",
    ),
    "unknown preset": (
        "fit good.csv -t y --preset nosuch",
        f"Invalid value for --preset: no preset nosuch. Known: {', '.join(PRESETS)}",
    ),
    "unknown class weight": (
        "fit good.csv -t y --class-weight balance",
        "Invalid value for --class-weight: no class weight balance, did you mean balanced? "
        "Known: balanced",
    ),
    "unknown format": (
        "fit good.csv -t y --format cvs",
        "Invalid value for --format: no format cvs, did you mean csv? "
        "Known: csv, tsv, arff, parquet",
    ),
    "no target": (
        "fit good.csv",
        "Invalid value for --target: which column holds the class?",
    ),
    "target dropped": (
        "fit good.csv -t y --drop y",
        "Invalid value for '--target' / '--weight' / '--drop': y is given more than once",
    ),
}


@pytest.mark.parametrize(("line", "message"), USAGE.values(), ids=USAGE)
def test_usage(capsys, line, message):
    assert fails(capsys, line, code=2) == f"error: {message} (see planetree fit --help)"


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("fit good.csv --max-dept 3", ["--max-dept", "--max-depth", "(see planetree fit --help)"]),
        ("fit good.csv -t y --max-depth -1", ["'--max-depth'", "0", "(see planetree fit --help)"]),
        ("fit good.csv -t y --min-share 2", ["'--min-share'", "1"]),
        ("fit good.csv -t y --max-leaves few", ["'--max-leaves'", "integer"]),
        ("ft", ["ft", "(see planetree --help)"]),
        ("predict", ["MODEL", "(see planetree predict --help)"]),
        ("predict - -", ["MODEL, DATA", "only one of them can be standard input"]),
    ],
)  # fmt: skip
def test_usage_in_typers_words(capsys, line, parts):
    said = fails(capsys, line, code=2)
    assert [part for part in parts if part not in said] == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may do anything")
def test_permissions(folder, model, capsys):
    (folder / "good.csv").chmod(0)
    assert fails(capsys, "fit good.csv -t y") == (
        "error: good.csv: cannot be read: Permission denied"
    )
    model.chmod(0o400)
    assert fails(capsys, "fit bundled:iris -o model.json") == (
        "error: model.json cannot be written: permission denied"
    )


def test_out_of_memory(capsys, monkeypatch):
    def too_much(*args, **kwargs):
        raise MemoryError

    monkeypatch.setattr("planetree.cli.work.fit", too_much)
    assert fails(capsys, "fit good.csv -t y -o model.json") == (
        "error: out of memory; this needs a larger machine or fewer rows"
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_full_disk(capsys, monkeypatch):
    full = open("/dev/full", "w")  # noqa: SIM115 - closing it fails as well
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", full)
        assert main(["fit", "good.csv", "-t", "y", "--pruner", "unpruned"]) == 1
        assert main(["fit", "good.csv", "-t", "y", "--pruner", "unpruned", "-o", "-"]) == 1
    with suppress(OSError):
        full.close()
    assert capsys.readouterr().err.splitlines()[0] == "error: No space left on device"


def test_interrupted(folder, capsys, monkeypatch):
    def interrupt(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("planetree.textfile.os.fsync", interrupt)
    line = "fit good.csv -t y --pruner unpruned -o model.json"
    assert fails(capsys, line, code=130) == "interrupted"
    assert [path.name for path in folder.iterdir()] == ["good.csv"]


def test_missing_extra_of_a_format(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert fails(capsys, "fit a.parquet -t y") == (
        'error: reading Parquet needs pyarrow: pip install "planetree[parquet]"'
    )


@pytest.mark.parametrize("package", ["typer", "rich"])
def test_missing_extra_of_the_command(capsys, monkeypatch, package):
    for name in [name for name in sys.modules if name.startswith("planetree.cli.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    if package == "rich":
        monkeypatch.setitem(sys.modules, "rich.console", None)
    assert fails(capsys, "--version", code=2) == (
        'planetree\'s command line needs rich and typer: pip install "planetree[cli]"'
    )


@pytest.mark.filterwarnings("default")
def test_warnings_are_one_line(folder, model, capsys):
    text = model.read_text()
    gini = '{"class": "Gini", "params": {}}'
    assert gini in text
    model.write_text(text.replace(gini, '{"repr": "Mine()"}'))
    assert main(["show", "model.json"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("warning: ")
    assert "merit was Mine()" in line


@pytest.mark.filterwarnings("default")
def test_a_column_that_names_the_rows_is_pointed_out(folder, capsys):
    (folder / "a.csv").write_text("name,x,y\n" + "".join(f"n{i},{i},{i % 2}\n" for i in range(30)))
    assert main(["fit", "a.csv", "-t", "y", "--max-leaves", "2", "--pruner", "unpruned"]) == 0
    assert capsys.readouterr().err == (
        "warning: a.csv, column name: 30 different words in 30 rows; "
        "if they only name the rows, --drop name\n"
    )


def test_what_is_told_stays_on_one_line_and_cannot_steer_the_terminal(capsys):
    tell("error", "a\n  b\x1b[2J")
    assert capsys.readouterr().err == "error: a b\\x1b[2J\n"
