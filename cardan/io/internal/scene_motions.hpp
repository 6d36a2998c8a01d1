// [[motion]] of scene files.
#pragma once

#include "cardan/constraints/prescribed_motion.hpp"
#include "cardan/io/internal/toml.hpp"

namespace cardan::io {

struct NamedMotion {
  std::string name;  // its joint's or frame's, unless the table gives another
  std::shared_ptr<const Constraint> motion;
  int efforts = 1;  // how many numbers its forces are
};

std::vector<NamedMotion> read_motions(const Model& model, const std::vector<TomlValue>& motions);

}  // namespace cardan::io
