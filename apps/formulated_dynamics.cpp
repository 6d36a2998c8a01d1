#include "apps/formulated_dynamics.hpp"

#include <algorithm>

namespace cardan::command {

namespace {

/// Generalized forces that are set from outside.
class GivenForces final : public Force {
 public:
  explicit GivenForces(std::shared_ptr<const std::vector<double>> tau) : tau_(std::move(tau)) {}

  std::string name() const override { return "given forces"; }
  Touches touches() const override {
    Touches out;
    for (int v = 0; v < static_cast<int>(tau_->size()); ++v) out.velocities.push_back(v);
    return out;
  }
  void add(const Instant&, Pushes& pushes) const override {
    for (std::size_t v = 0; v < tau_->size(); ++v) pushes.velocity(static_cast<int>(v)) += (*tau_)[v];
  }

 private:
  std::shared_ptr<const std::vector<double>> tau_;
};

}  // namespace

FormulatedDynamics::FormulatedDynamics(const Scene& scene, Formulation formulation)
    : given_(std::make_shared<std::vector<double>>(static_cast<std::size_t>(scene.model.nv()))) {
  Scene bare = scene;
  bare.settings.code = Settings::Code::generic;
  bare.forces.clear();
  bare.settings.formulation = Formulation::recursive;
  springs_ = std::make_unique<RecursiveProblem>(System(bare), bare.model);
  bare.settings.formulation = formulation;
  bare.forces.push_back(std::make_shared<const GivenForces>(given_));
  workspace_ = std::make_unique<SystemWorkspace>(System(bare));
}

void FormulatedDynamics::operator()(double t, const State& state, const std::vector<double>& tau,
                                    std::vector<double>& a) {
  springs_->generalized_forces({t, state}, *given_);
  for (std::size_t v = 0; v < tau.size(); ++v) (*given_)[v] = tau[v] - (*given_)[v];
  workspace_->acceleration(t, state, a);
}

}  // namespace cardan::command
