"""Time how long a browser takes to open the report of a large tree: `make time-report`.

The page is opened in headless Chromium a few times; counted is from asking for it to the end of
its script, when the tree can be used, and then the button that opens its levels. `--write` puts the
figures into docs/report.md.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from browser import CHROMIUM, DRIVER, chromium, open_page
from planetree.presets import CART

PAGE = Path(__file__).parent.parent / "docs" / "report.md"
MADE, END = "<!-- made by make time-report ARGS=--write -->\n", "<!-- to here -->"
SIZES = (2_000, 12_000, 60_000)  # rows whose classes are drawn by lot
TIMES = 5
LIMIT = 2.0  # seconds, for five thousand nodes


def opened(driver, file):
    """Seconds until the tree can be used, and until its levels are open."""
    start = time.perf_counter()
    open_page(driver, file)
    usable = time.perf_counter() - start
    start = time.perf_counter()
    driver.execute_script("document.getElementById('open-all').click(); document.body.offsetHeight")
    return usable, time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"put the figures into {PAGE.name}")
    options = parser.parse_args()
    if not (CHROMIUM and DRIVER):
        sys.exit("needs chromium and chromedriver, as Debian packages them")
    rng = np.random.default_rng(0)
    lines = ["| nodes | size of the page | to open it | to press *Open all* |", "|---|---|---|---|"]
    late = False
    with chromium() as driver, tempfile.TemporaryDirectory() as folder:
        for n_rows in SIZES:
            tree = CART().fit(rng.normal(size=(n_rows, 4)), rng.integers(0, 3, n_rows))
            file = Path(folder) / "large.html"
            tree.report(file)
            usable, all_open = zip(*(opened(driver, file) for _ in range(TIMES)), strict=True)
            late |= n_rows == SIZES[1] and statistics.median(usable) >= LIMIT
            lines.append(
                f"| {tree.n_nodes_} | {file.stat().st_size / 1e6:.1f} MB "
                f"| {statistics.median(usable):.2f} s | {statistics.median(all_open):.2f} s |"
            )
            print(lines[-1], flush=True)
        version = driver.capabilities["browserVersion"]
    told = f"Medians of {TIMES} in headless Chromium {version.partition('.')[0]}."
    print(told)
    if options.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(MADE)
        table = "\n".join(lines)
        text = f"{before}{MADE}\n{table}\n\n{told}\n\n{END}{rest.partition(END)[2]}"
        PAGE.write_text(text, encoding="utf-8")
    sys.exit(f"a page of five thousand nodes took {LIMIT:g} s or more" if late else 0)


if __name__ == "__main__":
    main()
