// What a run leaves behind: times, states, energies and what was recorded beside them.
#pragma once

#include "cardan/simulate/recorder.hpp"
#include "cardan/simulate/simulator.hpp"

#include <span>

namespace cardan {

class Trajectory {
 public:
  explicit Trajectory(const Model& model, std::vector<RecordedColumns> recorded = {},
                      std::vector<std::string> states = {});

  /// Times must rise. `recorded` has a number for every recorded column.
  void add(double t, const State& state, const Energy& energy, std::span<const double> recorded = {});

  const Model& model() const { return model_; }
  std::size_t size() const { return times_.size(); }
  const std::vector<double>& times() const { return times_; }
  std::span<const double> q(std::size_t row) const;
  std::span<const double> v(std::size_t row) const;
  /// States of the forces.
  std::span<const double> z(std::size_t row) const;
  const std::vector<Energy>& energies() const { return energies_; }
  const std::vector<RecordedColumns>& layout() const { return layout_; }
  /// Names of the states of the forces, as in state_columns().
  const std::vector<std::string>& states() const { return states_; }
  std::span<const double> recorded(std::size_t row) const;
  /// How the run went that gave these rows, where it was simulate() that made them.
  RunSummary summary;
  Settings settings;

  /// Between rows: cubic in the positions, on the joints' manifolds, with the velocities of that motion; linear in the
  /// states of forces. Outside: the end's.
  State at(double t) const;

 private:
  State row(std::size_t i) const;

  Model model_;
  std::vector<RecordedColumns> layout_;
  std::vector<std::string> states_;
  std::size_t columns_ = 0;  // recorded ones
  std::vector<double> times_, q_, v_, z_, recorded_;
  std::vector<Energy> energies_;
};

/// Returns the same motion at other times: 0, every, 2 every, ... and the end. The workspace computes the energies, and
/// the recorder, if there is one, what is recorded.
Trajectory resample(const Trajectory& trajectory, SystemWorkspace& workspace, double every,
                    Recorder* recorder = nullptr);

/// How far the total energy was from its first value.
struct EnergyDrift {
  double largest = 0.0, last = 0.0;  // J
  double relative = 0.0;             // the largest, to the largest kinetic or total energy of the run
};
EnergyDrift energy_drift(const Trajectory& trajectory);

}  // namespace cardan
