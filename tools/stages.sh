# To be sourced: runs named stages, stops at the first that fails, and closes with a summary of their times.
summary=()

stage() {  # stage NAME COMMAND...: runs the command, notes its time and ctest's verdict
  local name=$1 start=$SECONDS log=build/stage-log.txt verdict
  shift
  mkdir -p build
  echo "== $name"
  "$@" 2>&1 | tee "$log"
  verdict=$(grep 'tests passed' "$log" || echo "no complaint")
  summary+=("$(printf '%-42s %4d s   %s' "$name" $((SECONDS - start)) "$verdict")")
}

close_stages() {  # close_stages NAME: prints what was done
  echo "== $1: all passed in $SECONDS s"
  printf '%s\n' "${summary[@]}"
}
