// The reference page of all keys of scene files (docs/keys.md), written from the table of keys.
#pragma once

#include <string>

namespace cardan::io {

/// Writes the page as Markdown.
std::string scene_keys_page();

}  // namespace cardan::io
