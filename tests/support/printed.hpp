// Compares what documents show of a command's output with what it prints.
#pragma once

#include <string>

namespace cardan::test {

/// Compares two lines: words are the same, blanks count as one, numbers agree to 1 %, or are both rounding errors
/// (below 1e-8). A shown line that ends with "..." is the beginning of the printed one.
bool is_like(const std::string& shown, const std::string& printed);

/// Tells whether every line of `shown`, but for lines that are only "...", is like one of `printed`; if not, gives it.
bool is_printed(const std::string& shown, const std::string& printed, std::string& missing);

}  // namespace cardan::test
