"""Models read back from files; `planetree.modelformat` says what stands in them."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from planetree.errors import ModelFileError
from planetree.estimator import PlaneTreeClassifier
from planetree.modelformat import Lost, Model, from_text
from planetree.textfile import FilePath, Readable, read_text

__all__ = ["load"]

PARAMS: dict[str, Any] = PlaneTreeClassifier().get_params(deep=False)  # at their defaults
NEED_A_LEARNER = ("selector", "univariate")  # what the estimator refuses without one


def load(file: FilePath | Readable) -> PlaneTreeClassifier:
    """Read a model that `PlaneTreeClassifier.save` wrote.

    Nothing in the file is run, and everything is checked before a model is made of it, so files
    from strangers do no harm.

    Parameters
    ----------
    file : str, path or text file
        Where to read.

    Returns
    -------
    PlaneTreeClassifier
        Fitted; it predicts exactly as the one that was saved.

    Raises
    ------
    ModelFileError
        Saying what is wrong with the file, and where in it.

    Warns
    -----
    UserWarning
        When a parameter was an object that a file cannot hold, such as a merit of your own. It is
        at its default then; predictions do not depend on it.

    Examples
    --------
    >>> import io, planetree
    >>> file = io.StringIO()
    >>> planetree.PlaneTreeClassifier().fit([[1.0], [2.0]], ["a", "b"]).save(file)
    >>> tree = planetree.load(io.StringIO(file.getvalue()))
    >>> tree.predict([[1.25]]).tolist()
    ['a']
    """
    try:
        return _restore(from_text(_read(file), PARAMS))
    except ModelFileError as error:
        if isinstance(file, (str, os.PathLike)):
            raise ModelFileError(f"{os.fspath(file)}: {error}") from None
        raise


def _read(file: FilePath | Readable) -> str:
    try:
        return read_text(file)
    except UnicodeDecodeError as error:
        raise ModelFileError(f"not UTF-8: {error}") from None


def _restore(model: Model) -> PlaneTreeClassifier:
    params = {**PARAMS, **model.params}
    lost = {name: value for name, value in params.items() if isinstance(value, Lost)}
    if "learner" in lost:
        alone = (name for name in NEED_A_LEARNER if name not in lost)
        lost |= {name: Lost(repr(params[name])) for name in alone if params[name] != PARAMS[name]}
    params |= {name: PARAMS[name] for name in lost}
    estimator = PlaneTreeClassifier(**params)
    try:
        estimator._check_options()
    except ValueError as error:
        raise ModelFileError(f"estimator.params: {error}") from None
    estimator.tree_ = model.tree
    estimator.classes_ = model.classes
    estimator.n_features_in_ = len(model.tree.schema.features)
    if model.named:
        estimator.feature_names_in_ = np.array(model.tree.schema.names, dtype=object)
    if lost:
        said = "; ".join(
            f"{name} was {value.shown} and is {PARAMS[name]} now" for name, value in lost.items()
        )
        warnings.warn(
            f"a model file cannot hold every object: {said}. Predictions do not depend on it.",
            stacklevel=3,
        )
    return estimator
