"""Which columns a linear test looks at: each selector is held to the contract in `base`."""

from planetree.selectors.all import All
from planetree.selectors.backward import DSBE, SBE
from planetree.selectors.base import FeatureSelector, Proposal, Propose
from planetree.selectors.discard import FSCART, CARTDiscard
from planetree.selectors.forward import HSS, SFS
from planetree.selectors.thin import Thin

__all__ = [
    "DSBE",
    "FSCART",
    "HSS",
    "SBE",
    "SFS",
    "All",
    "CARTDiscard",
    "FeatureSelector",
    "Proposal",
    "Propose",
    "Thin",
]
