"""The loaders of the bundled data sets, one function each, in scikit-learn's manner.

All take the arguments and return the result of :func:`load`, which says what they mean.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._bundled import AsFrame, bundle, describe, index, names, read_bundled

__all__ = [
    "load",
    "load_breast",
    "load_bupa",
    "load_car",
    "load_chess",
    "load_cleveland",
    "load_ecoli",
    "load_flare",
    "load_glass",
    "load_heart_statlog",
    "load_hepatitis",
    "load_ionosphere",
    "load_iris",
    "load_monks1",
    "load_monks2",
    "load_monks3",
    "load_pima",
    "load_segment",
    "load_travel",
    "load_vote",
    "load_vowel",
    "load_wine",
    "load_zoo",
    "names",
]


def load(name: str, *, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load a bundled data set by its name.

    Parameters
    ----------
    name : str
        One of :func:`names`.
    return_X_y : bool, default=False
        Return `(data, target)` alone.
    as_frame : bool, "pandas" or "polars", default=False
        Return data frames of that library; True means pandas.

    Returns
    -------
    sklearn.utils.Bunch or tuple
        With the attributes

        data : ndarray or data frame
            float64 if all features are numeric. Otherwise an array of objects: floats in numeric
            columns (NaN where missing), `str` in symbolic ones (None where missing). A frame has
            float and string columns and its library's own missing value.
        target : ndarray of str or series
            The labels. They are always strings, also where they look like numbers: a label is a
            name, and "7" of glass is no more than "6".
        feature_names : list of str
            The columns of `data`.
        target_names : ndarray of str
            What the labels mean, in the order of `np.unique(target)`, which is that of a fitted
            classifier's `classes_`.
        DESCR : str
            Counts, source, licence and remarks.
        frame : None or data frame
            Features and class together.
        split : ndarray of "train" and "test"
            Only where the set comes with a division into training and test rows.

    Raises
    ------
    ValueError
        If there is no such set, or no such kind of frame.

    Examples
    --------
    >>> from planetree.datasets import load
    >>> glass = load("glass")
    >>> glass.data.shape, glass.feature_names[:3], str(glass.target_names[0])
    ((214, 9), ['RI', 'Na', 'Mg'], 'building_windows_float_processed')
    """
    if name not in index():
        raise ValueError(f"no data set {name!r}: choose one of {', '.join(names())}")
    return bundle(
        read_bundled(name),
        class_names=index()[name]["class_names"],
        description=describe(name),
        return_X_y=return_X_y,
        as_frame=as_frame,
    )


