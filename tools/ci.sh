#!/usr/bin/env bash
# What a change must pass beside `make test`: the other compiler, the sanitizers, every file on its own, clang-tidy,
# the viewer in a browser, and the site of the documents.
# Called by .ci/run after `make test`, which has installed the packages; stops at the first failure.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/stages.sh
: "${CXX:=clang++-14}"

library_with_gcc() {
  tools/configure.sh gcc g++
  cmake --build build/gcc --target product
}

quick_with_sanitizers() {
  tools/configure.sh asan "$CXX"
  cmake --build build/asan --target quick_tests
  ctest --preset asan -j "$(nproc)"
}

threads_with_sanitizer() {
  tools/configure.sh tsan "$CXX"
  cmake --build build/tsan --target test_threads
  build/tsan/tests/test_threads --gtest_brief=1
}

tools/setup.sh packages-ci.txt
stage "library and command, g++" library_with_gcc
stage "quick tests, address and UB sanitizers" quick_with_sanitizers
stage "threads, thread sanitizer" threads_with_sanitizer
stage "the Python package" tools/python_test.sh
stage "each header and source alone" tools/each_file_alone.sh
stage "clang-tidy" tools/tidy.sh
stage "the viewer's page is what its sources build" tools/web.sh --check
stage "the viewer in Chromium" tools/web_test.sh
stage "the site" tools/docs.sh
close_stages "ci"
