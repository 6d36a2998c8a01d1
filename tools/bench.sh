#!/usr/bin/env bash
# Builds and runs the benchmark program; it writes build/bench.json. Called by `make bench`, which has configured build/.
# The peers, Pinocchio and for collision Coal, come from PyPI into build/peers; where one cannot be had, only Cardan is
# timed.
set -euo pipefail
cd "$(dirname "$0")/.."

# prefix_of NAME==VERSION: the folder with its headers and libraries, or nothing.
prefix_of() {
  local peer
  if peer=$(tools/fetch_peer.sh "$1"); then
    echo "$PWD/$(find "$peer" -type d -name cmeel.prefix | head -1)"
  else
    echo "bench: $1 is not to be had here; timing Cardan alone" >&2
  fi
}

cmake -B build -DCARDAN_PINOCCHIO="$(prefix_of pin==4.1.0)" -DCARDAN_COAL="$(prefix_of coal==3.0.3)" --log-level=WARNING >/dev/null
cmake --build build --target cardan_bench
build/bin/cardan_bench --out build/bench.json "$@"
echo "wrote build/bench.json"
