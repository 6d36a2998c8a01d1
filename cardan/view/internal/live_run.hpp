// A simulation that runs along with a clock and can be changed under way: by coordinates set by hand, by a pull at a
// body, by another formula of a joint, by other parameters of its scene.
#pragma once

#include "cardan/dynamics/scene.hpp"
#include "cardan/io/internal/scene_formulas.hpp"
#include "cardan/simulate/recorder.hpp"
#include "cardan/simulate/run.hpp"
#include "cardan/view/snapshot.hpp"

#include <memory>
#include <optional>

namespace cardan::view {

/// What is wrong with a formula: in which of its texts ("transform", "let NAME" or "parameter NAME"; empty: in none of
/// them alone), at which character (from 1; 0: nowhere), and why.
struct FormulaProblem {
  std::string field;
  int column = 0;
  std::string message;
};

class LiveRun {
 public:
  /// Closes the loops and begins at t = 0, not playing. Throws where the scene cannot be simulated.
  LiveRun(Scene scene, std::vector<JointFormula> formulas);

  const Scene& scene() const { return scene_; }
  const Snapshots& snapshots() const { return *snapshots_; }
  /// Expression joints of the model with the bodies that they move.
  const std::vector<std::pair<int, JointFormula>>& formulas() const { return formulas_; }
  double time() const { return t_; }
  const State& state() const { return state_; }
  bool is_playing() const { return playing_; }

  void play(bool on) { playing_ = on; }
  /// Seconds of the mechanism for a second of the clock; positive.
  void set_speed(double speed) { speed_ = speed; }
  /// Runs on by `seconds` of the clock, for at most `budget` seconds of work; slower than the clock where that is not
  /// enough. Throws StepFailure, after which it does not play.
  void advance(double seconds, double budget);
  /// Goes back to the initial state.
  void reset();
  /// Takes over the motion of a run of the scene with other parameters: its clock and speed, formulas that were
  /// changed, and where it is, with loops that follow on their branch. Where that run had not moved yet, or the scene
  /// has other joints now, this one begins at its own initial state. Throws where formulas make no sense any more or
  /// loops cannot follow.
  void go_on_from(const LiveRun& before);

  /// Moves a coordinate to where the user wants it, at rest, and the loops with it on the branch that they are on.
  /// Where it cannot go all the way it goes as far as it can, and this returns how far and why.
  [[nodiscard]] std::optional<std::string> set_coordinate(int index, double value);

  /// Begins to pull at a point of a body (in its frame) towards a point of the world.
  void grab(int body, const Vec3<double>& at, const Vec3<double>& target);
  void pull_to(const Vec3<double>& target);
  void release();

  /// Gives the joint of a body another formula, with the same coordinates. Returns what is wrong with it; nothing
  /// changes then.
  [[nodiscard]] std::optional<FormulaProblem> set_formula(int body, const JointFormula& formula);

  /// The present instant as numbers: time, seven for each body (position, quaternion), one for each column, three for
  /// each point of lines that bend, seven for each contact force (ContactArrows).
  std::vector<double> frame();

 private:
  /// Makes system and run anew and goes on from the present state.
  void rebuild();
  void restart();
  void write_target(SystemWorkspace& workspace) const;

  Scene scene_;
  std::vector<std::pair<int, JointFormula>> formulas_;
  std::vector<int> edited_;  // bodies whose formulas are not those of the scene
  std::unique_ptr<SystemWorkspace> workspace_;
  std::unique_ptr<Run> run_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<Snapshots> snapshots_;
  std::shared_ptr<const Force> pull_;  // of the user, while there is one
  Vec3<double> target_;                // where to
  double t_ = 0.0, speed_ = 1.0;
  State state_;  // of the model, at t_
  bool playing_ = false;
  bool moved_ = false;  // by hand
};

}  // namespace cardan::view
