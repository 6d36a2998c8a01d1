#!/usr/bin/env bash
# Times implicit steps of generated chains and trees of 10^2 to 10^4 bodies. Called by `make bench-implicit`.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --build build --target cardan_bench_implicit
mkdir -p build/implicit
scenes=()
for kind in chain tree; do
  for n in 127 1023 8191; do
    python3 examples/redmax_scenes.py "$kind" "$n" >"build/implicit/$kind$n.toml"
    scenes+=("build/implicit/$kind$n.toml")
  done
  scenes+=(--)
done
build/bin/cardan_bench_implicit "${scenes[@]}"
