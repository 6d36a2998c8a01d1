#!/usr/bin/env bash
# Builds and runs the benchmark program; it writes build/bench.json. Called by `make bench`, which has configured build/.
# The peers, Pinocchio and for collision Coal, come from PyPI into build/peers; where one cannot be had, only Cardan is
# timed. Contact steps are compared with MuJoCo and PyBullet by benchmarks/contact_steps.py, which adds its rows; without
# MuJoCo there are none.
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
cmake --build build --target cardan_bench cardan_command
build/bin/cardan_bench --out build/bench.json "$@"
peers=()
for pinned in mujoco==4.0.0 mujoco==3.17.0 pybullet==3.2.7; do
  if peer=$(tools/fetch_peer.sh $pinned); then
    [ $pinned != pybullet==3.2.7 ] || "$peer/bin/pip" install --quiet --disable-pip-version-check numpy >&2 || continue
    peers+=(--peer "$peer/bin/python")
  else
    echo "bench: $pinned is not to be had here" >&2
  fi
done
if [ ${#peers[@]} -gt 0 ]; then
  python3 benchmarks/contact_steps.py --cardan build/bin/cardan "${peers[@]}" --merge build/bench.json
fi
echo "wrote build/bench.json"
