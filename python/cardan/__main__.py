"""The command: python -m cardan view scene.toml."""

from __future__ import annotations

import os
import sys


def main() -> int:
    command = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "cardan")
    if not os.path.exists(command):
        print(f"cardan: expected the command at {command}, found none", file=sys.stderr)
        return 1
    os.execv(command, ["cardan", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
