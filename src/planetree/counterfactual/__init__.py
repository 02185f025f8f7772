"""The smallest change of one row that gets it another class."""

from planetree.counterfactual.nearest import nearest
from planetree.counterfactual.values import Change, Counterfactual, Price

__all__ = ["Change", "Counterfactual", "Price", "nearest"]
