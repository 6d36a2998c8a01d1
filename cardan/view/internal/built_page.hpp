// The page as `make web` built it (web/viewer.html), compiled into the library by cmake/viewer.cmake.
#pragma once

#include <string_view>

namespace cardan::view {

extern const std::string_view kBuiltPage;

}  // namespace cardan::view
