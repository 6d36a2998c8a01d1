#include "cardan/simulate/trajectory.hpp"

#include "cardan/dynamics/model_space.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace cardan {

Trajectory::Trajectory(const Model& model, std::vector<RecordedColumns> recorded, std::vector<std::string> states)
    : model_(model), layout_(std::move(recorded)), states_(std::move(states)) {
  for (const RecordedColumns& record : layout_) columns_ += record.columns.size();
}

void Trajectory::add(double t, const State& state, const Energy& energy, std::span<const double> recorded) {
  if (recorded.size() != columns_) throw std::invalid_argument("trajectory: not as many numbers as recorded columns");
  if (!times_.empty() && !(t > times_.back())) throw std::invalid_argument("trajectory: times must rise");
  times_.push_back(t);
  q_.insert(q_.end(), state.q.begin(), state.q.end());
  v_.insert(v_.end(), state.v.begin(), state.v.end());
  z_.insert(z_.end(), state.z.begin(), state.z.end());
  energies_.push_back(energy);
  recorded_.insert(recorded_.end(), recorded.begin(), recorded.end());
}

std::span<const double> Trajectory::q(std::size_t row) const {
  const auto n = static_cast<std::size_t>(model_.nq());
  return std::span(q_).subspan(row * n, n);
}
std::span<const double> Trajectory::v(std::size_t row) const {
  const auto n = static_cast<std::size_t>(model_.nv());
  return std::span(v_).subspan(row * n, n);
}

std::span<const double> Trajectory::z(std::size_t row) const {
  const std::size_t n = z_.size() / times_.size();
  return std::span(z_).subspan(row * n, n);
}

std::span<const double> Trajectory::recorded(std::size_t row) const {
  return std::span(recorded_).subspan(row * columns_, columns_);
}

State Trajectory::row(std::size_t i) const {
  State out(model_);
  std::copy(q(i).begin(), q(i).end(), out.q.begin());
  std::copy(v(i).begin(), v(i).end(), out.v.begin());
  out.z.assign(z(i).begin(), z(i).end());
  return out;
}

State Trajectory::at(double t) const {
  if (times_.empty()) throw std::out_of_range("trajectory: it has no rows");
  const auto after = static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end(), t) - times_.begin());
  if (after == 0) return row(0);
  if (after == size()) return row(size() - 1);
  const State from = row(after - 1), to = row(after);
  const double h = times_[after] - times_[after - 1];
  const double s = (t - times_[after - 1]) / h;
  std::vector<double> x(from.v), rate(x), moved(x), change(x);
  const ModelSpace space(model_);
  space.difference(from.q.data(), to.q.data(), x.data());
  space.increment_rate(x.data(), to.v.data(), rate.data());
  // x(s) = s^2 (3 - 2 s) x1 + h s (1 - s) ((1 - s) x'0 - s x'1) in the increments from the row before
  for (std::size_t i = 0; i < x.size(); ++i) {
    moved[i] = s * s * (3.0 - 2.0 * s) * x[i] + h * s * (1.0 - s) * ((1.0 - s) * from.v[i] - s * rate[i]);
    change[i] =
        6.0 * s * (1.0 - s) * x[i] / h + (1.0 - s) * (1.0 - 3.0 * s) * from.v[i] - s * (2.0 - 3.0 * s) * rate[i];
  }
  State out(model_);
  space.move(from.q.data(), moved.data(), out.q.data());
  space.increment_velocity(moved.data(), change.data(), out.v.data());
  out.z = from.z;
  for (std::size_t i = 0; i < out.z.size(); ++i) out.z[i] += s * (to.z[i] - from.z[i]);
  return out;
}

Trajectory resample(const Trajectory& trajectory, SystemWorkspace& workspace, double every, Recorder* recorder) {
  if (!(every > 0.0)) throw std::invalid_argument("resample: the interval must be positive");
  Trajectory out(trajectory.model(), recorder ? recorder->layout() : std::vector<RecordedColumns>{},
                 trajectory.states());
  if (trajectory.size() == 0) return out;
  const double begin = trajectory.times().front(), end = trajectory.times().back();
  const auto add = [&](double t) {
    const State state = trajectory.at(t);
    const Energy energy = workspace.energy(state);
    out.add(t, state, energy, recorder ? (*recorder)(t, state, energy) : std::span<const double>{});
  };
  for (long i = 0; begin + static_cast<double>(i) * every < end; ++i) add(begin + static_cast<double>(i) * every);
  add(end);
  return out;
}

EnergyDrift energy_drift(const Trajectory& trajectory) {
  EnergyDrift drift;
  double scale = 0.0;
  for (const Energy& energy : trajectory.energies()) {
    drift.last = energy.total() - trajectory.energies().front().total();
    drift.largest = std::max(drift.largest, std::abs(drift.last));
    scale = std::max({scale, energy.kinetic, std::abs(energy.total())});
  }
  if (scale > 0.0) drift.relative = drift.largest / scale;
  return drift;
}

}  // namespace cardan
