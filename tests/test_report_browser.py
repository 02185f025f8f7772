"""The report page in a real browser: every interaction, no error, nothing asked of the network."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from browser import CHROMIUM, DRIVER, chromium, open_page
from planetree import PlaneTreeClassifier, datasets
from planetree.learners import RLS
from planetree.presets import C45, CART
from planetree.pruners import Unpruned

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="needs chromium and chromedriver, as Debian packages them"
)
ODD = "</script><img src=x onerror=alert(1)> 'quotes\" 🌳"


@pytest.fixture(scope="module")
def browser():
    with chromium() as driver:
        yield driver


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A page over numbers, symbols, booleans and gaps, with planes, and its tree."""
    rng = np.random.default_rng(0)
    n = 300
    X = {
        "length": rng.normal(size=n),
        "width": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
        "colour": rng.choice(["red", "green", "blue"], n),
        "old": rng.random(n) < 0.5,
        ODD: rng.normal(size=n),
    }
    score = X["length"] - np.nan_to_num(X["width"]) + (X["colour"] == "red") + 0.3 * X[ODD]
    y = np.where(score > 0.5, "yes", np.where(score > -0.5, "perhaps", ODD))
    tree = PlaneTreeClassifier(learner=RLS(), min_leaf_rows=5).fit(X, y)
    file = tmp_path_factory.mktemp("report") / "page.html"
    tree.report(file, X, y, cv=3, title=f"A tree {ODD}")
    return file, tree, X


@pytest.fixture
def page(browser, made):
    open_page(browser, made[0])
    yield browser
    logged = browser.get_log("browser")
    assert logged == []
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            assert message["params"]["request"]["url"].startswith(("file:", "data:"))


def one(page, css):
    return page.find_element(By.CSS_SELECTOR, css)


def shown(page):
    return page.find_elements(By.CSS_SELECTOR, "#tree li")


def test_names_are_shown_and_never_run(page):
    assert one(page, "h1").text == f"A tree {ODD}"
    assert ODD in one(page, "#key").text
    assert page.find_elements(By.TAG_NAME, "img") == []
    assert "%" in one(page, "#verdict").text


def test_nodes_open_and_close_by_mouse(page):
    before = len(shown(page))
    one(page, "#tree > li > .node").click()
    assert len(shown(page)) == 1
    one(page, "#tree > li > .node").click()
    assert 1 < len(shown(page)) <= before
    one(page, "#open-all").click()
    assert len(shown(page)) > before or before == len(shown(page))
    one(page, "#close-all").click()
    assert len(shown(page)) == 1


def test_nodes_open_and_close_by_keys(page):
    one(page, "#close-all").click()
    root = one(page, "#tree > li")
    root.send_keys(Keys.ARROW_RIGHT)
    assert root.get_attribute("aria-expanded") == "true"
    root.send_keys(Keys.ARROW_DOWN)
    child = page.switch_to.active_element
    assert child.get_attribute("data-node") == "1"
    assert "Node 1:" in one(page, "#details").text
    child.send_keys(Keys.ARROW_LEFT)
    page.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
    page.switch_to.active_element.send_keys(Keys.ARROW_LEFT)
    assert one(page, "#tree > li").get_attribute("aria-expanded") == "false"


def test_hovering_tells_of_a_node(page):
    webdriver.ActionChains(page).move_to_element(one(page, "#tree > li > .node")).perform()
    assert one(page, "#details").text.startswith("Node 0: 300 training rows")


def test_pruning_moves_along_the_path(page, made):
    slider = one(page, "#prune")
    assert one(page, "#pruned").text.startswith(f"{made[1].n_leaves_} leaves")
    slider.send_keys(Keys.END)
    assert one(page, "#pruned").text.startswith("1 leaf")
    assert len(shown(page)) == 1
    slider.send_keys(Keys.HOME)
    assert len(shown(page)) > 1


def test_a_feature_is_found(page, made):
    one(page, "#search").send_keys("LENG")
    tests = [t for t in made[1].tree_.tests if t is not None and 0 in t.features]
    assert one(page, "#found").text.startswith(str(len(tests)))
    assert page.find_elements(By.CSS_SELECTOR, ".found")


def test_zoom_and_theme(page):
    node = one(page, "#tree > li > .node")
    height = node.size["height"]
    one(page, "#larger").click()
    assert node.size["height"] > height
    paper = one(page, "body").value_of_css_property("background-color")
    one(page, "#theme").click()
    assert one(page, "body").value_of_css_property("background-color") != paper


def test_a_case_that_is_typed_in_goes_its_way(page, made):
    _, tree, X = made
    one(page, "input[data-feature='0']").send_keys("1.5")
    one(page, "select[data-feature='2'] option[value='2']").click()
    said = one(page, "#way strong").text
    case = {"length": [1.5], "width": [None], "colour": ["red"], "old": [None], ODD: [None]}
    assert said == f"→ {tree.predict(case)[0]}"
    on_way = {
        int(li.get_attribute("data-node"))
        for li in shown(page)
        if "on-way" in li.get_attribute("class")
    }
    assert on_way == {*map(int, tree.decision_path(case).indices)}
    del X


def test_the_page_predicts_what_the_tree_predicts(page, made):
    _, tree, X = made
    rows = tree._read(X)
    cuts = [t.cut for t in tree.tree_.tests if getattr(t, "kind", "") == "threshold"]
    rng = np.random.default_rng(1)
    strange = rows[rng.integers(0, len(rows), 500)].copy()
    strange[rng.random(strange.shape) < 0.1] = np.nan
    strange[:100, 2] = 3.0  # a colour never seen
    if cuts:
        strange[100:200, 0] = rng.choice(cuts, 100)
    cases = [[None if math.isnan(v) else v for v in row] for row in strange.tolist()]
    told = page.execute_script(
        "return arguments[0].map((x) => window.planetree.predict(x).shares)", cases
    )
    leaves = tree.tree_.apply(strange)
    np.testing.assert_allclose(told, tree.tree_.probabilities[leaves], rtol=0, atol=1e-12)


def test_the_page_shares_rows_out_as_the_tree_does(browser, tmp_path):
    X, y = datasets.load_vote(return_X_y=True)
    tree = C45(pruner=Unpruned()).fit(X, y)
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (500, X.shape[1])).astype(float)
    rows[rng.random(rows.shape) < 0.5] = np.nan
    assert (np.diff(tree.tree_.parts(rows).indptr) > 2).mean() > 0.5
    tree.report(tmp_path / "parts.html")
    open_page(browser, tmp_path / "parts.html")
    cases = [[None if math.isnan(v) else v for v in row] for row in rows.tolist()]
    told = browser.execute_script(
        "return arguments[0].map((x) => { const p = window.planetree.predict(x);"
        " return [p.label, p.shares]; })",
        cases,
    )
    assert [label for label, _ in told] == tree.tree_.predict(rows).tolist()
    shares = [of for _, of in told]
    np.testing.assert_allclose(shares, tree.tree_.predict_proba(rows), rtol=0, atol=1e-12)
    assert browser.get_log("browser") == []


def test_five_thousand_nodes_open(browser, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12_000, 4))
    tree = CART(pruner=Unpruned()).fit(X, rng.integers(0, 3, 12_000))
    assert tree.n_nodes_ > 5000
    tree.report(tmp_path / "large.html")
    open_page(browser, tmp_path / "large.html")
    assert 1 < len(shown(browser)) <= 60
    assert browser.get_log("browser") == []


def test_the_printed_page_has_no_controls(page):
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not one(page, ".controls").is_displayed()
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
