"""The systems of a study: presets, scikit-learn's estimators, pipelines, and the baselines."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sklearn.base import is_classifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

from planetree.bench.encoding import AsFrame, Encode
from planetree.choices import PLUG_INS, PRESETS, resolve, unknown
from planetree.errors import StudyError
from planetree.estimator import PlaneTreeClassifier

__all__ = ["BASELINES", "LEARN_FROM", "System", "described", "read_system"]

LEARN_FROM = ("all", "grow")


@dataclass(frozen=True, eq=False)
class System:
    """One way to learn, as a study compares it with others.

    Parameters
    ----------
    name : str
        What the study calls it.
    estimator : estimator
        An unfitted classifier.
    learn_from : {"all", "grow"}, default="all"
        What it learns from if the protocol has a prune share that it does not use: the whole
        training part, or the rest only.
    encode : bool or None, default=None
        Whether symbols and missing values become numbers first (`Encode`); None finds out from
        the estimator's tags whether it needs that. What does not gets a pandas frame where
        columns have names, unless it is planetree's.
    factors : dict of str to str
        Its place in an analysis of variance, such as ``{"learner": "rls", "selector": "sbe"}``.

    Examples
    --------
    >>> from planetree.bench.systems import read_system
    >>> read_system("small", {"preset": "uni-g", "pruner": "pessimistic"}).estimator
    PlaneTreeClassifier(merit=Gini(), pruner=Pessimistic())
    """

    name: str
    estimator: Any
    learn_from: str = "all"
    encode: bool | None = None
    factors: Mapping[str, str] = field(default_factory=dict)

    def ready(self) -> Any:
        """Give the estimator with what prepares the columns for it, where it needs that."""
        first = self.estimator
        while isinstance(first, Pipeline):
            first = first.steps[0][1]
        ours = isinstance(first, PlaneTreeClassifier | Encode)
        tags = get_tags(first).input_tags
        encode = not (ours or tags.categorical or tags.string)
        if encode if self.encode is None else self.encode:
            before: Any = Encode(keep_missing=tags.allow_nan)
        elif ours:
            return self.estimator
        else:
            before = AsFrame()
        steps = [("system", self.estimator)]
        if isinstance(self.estimator, Pipeline):
            steps = self.estimator.steps
        return Pipeline([("columns", before), *steps])

    def describe(self) -> dict[str, Any]:
        """Tell what it is, ready for JSON."""
        return {
            "estimator": described(self.estimator),
            "learn_from": self.learn_from,
            "encode": self.encode,
            "factors": dict(self.factors),
        }


def _logistic_regression(C: float = 1.0, max_iter: int = 1000) -> Any:
    return make_pipeline(Encode(), StandardScaler(), LogisticRegression(C=C, max_iter=max_iter))


def _nearest_mean() -> Any:
    return make_pipeline(Encode(), StandardScaler(), NearestCentroid())


BASELINES: Mapping[str, Callable[..., Any]] = {
    "logistic-regression": _logistic_regression,
    "nearest-mean": _nearest_mean,
}
_SYSTEM_KEYS = ("learn_from", "encode", "factors")
_KINDS = ("preset", "estimator", "pipeline")


def read_system(name: str, what: Any) -> System:
    """Make one system of a study.

    Parameters
    ----------
    name : str
        What the study calls it.
    what : System, estimator, str or mapping
        A preset's or baseline's name, or a mapping as a study file has it: ``preset``,
        ``estimator`` (an import path) or ``pipeline`` (a list of such mappings), and options.

    Returns
    -------
    System
        The system.
    """
    try:
        if isinstance(what, System):
            return System(name, what.estimator, what.learn_from, what.encode, what.factors)
        if isinstance(what, str):
            what = {"preset": what}
        if not isinstance(what, Mapping):
            return System(name, _checked(what))
        options = dict(what)
        own = {key: options.pop(key) for key in _SYSTEM_KEYS if key in options}
        _check_own(own)
        return System(name, _checked(_made(options)), **own)
    except (ValueError, TypeError) as error:
        raise StudyError(f"system {name}: {error}") from None


def _check_own(own: Mapping[str, Any]) -> None:
    if own.get("learn_from", "all") not in LEARN_FROM:
        raise StudyError(f"learn_from is all or grow, not {own['learn_from']!r}")
    if own.get("encode") not in (None, True, False):
        raise StudyError(f"encode is true or false, not {own['encode']!r}")
    factors = own.get("factors", {})
    if not isinstance(factors, Mapping) or not all(isinstance(v, str) for v in factors.values()):
        raise StudyError(f"factors is a table of words, not {factors!r}")


def _checked(estimator: Any) -> Any:
    if isinstance(estimator, type) or not hasattr(estimator, "fit"):
        raise StudyError(f"an estimator is needed, an instance with a fit method: {estimator!r}")
    if not is_classifier(estimator):
        raise StudyError(f"{type(estimator).__name__} is no classifier")
    if isinstance(estimator, PlaneTreeClassifier):
        estimator._check_options()
    return estimator


def _made(options: dict[str, Any]) -> Any:
    """Make what a table of a study file describes."""
    kinds = [kind for kind in _KINDS if kind in options]
    if len(kinds) != 1:
        raise StudyError(f"one of {', '.join(_KINDS)} says what it is; here are {kinds or 'none'}")
    what = options.pop(kinds[0])
    if kinds[0] == "pipeline":
        if options or not isinstance(what, list) or not what:
            raise StudyError("a pipeline is a list of tables, one a step, with no other key")
        return make_pipeline(*(_made(dict(step)) for step in what))
    if not isinstance(what, str):
        raise StudyError(f"{kinds[0]} is a word, not {what!r}")
    if kinds[0] == "preset":
        return _preset(what, options)
    make = _imported(what)
    return make(**_known_options(what, options, inspect.signature(make).parameters))


def _preset(word: str, options: dict[str, Any]) -> Any:
    if word in BASELINES:
        make = BASELINES[word]
        return make(**_known_options(word, options, inspect.signature(make).parameters))
    if word not in PRESETS:
        raise StudyError(unknown("preset or baseline", word, [*PRESETS, *BASELINES]))
    own = inspect.signature(PRESETS[word]).parameters
    known = {**own, **inspect.signature(PlaneTreeClassifier).parameters}
    known = {key: p for key, p in known.items() if p.kind is not p.VAR_KEYWORD}
    options = _known_options(word, options, known)
    for key, plug_ins in PLUG_INS.items():
        if isinstance(options.get(key), str):
            options[key] = resolve(key, options[key], plug_ins)
    return PRESETS[word](**options)


def _known_options(
    word: str, options: Mapping[str, Any], known: Mapping[str, Any]
) -> dict[str, Any]:
    open_ended = any(p.kind is p.VAR_KEYWORD for p in known.values())
    made = {}
    for key, value in options.items():
        if key not in known and not open_ended:
            raise StudyError(unknown(f"option of {word} named", key, known))
        inner = isinstance(value, Mapping) and any(kind in value for kind in _KINDS)
        made[key] = _made(dict(value)) if inner else value
    return made


def _imported(path: str) -> Callable[..., Any]:
    module, _, name = path.rpartition(".")
    if not module:
        raise StudyError(f"{path} is no import path such as sklearn.tree.DecisionTreeClassifier")
    try:
        loaded = importlib.import_module(module)
    except ImportError as error:
        raise StudyError(f"{path} cannot be imported: {error}") from None
    if not callable(getattr(loaded, name, None)):
        public = [n for n in dir(loaded) if not n.startswith("_") and callable(getattr(loaded, n))]
        raise StudyError(unknown(f"class in {module} named", name, public))
    make: Callable[..., Any] = getattr(loaded, name)
    return make


def described(value: Any) -> Any:
    """Tell what an estimator is made of, ready for JSON: classes, and what is no default."""
    if hasattr(value, "get_params") and not isinstance(value, type):
        kind = type(value)
        defaults = {
            key: parameter.default for key, parameter in inspect.signature(kind).parameters.items()
        }
        params = {
            key: described(held)
            for key, held in sorted(value.get_params(deep=False).items())
            if key in defaults and repr(held) != repr(defaults[key])
        }
        return {"class": f"{kind.__module__}.{kind.__qualname__}", **params}
    if isinstance(value, Mapping):
        return {str(key): described(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [described(held) for held in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, type) or inspect.isroutine(value):
        return f"{value.__module__}.{value.__qualname__}"
    return repr(value)
