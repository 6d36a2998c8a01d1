#include "benchmarks/linkages.hpp"

#include "benchmarks/bench_row.hpp"
#include "benchmarks/timing.hpp"
#include "cardan/io/load.hpp"
#include "cardan/math/aligned.hpp"
#include "cardan/simulate/system_workspace.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace cardan::bench {

namespace {

constexpr int kStates = 64;

/// A scene in generic algorithms and as code, at states that its loops allow.
class Linkage {
 public:
  explicit Linkage(const std::string& name)
      : scene_(load("examples/" + name + ".toml")), generic_(system(Settings::Code::generic)), workspace_(generic_) {
    const State start = generic_.initial(workspace_.assemble(0.0, scene_.initial).state);
    if (auto rows = independent_rows(generic_, 0.0, start.q)) code_.emplace(generic_, *rows, 2'000'000);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> any(-0.3, 0.3);
    while (states_.size() < kStates) {
      State state = start;
      std::vector<double> step(state.v.size());
      for (double& x : step) x = any(random);
      integrate(generic_.model(), start.q.data(), step.data(), 1.0, state.q.data());
      for (double& v : state.v) v += any(random);
      const Assembly assembly = workspace_.assemble(0.0, state);
      if (!assembly.closed) continue;
      state.q = assembly.state.q;
      state.v = assembly.state.v;
      states_.push_back(state);
    }
    a_.resize(start.v.size());
    b_ = a_;
    rates_.resize(start.z.size());
    tau_.resize(start.v.size());
    problem_.emplace(generic_, generic_.model());
  }

  bool has_code() const { return code_.has_value(); }
  int velocities() const { return generic_.model().nv(); }
  void forward(int i) { problem_->acceleration({0.0, states_[static_cast<std::size_t>(i)]}, a_, rates_); }
  bool forward_by_code(int i) {
    const State& s = states_[static_cast<std::size_t>(i)];
    return code_->run(0.0, s.q, s.v, s.z, generic_.u(), tau_, b_, rates_);
  }
  /// How far the two are apart, relative to the largest acceleration.
  double disagreement() {
    double worst = 0.0;
    for (int i = 0; i < kStates; ++i) {
      forward(i);
      if (!forward_by_code(i)) continue;
      double size = 1.0, difference = 0.0;
      for (std::size_t k = 0; k < a_.size(); ++k) {
        size = std::max(size, std::abs(a_[k]));
        difference = std::max(difference, std::abs(a_[k] - b_[k]));
      }
      worst = std::max(worst, difference / size);
    }
    return worst;
  }

 private:
  System system(Settings::Code code) const {
    Scene scene = scene_;
    scene.settings.code = code;
    return System(scene);
  }

  Scene scene_;
  System generic_;
  SystemWorkspace workspace_;
  std::optional<SystemCode> code_;
  std::optional<RecursiveProblem> problem_;
  std::vector<State> states_;
  std::vector<double> a_, b_, rates_, tau_;
};

}  // namespace

void time_linkages(nlohmann::json& rows) {
  fmt::print("\n  examples with loops, springs, controllers\n  {:<28} {:>5} {:>12} {:>12} {:>8} {:>10}\n", "", "nv",
             "generic ns", "compiled ns", "ratio", "differ by");
  for (const char* name :
       {"four_bar", "delta_robot", "stewart_platform", "walking_linkage", "spring_pendulum", "driven_arm"}) {
    Linkage linkage(name);
    if (!linkage.has_code()) continue;
    const auto ns =
        time_together({[&](int i) { linkage.forward(i); }, [&](int i) { (void)linkage.forward_by_code(i); }}, kStates);
    fmt::print("  {:<28} {:>5} {:>12.0f} {:>12.0f} {:>8.2f} {:>10.1e}\n", name, linkage.velocities(), ns[0], ns[1],
               ns[0] / ns[1], linkage.disagreement());
    rows.push_back(bench_row(name, "forward_dynamics", "generic", ns[0]));
    rows.push_back(bench_row(name, "forward_dynamics", "compiled", ns[1]));
  }
}

}  // namespace cardan::bench
