"""How the tests run: the same on a fast machine, a slow one and under sanitizers."""

import os

from hypothesis import settings

# Time limits for one example measure the machine. CI looks at the same examples every time.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")