def load_breast(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Breast Cancer Wisconsin (Original): cell features of benign and malignant tumours.

    Nine cytological grades from 1 to 10; `bare_nuclei` is missing in 16 of the 699 rows.

    Examples
    --------
    >>> load_breast().data.shape
    (699, 9)
    """
    return load("breast", return_X_y=return_X_y, as_frame=as_frame)


def load_bupa(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Liver Disorders of BUPA Medical Research: blood tests and drinks a day.

    The class is the field the repository calls selector, as in the classic papers.

    Examples
    --------
    >>> load_bupa().data.shape
    (345, 6)
    """
    return load("bupa", return_X_y=return_X_y, as_frame=as_frame)


def load_car(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Car Evaluation: six ordered symbolic features of a car and how acceptable it is.

    The rows list all 1728 combinations, made by a hierarchical decision model.

    Examples
    --------
    >>> load_car().data.shape
    (1728, 6)
    """
    return load("car", return_X_y=return_X_y, as_frame=as_frame)


def load_chess(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Chess (King-Rook vs. King-Pawn): 36 symbolic features of an end game.

    White, to move, can win (`won`) or cannot (`nowin`).

    Examples
    --------
    >>> load_chess().data.shape
    (3196, 36)
    """
    return load("chess", return_X_y=return_X_y, as_frame=as_frame)


def load_cleveland(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Heart Disease (Cleveland): clinical findings of 303 patients.

    The class is 0 where no artery is narrowed by half, and 1 elsewhere.

    Examples
    --------
    >>> load_cleveland().data.shape
    (303, 13)
    """
    return load("cleveland", return_X_y=return_X_y, as_frame=as_frame)


def load_ecoli(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Ecoli: where in the cell a protein of *Escherichia coli* is located.

    Eight classes of very different size, from 143 rows to 2.

    Examples
    --------
    >>> load_ecoli().data.shape
    (336, 7)
    """
    return load("ecoli", return_X_y=return_X_y, as_frame=as_frame)


def load_flare(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Solar Flare: the number of C-class flares an active region of the sun produces.

    The usual ten predictors. The counts of M-class and X-class flares, which the original gives
    as two further targets, are no features and are left out.

    Examples
    --------
    >>> load_flare().data.shape
    (323, 10)
    """
    return load("flare", return_X_y=return_X_y, as_frame=as_frame)


def load_glass(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Glass Identification: refractive index and oxides of six kinds of glass.

    The labels are the repository's codes (4 does not occur); `target_names` spells them out.

    Examples
    --------
    >>> load_glass().data.shape
    (214, 9)
    """
    return load("glass", return_X_y=return_X_y, as_frame=as_frame)


def load_heart_statlog(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Statlog (Heart): clinical findings of 270 patients.

    These patients are among those of :func:`load_cleveland`.

    Examples
    --------
    >>> load_heart_statlog().data.shape
    (270, 13)
    """
    return load("heart-statlog", return_X_y=return_X_y, as_frame=as_frame)


def load_hepatitis(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Hepatitis: clinical findings of 155 patients, who live or die.

    Nearly half of the rows have missing cells.

    Examples
    --------
    >>> load_hepatitis().data.shape
    (155, 19)
    """
    return load("hepatitis", return_X_y=return_X_y, as_frame=as_frame)


def load_ionosphere(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Ionosphere: 34 numbers of a radar return, good (`g`) or bad (`b`).

    The feature `a02` is constant, as in the original.

    Examples
    --------
    >>> load_ionosphere().data.shape
    (351, 34)
    """
    return load("ionosphere", return_X_y=return_X_y, as_frame=as_frame)


def load_iris(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Iris: sepals and petals of three species.

    The repository's version, which in rows 35 and 38 differs from Fisher's paper and from
    :func:`sklearn.datasets.load_iris`.

    Examples
    --------
    >>> load_iris().data.shape
    (150, 4)
    """
    return load("iris", return_X_y=return_X_y, as_frame=as_frame)


def load_monks1(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load MONK's problem 1: whether a1 = a2, or a5 = 1.

    The `split` has the published 124 training rows and all 432 combinations as test rows.

    Examples
    --------
    >>> load_monks1().data.shape
    (556, 6)
    """
    return load("monks1", return_X_y=return_X_y, as_frame=as_frame)


def load_monks2(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load MONK's problem 2: whether exactly two features have their first value.

    The `split` has the published 169 training rows and all 432 combinations as test rows.

    Examples
    --------
    >>> load_monks2().data.shape
    (601, 6)
    """
    return load("monks2", return_X_y=return_X_y, as_frame=as_frame)


def load_monks3(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load MONK's problem 3: whether a5 = 3 and a4 = 1, or a5 ≠ 4 and a2 ≠ 3.

    The `split` has the published 122 training rows, of which six have the wrong class, and all
    432 combinations as test rows.

    Examples
    --------
    >>> load_monks3().data.shape
    (554, 6)
    """
    return load("monks3", return_X_y=return_X_y, as_frame=as_frame)


def load_pima(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Pima Indians Diabetes: which of 768 women develop diabetes.

    Zeros in `plas`, `pres`, `skin`, `insu` and `mass` stand for unknown, and are kept.
    The repository has since withdrawn this set; see its licence in `DESCR`.

    Examples
    --------
    >>> load_pima().data.shape
    (768, 8)
    """
    return load("pima", return_X_y=return_X_y, as_frame=as_frame)


def load_segment(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Statlog (Image Segmentation): what a 3 by 3 region of an outdoor image shows.

    Seven classes of 330 rows each; `region-pixel-count` is constant.

    Examples
    --------
    >>> load_segment().data.shape
    (2310, 19)
    """
    return load("segment", return_X_y=return_X_y, as_frame=as_frame)


def load_travel(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load the worked example of a text on decision trees: whether to take the train or a taxi.

    Seven rows, written down in the text and not one of :func:`names`. `Money` is numeric here; an
    ID3 that knows symbols only is given `data.astype(str)`.

    References
    ----------
    A. Sverdlov, *Decision Trees*, undated, Table 1.

    Examples
    --------
    >>> X, y = load_travel(return_X_y=True)
    >>> X[1], str(y[1])
    (array(['N', 50.0, 'Y'], dtype=object), 'Taxi')
    """
    columns = {
        "Hurry": np.array(list("NNYYYNN"), dtype=object),
        "Money": np.array([50, 50, 50, 10, 10, 10, 10], dtype=np.float64),
        "TrainLate": np.array(list("NYNNYNY"), dtype=object),
        "Method": np.array(["Train", "Taxi", "Taxi", *["Train"] * 4], dtype=object),
    }
    return bundle(
        columns,
        class_names={},
        description="Travel: Table 1 of A. Sverdlov, Decision Trees (undated).\n",
        return_X_y=return_X_y,
        as_frame=as_frame,
    )


def load_vote(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Congressional Voting Records of 1984: 16 votes and the voter's party.

    A missing cell is neither a yea nor a nay.

    Examples
    --------
    >>> load_vote().data.shape
    (435, 16)
    """
    return load("vote", return_X_y=return_X_y, as_frame=as_frame)


def load_vowel(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Vowel Recognition (Deterding): ten numbers of the sound of eleven vowels.

    The `split` trains on eight speakers (528 rows) and tests on seven others (462 rows).

    Examples
    --------
    >>> load_vowel().data.shape
    (990, 10)
    """
    return load("vowel", return_X_y=return_X_y, as_frame=as_frame)


def load_wine(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Wine: chemical analysis of wines from three cultivars.

    The classes are the repository's 1, 2 and 3.

    Examples
    --------
    >>> load_wine().data.shape
    (178, 13)
    """
    return load("wine", return_X_y=return_X_y, as_frame=as_frame)


def load_zoo(*, return_X_y: bool = False, as_frame: AsFrame = False) -> Any:
    """Load Zoo: traits of 101 animals of seven types.

    The labels are the repository's codes; `target_names` has mammal, bird and so on.

    Examples
    --------
    >>> load_zoo().data.shape
    (101, 16)
    """
    return load("zoo", return_X_y=return_X_y, as_frame=as_frame)
