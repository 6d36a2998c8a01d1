#!/usr/bin/env bash
# What `make test` runs: everything with the main compiler. tools/ci.sh has the rest that a change must pass.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/stages.sh
: "${CXX:=clang++-14}"

configure() { tools/configure.sh release "$CXX"; }
build() { cmake --build build; }
run() { ctest --preset release -j "$(nproc)"; }

stage "configure" configure
stage "build, $(basename "$CXX")" build
stage "all tests" run
close_stages "make test"
