// Poses as text, as scene files write them.
#pragma once

#include "cardan/joints/motion_product.hpp"
#include "cardan/symbolic/parse.hpp"

namespace cardan {

/// Parses "trans(x, y, z) * rotz(u) * inv(roty(v))", a product of trans, rotx, roty, rotz, rot (axis, angle), twist,
/// frame and inv, as the pose that takes child coordinates to the parent's.
MotionProduct parse_transform(std::string_view text, const Symbols& symbols, const ParseLimits& limits = {});

}  // namespace cardan
