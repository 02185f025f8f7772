"""The errors planetree raises on purpose."""

from __future__ import annotations

__all__ = ["MissingExtraError", "ModelFileError", "PlugInError", "StudyError", "TableError"]


class TableError(ValueError):
    """A table that cannot be learned from or predicted: the message names the column or value.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> CART(pruner=Unpruned()).fit([[1.0], [float("inf")]], ["a", "b"])
    Traceback (most recent call last):
    planetree.errors.TableError: column x0 holds an infinity (row 1); use NaN for a missing value
    """


class PlugInError(ValueError):
    """A learner, selector or merit that cannot serve here: the message names it and says why.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import CoefficientLearner
    >>> class Confused(CoefficientLearner):
    ...     def fit(self, view):
    ...         return view.unit([float("nan")] * view.n_columns)
    >>> PlaneTreeClassifier(learner=Confused()).fit([[1.0], [2.0]], ["a", "b"])
    Traceback (most recent call last):
    planetree.errors.PlugInError: Confused() cannot be used here: a weight is not a finite number
    """


class ModelFileError(ValueError):
    """A model file that is not what `planetree.load` can trust: the message says where and why.

    Examples
    --------
    >>> import io, planetree
    >>> planetree.load(io.StringIO("{}"))
    Traceback (most recent call last):
    planetree.errors.ModelFileError: not a planetree model: "format" is missing
    """


class MissingExtraError(ImportError):
    """An optional package is not installed: the message is the line that installs it.

    Parameters
    ----------
    what : str
        What needs it.
    package : str
        Its name.
    extra : str
        The extra of planetree that brings it.

    Examples
    --------
    >>> from planetree.errors import MissingExtraError
    >>> raise MissingExtraError("reading Parquet", "pyarrow", extra="parquet")
    Traceback (most recent call last):
    planetree.errors.MissingExtraError: reading Parquet needs pyarrow: pip install ...
    """

    def __init__(self, what: str, package: str, *, extra: str) -> None:
        super().__init__(f'{what} needs {package}: pip install "planetree[{extra}]"')


class StudyError(ValueError):
    """A study that cannot be run as it is described: the message says where, and what would do.

    Examples
    --------
    >>> from planetree.bench import Study
    >>> Study(data={"iris": "bundled:iris"}, systems={"mine": "kart"})
    Traceback (most recent call last):
    planetree.errors.StudyError: system mine: no preset or baseline kart, did you mean cart ...
    """
