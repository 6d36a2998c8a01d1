#!/usr/bin/env bash
# What `make long` runs: the tests on random input that serve as proofs, each with many more trials than in `make test`
# (CARDAN_LONG=1, tests/support/trials.hpp). docs/testing.md has the last figures.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/stages.sh

build() { cmake --build build --target test_symbolic test_program test_algorithms test_forces test_constraints test_contact test_solve test_simulate test_apps test_fuzz; }
room() { CARDAN_LONG=1 "build/tests/test_$1" --gtest_brief=1 --gtest_filter="$2"; }

sanitized() {
  tools/configure.sh asan "${CXX:-clang++-14}"
  cmake --build build/asan --target test_io test_forces test_simulate
  for name in io forces simulate; do "build/asan/tests/test_$name" --gtest_brief=1; done
}

stage "build" build
stage "derivatives of random graphs" room symbolic 'Differentiate.*'
stage "machine code of random graphs" room program 'MachineCode.AgreesWithTheInterpreterOnRandomGraphs'
stage "identities on random trees" room algorithms 'Identities.*'
stage "damaged files" room fuzz '*'
stage "energy over a million steps" room simulate 'Variational.*'
stage "stiffness of forces on random trees" room forces 'Path.*'
stage "random mechanisms with loops" room constraints 'RandomMechanisms.*:HingedLadder.*'
stage "formulations, bodies without inertia" room apps 'RandomInertia.*:Formulations.*'
stage "collision" room contact '*'
stage "laws of contact" room solve 'LawSolver.*'
stage "long contact" room simulate 'ContactExamples.*:ContactImpacts.*:ContactArch.*:ContactEvents.*'
stage "forces, simulate and io, address and UB sanitizers" sanitized
close_stages "make long"
