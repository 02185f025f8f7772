"""Make `src/planetree/datasets/data` from a folder of CSV files and their index.

Usage: python tools/bundle_datasets.py SRC_DIR

SRC_DIR holds an `index.json` and, for each set in it, `<name>.csv`: a header row, an empty cell
where a value is missing, the class last, possibly a first column `split`. Counts are checked
against the index before anything is written. The same input gives the same bytes (with the same
zlib).
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parent.parent / "src" / "planetree" / "datasets" / "data"
SOURCE = "UCI Machine Learning Repository, https://archive.ics.uci.edu"
LICENCE = "CC BY 4.0, https://creativecommons.org/licenses/by/4.0/"

# Title and creators as the repository gives them: the licence asks for both.
CREDITS = {
    "breast": ("Breast Cancer Wisconsin (Original)", "William Wolberg"),
    "bupa": ("Liver Disorders", "BUPA Medical Research Ltd., donated by Richard Forsyth"),
    "car": ("Car Evaluation", "Marko Bohanec"),
    "chess": ("Chess (King-Rook vs. King-Pawn)", "Alen Shapiro"),
    "cleveland": (
        "Heart Disease (Cleveland)",
        "Andras Janosi, William Steinbrunn, Matthias Pfisterer, Robert Detrano",
    ),
    "ecoli": ("Ecoli", "Kenta Nakai"),
    "flare": ("Solar Flare (flare.data1)", "donated by Gary Bradshaw"),
    "glass": ("Glass Identification", "B. German"),
    "heart-statlog": ("Statlog (Heart)", "not named by the repository"),
    "hepatitis": ("Hepatitis", "donated by G. Gong"),
    "ionosphere": ("Ionosphere", "V. Sigillito, S. Wing, L. Hutton, K. Baker"),
    "iris": ("Iris", "R. A. Fisher"),
    "monks1": ("MONK's Problems, problem 1", "J. Wnek"),
    "monks2": ("MONK's Problems, problem 2", "J. Wnek"),
    "monks3": ("MONK's Problems, problem 3", "J. Wnek"),
    "pima": (
        "Pima Indians Diabetes",
        "National Institute of Diabetes and Digestive and Kidney Diseases, "
        "donated by Vincent Sigillito",
    ),
    "segment": ("Statlog (Image Segmentation)", "Vision Group, University of Massachusetts"),
    "vote": ("Congressional Voting Records", "donated by Jeff Schlimmer"),
    "vowel": (
        "Connectionist Bench (Vowel Recognition, Deterding Data)",
        "David Deterding, Mahesan Niranjan, Tony Robinson",
    ),
    "wine": ("Wine", "Stefan Aeberhard, M. Forina"),
    "zoo": ("Zoo", "Richard Forsyth"),
}
# Columns that are targets of other problems, not features of this one.
DROPPED = {"flare": ("m_class_flares", "x_class_flares")}
LICENCES = {
    "pima": "not stated: the repository has since withdrawn this set over permission restrictions",
}
REMARKS = {
    "chess": (
        "kr-vs-kp in UCI row order. The package file has no header; the 36 names are those of UCI "
        "kr-vs-kp.names, confirmed against a copy of the Weka file (same order, value sets agree)."
    ),
    "flare": (
        "The class is the number of C-class flares within the following 24 hours. The numbers of "
        "M-class and X-class flares are the other two targets of the original and are left out, "
        "so that the usual ten predictors remain."
    ),
}


def main(arguments: list[str]) -> int:
    """Bundle every set of the index in the folder named on the command line."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    folder = Path(arguments[0])
    entries: dict[str, dict[str, Any]] = json.loads(
        (folder / "index.json").read_text(encoding="utf-8")
    )
    bundled = {name: bundle(name, entries[name], folder) for name in sorted(entries)}
    TARGET.mkdir(exist_ok=True)
    for name, (_, content) in bundled.items():
        (TARGET / f"{name}.csv.gz").write_bytes(content)
    index = {name: entry for name, (entry, _) in bundled.items()}
    text = json.dumps(index, indent=1, ensure_ascii=False) + "\n"
    (TARGET / "index.json").write_bytes(text.encode("utf-8"))
    return 0


def bundle(name: str, entry: dict[str, Any], folder: Path) -> tuple[dict[str, Any], bytes]:
    """Check one set; return its entry in the bundled index and its compressed file."""
    with open(folder / f"{name}.csv", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    dropped = DROPPED.get(name, ())
    kept = [number for number, column in enumerate(header) if column not in dropped]
    header = [header[number] for number in kept]
    rows = [[row[number] for number in kept] for row in rows]
    title, creators = CREDITS[name]
    features = [column for column in header[:-1] if column != "split"]
    described = {
        "title": title,
        "cases": entry["cases"],
        "features": entry["features"] - len(dropped),
        "classes": entry["classes"],
        "class_distribution": entry["class_distribution"],
        "missing_cells": entry["missing_cells"],
        "cases_with_missing": entry["cases_with_missing"],
        "numeric": [column for column in entry["numeric"] if column not in dropped],
        "symbolic": entry["symbolic"],
        "class_names": entry.get("class_names", {}),
        "split": header[0] == "split",
        "creators": creators,
        "source": SOURCE,
        "licence": LICENCES.get(name, LICENCE),
        "copied_from": entry["copied_from"],
        "remarks": REMARKS.get(name, entry["note"]),
    }
    found = {
        "cases": len(rows),
        "features": len(features),
        "classes": len({row[-1] for row in rows}),
        "class_distribution": dict(Counter(row[-1] for row in rows)),
        "missing_cells": sum(row.count("") for row in rows),
        "cases_with_missing": sum("" in row for row in rows),
    }
    wrong = [key for key, value in found.items() if described[key] != value]
    if wrong or sorted(features) != sorted(described["numeric"] + described["symbolic"]):
        raise ValueError(f"{name}: the file disagrees with the index on {wrong or 'its columns'}")
    return described, compress([header, *rows])


def compress(rows: list[list[str]]) -> bytes:
    """Write rows as CSV and gzip them with no name and no time of day in the header."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    packed = io.BytesIO()
    # Not gzip.compress, whose header differs between Python versions.
    with gzip.GzipFile("", "wb", compresslevel=9, fileobj=packed, mtime=0) as file:
        file.write(text.getvalue().encode("utf-8"))
    return packed.getvalue()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
