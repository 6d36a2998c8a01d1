#include "cardan/io/internal/scene_records.hpp"

#include "cardan/forces/controller.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_line_records.hpp"
#include "cardan/io/internal/scene_names.hpp"
#include "cardan/io/internal/scene_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan::io {

namespace {

void add_frame(const Model& model, const TomlValue& table, Records& records) {
  allow_keys(table, "record", "frame");
  const TomlValue frame = table.find("frame"), name = table.find("name"), at = table.find("at");
  const int index = read_frame(model, frame, "a body or frame");
  const std::vector<std::string>& names = frame_quantity_names();
  const std::string& word = table.required("quantity").one_of(names);
  const auto quantity = static_cast<FrameQuantity>(std::find(names.begin(), names.end(), word) - names.begin());
  if (at && (quantity == FrameQuantity::orientation || quantity == FrameQuantity::angular_velocity))
    at.fail(fmt::format("expected no point, found one: the {} is the same at all", word));
  records.add(name ? name.name() : frame.text() + "." + word, index, quantity, at ? at.vec3() : Vec3<double>{});
}

/// Finds the entry with this name in a list; complains of any other.
template <class List, class Name>
std::size_t find_named(const TomlValue& name, const char* what, const List& list, const Name& name_of) {
  std::vector<std::string> known;
  for (const auto& entry : list) known.push_back(name_of(entry));
  const auto found = std::find(known.begin(), known.end(), name.name());
  if (found == known.end())
    name.fail(fmt::format("expected {} of this scene, found {}{}", what, in_quotes(name.text()),
                          did_you_mean(name.text(), known)));
  return static_cast<std::size_t>(found - known.begin());
}

void add_forces(const Model& model, const Recordable& scene, const TomlValue& table, const std::string& kind,
                Records& records) {
  allow_keys(table, "record", kind);
  const TomlValue owner = table.find(kind), name = table.find("name"), quantity = table.required("quantity");
  const std::string& word = quantity.one_of(choices("record", "quantity", kind));
  const auto& all = force_quantity_names();
  Records::OfForces record{0, static_cast<ForceQuantity>(std::find(all.begin(), all.end(), word) - all.begin())};
  if (kind == "joint") {
    const int body = read_moving_joint(model, owner);
    record.owner = body;
    record.efforts = model.link(body).nv;
    for (const NamedDrive& drive : scene.drives)
      if (drive.body == body) record.drive = drive.drive;
  } else if (kind == "loop") {
    const std::size_t i = find_named(owner, "a loop", model.loops(), [](const LoopJoint& loop) { return loop.name; });
    record.owner = LoopIndex{static_cast<int>(i)};
  } else if (kind == "motion") {
    const std::size_t i = find_named(owner, "a motion", scene.motions, [](const NamedMotion& m) { return m.name; });
    record.owner = scene.motions[i].motion;
    record.efforts = scene.motions[i].efforts;
  } else {
    const auto controller = [](const auto& force) { return dynamic_cast<const Controller*>(force.get()); };
    const std::size_t i = find_named(owner, "a controller", scene.controllers,
                                     [&](const auto& force) { return controller(force)->joints().name; });
    record.owner = scene.controllers[i];
    record.efforts = static_cast<int>(controller(scene.controllers[i])->joints().velocities.size());
  }
  records.add(name ? name.name() : owner.text() + "." + word, std::move(record));
}

/// contact = "a|b", or "all".
void add_contact(const Model& model, const TomlValue& table, Records& records) {
  allow_keys(table, "record", "contact");
  const TomlValue contact = table.find("contact"), name = table.find("name");
  const std::string& pair = contact.name();
  const std::vector<std::string>& names = contact_quantity_names();
  const std::string& word = table.required("quantity").one_of(names);
  const auto quantity = static_cast<ContactQuantity>(std::find(names.begin(), names.end(), word) - names.begin());
  std::string a, b;
  if (pair != "all") {
    const std::size_t bar = pair.find('|');
    if (bar == std::string::npos)
      contact.fail(fmt::format("expected \"all\" or a pair \"a|b\", found {}", in_quotes(pair)));
    a = pair.substr(0, bar);
    b = pair.substr(bar + 1);
    std::vector<std::string> known{"ground"};
    for (const FrameShape& shape : model.shapes()) known.push_back(model.frame(shape.frame).name);
    for (const std::string& side : {a, b})
      if (std::find(known.begin(), known.end(), side) == known.end())
        contact.fail(fmt::format("expected bodies with shapes, or \"ground\", found {}{}", in_quotes(side),
                                 did_you_mean(side, known)));
  }
  records.add(name ? name.name() : pair + "." + word, a, b, quantity);
}

/// The column that a name in an expression means: a joint's name alone is its coordinate.
std::string column_of(const Records& records, const TomlValue& where, const std::string& name) {
  for (const std::string& column : {name, "q." + name, "u." + name})
    if (records.find(column) != records.columns().size()) return column;
  where.fail(fmt::format("expected a column, such as \"q.JOINT\", or one recorded before, found {}{}", in_quotes(name),
                         did_you_mean(name, records.columns())));
}

void add_expression(const TomlValue& table, Records& records) {
  allow_keys(table, "record", "expression");
  const TomlValue text = table.find("expression"), with = table.find("with"), unit = table.find("unit");
  const std::string& name = table.required("name").name();
  const std::vector<std::string> words = names_used(table, text);
  if (with)
    for (const std::string& word : with.keys())
      if (std::find(words.begin(), words.end(), word) == words.end())
        with.fail_key(word, fmt::format("expected a name that the expression uses, found {}", in_quotes(word)));
  std::vector<std::string> columns;
  for (const std::string& word : words) {
    const TomlValue meaning = with ? with.find(word) : TomlValue();
    columns.push_back(column_of(records, meaning ? meaning : text, meaning ? meaning.name() : word));
  }
  const TextScope scope = TextScope::of_names(table, words);
  records.add(
      name, columns, [&](std::span<const Expr> x) { return read_expression(text, scope.symbols(x)); },
      unit ? unit.name() : "");
}

}  // namespace

Records read_records(const Model& model, const Forces& forces, const Recordable& scene, const SceneInputs& inputs,
                     const std::vector<TomlValue>& tables) {
  Records out(model);
  for (const std::string& input : inputs.names()) out.add("u." + input, inputs.function(inputs.find(input)));
  for (const TomlValue& table : tables) {
    const bool of_line = is_line_record(table);
    const std::string kind = of_line ? "" : table.only_key(variant_names("record"), "record");
    try {
      if (of_line)
        add_line_record(model, forces, table, out);
      else if (kind == "frame")
        add_frame(model, table, out);
      else if (kind == "contact")
        add_contact(model, table, out);
      else if (kind == "expression")
        add_expression(table, out);
      else
        add_forces(model, scene, table, kind, out);
    } catch (const std::invalid_argument& problem) {
      (table.find("name") ? table.find("name") : table).fail(std::string("expected another name: ") + problem.what());
    } catch (const GraphTooLarge& problem) {
      table.find("expression").fail(problem.what());
    }
  }
  return out;
}

}  // namespace cardan::io
