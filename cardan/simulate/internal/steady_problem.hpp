// A system as equilibrium and modes see it: forces that look at the mechanism only now and then change their states by
// as much a second as they do from one sample to the next, so that where nothing changes they are at rest as well.
#pragma once

#include "cardan/simulate/system_workspace.hpp"

namespace cardan {

class SteadyProblem final : public Problem {
 public:
  explicit SteadyProblem(SystemWorkspace& workspace);

  const StateSpace& space() const override { return workspace_.space(); }
  void acceleration(const Point& at, Out<double> a, Out<double> z_dot) override;
  void rates(const Point& at, Out<double> z_dot) override;
  int rows() const override { return workspace_.rows(); }
  void residual(const Point& at, In<double> a, In<double> lambda, Out<double> r, Out<double> row_error) override {
    workspace_.residual(at, a, lambda, r, row_error);
  }

  /// Exact in joint coordinates, where rates of sampled states are those above.
  void linearize_states(const Point& at, In<double> a, In<double> lambda, StateTangent& out) override;

  /// Seconds from one sample to the next of the force that has this state; 0: it looks always.
  double period(int state) const { return period_[static_cast<std::size_t>(state)]; }

 private:
  void replace_sampled(const Point& at, Out<double> z_dot);

  SystemWorkspace& workspace_;
  std::vector<double> period_;
  bool any_sampled_ = false;
};

}  // namespace cardan
