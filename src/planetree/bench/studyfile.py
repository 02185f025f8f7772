"""A study described in a TOML file."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planetree.bench.noise import Noise, read_noise
from planetree.bench.protocols import PROTOCOLS, Protocol, RepeatedKFold
from planetree.bench.study import Study
from planetree.choices import ChoiceError, known_keys, unknown
from planetree.errors import StudyError

__all__ = ["StudyFile", "read_study"]

# The keys that are no keywords of `Study`.
_OWN_KEYS = ("results",)
_STUDY_KEYS = (
    *("name", "data", "systems", "protocol", "measures", "noise", "baselines"),
    *("time_limit", "memory_limit", "seed"),
)


@dataclass(frozen=True)
class StudyFile:
    """What a study file says.

    Parameters
    ----------
    study : Study
        The study.
    results : Path
        Where its results go, if nobody says otherwise.
    """

    study: Study
    results: Path


def read_study(path: str | Path) -> StudyFile:
    r"""Read a study file.

    Parameters
    ----------
    path : str or path
        A TOML file.

    Returns
    -------
    StudyFile
        The study, with all its data read and all its systems made.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from planetree.bench import read_study
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "first.toml")
    ...     _ = path.write_text('data = ["bundled:iris"]\nsystems = ["cart"]')
    ...     study = read_study(path).study
    >>> study.name, study.n_cells
    ('first', 300)
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise StudyError(f"{path}: not UTF-8 text") from None
    try:
        return _read(tomllib.loads(text), path)
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"{path}: not TOML: {error}") from None
    except (StudyError, ChoiceError) as error:
        raise StudyError(f"{path}: {error}") from None


def _read(what: dict[str, Any], path: Path) -> StudyFile:
    for key in what:
        if key not in (*_STUDY_KEYS, *_OWN_KEYS):
            raise StudyError(unknown("key", key, [*_STUDY_KEYS, *_OWN_KEYS]))
    results = what.pop("results", path.with_suffix(".sqlite").name)
    name = what.pop("name", path.stem)
    for key, value in (("results", results), ("name", name)):
        if not isinstance(value, str) or not value:
            raise StudyError(f"{key} must be a word, not {value!r}")
    options: dict[str, Any] = {"name": name, "folder": path.parent}
    options["data"] = _by_name("data", what.pop("data", {}))
    options["systems"] = _by_name("systems", what.pop("systems", {}))
    if "protocol" in what:
        options["protocol"] = _protocol(what.pop("protocol"))
    if "noise" in what:
        options["noise"] = _noises(what.pop("noise"))
    # Import paths of systems may name modules beside the study file. The folder stays on the path:
    # the processes that run cells import the classes again, and take this process's path.
    folder = str(path.parent.resolve())
    if folder not in sys.path:
        sys.path.append(folder)
    return StudyFile(Study(**options, **what), path.parent / results)


def _by_name(key: str, value: Any) -> dict[str, Any]:
    """Take a table by name, or a list of words that are their own names."""
    if isinstance(value, Mapping):
        return dict(value)
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise StudyError(f"{key} must be a list of words or a table, not {value!r}")
    named = {word.removeprefix("bundled:"): word for word in value}
    if len(named) < len(value):
        raise StudyError(f"{key} lists something twice")
    return named


def _protocol(value: Any) -> Protocol:
    if isinstance(value, str):
        value = {"kind": value}
    if not isinstance(value, Mapping):
        raise StudyError(f"protocol must be a table or a word, not {value!r}")
    options = dict(value)
    kind = options.pop("kind", RepeatedKFold.kind)
    if kind not in PROTOCOLS:
        raise StudyError(unknown("protocol", str(kind), PROTOCOLS))
    return PROTOCOLS[kind](**known_keys(f"the protocol {kind}", options, PROTOCOLS[kind]))


def _noises(value: Any) -> Noise | list[Noise | None] | None:
    """Read noise; a list of rates makes several."""
    if isinstance(value, Mapping) and isinstance(value.get("rate"), list):
        return [read_noise({**value, "rate": rate}) for rate in value["rate"]]
    return read_noise(value)
