// Reads URDF robot descriptions: everything that concerns dynamics, and shapes and colors for viewers.
//
// Links become bodies; those behind fixed joints are merged by the ModelBuilder and stay addressable as frames. The
// root link is fixed to the world or, with Base::free, floats on a free joint called "root_joint"; a root link that
// is itself called "world" is the world.
//
// | joint type          | becomes                                                                                |
// | revolute, continuous| Revolute; continuous has no position limits                                            |
// | prismatic, fixed    | Prismatic, Fixed                                                                       |
// | floating            | Free: quaternion (w, x, y, z), then position                                           |
// | planar              | FreePlanar: shift along x and y, then a turn about z, in a frame whose z is the axis.  |
// |                     | That frame is the joint's, turned by the shortest rotation from its z to the axis      |
// |                     | (about x where they are opposite). At zero the link is where the origin puts it.       |
//
// What URDF demands but dynamics can do without is taken leniently: without <limit> a joint is unlimited, a missing
// effort or velocity is no limit, while missing lower and upper are 0 as the specification says. Unknown elements and
// attributes are skipped. A mesh that cannot be found or read (.obj, .stl, .dae can) is a warning, and the shape keeps
// its path but has no triangles. A number that is none, a missing name or a graph that is no tree is an error:
// ModelError, one line, urdf: FILE:LINE: element "name": ...: expected ..., found ...
#pragma once

#include "cardan/model/model_builder.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cardan {

struct UrdfOptions {
  enum class Base { fixed, free };
  Base base = Base::fixed;
  /// Where package://NAME/... is looked for first: folders that contain NAME, or are it. Then come ROS_PACKAGE_PATH,
  /// the folders share/ of AMENT_PREFIX_PATH and the folders above the file.
  std::vector<std::string> package_paths = {};
  /// Without meshes loading is quick; their paths are kept all the same.
  bool read_meshes = true;
  /// Refuse what is otherwise only warned of: inertia that no body has, a robot without a name, a mimic of a joint that
  /// is not there. Published robots have all of these.
  bool strict = false;
  /// What was left out or guessed, a line each, is appended here; the model's own doubts are in model.warnings().
  std::vector<std::string>* warnings = nullptr;
  std::size_t max_bytes = std::size_t{64} << 20;
};

Model load_urdf(const std::string& path, const UrdfOptions& options = {});

/// Reads text in memory; messages call it by the name, and relative mesh paths start from that name's folder.
Model parse_urdf(std::string_view text, const std::string& name, const UrdfOptions& options = {});

/// Adds the robot to a model in the making: its names begin with the prefix, its root is placed at `at` in the world.
/// Gives the names of its bodies.
std::vector<std::string> add_urdf(ModelBuilder& builder, const std::string& path, const std::string& prefix,
                                  const Pose<double>& at, const UrdfOptions& options = {});

}  // namespace cardan
