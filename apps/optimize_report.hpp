// What a search has found, for people and for machines.
#pragma once

#include "cardan/gradient/optimize.hpp"
#include "cardan/io/scene_family.hpp"

#include <string>

namespace cardan::command {

/// A table of numbers and texts, before and after.
std::string optimum_text(const Optimum& found, const Search& search, const SceneFamily& family);
std::string optimum_json(const Optimum& found, const SceneFamily& family);
/// The table as a page, with every column of the run at the start and of the one that was found.
std::string optimum_page(const std::string& file, const Optimum& found, const Search& search,
                         const SceneFamily& family);

}  // namespace cardan::command
