#include "cardan/dynamics/internal/discrete_step_code.hpp"

#include "cardan/dynamics/internal/step_rotation.hpp"
#include "cardan/dynamics/internal/trace_discrete_step.hpp"

#include <algorithm>

namespace cardan {

namespace {

/// Nodes beyond which tracing is given up: the loop over the bodies is not much slower then.
constexpr std::size_t kMostNodes = 500'000;

}  // namespace

std::unique_ptr<DiscreteStepCode> DiscreteStepCode::make(const Model& model) {
  if (!machine_code_is_possible()) return nullptr;
  try {
    return std::unique_ptr<DiscreteStepCode>(new DiscreteStepCode(model, kMostNodes));
  } catch (const GraphTooLarge&) {
    return nullptr;
  }
}

DiscreteStepCode::DiscreteStepCode(const Model& model, std::size_t most_nodes)
    : nq_(static_cast<std::size_t>(model.nq())),
      nv_(static_cast<std::size_t>(model.nv())),
      in_(2 * nq_ + 3 * nv_ + 1),
      out_(2 * nv_ + 1) {
  const DiscreteStepPrograms programs = trace_discrete_step(model, most_nodes);
  newton_.emplace(programs.newton);
  reuse_.emplace(programs.reuse);
  finish_.emplace(programs.finish);
  factor_.resize(static_cast<std::size_t>(std::max(programs.factor_size, 1)));
  scratch_.resize(static_cast<std::size_t>(std::max({newton_->scratch(), reuse_->scratch(), finish_->scratch(), 1})));
}

bool DiscreteStepCode::correct(bool fresh) {
  if (fresh) {
    const double* const in[] = {in_.data()};
    double* const out[] = {out_.data(), factor_.data()};
    newton_->run(in, out, scratch_.data());
  } else {
    const double* const in[] = {in_.data(), factor_.data()};
    double* const out[] = {out_.data()};
    reuse_->run(in, out, scratch_.data());
  }
  return out_[nv_] > ShortTurn::kLeastCosine;
}

void DiscreteStepCode::finish() {
  const double* const in[] = {in_.data()};
  double* const out[] = {out_.data()};
  finish_->run(in, out, scratch_.data());
}

}  // namespace cardan
