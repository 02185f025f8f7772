"""``python -m planetree`` is the command `planetree`."""

import sys

from planetree.cli import main

if __name__ == "__main__":
    sys.exit(main())
