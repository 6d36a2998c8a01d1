#!/usr/bin/env bash
# Coverage-guided fuzzing of readers (libFuzzer, clang): a million inputs in all, or FUZZ_SECONDS (600) for each target if
# that comes first. Seeds are the files of examples/ and tests/; the dictionary is every quoted word of the readers. A find
# (crash, hang, undefined behavior, a finished run with numbers that are not finite) is written to build/fuzz/finds/ and
# ends the script: `build/fuzz/fuzz_NAME FILE` shows it again.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/configure.sh fuzz "${CXX:-clang++-14}"
cmake --build build/fuzz --target fuzz_targets

folder=build/fuzz
mkdir -p $folder/finds
grep -ohE '"[A-Za-z_]{2,30}"' cardan/io/*.cpp cardan/io/internal/*.cpp | sort -u >$folder/words.dict

# copies seeds, each with a prefix that says what it is
seed() {
  local prefix=$1 target=$2 file
  shift 2
  mkdir -p "$folder/corpus/$target"
  for file in "$@"; do
    [ -f "$file" ] || continue
    { printf '%s' "$prefix"; cat "$file"; } >"$folder/corpus/$target/$(basename "$file").seed"
  done
}
seed "" scene examples/*.toml
seed "" robot examples/*.urdf
# texts in C++ sources of tests that begin as a scene or a robot does
texts() {
  FOLDER="$folder/corpus/$2" KIND=$3 perl -0ne '
    while (/R"\w*\(('"$1"'.*?)\)\w*"/sg) { open F, ">", "$ENV{FOLDER}/$ENV{KIND}_" . $n++ . ".seed"; print F $1; close F }' \
    tests/*/*.cpp tests/*/*.hpp
}
texts 'cardan = 1\n' scene test
texts '<robot' robot urdf
texts '<mujoco' robot mjcf
texts '<sdf' robot sdf
texts '<OpenSimDocument' robot osim
seed o shape examples/*.obj
printf 'gP2\n2 2\n255\n0 100\n200 255\n' >$folder/corpus/shape/map.seed
printf 'ssolid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n' \
  >$folder/corpus/shape/text_stl.seed
seed e request examples/*_states.json
printf 'hGET /live?key=1 HTTP/1.1\r\nHost: localhost\r\n\r\n' >$folder/corpus/request/head.seed
for message in '{"do":"play"}' '{"do":"reset"}' '{"do":"parameter","name":"length","value":0.6}' '{"do":"pull"}' \
  '{"do":"open","name":"a.toml","text":"cardan = 1"}'; do
  printf 'l%s' "$message" >"$folder/corpus/request/live_$(printf '%s' "$message" | cksum | cut -d' ' -f1).seed"
done

# fuzz NAME RUNS
fuzz() {
  local log=$folder/$1.log status=0
  echo "    fuzz_$1: $2 inputs"
  "$folder/fuzz_$1" "$folder/corpus/$1" -runs="$2" -max_total_time="${FUZZ_SECONDS:-600}" -timeout=60 \
    -rss_limit_mb=3000 -max_len=4096 -dict=$folder/words.dict -artifact_prefix="$folder/finds/$1-" -print_final_stats=1 \
    -verbosity=0 >"$log" 2>&1 || status=$?
  grep -E 'ERROR|SUMMARY|does not hold|Test unit written|number_of_executed_units' "$log" || true
  return $status
}
fuzz scene 250000
fuzz robot 350000
fuzz shape 400000
fuzz request 200000  # slow: mostly ended by the time
