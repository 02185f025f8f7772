"""Studies that compare systems: any data, any systems, resumable, on one machine or a cluster.

- `study`, `studyfile`, `data`, `systems`, `protocols`, `noise`, `measures`: what is compared, how
- `cells`, `worker`, `run`, `cluster`: doing it
- `store`, `results`: what came of it
- `tables`, `stats`, `comparisons`, `figures`: what it says
- `papers`: published studies
"""

from planetree.bench.encoding import Encode
from planetree.bench.measures import MEASURES
from planetree.bench.noise import Noise
from planetree.bench.protocols import FiveByTwo, GivenSplit, RepeatedKFold, Subsampling
from planetree.bench.results import Results
from planetree.bench.run import run
from planetree.bench.study import Study
from planetree.bench.studyfile import read_study

__all__ = [
    "MEASURES",
    "Encode",
    "FiveByTwo",
    "GivenSplit",
    "Noise",
    "RepeatedKFold",
    "Results",
    "Study",
    "Subsampling",
    "read_study",
    "run",
]
