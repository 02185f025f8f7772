"""Imports of optional packages, made when they are needed and not before."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from planetree.errors import MissingExtraError

__all__ = ["require"]


def require(module: str, *, extra: str, purpose: str) -> Any:
    """Import `module`, or say in one line which extra of planetree brings it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(purpose, module.partition(".")[0], extra=extra) from error
