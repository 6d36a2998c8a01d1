#include "cardan/io/internal/scene_line_records.hpp"

#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan::io {

namespace {

constexpr const char* kLineKinds[] = {"muscle", "spring", "cable"};

}  // namespace

bool is_line_record(const TomlValue& table) {
  return std::any_of(std::begin(kLineKinds), std::end(kLineKinds),
                     [&](const char* kind) { return static_cast<bool>(table.find(kind)); });
}

void add_line_record(const Model& model, const Forces& forces, const TomlValue& table, Records& records) {
  std::vector<std::string> kinds = variant_names("record");
  std::erase(kinds, "joint");  // which a moment arm names beside its line
  const std::string kind = table.only_key(kinds, "record");
  allow_keys(table, "record", kind);
  const TomlValue line_name = table.find(kind), name = table.find("name"), joint = table.find("joint");
  const LineForce* line = find_line(forces, line_name.name());
  if (!line || line->kind() != kind) {
    std::vector<std::string> known;
    for (const auto& force : forces)
      if (const auto* other = dynamic_cast<const LineForce*>(force.get()); other && other->kind() == kind)
        known.push_back(other->label());
    line_name.fail(fmt::format("expected a {} of this scene, found {}{}", kind, in_quotes(line_name.text()),
                               did_you_mean(line_name.text(), known)));
  }
  const std::vector<std::string>& names = line_quantity_names();
  const TomlValue word = table.required("quantity");
  const auto quantity =
      static_cast<LineQuantity>(std::find(names.begin(), names.end(), word.one_of(names)) - names.begin());
  if (is_of_muscles(quantity) && kind != "muscle")
    word.fail(fmt::format("expected a quantity that a {} has, found {}", kind, in_quotes(word.text())));
  LineRecord record{line->label(), quantity};
  const std::string label = name ? name.name() : line->label() + "." + word.text();
  if (quantity == LineQuantity::moment_arm) {
    const int body = read_moving_joint(model, table.required("joint"));
    record.first_velocity = model.link(body).v;
    record.velocities = model.link(body).nv;
    records.add(name ? label : label + "." + joint.text(), record);
    return;
  }
  if (joint) joint.fail("expected quantity = \"moment_arm\" beside a joint, found " + in_quotes(word.text()));
  records.add(label, record);
}

}  // namespace cardan::io
