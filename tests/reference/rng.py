"""The random numbers of the kernels: SplitMix64."""

from __future__ import annotations

ALL_ONES = 2**64 - 1


class Random:
    def __init__(self, seed):
        self.state = seed

    def __call__(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & ALL_ONES
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & ALL_ONES
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & ALL_ONES
        return z ^ (z >> 31)

    def uniform(self):
        return (self() >> 11) * 2.0**-53

    def below(self, n):
        drawn = self()
        while drawn < 2**64 % n:
            drawn = self()
        return drawn % n

    def shuffle(self, items):
        for i in range(len(items), 1, -1):
            j = self.below(i)
            items[i - 1], items[j] = items[j], items[i - 1]
