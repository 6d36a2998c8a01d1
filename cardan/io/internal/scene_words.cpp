#include "cardan/io/internal/scene_words.hpp"

#include "cardan/io/internal/scene_names.hpp"
#include "cardan/io/internal/scene_text.hpp"
#include "cardan/program/internal/expression_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace cardan::io {

/// An expression graph whose inputs are signals, found while texts are read.
struct SceneWords::Building {
  const std::vector<std::string>& states;
  Graph graph{kMostTextNodes};
  std::vector<Signal> signals{};

  Expr input(const Signal& signal) {
    const auto found = std::find(signals.begin(), signals.end(), signal);
    const auto index = static_cast<int>(found - signals.begin());
    if (found == signals.end()) signals.push_back(signal);
    return graph.input(index);
  }
};

namespace {

constexpr std::array<const char*, 3> kAxes{"x", "y", "z"};

/// The quantities of a frame's record that follow from positions and velocities, one number for each axis.
bool signal_kind(const std::string& quantity, Signal::Kind& kind) {
  if (quantity == "position")
    kind = Signal::Kind::position;
  else if (quantity == "velocity")
    kind = Signal::Kind::point_velocity;
  else if (quantity == "angular_velocity")
    kind = Signal::Kind::angular_velocity;
  else
    return false;
  return true;
}

/// The character of a text, from 1, at which a word stands for the first time; 0 if it stands nowhere.
int place_of(const TomlValue& text, const std::string& word) {
  if (!text.is_text()) return 0;
  const std::string& all = text.text();
  const auto in_word = [&](std::size_t i) {
    return i < all.size() && (std::isalnum(static_cast<unsigned char>(all[i])) != 0 || all[i] == '_' || all[i] == '.');
  };
  for (std::size_t at = all.find(word); at != std::string::npos; at = all.find(word, at + 1))
    if (!in_word(at + word.size()) && (at == 0 || !in_word(at - 1))) return static_cast<int>(at) + 1;
  return 0;
}

std::string name_of(const TomlValue& record) {
  const TomlValue name = record.find("name"), frame = record.find("frame"), quantity = record.find("quantity");
  if (name) return name.name();
  return frame && quantity ? frame.text() + "." + quantity.text() : "";
}

}  // namespace

std::vector<TomlValue> one_each(const TomlValue& value, std::size_t n) {
  if (n == 1 && !value.is_list()) return {value};
  return value.items(n, n == 1 ? "expression" : "expressions");
}

SignalFunction SceneWords::function(const TomlValue& table, const std::vector<TomlValue>& texts,
                                    const std::vector<std::string>& states) const {
  try {
    Building building{states};
    const std::vector<Expr> outputs = expressions(table, texts, records_.size(), building);
    return {std::move(building.signals), building.graph, outputs};
  } catch (const GraphTooLarge& problem) {
    table.fail(problem.what());
  }
}

/// The texts of a table; of the records only the first so many can be named.
std::vector<Expr> SceneWords::expressions(const TomlValue& table, const std::vector<TomlValue>& texts,
                                          std::size_t records, Building& building) const {
  const TomlValue with = table.find("with");
  std::vector<std::string> words;
  std::vector<TomlValue> users;
  for (const TomlValue& text : texts)
    for (const std::string& word : names_used(table, text))
      if (std::find(words.begin(), words.end(), word) == words.end()) {
        words.push_back(word);
        users.push_back(text);
      }
  if (with)
    for (const std::string& word : with.keys())
      if (std::find(words.begin(), words.end(), word) == words.end())
        with.fail_key(word, fmt::format("expected a name that the text uses, found {}", in_quotes(word)));
  std::vector<Expr> values;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const TomlValue given = with ? with.find(words[i]) : TomlValue();
    values.push_back(word(given ? given : users[i], given ? given.name() : words[i], records, building));
  }
  const Symbols symbols = TextScope::of_names(table, words).symbols(values);
  std::vector<Expr> out;
  for (const TomlValue& text : texts) out.push_back(read_expression(text, symbols));
  return out;
}

