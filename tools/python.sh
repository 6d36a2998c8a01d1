#!/usr/bin/env bash
# python.sh: builds the Python package and leaves a virtual environment with it and numpy: build/python/bin/python3.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh packages-python.txt
: "${CXX:=clang++-14}"

environment=build/python
if [ ! -x "$environment/bin/python3" ]; then python3 -m venv "$environment"; fi
wanted=$(sha256sum python/requirements.txt)
if [ "$(cat "$environment/requirements.sum" 2>/dev/null)" != "$wanted" ]; then
  "$environment/bin/python3" -m pip install --quiet --disable-pip-version-check -r python/requirements.txt
  echo "$wanted" >"$environment/requirements.sum"
fi
tools/configure.sh release "$CXX"
cmake -DCARDAN_BUILD_PYTHON=ON -DPython_ROOT_DIR="$PWD/$environment" -DPython_FIND_VIRTUALENV=ONLY build --log-level=WARNING >/dev/null
cmake --build build --target _cardan_stub cardan_command
packages=$("$environment/bin/python3" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')
mkdir -p "$packages/cardan/bin"
cp python/cardan/*.py python/cardan/py.typed build/python-module/_cardan*.so build/python-module/_cardan.pyi "$packages/cardan/"
ln -sf "$PWD/build/bin/cardan" "$packages/cardan/bin/cardan"
echo "python: $environment/bin/python3 has cardan"
