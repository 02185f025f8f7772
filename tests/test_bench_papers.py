"""Published comparisons: what is printed is read as it stands, and ours is judged beside it."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

from planetree.bench.papers import PAPERS, claims, published, reproduce, write_page
from planetree.bench.papers.contract import Place
from planetree.bench.papers.figures import FigureTable, accurate_places, judge, share_met
from planetree.bench.papers.published import read_cell, read_published
from planetree.bench.papers.reasons import UNKNOWN, read_reasons, reason_of
from planetree.bench.results import Results
from planetree.cli import main

FILES = sorted(published.FOLDER.glob("*-t*.csv"))


def results(accuracy, systems, measure="accuracy"):
    """Results of made-up figures, by data, system and repetition."""
    values = np.asarray(accuracy, float)[..., None]
    data = {f"d{i}": {} for i in range(len(values))}
    description = {"data": data, "systems": {key: {} for key in systems}, "measures": [measure]}
    n = np.full(values.shape, 10.0)
    arrays = {measure: values, "n_test": n, "n_train": 9 * n}
    return Results("made up", description, arrays, {}, values.size, [])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_printed_table_is_a_table(path):
    paper, table = path.stem.split("-t")
    read = read_published(paper, int(table))
    assert {len(row) for row in read.rows} == {len(read.head)}
    assert len(set(read.head)) == len(read.head)


@pytest.mark.parametrize("paper", PAPERS.values(), ids=lambda paper: paper.number)
def test_every_figure_has_a_cell_of_a_study(paper):
    studies = {name: plan.study(name) for name, plan in paper.plans.items()}
    for plan in paper.plans.values():
        assert set(plan.quick) <= set(plan.data)
        assert set(plan.slow) <= set(plan.systems)
    for table in paper.tables:
        for place in table.places():
            study = studies[place.study]
            assert place.data in study.data
            assert place.system in study.systems
            assert place.measure in study.measures


@pytest.mark.parametrize(
    ("printed", "ours", "met", "better"),
    [
        ("80.0±0.5", 0.815, True, False),
        ("80.0±0.5", 0.825, True, True),
        ("80.0±0.5", 0.785, True, False),
        ("80.0±0.5", 0.775, False, False),
        ("80.0±2.0", 0.765, True, False),
        ("80.0?", 0.5, None, False),
        ("na", 0.5, None, False),
        ("80.0", np.nan, None, False),
    ],
)
def test_accuracy_is_judged(printed, ours, met, better):
    runs = {"all": results([[[ours]]], ["cart"])}
    cell = judge(2, "cart", "d0", read_cell(printed), Place("all", "d0", "cart"), runs)
    assert (cell.met, cell.better) == (met, better)


@pytest.mark.parametrize(("ours", "met"), [(4.0, True), (3.9, False), (8.0, True), (8.1, False)])
def test_size_is_within_a_third(ours, met):
    runs = {"all": results([[[ours]]], ["cart"], "leaves")}
    place = Place("all", "d0", "cart", "leaves")
    cell = judge(2, "cart", "d0", read_cell("6.00"), place, runs)
    assert cell.met is met
    assert share_met([cell], "size") == (int(met), 0, 1)
    assert share_met([cell], "accuracy") == (0, 0, 0)


def test_a_smaller_tree_is_better_where_it_is_as_accurate():
    runs = {"all": results([[[2.0]]], ["cart"], "leaves")}
    place = Place("all", "d0", "cart", "leaves")

    def judged(ours, accurate, measure="leaves"):
        runs["all"] = results([[[ours]]], ["cart"], measure)
        at = place._replace(measure=measure)
        cell = judge(2, "cart", "d0", read_cell("6.00"), at, runs, accurate)
        return cell.met, cell.better

    as_accurate = {place.accuracy}
    assert judged(2.0, as_accurate) == (True, True)
    assert judged(2.0, ()) == (False, False)
    assert judged(5.0, as_accurate) == (True, False)
    assert judged(9.0, as_accurate) == (False, False)
    # Fewer tests of one kind say nothing of the whole tree.
    assert judged(2.0, as_accurate, "univariate_tests") == (False, False)


def test_an_accuracy_that_is_printed_twice_must_be_met_twice():
    places = {"easy": Place("all", "d0", "cart"), "hard": Place("all", "d0", "id3")}

    def table(*rows):
        made = FigureTable("001", 2, "made up", 1, lambda keys, column: places[keys[0]])
        made.__dict__["printed"] = published.PrintedTable(("data", "accuracy"), list(rows))
        return made

    runs = {"all": results([[[0.8], [0.8]]], ["cart", "id3"])}
    tables = [table(("easy", "79.0"), ("hard", "79.0")), table(("hard", "90.0"))]
    assert accurate_places(tables, runs) == {places["easy"]}


@pytest.mark.parametrize("paper", [paper for paper in PAPERS if paper != "003"])
def test_every_reason_is_about_figures_that_are_printed(paper):
    nan = {name: results([[[np.nan]]], ["none"]) for name in PAPERS[paper].plans}
    tables = [table for table in PAPERS[paper].tables if isinstance(table, FigureTable)]
    cells = [cell for table in tables for cell in table.compare(nan, ()).cells]
    told = {reason_of(cell, read_reasons(paper)) for cell in cells}
    assert {reason.why for reason in read_reasons(paper)} == told - {UNKNOWN}


def test_a_conclusion_is_confirmed_refuted_or_undecided():
    rng = np.random.default_rng(0)
    base = rng.uniform(0.6, 0.9, (8, 1, 1))
    runs = {"all": results(np.add(base, [[[0.05], [0.0], [0.002]]]), ["good", "bad", "as bad"])}
    assert claims.accurate(runs, ["good"], ["bad"]).verdict == "confirmed"
    assert claims.accurate(runs, ["bad"], ["good"]).verdict == "refuted"
    assert claims.accurate(runs, ["bad"], ["as bad"], or_equal=True).verdict == "confirmed"
    assert claims.accurate(runs, ["bad"], ["good"], data=["d1"]).verdict == "undecided"
    assert claims.accurate(runs, ["bad"], ["nobody"]).verdict == "undecided"
    sizes = {"all": results(base * [[[4.0], [8.0]]], ["small", "large"], "leaves")}
    assert claims.smaller(sizes, "leaves", ["small"], ["large"]).verdict == "confirmed"
    assert claims.smaller(sizes, "leaves", ["large"], ["small"]).verdict == "refuted"
    half = claims.ratio(sizes, "leaves", ["small"], ["large"], lambda r: r < 0.6)
    assert half.verdict == "confirmed"
    assert half.because.startswith("0.5 times over 8 data sets")


def test_a_quick_run_goes_on_where_it_was(tmp_path):
    paper = PAPERS["001"]
    plan = replace(paper.plans["all"], quick=("iris", "wine"))
    small = replace(paper, plans={"all": plan})
    told = []

    def watched(title):
        assert title == "001, study all"
        return nullcontext(lambda done, total, wrong: told.append((done, total, wrong)))

    options = {"quick": True, "repeats": 1, "folder": tmp_path, "jobs": 1, "watched": watched}
    [nodes] = reproduce(small, table=4, **options).compared
    assert told[0] == (0, 12, 0)  # two sets, three systems, two folds
    judged = {(cell.row, cell.column): cell for cell in nodes.cells if cell.met is not None}
    assert set(judged) == {(d, s) for d in ("iris", "wine") for s in ("ID3", "CART", "FSCART")}
    assert judged["iris", "ID3"].met
    assert "8.4±1.4 → " in nodes.table.to_markdown()
    told.clear()
    found = reproduce(small, **options)
    assert told[0] == (12, 16, 0)  # the nearest mean is new
    page = write_page(found)
    assert (
        "study all: 1 of 5 repetitions, 8 of 52 pairs of data and system, 0.0 CPU minutes" in page
    )
    assert "| None of the four methods dominates. | undecided |" in page
    assert page.count("### Table ") == 3


def test_the_worked_examples(capsys):
    assert main(["reproduce", "003"]) == 0
    out = capsys.readouterr().out
    assert "Money  0.27279  0.27279" in out
    assert "Hurry  0.34657  0.46210" in out
    assert "TrainLate = Y → Taxi (1)" in out.replace("\N{NO-BREAK SPACE}", " ")
    assert "negative            2      0.4   0.4           2.8" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["7"], "no paper 7. Known: 000, 001, 002, 003, 004"),
        (["001", "--table", "9"], "paper 001 has no results table 9: it has 2, 3, 4"),
        (["003", "--table", "1"], "paper 003 has no results table 1: it has none"),
        (["001", "--cache", "nowhere"], "nowhere: no such folder"),
        (["001", "--table", "2", "--write", "."], "a page has all tables"),
        (["001", "--format", "word"], "no format word"),
    ],
)
def test_one_line_and_nothing_runs(tmp_path, capsys, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", *arguments]) in (1, 2)
    err = capsys.readouterr().err
    assert err.startswith("error: ")
    assert said in err
    assert err.count("\n") == 1
    assert not any(tmp_path.iterdir())
