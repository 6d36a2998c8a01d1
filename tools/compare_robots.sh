#!/usr/bin/env bash
# Checks that every robot of example-robot-data (from PyPI, into build/peers) that Pinocchio reads is read by Cardan, with
# the same velocities and mass. Called by `make compare-robots`; compare_robots.sh FOLDER takes another folder of URDF files.
set -euo pipefail
cd "$(dirname "$0")/.."
robots=${1:-$(tools/fetch_peer.sh example-robot-data==6.0.0)}
peer=$(tools/fetch_peer.sh pin==4.1.0)
"$peer/bin/python" benchmarks/robots_against_pinocchio.py build/bin/cardan "$robots"
