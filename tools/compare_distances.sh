#!/usr/bin/env bash
# Compares distances of random pairs of shapes with those of Coal (from PyPI, into build/peers). Called by
# `make compare-distances`; compare_distances.sh PAIRS chooses how many.
set -euo pipefail
cd "$(dirname "$0")/.."
peer=$(tools/fetch_peer.sh coal==3.0.3)
"$peer/bin/python" benchmarks/distances_against_coal.py build/bin/cardan "${1:-5000}"
