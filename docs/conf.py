"""How Sphinx makes the site; `tools/build_docs.py` lays out what it reads.

The pages are plain Markdown whose links hold on the forge. The copy that Sphinx reads has the
repository's layout, with README.md as its front page, so that the same links hold in the site.
"""

from importlib.metadata import version as version_of

import matplotlib as mpl

mpl.use("agg")

project = "planetree"
copyright = "The planetree developers"
release = version = version_of("planetree")

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_gallery.gen_gallery",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["docs/README.md", "examples", "changelog.d/*.*.md"]

myst_heading_anchors = 3
numpydoc_show_class_members = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # numpydoc's sections tell the types

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,
}

html_theme = "furo"
html_title = "planetree"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
