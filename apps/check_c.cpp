#include "apps/check_c.hpp"

#include "cardan/compile/compiled_model.hpp"
#include "cardan/forces/joint_spring.hpp"
#include "cardan/model/internal/sample_states.hpp"
#include "cardan/model/singularity.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cardan::command {

namespace {

/// Evaluates the library's generic algorithms and force elements.
class Expected {
 public:
  Expected(const Model& model, const std::vector<ModelFunction>& functions, int frame)
      : generic_(model, functions, by_algorithms(frame)), w_(generic_), kinematics_(model), bodies_(bodies_of(model)) {
    for (const auto& force : joint_springs(model))
      if (dynamic_cast<const CoordinateSprings*>(force.get())) springs_.push_back(force);
  }

  std::vector<double> operator()(ModelFunction f, const SampleState& s, std::vector<double> x) {
    const Signature about = signature(generic_.model(), f);
    std::vector<double> out(static_cast<std::size_t>(about.output.size)), pushed(x.size());
    Pushes pushes(bodies_, pushed);
    const Instant at = kinematics_.at(0.0, s.q, s.v);
    if (heeds_springs(f))
      for (const auto& spring : springs_) spring->add(at, pushes);
    if (f == ModelFunction::forward_dynamics)
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += pushed[i];
    const In<double> all[] = {s.q, s.v, x, s.a};
    generic_.run(f, w_, std::span(all, about.inputs.size()), out);
    if (f == ModelFunction::inverse_dynamics)
      for (std::size_t i = 0; i < out.size(); ++i) out[i] -= pushed[i];
    return out;
  }

 private:
  static CompileOptions by_algorithms(int frame) {  // no code of ours: the generic algorithms
    CompileOptions out;
    out.method = Method::joints;
    out.executable.backend = Backend::interpreter;
    out.frame = frame;
    return out;
  }
  static std::vector<ForceVector<double>> bodies_of(const Model& model) {
    return std::vector<ForceVector<double>>(static_cast<std::size_t>(model.bodies()) + 1);
  }

  CompiledModel generic_;
  CompiledWorkspace w_;
  StateKinematics kinematics_;
  Forces springs_;
  std::vector<ForceVector<double>> bodies_;
};

/// Random states near the given one where every joint is regular.
std::vector<SampleState> regular_states(const Model& model, const State& near, int count) {
  std::vector<SampleState> out;
  for (SampleState& s : sample_states(model, 4 * count, 1, 1.0)) {
    std::vector<double> step(static_cast<std::size_t>(model.nv()));
    difference(model, model.neutral().data(), s.q.data(), step.data());
    integrate(model, near.q.data(), step.data(), 0.3, s.q.data());
    if (singular_joints(model, s.q).empty()) out.push_back(std::move(s));
    if (out.size() == static_cast<std::size_t>(count)) break;
  }
  if (out.empty()) throw std::runtime_error("compile: no state near the initial one has only regular joints");
  return out;
}

}  // namespace

std::vector<CheckedFunction> check_c(const Model& model, const std::vector<ModelFunction>& functions, int frame,
                                     const State& near, const CompiledC& code, int states) {
  Expected expected(model, functions, frame);
  const std::vector<SampleState> sampled = regular_states(model, near, states);
  std::vector<CheckedFunction> out;
  for (const ModelFunction f : functions) {
    double worst = 0.0;
    for (const SampleState& s : sampled) {
      const std::vector<double>& x = f == ModelFunction::forward_dynamics ? s.tau : s.a;
      const std::vector<double> ours = expected(f, s, x);
      std::vector<double> theirs(ours.size(), std::nan(""));
      std::vector<const double*> in{s.q.data(), s.v.data(), x.data(), s.a.data()};
      in.resize(signature(model, f).inputs.size());
      code.call(cardan::name(f), in, theirs.data());
      worst = std::max(worst, relative_difference(ours, theirs));
    }
    out.push_back({f, worst});
  }
  return out;
}

}  // namespace cardan::command
