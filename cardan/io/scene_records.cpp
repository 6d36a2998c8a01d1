#include "cardan/io/scene_records.hpp"

#include "cardan/io/scene_names.hpp"
#include "cardan/io/scene_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan::io {

namespace {

void add_frame(const Model& model, const TomlValue& table, Records& records) {
  table.allow({"name", "frame", "quantity", "at"});
  const TomlValue frame = table.find("frame"), name = table.find("name"), at = table.find("at");
  const int index = read_frame(model, frame, "a body or frame");
  const std::vector<std::string>& names = frame_quantity_names();
  const std::string& word = table.required("quantity").one_of(names);
  const auto quantity = static_cast<FrameQuantity>(std::find(names.begin(), names.end(), word) - names.begin());
  if (at && (quantity == FrameQuantity::orientation || quantity == FrameQuantity::angular_velocity))
    at.fail(fmt::format("expected no point, found one: the {} is the same at all", word));
  records.add(name ? name.name() : frame.text() + "." + word, index, quantity, at ? at.vec3() : Vec3<double>{});
}

/// contact = "a|b", or "all".
void add_contact(const Model& model, const TomlValue& table, Records& records) {
  table.allow({"name", "contact", "quantity"});
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
  for (const std::string& column : {name, "q." + name})
    if (records.find(column) != records.columns().size()) return column;
  where.fail(fmt::format("expected a column, such as \"q.JOINT\", or one recorded before, found {}{}", in_quotes(name),
                         did_you_mean(name, records.columns())));
}

void add_expression(const TomlValue& table, Records& records) {
  table.allow({"name", "expression", "unit", "with", "parameters", "let"});
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

Records read_records(const Model& model, const std::vector<TomlValue>& tables) {
  Records out(model);
  for (const TomlValue& table : tables) {
    const std::string kind = table.only_key({"frame", "contact", "expression"}, "record");
    try {
      if (kind == "frame")
        add_frame(model, table, out);
      else if (kind == "contact")
        add_contact(model, table, out);
      else
        add_expression(table, out);
    } catch (const std::invalid_argument& problem) {
      (table.find("name") ? table.find("name") : table).fail(std::string("expected another name: ") + problem.what());
    } catch (const GraphTooLarge& problem) {
      table.find("expression").fail(problem.what());
    }
  }
  return out;
}

}  // namespace cardan::io
