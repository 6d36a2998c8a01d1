// [body.joint] drive: where the force of a joint's drive enters, for records of what its bearings carry.
#pragma once

#include "cardan/dynamics/records.hpp"
#include "cardan/io/internal/toml.hpp"

namespace cardan::io {

/// A drive and the joint that it belongs to, by the body that it moves.
struct NamedDrive {
  int body = 0;
  JointDrive drive;
};

/// Reads `drive = { at, along }` of the joints of [[body]] tables.
std::vector<NamedDrive> read_drives(const Model& model, const std::vector<TomlValue>& bodies);

}  // namespace cardan::io
