"""The selectors of Brodley and Utgoff by the book, over any way of scoring a set of columns.

`score(places)` gives (merit, accuracy, allowed), or None where nothing is learned; `size(places)`
how much each of its columns moves the test.
"""

from __future__ import annotations


def sbe(n_columns, score, tolerance):
    places, best = tuple(range(n_columns)), None
    scored = score(places)
    while True:
        if scored is not None:
            if scored[2] and (best is None or scored[0] >= best[1][0]):
                best = places, scored
            elif best is not None and scored[1] < best[1][1] - tolerance:
                break
        if len(places) == 1:
            break
        smaller = [tuple(p for p in places if p != gone) for gone in places]
        found = [(score(s), s) for s in smaller if score(s) is not None]
        if not found:
            break
        scored, places = max(found, key=lambda pair: pair[0][0])
    return best and best[0]


def sfs(n_columns, score, tolerance):
    best, places = None, ()
    while len(places) < n_columns:
        larger = [tuple(sorted({*places, p})) for p in range(n_columns) if p not in places]
        found = [(score(s), s) for s in larger if score(s) is not None]
        if not found:
            break
        scored, places = max(found, key=lambda pair: pair[0][0])
        if scored[2] and (best is None or scored[0] > best[1][0]):
            best = places, scored
        elif best is not None and (not scored[2] or scored[1] < best[1][1] - tolerance):
            break
    return best and best[0]


def hss(n_columns, score, tolerance):
    everything = score(tuple(range(n_columns)))
    singles = [score((p,)) for p in range(n_columns) if score((p,)) is not None]
    best_single = max((s[0] for s in singles), default=None)
    forward = everything is None or (best_single is not None and best_single > everything[0])
    return (sfs if forward else sbe)(n_columns, score, tolerance)


def dsbe(n_columns, score, size, tolerance):
    places, best = tuple(range(n_columns)), None
    while True:
        scored = score(places)
        if scored is None:
            break
        if scored[2] and (best is None or scored[0] >= best[1][0]):
            best = places, scored
        elif best is not None and scored[1] < best[1][1] - tolerance:
            break
        if len(places) == 1:
            break
        weakest = min(places, key=lambda p: size(places)[p])
        places = tuple(p for p in places if p != weakest)
    return best and best[0]


def discard(n_columns, score, loss, share, relearn_each):
    """CART's: `loss(places, weights_from)` of each column; weights come from the last learning."""
    places = learned = tuple(range(n_columns))
    while len(places) > 1:
        losses = loss(places, learned)
        weakest = min(places, key=lambda p: losses[p])
        forced = not score(places)[2]
        if not (losses[weakest] < share * max(losses.values()) or losses[weakest] <= 0 or forced):
            break
        places = tuple(p for p in places if p != weakest)
        if relearn_each:
            learned = places
    return places if score(places)[2] else None
