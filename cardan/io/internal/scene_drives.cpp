#include "cardan/io/internal/scene_drives.hpp"

#include "cardan/io/internal/scene_geometry.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_names.hpp"

#include <fmt/format.h>

namespace cardan::io {

std::vector<NamedDrive> read_drives(const Model& model, const std::vector<TomlValue>& bodies) {
  std::vector<NamedDrive> out;
  for (const TomlValue& body : bodies) {
    const TomlValue joint = body.find("joint"), table = joint ? joint.find("drive") : TomlValue();
    if (!table) continue;
    allow_keys(table, "drive");
    const TomlValue own = joint.find("name"), at = table.find("at"), parent = body.find("parent");
    const int moved = model.find_joint((own ? own : body.required("name")).text());
    if (moved < 0 || model.link(moved).nv != 1)
      table.fail(
          fmt::format("expected a joint of one coordinate, found one of {}", moved < 0 ? 0 : model.link(moved).nv));
    const Pose<double> place = read_place(joint);
    NamedDrive drive{
        moved,
        {0, place.p + place.R * (at ? at.vec3() : Vec3<double>{}), place.R * read_direction(table.required("along"))}};
    if (parent) drive.drive.frame = read_frame(model, parent, "a body");
    out.push_back(drive);
  }
  return out;
}

}  // namespace cardan::io
