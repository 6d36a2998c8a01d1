#!/usr/bin/env bash
# configure.sh PRESET COMPILER: prepares the preset's build folder. A folder that another compiler has used starts afresh,
# because CMake forgets the preset's settings, build type included, when the compiler changes under it.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
compiler=$(command -v "$2")
folder=build
if [ "$preset" != release ]; then folder=build/$preset; fi

fresh=()
if [ -f "$folder/CMakeCache.txt" ] && ! grep -q "^CMAKE_CXX_COMPILER:[A-Z]*=$compiler\$" "$folder/CMakeCache.txt"; then fresh=(--fresh); fi
cmake --preset "$preset" "${fresh[@]}" -DCMAKE_CXX_COMPILER="$compiler" --log-level=WARNING >/dev/null
