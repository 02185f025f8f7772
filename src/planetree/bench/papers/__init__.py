"""Published studies: each module is a paper, with its protocol, its systems and its tables.

- `contract`: what a paper consists of
- `published`: the printed tables
- `figures`, `claims`: printed figures and conclusions beside ours
- `reproducing`, `page`: doing it all, and the page that says what came of it
"""

from collections.abc import Mapping

from planetree.bench.papers import (
    bioch,
    brodley_utgoff,
    kubat_flotzinger,
    sverdlov,
    yildiz_alpaydin,
)
from planetree.bench.papers.contract import Paper
from planetree.bench.papers.page import write_page
from planetree.bench.papers.reproducing import Reproduction, reproduce

__all__ = ["PAPERS", "Paper", "Reproduction", "reproduce", "write_page"]

PAPERS: Mapping[str, Paper] = {
    module.PAPER.number: module.PAPER
    for module in (bioch, yildiz_alpaydin, kubat_flotzinger, sverdlov, brodley_utgoff)
}
