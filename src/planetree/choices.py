"""The words that stand for objects, on the command line and in study files, resolved here alone.

A word may carry options, ``gain-ratio:guard=false``; they are the parameters of the class it
stands for. The words themselves come from the public names of `planetree.merits`,
`planetree.presets` and the other families, so a new member is known here too.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import partial
from types import ModuleType
from typing import Any, TypeVar

from planetree import export, learners, merits, presets, pruners, refiners, selectors, symbols
from planetree.estimator import PlaneTreeClassifier
from planetree.rule_classifier import RuleClassifier

__all__ = [
    "CLASS_WEIGHTS",
    "EXPORTS",
    "FORMATS",
    "LEARNERS",
    "MERITS",
    "PLUG_INS",
    "PRESETS",
    "PRUNERS",
    "REFINERS",
    "SELECTORS",
    "SYMBOLS",
    "ChoiceError",
    "choose",
    "known_keys",
    "plug_in",
    "resolve",
    "unknown",
]

T = TypeVar("T")


class ChoiceError(ValueError):
    """A word that stands for nothing: the message lists those that do.

    Examples
    --------
    >>> from planetree.choices import MERITS, resolve
    >>> resolve("merit", "ginny", {"gini": MERITS["gini"]})
    Traceback (most recent call last):
    planetree.choices.ChoiceError: no merit ginny, did you mean gini? Known: gini
    """


def _word(name: str) -> str:
    """Write a public name as the command line does: UniG is uni-g, OC1 is oc1."""
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name)
    return parts.lower().replace("_", "-")


def _members(module: ModuleType, base: type) -> dict[str, Callable[..., Any]]:
    """Words for the classes of a family that can be made."""
    public = {name: getattr(module, name) for name in module.__all__}
    return {
        _word(name): thing
        for name, thing in public.items()
        if inspect.isclass(thing) and issubclass(thing, base) and not inspect.isabstract(thing)
    }


MERITS: Mapping[str, Callable[..., merits.Merit]] = {
    "gain-ratio-unguarded": partial(merits.GainRatio, guard=False),
    **{_word(name): getattr(merits, name) for name in merits.__all__ if name != "Merit"},
}
PRESETS: Mapping[str, Callable[..., PlaneTreeClassifier | RuleClassifier]] = {
    _word(name): getattr(presets, name)
    for name in sorted(presets.__all__, key=str.lower)
    # The commands show and keep trees and rules; the nearest mean is for Python.
    if inspect.signature(getattr(presets, name)).return_annotation
    in (PlaneTreeClassifier.__name__, RuleClassifier.__name__)
}
LEARNERS: Mapping[str, Callable[..., learners.CoefficientLearner]] = _members(
    learners, learners.CoefficientLearner
)
SELECTORS: Mapping[str, Callable[..., selectors.FeatureSelector]] = _members(
    selectors, selectors.FeatureSelector
)
PRUNERS: Mapping[str, Callable[..., pruners.Pruner]] = _members(pruners, pruners.Pruner)
REFINERS: Mapping[str, Callable[..., refiners.Refiner]] = _members(refiners, refiners.Refiner)
SYMBOLS: Mapping[str, Callable[..., symbols.SymbolBranching]] = _members(
    symbols, symbols.SymbolBranching
)
# By the parameter of the estimator that holds them.
PLUG_INS: Mapping[str, Mapping[str, Callable[..., Any]]] = {
    "merit": MERITS,
    "learner": LEARNERS,
    "selector": SELECTORS,
    "refiner": REFINERS,
    "pruner": PRUNERS,
    "symbols": SYMBOLS,
}
CLASS_WEIGHTS: Mapping[str, str] = {"balanced": "balanced"}
FORMATS: Mapping[str, str] = {name: name for name in ("csv", "tsv", "arff", "parquet")}
EXPORTS: Mapping[str, Callable[..., Any]] = {
    name.removeprefix("to_").replace("_", "-"): getattr(export, name)
    for name in export.__all__
    if name.startswith("to_")
}


def unknown(what: str, word: str, known: Iterable[str]) -> str:
    """Say that `word` is none of the known ones, and which was perhaps meant.

    Parameters
    ----------
    what : str
        What the word should be.
    word : str
        The word.
    known : iterable of str
        The words that would do; no more than thirty are listed.

    Returns
    -------
    str
        A sentence for an error message.

    Examples
    --------
    >>> from planetree.choices import unknown
    >>> unknown("column", "clas", ["age", "class"])
    'no column clas, did you mean class? Known: age, class'
    """
    known = list(known)
    plain = {name.casefold(): name for name in known}
    close = [plain[name] for name in get_close_matches(word.casefold(), plain, n=2)]
    guess = f", did you mean {' or '.join(close)}?" if close else "."
    listed = ", ".join(known[:30]) + (f" and {len(known) - 30} more" if len(known) > 30 else "")
    return f"no {what} {word}{guess} Known: {listed}"


def known_keys(what: str, value: Any, kind: Callable[..., Any]) -> dict[str, Any]:
    """See that a table of a study file has no keys but the parameters of what it describes.

    Parameters
    ----------
    what : str
        What it describes, for the message.
    value : mapping
        The table.
    kind : callable
        What the keys are parameters of.

    Returns
    -------
    dict
        The table.

    Examples
    --------
    >>> from planetree.choices import known_keys
    >>> known_keys("tree", {"depht": 3}, lambda depth: None)
    Traceback (most recent call last):
    planetree.choices.ChoiceError: no key of tree depht, did you mean depth? Known: depth
    """
    if not isinstance(value, Mapping):
        raise ChoiceError(f"{what} must be a table, not {value!r}")
    known = inspect.signature(kind).parameters
    for key in value:
        if key not in known:
            raise ChoiceError(unknown(f"key of {what}", str(key), known))
    return dict(value)


def choose(what: str, word: str, known: Mapping[str, T]) -> T:
    """Look a word without options up.

    Parameters
    ----------
    what : str
        What the word chooses, for the message.
    word : str
        The word.
    known : mapping
        What each word stands for.

    Returns
    -------
    object
        What it stands for.

    Examples
    --------
    >>> from planetree.choices import FORMATS, choose
    >>> choose("format", "csv", FORMATS)
    'csv'
    """
    found = known.get(word, known.get(_word(word)))
    if found is None:
        raise ChoiceError(unknown(what, word, known))
    return found


def resolve(what: str, text: str, known: Mapping[str, Callable[..., T]], **settings: Any) -> T:
    """Make the object that ``name`` or ``name:option=value,option=value`` stands for.

    The value of an option that is itself a plug-in is its word; several values of one option are
    joined by ``+``.

    Parameters
    ----------
    what : str
        What is chosen, for the message.
    text : str
        The words.
    known : mapping
        What makes the object of each name; its keyword parameters are the options.
    **settings : dict
        Parameters besides, whose values are there already.

    Returns
    -------
    object
        The object.

    Examples
    --------
    >>> from planetree.choices import LEARNERS, MERITS, PRUNERS, resolve
    >>> resolve("merit", "gain-ratio:guard=false", MERITS)
    GainRatio(guard=False)
    >>> resolve("pruner", "mtp:selector=dsbe", PRUNERS)
    MTP(selector=DSBE())
    >>> resolve("learner", "best-of:learners=rls+bit2", LEARNERS)
    BestOf(learners=(RLS(), BIT2()))
    """
    name, _, rest = text.partition(":")
    make = choose(what, name, known)
    # A factory that passes options through, as the presets do, has none of its own to offer.
    parameters = {
        _word(key): parameter
        for key, parameter in inspect.signature(make).parameters.items()
        if parameter.kind is not parameter.VAR_KEYWORD and key not in getattr(make, "keywords", {})
    }
    options: dict[str, Any] = {}
    for item in rest.split(",") if rest else []:
        key, equals, value = item.partition("=")
        if not parameters:
            raise ChoiceError(f"{what} {name} has no options, so not {item}")
        parameter = parameters.get(_word(key))
        if parameter is None:
            raise ChoiceError(unknown(f"option of {name} named", key, parameters))
        if not equals or not value:
            raise ChoiceError(f"option {key} of {name} needs a value: {name}:{key}=...")
        if parameter.name in PLUG_INS:
            options[parameter.name] = resolve(key, value, PLUG_INS[parameter.name])
        elif (kind := parameter.name.removesuffix("s")) in PLUG_INS:
            options[parameter.name] = tuple(
                resolve(kind, word, PLUG_INS[kind]) for word in value.split("+")
            )
        else:
            options[parameter.name] = _value(f"option {key} of {name}", value, parameter.default)
    return make(**{**options, **settings})


def plug_in(kind: str, choice: str | T) -> T:
    """Make the object that a word stands for; an object stands for itself.

    Parameters
    ----------
    kind : str
        The parameter of the estimator that it is for: "learner", "selector", "merit" ...
    choice : str or object
        The word, with options perhaps, or the object.

    Returns
    -------
    object
        The object.

    Examples
    --------
    >>> from planetree.choices import plug_in
    >>> plug_in("learner", "thermal:beta=3")
    Thermal(beta=3.0)
    """
    if not isinstance(choice, str):
        return choice
    made: T = resolve(kind, choice, PLUG_INS[kind])
    return made


def _value(what: str, text: str, default: object) -> Any:
    """Read a value as what the option's default is; or as a number if that is None."""
    if isinstance(default, bool):
        if text.lower() not in ("true", "false", "yes", "no"):
            raise ChoiceError(f"{what} is true or false, not {text}")
        return text.lower() in ("true", "yes")
    if isinstance(default, tuple):
        return tuple(
            _value(what, part, default[0] if default else None) for part in text.split("+")
        )
    kinds: list[Callable[[str], Any]] = [int, float]
    if isinstance(default, str):
        return text
    if isinstance(default, int | float):
        kinds = [type(default)]
    for kind in kinds:
        try:
            return kind(text)
        except ValueError:
            continue
    if default is None or default is inspect.Parameter.empty:
        return text
    raise ChoiceError(
        f"{what} is a {'whole ' if isinstance(default, int) else ''}number, not {text}"
    )
