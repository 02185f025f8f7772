"""The definitions in plain numpy: slow, short, and the oracle of the kernels."""
