#include "benchmarks/compiled_ways.hpp"

#include "cardan/symbolic/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace cardan::bench {

namespace {

const std::vector<ModelFunction> kFunctions{
    ModelFunction::inverse_dynamics,
    ModelFunction::mass_matrix,
    ModelFunction::forward_dynamics,
    ModelFunction::inverse_mass_matrix,
    ModelFunction::inverse_dynamics_derivatives,
    ModelFunction::forward_dynamics_derivatives,
    ModelFunction::forward_dynamics_adjoint,
};

/// Those that are timed on threads, too.
bool is_derivative(ModelFunction f) { return f >= ModelFunction::inverse_mass_matrix; }

/// Entries of neighboring states side by side.
std::vector<std::vector<double>> by_lanes(const std::vector<std::vector<double>>& states, int lanes) {
  std::vector<std::vector<double>> out;
  for (std::size_t first = 0; first + static_cast<std::size_t>(lanes) <= states.size();
       first += static_cast<std::size_t>(lanes)) {
    auto& group = out.emplace_back();
    for (std::size_t i = 0; i < states[0].size(); ++i)
      for (int lane = 0; lane < lanes; ++lane) group.push_back(states[first + static_cast<std::size_t>(lane)][i]);
  }
  return out;
}

/// Which of the states' arrays each of a function's inputs is.
const std::vector<std::vector<double>>& array_of(const std::string& input, const std::vector<std::vector<double>>& q,
                                                 const std::vector<std::vector<double>>& v,
                                                 const std::vector<std::vector<double>>& a,
                                                 const std::vector<std::vector<double>>& tau) {
  return input == "q" ? q : input == "v" ? v : input == "tau" ? tau : a;
}

}  // namespace

CompiledWays::CompiledWays(const Model& model, const States& states) : states_(states), many_(model) {
  for (Code* code : {&one_, &batch_}) {
    CompileOptions options;
    code->lanes = options.executable.lanes =
        code == &batch_ && machine_code_is_possible() ? register_lanes(best_instruction_set()) : 1;
    const auto start = std::chrono::steady_clock::now();
    for (const ModelFunction f : kFunctions) {
      Code::Compiled& compiled = code->functions[f];
      try {
        compiled.model = compile(model, {f}, options);
        compiled.w = std::make_unique<CompiledWorkspace>(*compiled.model);
      } catch (const GraphTooLarge&) {
        continue;  // there is no such code
      }
    }
    code->milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    code->q = by_lanes(states.q, code->lanes);
    code->v = by_lanes(states.v, code->lanes);
    code->a = by_lanes(states.a, code->lanes);
    code->tau = by_lanes(states.tau, code->lanes);
    code->out.resize(3 * model.nv() * model.nv() * code->lanes);
  }
}

Way CompiledWays::way(Code& code, ModelFunction function, const char* backend) {
  const Code::Compiled& compiled = code.functions.at(function);
  const Signature about = signature(compiled.model->model(), function);
  std::vector<const std::vector<std::vector<double>>*> arrays;
  for (const Argument& input : about.inputs) arrays.push_back(&array_of(input.name, code.q, code.v, code.a, code.tau));
  const int size = about.output.size * code.lanes;
  const auto call = [&code, &compiled, function, arrays, size](int state) {
    const auto i = static_cast<std::size_t>(state) % code.q.size();
    std::array<In<double>, 4> in{In<double>(nullptr, 0), In<double>(nullptr, 0), In<double>(nullptr, 0),
                                 In<double>(nullptr, 0)};
    for (std::size_t k = 0; k < arrays.size(); ++k) in[k] = (*arrays[k])[i];
    compiled.model->run(function, *compiled.w, std::span(in.data(), arrays.size()), Out<double>(code.out.data(), size));
  };
  return {name(function), backend, call, code.lanes};
}

Way CompiledWays::many(ModelFunction function, const char* backend, int threads) {
  const Signature about = signature(many_.model(), function);
  constexpr int kNumbers = 1 << 18;  // of results: more would time the memory
  const int count = std::clamp(kNumbers / about.output.size, 64, 4096) / kStates * kStates;
  std::vector<std::vector<double>> arrays;
  for (const Argument& input : about.inputs) {
    auto& all = arrays.emplace_back();
    for (int i = 0; i < count; ++i) {
      const auto& one =
          array_of(input.name, states_.q, states_.v, states_.a, states_.tau)[static_cast<std::size_t>(i % kStates)];
      all.insert(all.end(), one.begin(), one.end());
    }
  }
  std::vector<double> out(static_cast<std::size_t>(count * about.output.size));
  const auto call = [this, function, threads, count, arrays = std::move(arrays), out = std::move(out)](int) mutable {
    std::vector<Batch::Input> in;
    for (const auto& array : arrays) in.push_back({array.data()});
    many_.run(function, static_cast<std::size_t>(count), in, out.data(), threads);
  };
  return {name(function), backend, call, count};
}

std::vector<Way> CompiledWays::ways(const std::string& quantity) {
  std::vector<Way> out;
  for (const ModelFunction f : kFunctions)
    if (quantity == (f == ModelFunction::mass_matrix ? "whole_mass_matrix" : name(f))) {
      out.push_back(way(one_, f, "compiled"));
      if (batch_.functions.at(f).model) out.push_back(way(batch_, f, "batch"));
    }
  return out;
}

std::vector<Way> CompiledWays::ways_of_many_states(const std::string& quantity) {
  std::vector<Way> out;
  for (const ModelFunction f : kFunctions)
    if (is_derivative(f) && quantity == name(f)) {
      if (!batch_.functions.at(f).model) out.push_back(many(f, "batch", 1));
      out.push_back(many(f, "threads", 2));
    }
  return out;
}

std::string CompiledWays::report() const {
  std::string out = fmt::format("  compiled in {:.1f} ms:", one_.milliseconds);
  for (const auto& [function, compiled] : one_.functions) {
    const auto& f = compiled.model->functions().front();
    out += fmt::format(" {} {} instructions{}", name(function), f.instructions,
                       f.method == Method::symbolic ? "," : " (too many: generic loop),");
  }
  out.back() = '\n';
  return out;
}

}  // namespace cardan::bench
