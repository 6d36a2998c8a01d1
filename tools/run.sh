#!/usr/bin/env bash
# What `make run` shows: simulates a walking linkage and says in plain words what happened and where to look.
set -euo pipefail
cd "$(dirname "$0")/.."
scene=examples/walking_linkage.toml
build/bin/cardan simulate $scene --out build/run.csv --report build/report.html >build/run.txt
value() { sed -n "s/^$1  *//p" build/run.txt; }
cat <<END

Cardan has simulated a $(value model | sed 's/,.*//'), held together by joints and $(grep -c '^\[\[loop' $scene) closed loops.

  time in the machine   $(value 'simulated time' | sed 's/ of.*//')
  time it took          $(value 'wall time')
  loops stayed closed   to $(value 'largest constraint error' | sed 's/ .*//') m

See it move: open this page in a browser. It needs no network.

  file://$PWD/build/report.html

The numbers are in build/run.csv. Next:
  build/bin/cardan view examples/four_bar.toml     pull at a linkage with the mouse, drag its sliders
  build/bin/cardan --help                          all commands
END
