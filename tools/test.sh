#!/usr/bin/env bash
# What `make test` runs: everything with the main compiler, the library with g++, the quick tests under sanitizers.
# Stops at the first failure; else closes with a summary.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${CXX:=clang++-14}"
jobs=$(nproc)
summary=()

stage() {  # stage NAME COMMAND...: runs the command, notes its time and ctest's verdict
  local name=$1 start=$SECONDS log verdict
  shift
  log=build/test-log.txt
  mkdir -p build
  echo "== $name"
  "$@" 2>&1 | tee "$log"
  verdict=$(grep 'tests passed' "$log" || echo "compiled without a warning")
  summary+=("$(printf '%-42s %4d s   %s' "$name" $((SECONDS - start)) "$verdict")")
}

everything() {
  tools/configure.sh release "$CXX"
  cmake --build build
  ctest --preset release -j "$jobs"
}

library_with_gcc() {
  tools/configure.sh gcc g++
  cmake --build build/gcc --target product
}

quick_with_sanitizers() {
  tools/configure.sh asan "$CXX"
  cmake --build build/asan --target quick_tests
  ctest --preset asan -j "$jobs"
}

stage "all tests, $(basename "$CXX")" everything
stage "library and command, g++" library_with_gcc
stage "quick tests, sanitizers" quick_with_sanitizers

echo "== make test: all passed in $SECONDS s"
printf '%s\n' "${summary[@]}"
