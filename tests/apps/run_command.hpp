// Runs the `cardan` command and keeps what it says.
#pragma once

#include "tests/io/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <sys/wait.h>

namespace cardan::test {

struct Outcome {
  int code = -1;  // -1 where the program did not end by itself
  std::string out, err;
};

inline std::string file_contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The arguments go to the program as they are, whatever characters they contain.
inline Outcome run_command(const std::vector<std::string>& arguments, const TemporaryFolder& folder) {
  std::string line = CARDAN_COMMAND;
  for (const std::string& argument : arguments) {
    line += " '";
    for (const char c : argument) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += "'";
  }
  const std::string out = folder.path("stdout"), err = folder.path("stderr");
  const int status = std::system((line + " >'" + out + "' 2>'" + err + "' </dev/null").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, file_contents(out), file_contents(err)};
}

/// The run must have failed with that code, one line on stderr and nothing on stdout; gives the line.
inline std::string refusal(const Outcome& outcome, int code = 1) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_TRUE(outcome.err.ends_with("\n")) << outcome.err;
  return outcome.err;
}

inline bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace cardan::test
