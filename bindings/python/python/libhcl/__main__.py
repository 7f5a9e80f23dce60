"""``python -m libhcl`` is the command ``hcl``."""

import signal
import sys

from ._libhcl import command


def main() -> int:
    # The command handles Ctrl-C by itself, as it does outside of Python.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["hcl", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
