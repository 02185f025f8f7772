"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { features, classes, nodes, words, looks, pruning } = data;
  const $ = (id) => document.getElementById(id);
  // Names go into the page as text, never as markup.
  const make = (tag, text, className) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  };
  const number = (x) => Number(x.toPrecision(6)).toString();
  const percent = (x) => `${(100 * x).toFixed(1)} %`;
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  const largest = (counts) => counts.indexOf(Math.max(...counts));
  const background = (k) => looks[k].stripes
    ? `repeating-linear-gradient(${looks[k].stripes}deg, ${looks[k].color} 0 3px, #fff 3px 5px)` : looks[k].color;

  // --- what it is, how good it is ---------------------------------------------------------------
  $("title").textContent = data.title;
  $("what").textContent = data.what;
  $("footer").textContent = data.footer;
  const table = (id, caption, heads, rows, ours) => {
    const [place, head, body] = [$(id), $(id).tHead, $(id).tBodies[0]];
    place.caption.textContent = caption;
    const top = head.insertRow();
    heads.forEach((text) => { const th = make("th", text); th.scope = "col"; top.append(th); });
    rows.forEach((row, i) => {
      const line = body.insertRow();
      if (i === ours) line.className = "ours";
      row.forEach((cell, j) => {
        const element = make(j ? "td" : "th", cell);
        if (!j) element.scope = "row";
        line.append(element);
      });
    });
  };
  if (data.judged) {
    const { scores, caption, verdict, confusion } = data.judged;
    $("verdict").textContent = verdict;
    table("scores", caption, ["", "accuracy", "± over folds", "leaves"], scores, 0);
    table("confusion", "Rows: what a case is; columns: what it was taken for, in the cross-validation.",
      ["", ...classes], confusion.map((row, k) => [classes[k], ...row.map(number)]));
  } else {
    $("good").hidden = true;
  }

  // --- the tree ---------------------------------------------------------------------------------
  const parent = new Array(nodes.length).fill(-1);
  nodes.forEach((node, i) => (node.children || []).forEach((c) => { parent[c] = i; }));
  const items = new Map(); // node -> its list item, once it has been drawn
  let step = 0; // of the pruning path: a node whose time has come is a leaf
  const isLeaf = (i) => !nodes[i].children || pruning.first[i] <= step;
  const kids = (i) => (isLeaf(i) ? [] : nodes[i].children);
  const tree = $("tree");

  const bar = (counts) => {
    const strip = make("span", undefined, "bar");
    const total = sum(counts);
    counts.forEach((count, k) => {
      if (!count) return;
      const part = make("i");
      part.style.width = `${100 * count / total}%`;
      part.style.background = background(k);
      strip.append(part);
    });
    strip.setAttribute("aria-hidden", "true");
    return strip;
  };
  const verdict = (i) => {
    const [counts, k] = [nodes[i].counts, largest(nodes[i].counts)];
    const total = sum(counts);
    return [classes[k], counts[k] === total ? number(total) : `${number(counts[k])} of ${number(total)}`];
  };
  const fill = (i) => { // what a list item holds, its branches aside
    const [item, box] = [items.get(i), make("div", undefined, "node")];
    if (parent[i] >= 0) {
      const up = parent[i];
      box.append(make("span", words[up].answers[i - nodes[up].children[0]], "branch"));
    }
    if (isLeaf(i)) {
      const [label, cases] = verdict(i);
      box.append(make("span", label, "verdict"), " ", make("span", `(${cases})`, "cases"));
      item.removeAttribute("aria-expanded");
    } else {
      box.classList.add("opens");
      box.append(make("span", words[i].asks, "asks"), " ", make("span", number(sum(nodes[i].counts)), "cases"));
      if (!item.hasAttribute("aria-expanded")) item.setAttribute("aria-expanded", "false");
    }
    box.append(bar(nodes[i].counts));
    item.firstChild ? item.firstChild.replaceWith(box) : item.append(box);
  };
  const draw = (i) => {
    const item = make("li");
    item.setAttribute("role", "treeitem");
    item.dataset.node = i;
    item.tabIndex = -1;
    items.set(i, item);
    fill(i);
    return item;
  };
  const branches = (i) => items.get(i).querySelector(":scope > ul");
  const isOpen = (i) => items.get(i).getAttribute("aria-expanded") === "true";
  const open = (i) => {
    if (isLeaf(i) || isOpen(i)) return;
    let list = branches(i);
    if (!list) {
      list = make("ul");
      list.setAttribute("role", "group");
      kids(i).forEach((c) => list.append(draw(c)));
      items.get(i).append(list);
  
    }
    list.hidden = false;
    items.get(i).setAttribute("aria-expanded", "true");
  };
  const close = (i) => {
    if (isLeaf(i) || !items.has(i)) return;
    const list = branches(i);
    if (list) { forget(i); list.remove(); }
    items.get(i).setAttribute("aria-expanded", "false");
  };
  const forget = (i) => (nodes[i].children || []).forEach((c) => {
    if (items.has(c)) { forget(c); items.delete(c); }
  });
  const openTo = (i) => { // everything above a node; false if pruning has taken it
    const way = [];
    for (let up = parent[i]; up >= 0; up = parent[up]) way.unshift(up);
    for (const up of way) {
      if (isLeaf(up)) return false;
      open(up);
    }
    return true;
  };
  const openLevels = (most) => { // level by level while there is room
    let [level, drawn] = [[0], 1];
    while (level.length) {
      const next = level.flatMap(kids);
      if (!next.length) return true;
      if (drawn + next.length > most) return false;
      level.forEach(open);
      drawn += next.length;
      level = next;
    }
  };
  const [MOST, MOST_OPEN] = [60, 10000]; // nodes drawn at first; more than a browser lays out with ease
  const redraw = () => {
    items.clear();
    tree.replaceChildren(draw(0));
    openLevels(MOST);
    items.get(0).tabIndex = 0;
    mark();
  };

  // --- hover and focus tell of a node --------------------------------------------------------------
  const tell = (i) => {
    const { counts, n_rows: rows } = nodes[i];
    const total = sum(counts);
    const order = counts.map((c, k) => [c, k]).filter(([c]) => c > 0).sort((a, b) => b[0] - a[0]);
    const shares = order.slice(0, 12).map(([c, k]) => `${classes[k]} ${number(c)} (${percent(c / total)})`);
    const more = order.length > 12 ? `, and ${order.length - 12} more classes` : "";
    const asks = isLeaf(i) ? "" : ` It asks: ${words[i].full}.`;
    $("details").textContent = `Node ${i}: ${rows} training ${rows === 1 ? "row" : "rows"}; ${shares.join(", ")}${more}.${asks}`;
  };
  const nodeOf = (event) => {
    const item = event.target.closest && event.target.closest("#tree li");
    return item ? Number(item.dataset.node) : null;
  };
  tree.addEventListener("mouseover", (event) => { const i = nodeOf(event); if (i !== null) tell(i); });
  tree.addEventListener("focusin", (event) => { const i = nodeOf(event); if (i !== null) tell(i); });
  tree.addEventListener("click", (event) => {
    const i = nodeOf(event);
    if (i === null || !event.target.closest(".node")) return;
    isOpen(i) ? close(i) : open(i);
    focus(i);
    mark();
  });
  const focus = (i) => {
    const before = tree.querySelector('[tabindex="0"]');
    if (before) before.tabIndex = -1;
    items.get(i).tabIndex = 0;
    items.get(i).focus();
  };
  tree.addEventListener("keydown", (event) => { // the keys of the ARIA tree pattern
    const i = nodeOf(event);
    if (i === null) return;
    const shown = [...tree.querySelectorAll("li")];
    const at = shown.indexOf(items.get(i));
    const go = (item) => item && focus(Number(item.dataset.node));
    const keys = {
      ArrowDown: () => go(shown[at + 1]),
      ArrowUp: () => go(shown[at - 1]),
      Home: () => go(shown[0]),
      End: () => go(shown[shown.length - 1]),
      ArrowRight: () => (isOpen(i) ? go(shown[at + 1]) : open(i)),
      ArrowLeft: () => (isOpen(i) ? close(i) : parent[i] >= 0 && focus(parent[i])),
      Enter: () => (isOpen(i) ? close(i) : open(i)),
      " ": () => (isOpen(i) ? close(i) : open(i)),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
    mark();
  });

  // --- pruning, searching, zooming -----------------------------------------------------------------
  const slider = $("prune");
  slider.max = pruning.leaves.length - 1;
  const prune = () => {
    step = Number(slider.value);
    const errors = pruning.errors ? `, ${percent(pruning.errors[step])} of these cases wrong` : "";
    const leaves = pruning.leaves[step];
    $("pruned").textContent = `${leaves} ${leaves === 1 ? "leaf" : "leaves"}${errors}`;
    redraw();
    walk();
  };
  slider.addEventListener("input", prune);
  $("pruning").hidden = pruning.leaves.length < 2;

  const find = () => {
    const text = $("search").value.trim().toLowerCase();
    if (!text) { $("found").textContent = ""; mark(); return; }
    const wanted = new Set(features.flatMap((f, j) => (f.name.toLowerCase().includes(text) ? [j] : [])));
    const hits = nodes.flatMap((node, i) =>
      (node.test && words[i].features.some((f) => wanted.has(f)) ? [i] : []));
    const seen = hits.slice(0, 200).filter((i) => openTo(i) && !isLeaf(i));
    $("found").textContent = seen.length === 1 ? "1 test" : `${seen.length}${hits.length > 200 ? "+" : ""} tests`;
    mark(new Set(seen));
  };
  $("search").addEventListener("input", find);

  let zoom = 1;
  const zoomBy = (factor) => {
    zoom = Math.min(3, Math.max(0.3, zoom * factor));
    tree.style.setProperty("--zoom", zoom);
  };
  $("larger").addEventListener("click", () => zoomBy(1.2));
  $("smaller").addEventListener("click", () => zoomBy(1 / 1.2));
  $("stage").addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoomBy(event.deltaY < 0 ? 1.1 : 1 / 1.1);
  }, { passive: false });
  $("open-all").addEventListener("click", () => {
    if (!openLevels(MOST_OPEN)) $("details").textContent = `These levels have ${MOST_OPEN} nodes at most; open deeper ones one by one.`;
    mark();
  });
  $("close-all").addEventListener("click", () => { close(0); mark(); });

  // --- one case -------------------------------------------------------------------------------------
  // A value is a number, the place of a symbol (one past the last is a stranger), or NaN for missing.
  const inputs = features.map((feature, j) => {
    const label = make("label", feature.name);
    let field;
    if (feature.kind === "numeric") {
      field = make("input");
      field.type = "number";
      field.step = "any";
    } else {
      field = make("select");
      const symbols = feature.kind === "boolean" ? ["false", "true"] : feature.symbols;
      field.append(new Option("", ""));
      symbols.forEach((symbol, v) => field.append(new Option(String(symbol), String(v))));
      if (feature.kind === "symbolic") field.append(new Option("(another)", String(symbols.length)));
    }
    field.dataset.feature = j;
    label.append(field);
    $("case").append(label);
    return field;
  });
  const values = () => inputs.map((field) => (field.value === "" ? NaN : Number(field.value)));
  const term = (t, x) => {
    const v = x[t.feature];
    return Number.isNaN(v) ? t.fill : t.symbol === undefined ? v : Number(v === t.symbol);
  };
  const project = (terms, weights, start, x) => {
    let total = start;
    terms.forEach((t, j) => { total += weights[j] * term(t, x); });
    return total;
  };
  // The branch a case takes and how far it is from the other side; branch null is all of them.
  const route = (test, x) => {
    const v = x[test.feature];
    switch (test.kind) {
      case "threshold":
        if (Number.isNaN(v)) return { branch: test.missing ?? null };
        return { branch: v > test.cut ? 1 : 0, margin: v - test.cut };
      case "known":
        return { branch: Number.isNaN(v) ? 1 : 0 };
      case "category":
        if (Number.isNaN(v)) return { branch: test.missing ?? null };
        return { branch: v < test.branches.length ? test.branches[v] : test.unseen ?? null };
      case "linear": {
        const total = project(test.terms, test.weights, 0, x);
        return { branch: total <= test.cut ? 0 : 1, margin: total - test.cut };
      }
      case "machine": {
        const totals = test.weights.map((w, b) => project(test.terms, w, test.constants[b], x));
        const best = totals.reduce((a, t, b) => (t > (Number.isNaN(totals[a]) ? -Infinity : totals[a]) ? b : a), 0);
        const next = totals.filter((_, b) => b !== best).reduce((a, t) => Math.max(a, t), -Infinity);
        return { branch: best, margin: totals[best] - next };
      }
    }
    throw new Error(`a test of kind ${test.kind}`);
  };
  const predict = (x) => { // shares of the classes, and the steps on the way
    const [steps, ends] = [[], []];
    const go = (i, part) => {
      if (isLeaf(i)) {
        ends.push([i, part]);
        steps.push({ node: i });
        return;
      }
      const { branch, margin } = route(nodes[i].test, x);
      steps.push({ node: i, branch, margin });
      if (branch !== null) { go(nodes[i].children[branch], part); return; }
      const total = sum(nodes[i].children.map((c) => sum(nodes[c].counts)));
      nodes[i].children.forEach((c) => { if (sum(nodes[c].counts) > 0) go(c, part * (sum(nodes[c].counts) / total)); });
    };
    go(0, 1);
    const shares = new Array(classes.length).fill(0);
    ends.sort(([a], [b]) => a - b).forEach(([i, part]) => { // in the order in which predict adds up
      const total = sum(nodes[i].counts);
      nodes[i].counts.forEach((c, k) => { shares[k] += part * (c / total); });
    });
    return { shares, steps, label: largest(shares) };
  };
  let way = new Set();
  const walk = () => {
    const x = values();
    way = new Set();
    $("way").replaceChildren();
    if (x.every(Number.isNaN)) { mark(); return; }
    const { shares, steps, label } = predict(x);
    const list = make("ol");
    steps.forEach(({ node, branch, margin }) => {
      way.add(node);
      if (branch === undefined) return;
      openTo(node);
      open(node);
      const said = branch === null ? `${words[node].asks}: not known, so every branch counts` : words[node].branches[branch];
      list.append(make("li", margin === undefined ? said : `${said} (margin ${number(margin)})`));
    });
    const told = shares.map((s, k) => [s, k]).filter(([s]) => s > 0).sort((a, b) => b[0] - a[0]);
    const line = make("p");
    line.append(make("strong", `→ ${classes[label]}`), ` ${told.map(([s, k]) => `${classes[k]} ${percent(s)}`).join(", ")}`);
    $("way").append(list, line);
    mark();
  };
  $("case").addEventListener("input", walk);
  $("case").addEventListener("submit", (event) => event.preventDefault());

  let hits = new Set();
  const mark = (found) => {
    if (found) hits = found;
    if (!$("search").value.trim()) hits = new Set();
    items.forEach((item, i) => {
      item.classList.toggle("found", hits.has(i));
      item.classList.toggle("on-way", way.has(i));
    });
  };

  // --- rules, key, theme -----------------------------------------------------------------------------
  data.rules.forEach((rule) => $("rules").append(make("li", rule)));
  $("rules-note").textContent = data.rulesNote;
  classes.forEach((name, k) => {
    const [entry, swatch] = [make("li"), make("span", undefined, "swatch")];
    swatch.style.background = background(k);
    entry.append(swatch, name);
    $("key").append(entry);
  });
  const dark = () => (document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  const showTheme = () => $("theme").setAttribute("aria-pressed", String(dark()));
  $("theme").addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    showTheme();
  });
  showTheme();
  addEventListener("beforeprint", () => openLevels(2000));
  prune();
  window.planetree = { predict: (x) => predict(x.map((v) => (v === null ? NaN : v))) };
})();
