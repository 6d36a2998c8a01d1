#!/usr/bin/env bash
# What `make long` runs: the tests on random input that serve as proofs, each with many more trials than in `make test`
# (CARDAN_LONG=1, tests/support/trials.hpp). docs/testing.md has the last figures.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/stages.sh

build() { cmake --build build --target test_symbolic test_program test_algorithms test_forces test_constraints test_collision test_contact test_solve test_simulate test_apps test_fuzz test_gradient; }
room() { CARDAN_LONG=1 "build/tests/test_$1" --gtest_brief=1 --gtest_filter="$2"; }

# fresh random problems of the laws of contact, where Python has numpy and their families lie beside the project
problems() {
  [ -d ../shared/data/contact ] || { echo "    no ../shared/data/contact: skipped"; return 0; }
  python3 -c 'import numpy' 2>/dev/null || { echo "    no numpy: skipped"; return 0; }
  local file seed
  file=$(mktemp)
  seed=$(date +%s)
  for kind in "contact 417" "mixed 175"; do
    read -r name count <<<"$kind"
    echo "    tools/contact_problems.py $name $seed $count"
    python3 tools/contact_problems.py "$name" "$seed" "$count" "$file"
    CARDAN_CONTACT_PROBLEMS=$file build/tests/test_solve --gtest_brief=1 --gtest_filter=LawSolver.ProblemsOfAFile
  done
  rm -f "$file"
}

sanitized() {
  tools/configure.sh asan "${CXX:-clang++-14}"
  cmake --build build/asan --target test_io test_forces test_contact test_simulate
  for name in io forces contact simulate; do "build/asan/tests/test_$name" --gtest_brief=1; done
}

stage "build" build
stage "derivatives of random graphs" room symbolic 'Differentiate.*'
stage "machine code of random graphs" room program 'MachineCode.AgreesWithTheInterpreterOnRandomGraphs'
stage "identities on random trees" room algorithms 'Identities.*'
stage "damaged files" room fuzz '*'
stage "a million inputs, guided by coverage" tools/fuzz.sh
stage "energy over a million steps" room simulate 'Variational.*'
stage "stiffness of forces on random trees" room forces 'Path.*'
stage "random mechanisms with loops" room constraints 'RandomMechanisms.*:HingedLadder.*'
stage "formulations, bodies without inertia" room apps 'RandomInertia.*:Formulations.*'
stage "jumps, throws, change points, slow runs" room apps 'Jumps.*:ContactTrust.*:ChangePoints.*:Singular.*:Stiffness.*'
stage "every observer, balls that roll" room apps 'Invariance.*:RollingBalls.*'
stage "collision" room collision '*'
stage "laws of contact" room solve 'LawSolver.*'
stage "fresh problems of contact" problems
stage "long contact" room contact 'ContactExamples.*:ContactImpacts.*:ContactArch.*:ContactEvents.*'
stage "random drops" room contact 'ContactDrops.*'
stage "gradients of every example" room gradient 'GradientOfExamples.*'
stage "forces, contact, simulate and io, address and UB sanitizers" sanitized
stage "how the page of every example looks" env CARDAN_LONG=1 tools/web_test.sh
stage "the wheel in a fresh environment" tools/wheel_test.sh
close_stages "make long"
