"""Pictures of trees, drawn with matplotlib."""

from planetree.show.paths import pruning_path

__all__ = ["pruning_path"]
