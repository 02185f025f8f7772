"""Seeds derived from names: the same on every machine, in every process, in every order."""

from __future__ import annotations

import hashlib

import numpy as np

__all__ = ["seed_of", "stream_of"]


def seed_of(seed: int, *names: object) -> int:
    """Seed that a name has in a study.

    Parameters
    ----------
    seed : int
        The study's own.
    *names : object
        Strings and whole numbers.

    Returns
    -------
    int
        From 0 to 2³¹ - 1, which is what scikit-learn takes.

    Examples
    --------
    >>> from planetree.bench.seeds import seed_of
    >>> seed_of(0, "iris", "cart", 0, 1)
    246435343
    """
    text = "\0".join(map(str, (seed, *names)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1


def stream_of(seed: int, *names: object) -> np.random.Generator:
    """Stream of random numbers that a name has in a study."""
    return np.random.default_rng(seed_of(seed, *names))
