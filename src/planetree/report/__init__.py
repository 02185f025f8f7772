"""A fitted tree as one page of HTML, to be opened by whoever asks to see the model.

The page needs no network and no other file: the model, its figures, its styles and its script are
inside.
"""

from planetree.report.page import report

__all__ = ["report"]
