#include "cardan/io/internal/eval_request.hpp"

#include "cardan/constraints/constraint_solver.hpp"
#include "cardan/dynamics/settings.hpp"
#include "cardan/io/internal/json.hpp"
#include "cardan/io/internal/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace cardan {

namespace {

using io::did_you_mean;
using io::in_quotes;
using io::Json;

struct QuantityInfo {
  const char* name;
  Quantity quantity;
  bool v, a, tau, frame;  // what it needs besides q
};

constexpr std::array kQuantities{
    QuantityInfo{"inverse_dynamics", Quantity::inverse_dynamics, true, true, false, false},
    QuantityInfo{"forward_dynamics", Quantity::forward_dynamics, true, false, true, false},
    QuantityInfo{"mass_matrix", Quantity::mass_matrix, false, false, false, false},
    QuantityInfo{"bias", Quantity::bias, true, false, false, false},
    QuantityInfo{"gravity", Quantity::gravity, false, false, false, false},
    QuantityInfo{"energy", Quantity::energy, true, false, false, false},
    QuantityInfo{"center_of_mass", Quantity::center_of_mass, false, false, false, false},
    QuantityInfo{"momentum", Quantity::momentum, true, false, false, false},
    QuantityInfo{"pose", Quantity::pose, false, false, false, true},
    QuantityInfo{"velocity", Quantity::velocity, true, false, false, true},
    QuantityInfo{"acceleration", Quantity::acceleration, true, true, false, true},
    QuantityInfo{"jacobian", Quantity::jacobian, false, false, false, true},
    QuantityInfo{"constraint_forces", Quantity::constraint_forces, true, false, true, false},
    QuantityInfo{"constraint_error", Quantity::constraint_error, false, false, false, false},
    QuantityInfo{"applied_forces", Quantity::applied_forces, true, false, false, false},
    QuantityInfo{"records", Quantity::records, true, false, false, false},
    QuantityInfo{"equilibrium", Quantity::equilibrium, false, false, false, false},
    QuantityInfo{"distances", Quantity::distances, false, false, false, false},
    QuantityInfo{"collisions", Quantity::collisions, false, false, false, false},
    QuantityInfo{"paths", Quantity::paths, false, false, false, false},
    QuantityInfo{"contact_forces", Quantity::contact_forces, true, false, true, false},
    QuantityInfo{"impulse_response", Quantity::impulse_response, false, false, true, false},
    QuantityInfo{"inverse_dynamics_derivatives", Quantity::inverse_dynamics_derivatives, true, true, false, false},
    QuantityInfo{"forward_dynamics_derivatives", Quantity::forward_dynamics_derivatives, true, false, true, false},
    QuantityInfo{"linearization", Quantity::linearization, true, false, false, false},
    QuantityInfo{"drive_forces", Quantity::drive_forces, true, true, false, false},
};

constexpr std::array kBackends{"generic", "compiled", "batch"};  // in the order of EvalBackend

const QuantityInfo& info(Quantity quantity) { return kQuantities[static_cast<std::size_t>(quantity)]; }

template <class Names, class Name>
bool contains(const Names& names, const Name& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class RequestReader {
 public:
  RequestReader(const Json& root, const std::string& file, const Model& model, const State* otherwise,
                const Inputs& inputs)
      : root_(root), file_(io::printable(file)), model_(model), otherwise_(otherwise), inputs_(inputs) {
    out_.file = file_;
  }

  EvalRequest read() {
    if (!root_.is_object()) fail("expected an object with \"quantities\" and \"states\", found " + io::kind(root_));
    require_known(root_,
                  {"quantities", "states", "backend", "frame", "forces", "constraint_method", "formulation", "drives"},
                  "");
    read_quantities();
    read_backend();
    read_frame();
    read_forces();
    read_constraint_method();
    read_formulation();
    read_drives();
    const Json& states = required(root_, "states", "");
    if (!states.is_array()) fail("\"states\": expected a list of states, found " + io::kind(states));
    for (std::size_t i = 0; i < states.size(); ++i) read_state(states[i], fmt::format("state {}: ", i));
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw ModelError(fmt::format("eval: {}: {}", file_, what)); }

  const Json& required(const Json& object, const std::string& key, const std::string& whose) const {
    if (const auto found = object.find(key); found != object.end()) return *found;
    std::vector<std::string> keys;
    for (const auto& item : object.items()) keys.push_back(item.key());
    const std::string near = nearest_name(key, keys);
    fail(fmt::format("{}\"{}\": expected this key, found {}", whose, key, near.empty() ? "none" : in_quotes(near)));
  }

  std::string required_text(const Json& value, const std::string& whose) const {
    if (!value.is_string()) fail(fmt::format("{}: expected a text, found {}", whose, io::kind(value)));
    return value.get<std::string>();
  }

  /// Refuses keys that mean nothing.
  void require_known(const Json& object, const std::vector<std::string>& known, const std::string& whose) const {
    for (const auto& item : object.items())
      if (!contains(known, item.key()))
        fail(fmt::format("{}unknown key {}: {}", whose, in_quotes(item.key()),
                         nearest_name(item.key(), known).empty()
                             ? fmt::format("expected {}", fmt::join(known, ", "))
                             : fmt::format("did you mean {}?", in_quotes(nearest_name(item.key(), known)))));
  }

  void read_quantities();
  void read_backend();
  void read_frame();
  void read_forces();
  void read_constraint_method();
  void read_formulation();
  void read_drives();
  void read_state(const Json& state, const std::string& whose);
  std::vector<double> read_inputs(const Json& state, const std::string& whose) const;
  std::vector<double> read_numbers(const Json& state, const char* key, int size, const std::string& whose) const;
  std::vector<double> read_numbers_or_zero(const Json& state, const char* key, const std::string& whose) const;

  /// The name of the first quantity that needs it, or null.
  const char* needed_by(bool QuantityInfo::*what) const {
    for (const Quantity quantity : out_.quantities)
      if (info(quantity).*what) return info(quantity).name;
    return nullptr;
  }

  const Json& root_;
  std::string file_;
  const Model& model_;
  const State* otherwise_;
  const Inputs& inputs_;
  EvalRequest out_;
};

void RequestReader::read_quantities() {
  const Json& list = required(root_, "quantities", "");
  if (!list.is_array() || list.empty())
    fail(fmt::format("\"quantities\": expected a list of names, found {}",
                     list.is_array() ? "an empty one" : io::kind(list)));
  std::vector<std::string> known;
  for (const QuantityInfo& quantity : kQuantities) known.emplace_back(quantity.name);
  for (const Json& item : list) {
    const std::string name = required_text(item, "\"quantities\"");
    const auto index = std::find(known.begin(), known.end(), name) - known.begin();
    if (index == static_cast<std::ptrdiff_t>(known.size()))
      fail(fmt::format("\"quantities\": unknown quantity {}{}", in_quotes(name), did_you_mean(name, known)));
    const Quantity quantity = kQuantities[static_cast<std::size_t>(index)].quantity;
    if (!contains(out_.quantities, quantity)) out_.quantities.push_back(quantity);
  }
}

void RequestReader::read_backend() {
  if (!root_.contains("backend")) return;
  const std::string name = required_text(root_["backend"], "\"backend\"");
  const auto it = std::find(kBackends.begin(), kBackends.end(), name);
  if (it == kBackends.end())
    fail(fmt::format("\"backend\": expected \"generic\", \"compiled\" or \"batch\", found {}{}", in_quotes(name),
                     did_you_mean(name, {kBackends.begin(), kBackends.end()})));
  out_.backend = static_cast<EvalBackend>(it - kBackends.begin());
}

void RequestReader::read_frame() {
  const char* user = needed_by(&QuantityInfo::frame);
  if (!root_.contains("frame")) {
    if (user != nullptr) fail(fmt::format("\"frame\": expected the name of a frame for \"{}\", found none", user));
    return;
  }
  const std::string name = required_text(root_["frame"], "\"frame\"");
  out_.frame = model_.find_frame(name);
  if (out_.frame >= 0) return;
  std::vector<std::string> names;
  for (int i = 0; i < model_.frames(); ++i) names.push_back(model_.frame(i).name);
  for (int i = 1; i <= model_.bodies(); ++i) names.push_back(model_.joint_name(i));
  fail(fmt::format("\"frame\": expected a frame, body or joint of the model, found {}{}", in_quotes(name),
                   did_you_mean(name, names)));
}

void RequestReader::read_forces() {
  if (!root_.contains("forces")) return;
  if (!root_["forces"].is_boolean()) fail("\"forces\": expected true or false, found " + io::kind(root_["forces"]));
  out_.forces = root_["forces"].get<bool>();
}

void RequestReader::read_constraint_method() {
  if (!root_.contains("constraint_method")) return;
  const std::string name = required_text(root_["constraint_method"], "\"constraint_method\"");
  if (!contains(constraint_method_names(), name))
    fail(fmt::format("\"constraint_method\": expected one of {}, found {}{}",
                     fmt::join(constraint_method_names(), ", "), in_quotes(name),
                     did_you_mean(name, constraint_method_names())));
  out_.constraint_method = name;
}

void RequestReader::read_formulation() {
  if (!root_.contains("formulation")) return;
  const std::string name = required_text(root_["formulation"], "\"formulation\"");
  if (!contains(formulation_names(), name))
    fail(fmt::format("\"formulation\": expected one of {}, found {}{}", fmt::join(formulation_names(), ", "),
                     in_quotes(name), did_you_mean(name, formulation_names())));
  out_.formulation = name;
}

void RequestReader::read_drives() {
  const bool needed = contains(out_.quantities, Quantity::drive_forces);
  if (!root_.contains("drives")) {
    if (needed) fail("\"drives\": expected a list of joints for \"drive_forces\", found none");
    return;
  }
  if (!needed) fail("\"drives\": expected the quantity \"drive_forces\", found none");
  const Json& list = root_["drives"];
  if (!list.is_array()) fail("\"drives\": expected a list of joints, found " + io::kind(list));
  std::vector<std::string> names;
  for (int i = 1; i <= model_.bodies(); ++i) names.push_back(model_.joint_name(i));
  for (const Json& item : list) {
    const std::string name = required_text(item, "\"drives\"");
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      fail(fmt::format("\"drives\": expected a joint of the model, found {}{}", in_quotes(name),
                       did_you_mean(name, names)));
    const int body = static_cast<int>(found - names.begin()) + 1;
    if (contains(out_.drives, body)) fail(fmt::format("\"drives\": joint {} is there twice", in_quotes(name)));
    out_.drives.push_back(body);
  }
}

void RequestReader::read_state(const Json& state, const std::string& whose) {
  if (!state.is_object()) fail(fmt::format("{}expected an object with \"q\", found {}", whose, io::kind(state)));
  require_known(state, {"q", "v", "a", "tau", "t", "wrench", "u"}, whose);
  EvalState out;
  if (const auto t = state.find("t"); t != state.end()) {
    if (!t->is_number()) fail(fmt::format("{}\"t\": expected a finite number, found {}", whose, io::kind(*t)));
    out.t = t->get<double>();
  }
  if (otherwise_ != nullptr && !state.contains("q"))
    out.q = otherwise_->q;
  else
    out.q = read_numbers(state, "q", model_.nq(), whose);
  if (otherwise_ != nullptr && !state.contains("v"))
    out.v = otherwise_->v;
  else
    out.v = read_numbers_or_zero(state, "v", whose);
  out.a = read_numbers_or_zero(state, "a", whose);
  out.tau = read_numbers_or_zero(state, "tau", whose);
  out.u = read_inputs(state, whose);
  if (state.contains("wrench")) {
    if (!contains(out_.quantities, Quantity::impulse_response) || out_.frame < 0)
      fail(whose + "\"wrench\": expected the quantity \"impulse_response\" and a \"frame\" that it acts on");
    out.wrench = read_numbers(state, "wrench", 6, whose);
  }
  for (int i = 1; i <= model_.bodies(); ++i)
    if (const auto length = normalize_quaternions(model_.joint(i), out.q.data() + model_.link(i).q))
      fail(fmt::format("{}\"q\": joint {}: expected a quaternion (w, x, y, z) of length 1, found length {:.9g}", whose,
                       in_quotes(model_.joint_name(i)), *length));
  out_.states.push_back(std::move(out));
}

/// The inputs that a state gives by their names; others keep their defaults.
std::vector<double> RequestReader::read_inputs(const Json& state, const std::string& whose) const {
  std::vector<double> out = first_values(inputs_);
  const auto given = state.find("u");
  if (given == state.end()) return out;
  if (!given->is_object())
    fail(fmt::format("{}\"u\": expected an object with numbers by the names of inputs, found {}", whose,
                     io::kind(*given)));
  if (!out_.forces && !contains(out_.quantities, Quantity::records) &&
      !contains(out_.quantities, Quantity::linearization))
    fail(whose + "\"u\": expected \"forces\": true, by which inputs act, found none");
  std::vector<std::string> names;
  for (const Input& input : inputs_) names.push_back(input.name);
  for (const auto& item : given->items()) {
    const auto index = static_cast<std::size_t>(std::find(names.begin(), names.end(), item.key()) - names.begin());
    if (index == names.size())
      fail(fmt::format("{}\"u\": expected inputs of the scene, found {}{}", whose, in_quotes(item.key()),
                       did_you_mean(item.key(), names)));
    if (!item.value().is_number())
      fail(fmt::format("{}\"u\": {}: expected a finite number, found {}", whose, in_quotes(item.key()),
                       io::kind(item.value())));
    out[index] = item.value().get<double>();
  }
  return out;
}

std::vector<double> RequestReader::read_numbers_or_zero(const Json& state, const char* key,
                                                        const std::string& whose) const {
  if (!state.contains(key)) return std::vector<double>(static_cast<std::size_t>(model_.nv()));
  return read_numbers(state, key, model_.nv(), whose);
}

std::vector<double> RequestReader::read_numbers(const Json& state, const char* key, int size,
                                                const std::string& whose) const {
  const auto found = state.find(key);
  if (found == state.end()) {
    if (size == 0) return {};
    fail(fmt::format("{}\"{}\": expected {} numbers for every quantity, found none", whose, key, size));
  }
  if (!found->is_array())
    fail(fmt::format("{}\"{}\": expected a list of {} numbers, found {}", whose, key, size, io::kind(*found)));
  if (found->size() != static_cast<std::size_t>(size))
    fail(fmt::format("{}\"{}\": expected {} numbers, found {}", whose, key, size, found->size()));
  std::vector<double> out;
  for (std::size_t i = 0; i < found->size(); ++i) {
    const Json& entry = (*found)[i];
    if (!entry.is_number())
      fail(fmt::format("{}\"{}\" entry {}: expected a finite number, found {}", whose, key, i, io::kind(entry)));
    out.push_back(entry.get<double>());
  }
  return out;
}

}  // namespace

const char* quantity_name(Quantity quantity) { return info(quantity).name; }

EvalRequest parse_eval_request(std::string_view text, const std::string& name, const Model& model,
                               const State* otherwise, const Inputs& inputs) {
  return RequestReader(io::parse_json(text, "eval", name), name, model, otherwise, inputs).read();
}

EvalRequest load_eval_request(const std::string& path, const Model& model, const State* otherwise,
                              const Inputs& inputs) {
  constexpr std::size_t max_bytes = std::size_t{1} << 30;
  return parse_eval_request(io::read_text_file("eval", path, max_bytes), path, model, otherwise, inputs);
}

}  // namespace cardan
