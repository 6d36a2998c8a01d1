// What targets of coverage-guided fuzzing expect: results that hold, or one line of complaint.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace cardan::fuzz {

/// Ends the program, which the fuzzer takes for a find, where a statement does not hold.
inline void expect(bool holds, const char* statement) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", statement);
  std::abort();
}

/// Runs something that may throw what has a message of one line.
template <class Work>
void refuses_in_one_line(const Work& work) {
  try {
    work();
  } catch (const std::exception& error) {
    expect(*error.what() != '\0' && std::strchr(error.what(), '\n') == nullptr, "a complaint is one line");
  }
}

}  // namespace cardan::fuzz
