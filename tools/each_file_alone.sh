#!/usr/bin/env bash
# Compiles every header of the library and every source of the library and the command on its own (-fsyntax-only),
# without precompiled headers and batches, so that each file includes what it uses. Warnings are errors.
# The preset `alone` lists the commands; CMake makes a source of every header for it.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/configure.sh alone "${CXX:-clang++-14}"

# each command, with the quotes of the JSON text taken away, compiles to nowhere
sed -n 's/^ *"command": "\(.*\)",\{0,1\}$/\1/p' build/alone/compile_commands.json |
  sed -e 's/\\"/"/g' -e 's/\\\\/\\/g' -e 's/ -o [^ ]* -c / -fsyntax-only /' |
  tr '\n' '\0' | xargs -0 -P "$(nproc)" -n 1 sh -c
echo "$(grep -c '"command"' build/alone/compile_commands.json) files compile alone"
