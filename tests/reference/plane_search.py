"""CART-LC and OC1 by the Gini index: one coefficient after another, each step by sorting."""

from __future__ import annotations

import numpy as np

from reference.rng import Random

NOTHING = -np.inf


def rounded(Z):
    return np.round(Z * 2**20) / 2**20


class Search:
    """A plane with its margins w·z − c; a row lies left where its margin is 0 or less."""

    def __init__(self, Z, y, n_classes, min_leaf_rows=1):
        self.Z, self.y, self.least = rounded(Z), y, max(min_leaf_rows, 1)
        self.one_hot = np.eye(n_classes, dtype=int)[y]

    def scores(self, left):
        """Of partitions with these counts on the left; the greater, the lower the impurity."""
        right = self.one_hot.sum(axis=0) - left
        n_left, n_right = left.sum(axis=-1), right.sum(axis=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            score = (left**2).sum(axis=-1) / n_left + (right**2).sum(axis=-1) / n_right
        return np.where(np.minimum(n_left, n_right) >= self.least, score, NOTHING)

    def best_step(self, x, gamma, floor=NOTHING):
        """Score and δ of the best step; of equals the shortest."""
        slope = x + gamma
        moves = np.flatnonzero(slope)
        u = self.margin[moves] / slope[moves]
        order = np.argsort(u, kind="stable")
        u, direction = u[order], np.sign(slope[moves[order]]).astype(int)[:, None]
        first = np.where(slope == 0, self.margin <= 0, slope < 0)
        left = self.one_hot[first].sum(axis=0) + (self.one_hot[moves[order]] * direction).cumsum(0)
        score, delta = self.scores(left)[:-1], u[:-1] / 2 + u[1:] / 2
        delta = np.where((u[:-1] <= delta) & (delta < u[1:]), delta, u[:-1])
        score = np.where(u[:-1] < u[1:], score, NOTHING)
        if not len(score) or score.max() < floor or score.max() == NOTHING:
            return NOTHING, 0.0
        best = np.flatnonzero(score == score.max())
        at = best[np.abs(delta[best]).argmin()]
        return score[at], delta[at]

    def project(self, w, constant):
        total = np.full(len(self.Z), constant)
        for j in np.flatnonzero(w):
            total += w[j] * self.Z[:, j]
        return total

    def shift(self, x, gamma, delta, least):
        moved = self.margin - delta * (x + gamma)
        counts = self.one_hot[moved <= 0].sum(axis=0)
        score = self.scores(counts)
        if not score >= least:
            return False
        self.margin, self.score = moved, score
        rest = self.one_hot.sum(axis=0) - counts
        self.pure = np.count_nonzero(counts) <= 1 and np.count_nonzero(rest) <= 1
        return True

    def start(self, w):
        self.w, self.c, self.score, self.pure = np.array(w, float), 0.0, NOTHING, False
        self.margin = self.project(self.w, 0.0)
        nowhere = np.zeros(len(self.Z))
        score, delta = self.best_step(nowhere, 1.0)
        if score == NOTHING or not self.shift(nowhere, 1.0, delta, NOTHING):
            return False
        self.c = delta
        return True

    def settle(self):
        self.start(np.ldexp(self.w, -np.frexp(np.abs(self.w).max())[1]))

    def look(self, j, gammas):
        """Score, δ and γ of the best step of one weight; of the cut, if j is one past the last."""
        if j == self.Z.shape[1]:
            return *self.best_step(np.zeros(len(self.Z)), 1.0, self.score), 1.0
        steps = [(*self.best_step(self.Z[:, j], g, self.score), g) for g in gammas]
        return max(steps, key=lambda step: (step[0], -abs(step[1])))

    def take(self, j, score, delta, gamma):
        of_cut = j == self.Z.shape[1]
        x = np.zeros(len(self.Z)) if of_cut else self.Z[:, j]
        if score == NOTHING or not self.shift(x, gamma, delta, self.score):
            return False
        if not of_cut:
            self.w[j] -= delta
        self.c += delta * gamma
        return True

    def jump(self, direction):
        slope = self.project(direction[:-1], direction[-1])
        score, delta = self.best_step(slope, 0.0, self.score)
        if not score > self.score or not self.shift(slope, 0.0, delta, self.score):
            return False
        self.w = self.w - delta * direction[:-1]
        self.c += delta * direction[-1]
        return True


def gain(search, better, worse):
    return (better - worse) / len(search.y)


def cart_lc(search, start, gammas, epsilon, max_cycles):
    """Weights at the end of the cycles from one start."""
    if not search.start(start):
        return np.array(start, float)
    best = search.score, search.w.copy()
    for _ in range(max_cycles):
        if search.pure:
            break
        for j in range(search.Z.shape[1]):
            if not search.pure:
                search.take(j, *search.look(j, gammas))
        search.settle()
        if not search.score > best[0]:
            break
        gained = gain(search, search.score, best[0])
        best = search.score, search.w.copy()
        if gained < epsilon:
            break
    return best[1]


def climb(search, order, random):
    n, patience = search.Z.shape[1] + 1, 1.0

    def perturb(j, step):
        nonlocal patience
        if step[0] == NOTHING:
            return False
        if step[0] > search.score:
            patience = 1.0
        elif random.uniform() < patience:
            patience -= 0.1
        else:
            return False
        return search.take(j, *step)

    if order == "sequential":
        j = unchanged = 0
        while unchanged < n and not search.pure:
            unchanged = 0 if perturb(j % n, search.look(j % n, (0.0,))) else unchanged + 1
            j += 1
    elif order == "best_first":
        while not search.pure:
            steps = [search.look(j, (0.0,)) for j in range(n)]
            j = int(np.argmax([score for score, *_ in steps]))
            if not perturb(j, steps[j]):
                break
    else:
        for _ in range(50):
            if not search.pure:
                j = random.below(n)
                perturb(j, search.look(j, (0.0,)))


def oc1(search, starts, seed, restarts, jumps, order):
    """Weights of the best plane of all searches, or None."""
    p = search.Z.shape[1]
    seeding, best = Random(seed), (NOTHING, None)
    for s in range(max(restarts, len(starts))):
        random = Random(seeding())
        start = np.array([2 * random.uniform() - 1 for _ in range(p)])
        if not search.start(starts[s] if s < len(starts) else start):
            continue
        found, is_first = (search.score, search.w.copy(), search.pure), True
        while True:
            climb(search, order, random)
            search.settle()
            better = search.score > found[0]
            if better:
                found = search.score, search.w.copy(), search.pure
            if found[2] or not (better or is_first):
                break
            is_first = False
            directions = (
                np.array([2 * random.uniform() - 1 for _ in range(p + 1)]) for _ in range(jumps)
            )
            if not any(search.jump(direction) for direction in directions):
                break
        if found[0] > best[0]:
            best = found[:2]
    return best[1]
