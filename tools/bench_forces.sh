#!/usr/bin/env bash
# Times paths of muscles, and OpenSim's (from PyPI, into build/peers) in the same run. Called by `make bench-forces`.
set -euo pipefail
cd "$(dirname "$0")/.."
legs=../shared/data/forces/models/gait10dof18musc.osim

cmake --build build --target cardan_bench_forces
if [ -e "$legs" ] && peer=$(tools/fetch_peer.sh opensim==4.6); then
  "$peer/bin/python" benchmarks/paths_against_opensim.py build/bin/cardan_bench_forces "$legs"
else
  echo "bench-forces: OpenSim or its model is not to be had here; timing Cardan alone" >&2
  build/bin/cardan_bench_forces
fi
