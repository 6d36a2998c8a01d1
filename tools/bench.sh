#!/usr/bin/env bash
# Builds and runs the benchmark program; it writes build/bench.json. Called by `make bench`, which has configured build/.
# The peer, Pinocchio, comes from PyPI into build/peers; where that cannot be had, only Cardan is timed.
set -euo pipefail
cd "$(dirname "$0")/.."
peers=build/peers
pinned=pin==3.7.0

if [ ! -e "$peers/installed-$pinned" ]; then
  tools/setup.sh packages-bench.txt
  echo "bench: fetching $pinned"
  if python3 -m venv "$peers" && "$peers/bin/pip" install --quiet --disable-pip-version-check "$pinned"; then
    touch "$peers/installed-$pinned"
  else
    echo "bench: $pinned is not to be had here; timing Cardan alone" >&2
  fi
fi
prefix=$(find "$peers" -type d -name cmeel.prefix 2>/dev/null | head -1)

cmake -B build -DCARDAN_PINOCCHIO="${prefix:+$PWD/$prefix}" --log-level=WARNING >/dev/null
cmake --build build --target cardan_bench
build/bin/cardan_bench --out build/bench.json "$@"
echo "wrote build/bench.json"