Expr SceneWords::word(const TomlValue& where, const std::string& name, std::size_t records, Building& building) const {
  if (name == "t") return building.input({});
  const auto state = std::find(building.states.begin(), building.states.end(), name);
  if (state != building.states.end())
    return building.input(
        {.kind = Signal::Kind::own_state, .index = static_cast<int>(state - building.states.begin())});
  Signal signal;
  if (find_state(where, name, signal)) return building.input(signal);
  if (const int i = inputs_.find(name.starts_with("u.") ? name.substr(2) : name); i >= 0)
    return inputs_.value(i, building.input({}), building.input({.kind = Signal::Kind::input, .index = i}));
  Expr recorded;
  if (find_record(where, name, records, building, recorded)) return recorded;
  where.fail_inside(place_of(where, name),
                    fmt::format("expected t, a joint, v.JOINT, an input or a record further up, found {}{}",
                                in_quotes(name), did_you_mean(name, known(records, building))));
}

/// JOINT, q.JOINT or v.JOINT, with .k (from 0) for a joint of several.
bool SceneWords::find_state(const TomlValue& where, const std::string& name, Signal& signal) const {
  const bool whole = model_.find_joint(name) >= 0;
  const bool is_velocity = !whole && name.starts_with("v.");
  std::string joint = is_velocity || (!whole && name.starts_with("q.")) ? name.substr(2) : name;
  int body = model_.find_joint(joint), k = 0;
  if (body < 0 && joint.size() > 2 && joint[joint.size() - 2] == '.' && std::isdigit(joint.back()) != 0) {
    k = joint.back() - '0';
    joint.resize(joint.size() - 2);
    body = model_.find_joint(joint);
  }
  if (body < 0) return false;
  const Link& link = model_.link(body);
  if (k >= (is_velocity ? link.nv : link.nq)) return false;
  if (!is_velocity && !model_.joint(body).is_flat())
    where.fail(fmt::format("expected a joint with as many coordinates as velocities, found {}", in_quotes(name)));
  signal = is_velocity ? Signal{.kind = Signal::Kind::velocity, .index = link.v + k}
                       : Signal{.kind = Signal::Kind::coordinate, .index = link.q + k, .velocity = link.v + k};
  return true;
}

bool SceneWords::find_record(const TomlValue& where, const std::string& name, std::size_t records, Building& building,
                             Expr& out) const {
  for (std::size_t i = 0; i < records; ++i) {
    const TomlValue& record = records_[i];
    const std::string title = name_of(record);
    if (title.empty() || !name.starts_with(title)) continue;
    if (name == title && record.find("expression")) {
      out = expressions(record, {record.find("expression")}, i, building)[0];
      return true;
    }
    if (name.size() <= title.size() + 1 || name[title.size()] != '.') continue;
    const std::string ending = name.substr(title.size() + 1);
    if (!record.find("frame") || !record.find("quantity"))
      where.fail(
          fmt::format("expected a record that follows from positions and velocities, found {}", in_quotes(name)));
    Signal signal;
    if (!signal_kind(record.find("quantity").text(), signal.kind))
      where.fail(fmt::format("expected a record of position, velocity or angular_velocity, found {}, a record of {}",
                             in_quotes(name), record.find("quantity").text()));
    const auto axis = std::find(kAxes.begin(), kAxes.end(), ending);
    if (axis == kAxes.end()) continue;
    const Frame& frame = model_.frame(read_frame(model_, record.find("frame"), "a body or frame"));
    const TomlValue at = record.find("at");
    signal.body = frame.body;
    signal.at = frame.X.r + rotate_back(frame.X.E, at ? at.vec3() : Vec3<double>{});
    signal.axis = static_cast<int>(axis - kAxes.begin());
    out = building.input(signal);
    return true;
  }
  return false;
}

std::vector<std::string> SceneWords::known(std::size_t records, const Building& building) const {
  std::vector<std::string> out{"t"};
  out.insert(out.end(), building.states.begin(), building.states.end());
  for (int i = 1; i <= model_.bodies(); ++i) {
    out.push_back(model_.joint_name(i));
    out.push_back("v." + model_.joint_name(i));
  }
  for (const std::string& name : inputs_.names()) out.push_back(name);
  for (std::size_t i = 0; i < records; ++i) {
    const std::string name = name_of(records_[i]);
    if (records_[i].find("expression"))
      out.push_back(name);
    else
      for (const char* axis : kAxes) out.push_back(name + "." + axis);
  }
  return out;
}

}  // namespace cardan::io
