#include "apps/compiled_results.hpp"

#include "cardan/compile/compiled_model.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace cardan::command {

namespace {

std::optional<ModelFunction> compiled_function(Quantity quantity) {
  for (const ModelFunction f : all_model_functions())
    if (std::string_view(name(f)) == quantity_name(quantity)) return f;
  return std::nullopt;
}

using Entries = std::vector<double> EvalState::*;

std::vector<Entries> inputs_of(const Model& model, ModelFunction function) {
  const std::map<std::string_view, Entries> known{
      {"q", &EvalState::q}, {"v", &EvalState::v}, {"a", &EvalState::a}, {"tau", &EvalState::tau}};
  std::vector<Entries> out;
  for (const Argument& argument : signature(model, function).inputs) out.push_back(known.at(argument.name));
  return out;
}

/// The states from `first` on side by side; the last one again where there are no more.
std::vector<double> side_by_side(const std::vector<EvalState>& states, std::size_t first, int lanes, Entries what) {
  std::vector<double> out;
  for (std::size_t i = 0; i < (states[first].*what).size(); ++i)
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(lanes); ++lane)
      out.push_back((states[std::min(first + lane, states.size() - 1)].*what)[i]);
  return out;
}

std::vector<std::vector<double>> run(const CompiledModel& compiled, CompiledWorkspace& w, ModelFunction function,
                                     const std::vector<EvalState>& states) {
  const int lanes = compiled.lanes();
  const int size = signature(compiled.model(), function).output.size;
  const std::vector<Entries> inputs = inputs_of(compiled.model(), function);
  std::vector<std::vector<double>> results;
  std::vector<double> out(static_cast<std::size_t>(size * lanes));
  for (std::size_t first = 0; first < states.size(); first += static_cast<std::size_t>(lanes)) {
    std::vector<std::vector<double>> in;
    for (const Entries what : inputs) in.push_back(side_by_side(states, first, lanes, what));
    compiled.run(function, w, std::vector<In<double>>(in.begin(), in.end()), out);
    for (int lane = 0; lane < lanes && results.size() < states.size(); ++lane) {
      auto& one = results.emplace_back();
      for (int i = 0; i < size; ++i) one.push_back(out[static_cast<std::size_t>(i * lanes + lane)]);
    }
  }
  return results;
}

}  // namespace

CompiledResults::CompiledResults(const Model& model, const EvalRequest& request) {
  if (request.backend == EvalBackend::generic) return;
  std::vector<ModelFunction> functions;
  for (const Quantity quantity : request.quantities)
    if (const auto f = compiled_function(quantity)) functions.push_back(*f);
  CompileOptions options;
  options.frame = std::max(request.frame, 0);
  if (request.backend == EvalBackend::batch) options.executable.lanes = register_lanes(best_instruction_set());
  const auto compiled = compile(model, functions, options);
  CompiledWorkspace w(*compiled);
  for (const Quantity quantity : request.quantities)
    if (const auto f = compiled_function(quantity)) results_[quantity] = run(*compiled, w, *f, request.states);
}

const std::vector<double>* CompiledResults::find(Quantity quantity, std::size_t state) const {
  const auto it = results_.find(quantity);
  return it == results_.end() ? nullptr : &it->second[state];
}

}  // namespace cardan::command
