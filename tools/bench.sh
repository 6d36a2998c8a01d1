#!/usr/bin/env bash
# Builds and runs the benchmark program; it writes build/bench.json. Called by `make bench`, which has configured build/.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --build build --target cardan_bench
build/bin/cardan_bench --out build/bench.json "$@"
echo "wrote build/bench.json"
