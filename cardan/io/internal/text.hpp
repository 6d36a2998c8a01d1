// What all readers share: files, numbers and names in text, and the wording of messages. A message is one line,
// whatever the input: foreign text goes into it only through in_quotes().
#pragma once

#include "cardan/text/internal/nearest_name.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cardan::io {

struct SceneNames;

/// What messages begin with: the format ("urdf") and the file's name; and what the texts of a scene may use.
struct Source {
  std::string format, file;
  const SceneNames* names = nullptr;
};

/// In double quotes, shortened where long, without line breaks and other control characters.
std::string in_quotes(std::string_view text);

/// Returns the text without control characters, for file names in messages.
std::string printable(std::string_view text);

/// The whole word as a finite number (a leading + is allowed), or nothing.
std::optional<double> parse_number(std::string_view word);

/// Split at white space.
std::vector<std::string_view> words(std::string_view text);

/// `: did you mean "revolute"?`, or empty if no candidate is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// The line (from 1) of a byte of the text.
int line_of(std::string_view text, std::size_t byte);

/// The folders that a variable of the environment lists, with colons between them.
std::vector<std::string> folders_in(const char* variable);

/// The contents of a file; throws ModelError "format: path: ..." if it cannot be read or is larger than the limit.
std::string read_text_file(const std::string& format, const std::string& path, std::size_t max_bytes);

}  // namespace cardan::io
