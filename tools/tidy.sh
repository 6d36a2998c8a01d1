#!/usr/bin/env bash
# tidy.sh [FILE...]: runs a few checks of clang-tidy that find mistakes, not matters of taste, over the sources of the
# rooms whose objects own and hand on things, or over those named (the kernels take minutes and own nothing). Needs build/alone/compile_commands.json (tools/each_file_alone.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/tidy_rooms.sh
checks='-*,bugprone-use-after-move,bugprone-dangling-handle,bugprone-unused-return-value,bugprone-unused-raii'
checks+=',bugprone-infinite-loop,bugprone-inaccurate-erase,bugprone-string-constructor,bugprone-move-forwarding-reference'
if [ $# -eq 0 ]; then
  mapfile -t files < <(find "${tidy_rooms[@]/#/cardan/}" -name '*.cpp' | sort)
else
  files=("$@")
fi
printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 4 \
  clang-tidy-14 -p build/alone --quiet --checks="$checks" --warnings-as-errors='*' 2>/dev/null
echo "clang-tidy: ${#files[@]} sources"
