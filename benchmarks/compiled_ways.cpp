#include "benchmarks/compiled_ways.hpp"

#include <fmt/format.h>

#include <chrono>

namespace cardan::bench {

namespace {

const std::vector<ModelFunction> kFunctions{ModelFunction::inverse_dynamics, ModelFunction::mass_matrix,
                                            ModelFunction::forward_dynamics};

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

}  // namespace

CompiledWays::CompiledWays(const Model& model, const States& states) {
  for (Code* code : {&one_, &batch_}) {
    CompileOptions options;
    options.executable.lanes =
        code == &batch_ && machine_code_is_possible() ? register_lanes(best_instruction_set()) : 1;
    const auto start = std::chrono::steady_clock::now();
    code->model = compile(model, kFunctions, options);
    code->milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    code->w = std::make_unique<CompiledWorkspace>(*code->model);
    const int lanes = options.executable.lanes;
    code->q = by_lanes(states.q, lanes);
    code->v = by_lanes(states.v, lanes);
    code->a = by_lanes(states.a, lanes);
    code->tau = by_lanes(states.tau, lanes);
    code->out.resize(model.nv() * model.nv() * lanes);
  }
}

Way CompiledWays::way(Code& code, ModelFunction function, const char* backend) {
  const auto call = [&code, function](int state) {
    const CompiledModel& m = *code.model;
    const auto i = static_cast<std::size_t>(state) % code.q.size();
    const int n = m.model().nv() * m.lanes();
    const Out<double> out(code.out.data(), n), matrix(code.out.data(), n * m.model().nv());
    switch (function) {
      case ModelFunction::inverse_dynamics: return m.run(function, *code.w, {code.q[i], code.v[i], code.a[i]}, out);
      case ModelFunction::forward_dynamics: return m.run(function, *code.w, {code.q[i], code.v[i], code.tau[i]}, out);
      default: return m.run(function, *code.w, {code.q[i]}, matrix);
    }
  };
  return {name(function), backend, call, code.model->lanes()};
}

std::vector<Way> CompiledWays::ways(const std::string& quantity) {
  std::vector<Way> out;
  for (const ModelFunction f : kFunctions)
    if (quantity == (f == ModelFunction::mass_matrix ? "whole_mass_matrix" : name(f))) {
      out.push_back(way(one_, f, "compiled"));
      out.push_back(way(batch_, f, "batch"));
    }
  return out;
}

std::string CompiledWays::report() const {
  std::string out = fmt::format("  compiled in {:.1f} ms:", one_.milliseconds);
  for (const auto& f : one_.model->functions())
    out += fmt::format(" {} {} instructions{}", name(f.function), f.instructions,
                       f.method == Method::symbolic ? "," : " (too many: generic loop),");
  out.back() = '\n';
  return out;
}

}  // namespace cardan::bench
