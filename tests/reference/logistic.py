"""Multinomial logistic regression with SciPy's optimiser."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp


def log_loss(Z, y, weight, n_classes, W, l2):
    """Mean of -ln p plus the price of the weights; each row of `W` has the constant last."""
    Z = np.rint(Z * 2.0**20) * 2.0**-20
    share = np.ones(len(y)) if weight is None else np.asarray(weight)
    share = share / share.sum()
    values = Z @ W[:, :-1].T + W[:, -1]
    if n_classes == 2:
        values = np.column_stack([np.zeros(len(y)), values])
    loss = logsumexp(values, axis=1) - values[np.arange(len(y)), y]
    return share @ loss + l2 / 2 * (W[:, :-1] ** 2).sum()


def logistic(Z, y, weight, n_classes, l2):
    shape = (1 if n_classes == 2 else n_classes, Z.shape[1] + 1)

    def value(w):
        return log_loss(Z, y, weight, n_classes, w.reshape(shape), l2)

    return minimize(value, np.zeros(shape).ravel(), method="BFGS").x.reshape(shape)
