"""The published systems, as estimators ready to fit: one module a paper.

Each is a function, so that the `repr` of what it returns shows what the system is made of. Options
go through to `planetree.PlaneTreeClassifier`.
"""

from planetree.presets.bioch import BIT1, BIT2
from planetree.presets.breiman import CART, CARTLC
from planetree.presets.brodley_utgoff import LMDT, RPC45, UniG, UniI, brodley_utgoff
from planetree.presets.default import Default, Refined
from planetree.presets.kubat import PseudoinverseTree
from planetree.presets.murthy import OC1
from planetree.presets.quinlan import C45, ID3, C45Rules
from planetree.presets.yildiz_alpaydin import FSCART, NearestMean

__all__ = [
    "BIT1",
    "BIT2",
    "C45",
    "CART",
    "CARTLC",
    "FSCART",
    "ID3",
    "LMDT",
    "OC1",
    "RPC45",
    "C45Rules",
    "Default",
    "NearestMean",
    "PseudoinverseTree",
    "Refined",
    "UniG",
    "UniI",
    "brodley_utgoff",
]
