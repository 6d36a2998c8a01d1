#!/usr/bin/env bash
# fetch_peer.sh NAME==VERSION: installs a Python package from PyPI into a virtual environment of its own,
# build/peers/NAME-VERSION, unless it is there, and prints that folder. Fails where the package cannot be had.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build/peers/${1/==/-}
if [ ! -e "$folder/installed" ]; then
  tools/setup.sh packages-bench.txt >&2
  echo "bench: fetching $1" >&2
  python3 -m venv "$folder" >&2
  "$folder/bin/pip" install --quiet --disable-pip-version-check "$1" >&2
  touch "$folder/installed"
fi
echo "$folder"
