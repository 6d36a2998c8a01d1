#!/usr/bin/env bash
# Builds and runs the benchmark program; it writes build/bench.json. Called by `make bench`, which has configured build/.
# The peer, Pinocchio, comes from PyPI into build/peers; where that cannot be had, only Cardan is timed.
set -euo pipefail
cd "$(dirname "$0")/.."
pinned=pin==4.1.0

prefix=
if peer=$(tools/fetch_peer.sh $pinned); then
  prefix=$PWD/$(find "$peer" -type d -name cmeel.prefix | head -1)
else
  echo "bench: $pinned is not to be had here; timing Cardan alone" >&2
fi

cmake -B build -DCARDAN_PINOCCHIO="$prefix" --log-level=WARNING >/dev/null
cmake --build build --target cardan_bench
build/bin/cardan_bench --out build/bench.json "$@"
echo "wrote build/bench.json"
