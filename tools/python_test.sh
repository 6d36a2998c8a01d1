#!/usr/bin/env bash
# python_test.sh: builds the Python package and tests it.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/python.sh
CARDAN_COMMAND=$PWD/build/bin/cardan build/python/bin/python3 -m pytest -q python/tests
