#!/usr/bin/env bash
# Times `cardan simulate` against MuJoCo (from PyPI, into build/peers) on a robot arm. Called by `make bench-simulation`.
set -euo pipefail
cd "$(dirname "$0")/.."
peers=build/peers
pinned=mujoco==3.2.7
arm=../shared/data/robots/panda_arm.urdf

if [ ! -e "$arm" ]; then
  echo "bench-simulation: the reference data with $arm is not here" >&2
  exit 1
fi
if [ ! -e "$peers/installed-$pinned" ]; then
  tools/setup.sh packages-bench.txt
  echo "bench-simulation: fetching $pinned"
  [ -x "$peers/bin/python" ] || python3 -m venv "$peers"
  "$peers/bin/pip" install --quiet --disable-pip-version-check "$pinned"
  touch "$peers/installed-$pinned"
fi
"$peers/bin/python" benchmarks/steps_against_mujoco.py build/bin/cardan "$arm"
