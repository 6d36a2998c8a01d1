#!/usr/bin/env bash
# wheel.sh: makes a wheel for other machines, build/dist/cardan-*.whl; libraries of the system are inside it.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh packages-python.txt
: "${CXX:=clang++-14}"
export CXX

environment=build/wheel-tools
if [ ! -x "$environment/bin/python3" ]; then python3 -m venv "$environment"; fi
"$environment/bin/python3" -m pip install --quiet --disable-pip-version-check -r python/requirements-wheel.txt
rm -rf build/dist
"$environment/bin/python3" -m pip wheel --quiet --disable-pip-version-check --no-deps -w build/dist/plain .
PATH="$PWD/$environment/bin:$PATH" "$environment/bin/auditwheel" repair -w build/dist build/dist/plain/cardan-*.whl ||
  { echo "wheel: not repaired: it serves machines with the same libraries only" >&2; cp build/dist/plain/cardan-*.whl build/dist/; }
ls build/dist/cardan-*.whl
