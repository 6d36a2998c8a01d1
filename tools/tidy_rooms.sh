# The rooms whose sources clang-tidy reads: those whose objects own and hand on things.
tidy_rooms=(dynamics integrate contact simulate gradient)
is_tidied() {
  local room
  for room in "${tidy_rooms[@]}"; do [[ $1 == cardan/$room/* ]] && return 0; done
  return 1
}
