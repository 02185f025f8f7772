"""What a model file says: a fitted model as text, and such text checked and read back.

The format is described for people in docs/model-file.md and for programs in model.schema.json. A
file is not trusted: all of it is checked before anything is built from it, in time linear in its
length. A model about to be written passes the same checks, so that what was saved can be loaded.
"""

from planetree.modelformat.document import Model, from_text, to_text
from planetree.modelformat.params import Lost

__all__ = ["Lost", "Model", "from_text", "to_text"]
