#include "cardan/collision/contact_rules.hpp"

#include "cardan/text/internal/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan {

std::string ContactRules::acting_where() const {
  if (ground) return ground_where.empty() ? "ground" : ground_where;
  for (const ContactRule& rule : rules)
    if (!rule.ignore) return rule.where.empty() ? "contact" : rule.where;
  return {};
}

void check_names(const Model& model, const ContactRules& rules) {
  std::vector<std::string> known;
  for (int i = 0; i < model.frames(); ++i) known.push_back(model.frame(i).name);
  for (const FrameShape& shape : model.shapes())
    if (!shape.shape.group.empty()) known.push_back(shape.shape.group);
  if (rules.ground) known.emplace_back("ground");
  const auto check = [&](const ContactRule& rule, const char* key, const std::string& name) {
    if (name.empty() || std::find(known.begin(), known.end(), name) != known.end()) return;
    const std::string near = nearest_name(name, known);
    throw ModelError(fmt::format("{} {}: expected a body or a group of shapes, found \"{}\"{}",
                                 rule.where.empty() ? "contact" : rule.where, key, name,
                                 near.empty() ? "" : fmt::format(": did you mean \"{}\"?", near)));
  };
  for (const ContactRule& rule : rules.rules) {
    check(rule, "a", rule.a);
    check(rule, "b", rule.b);
  }
}

}  // namespace cardan
