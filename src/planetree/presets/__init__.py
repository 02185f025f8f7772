"""The published systems, as estimators ready to fit: one module a paper.

Each is a function, so that the `repr` of what it returns shows what the system is made of. Options
go through to `planetree.PlaneTreeClassifier`.
"""

from planetree.presets.bioch import BIT2
from planetree.presets.breiman import CART
from planetree.presets.brodley_utgoff import LMDT, UniG, UniI, brodley_utgoff
from planetree.presets.kubat import PseudoinverseTree
from planetree.presets.quinlan import ID3

__all__ = ["BIT2", "CART", "ID3", "LMDT", "PseudoinverseTree", "UniG", "UniI", "brodley_utgoff"]
