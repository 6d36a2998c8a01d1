// A model and everything that acts on it. A shared handle on data that never change: one System serves any number of
// threads, each with a SystemWorkspace of its own.
#pragma once

#include "cardan/collision/contact_scene.hpp"
#include "cardan/constraints/prescribed_motion.hpp"
#include "cardan/dynamics/scene.hpp"
#include "cardan/forces/switch_board.hpp"

#include <memory>

namespace cardan {

struct Energy {
  double kinetic = 0.0, potential = 0.0;  // J
  double total() const { return kinetic + potential; }
};

/// True if t is a multiple of the period, but for rounding.
bool is_sample_time(double period, double t);

/// Names of the forces' own states as a run's columns: z.NAME, or z.NAME.0, z.NAME.1, ... of a force that has several.
std::vector<std::string> state_columns(const Forces& forces);

class System {
 public:
  /// Throws std::invalid_argument on elements that do not fit the model.
  explicit System(const Model& model, Forces forces = {}, Constraints constraints = {}, const Settings& settings = {});
  /// The scene's mechanism; forces that take something from the initial state (rest lengths) take it from there, after
  /// loops are closed. Limits beyond which a joint starts do not hold it. Contacts, dry friction and bearings make it a
  /// system that is stepped (is_stepped).
  explicit System(const Scene& scene);

  /// Returns the system with forces whose choices are held by the board and inputs that are those of u; both must
  /// outlive it.
  System bound_to(SwitchBoard& board, const std::vector<double>& u) const;
  /// Returns the system with inputs that are those of u, which must outlive it.
  System with_inputs(const std::vector<double>& u) const;

  const Model& model() const { return data_->model; }
  /// All forces: springs and dampers of joints, then those given.
  const Forces& forces() const { return data_->forces; }
  /// Counts the first forces that are springs and dampers of the model's plain coordinates (coordinate_springs).
  std::size_t plain_springs() const { return data_->plain_springs; }
  /// Numbers that forces read and a program may write, and what they are now: as bound_to() says, else those of the
  /// start.
  const Inputs& inputs() const { return data_->inputs; }
  In<double> u() const { return u_ ? *u_ : data_->first_inputs; }
  /// Times at which steps end because inputs that are led through time bend there.
  const std::vector<double>& breaks() const { return data_->breaks; }
  /// All constraints: loops, couplings, then those given.
  const Constraints& constraints() const { return data_->constraints; }
  const Settings& settings() const { return data_->settings; }
  /// The ground, and which shapes touch.
  const ContactRules& contact() const { return data_->contact; }
  /// The shapes that may touch, made once for all that follow them; null where no contact acts.
  const std::shared_ptr<const ContactScene>& contact_scene() const { return data_->contact_scene; }
  bool contacts_act() const { return data_->contact_scene != nullptr; }
  const std::vector<Bearing>& bearings() const { return data_->bearings; }
  /// True if it moves under laws of contact from the start.
  bool is_stepped() const { return data_->settings.laws_act; }
  /// True if kinetic and potential energy add up to a constant.
  bool is_conservative() const;
  /// How many states the forces have beside q and v, and where those of force i begin.
  int element_states() const { return data_->first_state.back(); }
  std::span<const int> first_states() const { return data_->first_state; }
  /// The state with which element states start.
  State initial(const State& state) const;
  /// The first time after t at which a force looks at the mechanism (Force::period); infinity if none does.
  double next_sample(double t) const;
  /// Prescribed motions of joints, where nothing else constrains the tree: then hybrid dynamics does without
  /// multipliers.
  const std::vector<PrescribedMotion>& driven_joints() const { return data_->driven; }

 private:
  struct Data {
    Model model;
    Forces forces;
    std::size_t plain_springs = 0;
    Constraints constraints;
    Settings settings;
    ContactRules contact;
    std::vector<Bearing> bearings;
    std::shared_ptr<const ContactScene> contact_scene;
    std::vector<int> first_state;  // of each force, and one more: how many there are
    Inputs inputs;
    std::vector<double> first_inputs, breaks;
    std::vector<PrescribedMotion> driven;
  };
  Forces started_forces(const Scene& scene) const;

  std::shared_ptr<const Data> data_;
  const std::vector<double>* u_ = nullptr;  // of one thread's workspace
};

/// Says what of a system located events cannot follow, such as "stiffness of a contact"; empty where they can.
std::string beyond_events(const System& system);

}  // namespace cardan
