"""``python -m fightcall``: the same as the ``fightcall`` command."""

import sys

from fightcall.cli import main

if __name__ == "__main__":
    sys.exit(main())
