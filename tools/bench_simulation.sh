#!/usr/bin/env bash
# Times `cardan simulate` against MuJoCo (from PyPI, into build/peers) on a robot arm. Called by `make bench-simulation`.
# The sparse Cholesky factorization of MuJoCo 4.0.0 is reported to be wrong (not
# looked into here), so the last release before it runs beside it, and the motions of both are compared with ours before
# anything is timed.
set -euo pipefail
cd "$(dirname "$0")/.."
arm=../shared/data/robots/panda_arm.urdf

if [ ! -e "$arm" ]; then
  echo "bench-simulation: the reference data with $arm is not here" >&2
  exit 1
fi
for pinned in mujoco==4.0.0 mujoco==3.17.0; do
  peer=$(tools/fetch_peer.sh $pinned)
  "$peer/bin/python" benchmarks/steps_against_mujoco.py build/bin/cardan "$arm"
done
