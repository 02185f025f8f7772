"""What the generators share: the random stream, label noise, the types of their results."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Classes", "Flags", "Matrix", "RandomState", "at_least", "share", "stream", "turn"]

RandomState: TypeAlias = int | np.random.Generator | None
Matrix: TypeAlias = npt.NDArray[np.float64]
Classes: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]


def stream(random_state: RandomState) -> np.random.Generator:
    """Turn a seed, None (fresh entropy) or a Generator (used as it is) into a Generator."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    if random_state is None or isinstance(random_state, int | np.integer):
        return np.random.default_rng(random_state)
    raise TypeError(f"random_state={random_state!r}: expected an int, a numpy Generator or None")


def at_least(minimum: int, **arguments: int) -> None:
    """Refuse arguments that are no whole numbers of at least `minimum`."""
    for name, value in arguments.items():
        if not isinstance(value, int | np.integer) or value < minimum:
            raise ValueError(f"{name}={value!r}: expected an integer of at least {minimum}")


def share(**arguments: float) -> None:
    """Refuse arguments outside [0, 1]."""
    for name, value in arguments.items():
        if not 0 <= value <= 1:
            raise ValueError(f"{name}={value!r}: expected a number from 0 to 1")


def turn(y: Flags, part: float, rng: np.random.Generator) -> Flags:
    """Give the opposite class to exactly this part of the rows, rounded."""
    turned = np.zeros(len(y), dtype=np.bool_)
    turned[rng.choice(len(y), round(part * len(y)), replace=False)] = True
    return y ^ turned
