#!/usr/bin/env bash
# Compiles every header of the library and every source of the library and the command on its own (-fsyntax-only),
# without batches, so that each file includes what it uses of the project. Warnings are errors. The standard library and
# Eigen, which take most of the time, come precompiled.
# The preset `alone` lists the commands; CMake makes a source of every header for it. A header whose own source includes
# it before anything else is compiled alone by that, and sources that clang-tidy reads (tools/tidy.sh) by that.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/configure.sh alone "${CXX:-clang++-14}"

. tools/tidy_rooms.sh

begins_its_source() {
  local source=${1%.hpp}.cpp
  [ -e "$source" ] && [ "$(grep -m1 '^#include' "$source")" = "#include \"$1\"" ]
}

precompiled=build/alone/standard.pch
printf '#include <%s>\n' Eigen/Dense algorithm array atomic cmath filesystem functional map memory mutex optional \
  random set span stdexcept string variant vector >build/alone/standard.hpp
standard_flags=$(sed -n '/"command"/{s/^ *"command": "[^ ]* \(.*\) -o .*$/\1/;s/\\"/"/g;p;q}' build/alone/compile_commands.json)
eval "${CXX:-clang++-14} $standard_flags -x c++-header -o $precompiled build/alone/standard.hpp"

commands=$(mktemp)
trap 'rm -f "$commands"' EXIT
# each command, with the quotes of the JSON text taken away, compiles to nowhere
sed -n 's/^ *"command": "\(.*\)",\{0,1\}$/\1/p' build/alone/compile_commands.json |
  sed -e 's/\\"/"/g' -e 's/\\\\/\\/g' -e "s| -o [^ ]* -c | -Xclang -fno-validate-pch -include-pch $PWD/$precompiled -fsyntax-only |" |
  while IFS= read -r command; do
    header=$(sed -n 's|.*/\(cardan/[^ ]*\.hpp\)\.cxx$|\1|p' <<<"$command")
    source=$(sed -n 's|.*/\(cardan/[^ ]*\.cpp\)$|\1|p' <<<"$command")
    if [ -n "$header" ] && begins_its_source "$header"; then continue; fi
    if [ -n "$source" ] && is_tidied "$source"; then continue; fi
    printf '%s\0' "$command"
  done >"$commands"
xargs -0 -P "$(nproc)" -n 1 sh -c <"$commands"
echo "$(tr -cd '\0' <"$commands" | wc -c) commands: each header and source compiles alone"
