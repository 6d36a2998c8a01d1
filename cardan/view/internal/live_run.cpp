#include "cardan/view/internal/live_run.hpp"

#include "cardan/constraints/branch.hpp"
#include "cardan/simulate/simulate.hpp"
#include "cardan/view/contact_arrows.hpp"
#include "cardan/view/internal/pull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

namespace cardan::view {

namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Returns the model with another joint of the same number of coordinates.
Model with_joint(const Model& model, int body, ExpressionJoint joint) {
  ModelData data = model.data();
  data.identity = ModelData::next_identity();
  data.joints[body].type = std::move(joint);
  return Model(std::move(data));
}

}  // namespace

LiveRun::LiveRun(Scene scene, std::vector<JointFormula> formulas) : scene_(std::move(scene)) {
  assemble(scene_);
  for (JointFormula& formula : formulas)
    if (const int body = scene_.model.find_joint(formula.joint); body > 0)
      formulas_.emplace_back(body, std::move(formula));
  reset();
}

void LiveRun::reset() {
  t_ = scene_.settings.start;
  moved_ = false;
  state_ = scene_.initial;
  rebuild();
}

void LiveRun::go_on_from(const LiveRun& before) {
  for (const auto& [body, changed] : before.formulas_) {
    if (std::find(before.edited_.begin(), before.edited_.end(), body) == before.edited_.end()) continue;
    for (const auto& [own_body, own] : formulas_) {
      if (own.joint != changed.joint || own.coordinates != changed.coordinates) continue;
      JointFormula formula = own;  // with the scene's new parameters
      formula.transform = changed.transform;
      formula.let = changed.let;
      formula.parameters = changed.parameters;
      if (const auto problem = set_formula(own_body, formula))
        throw std::runtime_error(fmt::format("joint \"{}\": {}", own.joint, problem->message));
    }
  }
  speed_ = before.speed_;
  playing_ = before.playing_;
  const Model &model = scene_.model, &old = before.scene_.model;
  bool same_joints = model.nq() == old.nq() && model.nv() == old.nv() && model.bodies() == old.bodies();
  for (int body = 1; same_joints && body <= model.bodies(); ++body)
    same_joints = model.joint_name(body) == old.joint_name(body) && model.link(body).q == old.link(body).q;
  if (!same_joints || (before.t_ == before.scene_.settings.start && !before.moved_)) return;
  State start = before.state_;
  if (ConstrainedDynamics* const constrained = workspace_->constraints()) {
    const std::vector<bool> none(start.v.size());
    const BranchEnd end = follow_branch(constrained->constraints(), before.t_, start.q, start.v, none, state_.q);
    if (end.share < 1.0)
      throw std::runtime_error(
          fmt::format("the loops cannot follow: they come to a dead point or a limit after {:.0f} % of the change",
                      100 * end.share));
    start.q = end.q;
  }
  const Assembly assembly = workspace_->assemble(before.t_, start);
  if (!assembly.closed) throw std::runtime_error(assembly.complaint());
  t_ = before.t_;
  moved_ = before.moved_;
  state_ = assembly.state;
  if (before.state_.z.size() == static_cast<std::size_t>(workspace_->system().element_states()))
    state_.z = before.state_.z;
  restart();
}

void LiveRun::rebuild() {
  Scene scene = scene_;
  if (pull_) {
    scene.forces.push_back(pull_);
    for (const char* name : {"pull.x", "pull.y", "pull.z"}) scene.inputs.push_back({.name = name});
  }
  // all anew before anything is given up: where the scene makes no sense, the old ones stay
  auto workspace = std::make_unique<SystemWorkspace>(System(scene));
  if (pull_) write_target(*workspace);
  auto run = std::make_unique<Run>(*workspace, scene.settings);
  auto recorder = std::make_unique<Recorder>(*workspace, scene.records);
  auto snapshots = std::make_unique<Snapshots>(workspace->system(), recorder->layout());
  run->start(t_, state_);
  state_ = run->at(t_);
  recorder_ = std::move(recorder);
  run_ = std::move(run);
  snapshots_ = std::move(snapshots);
  workspace_ = std::move(workspace);
}

void LiveRun::restart() {
  run_->start(t_, state_);
  state_ = run_->at(t_);
}

/// Writes where the user pulls to into the last inputs.
void LiveRun::write_target(SystemWorkspace& workspace) const {
  const std::span<double> last = workspace.inputs().last(3);
  for (int axis = 0; axis < 3; ++axis) last[static_cast<std::size_t>(axis)] = target_[axis];
}

void LiveRun::advance(double seconds, double budget) {
  if (!playing_ || !(seconds > 0.0)) return;
  const auto begin = std::chrono::steady_clock::now();
  const double target = t_ + speed_ * seconds;
  try {
    while (run_->time() < target && seconds_since(begin) < budget)
      run_->step(target + 0.05);  // not far ahead, because the user may change something
  } catch (const StepFailure&) {
    playing_ = false;
    throw;
  }
  t_ = std::min(target, run_->time());
  state_ = run_->output(t_);
}

std::optional<std::string> LiveRun::set_coordinate(int index, double value) {
  const Model& model = scene_.model;
  State wanted = state_;
  double& coordinate = wanted.q.at(static_cast<std::size_t>(index));
  const double before = coordinate;
  coordinate = value;
  std::fill(wanted.v.begin(), wanted.v.end(), 0.0);
  int body = 1;
  while (index >= model.link(body).q + model.link(body).nq) ++body;
  std::string why = "it follows a motion or other joints";
  if (ConstrainedDynamics* const constrained = workspace_->constraints(); constrained && value != before) {
    std::vector<double> change(static_cast<std::size_t>(model.nv()));
    difference(model, state_.q.data(), wanted.q.data(), change.data());
    std::vector<bool> held;
    for (const double x : change) held.push_back(x != 0.0);
    const BranchEnd end = follow_branch(constrained->constraints(), t_, state_.q, change, held, state_.q);
    wanted.q = end.q;
    if (end.at_limit > 0)
      why = fmt::format("joint \"{}\" comes to its limit there", model.joint_name(end.at_limit));
    else if (!model.loops().empty())
      why = "there the loops come to a dead point, or are held by a motion";
  }
  const Assembly assembly = workspace_->assemble(t_, wanted);
  if (!assembly.closed) return assembly.complaint();
  playing_ = false;
  moved_ = true;
  state_ = assembly.state;
  restart();
  const double reached = state_.q[static_cast<std::size_t>(index)];
  if (std::abs(reached - value) <= 1e-9 * (1.0 + std::abs(value))) return std::nullopt;
  return fmt::format("joint \"{}\" goes to {:.4g}, not to {:.4g}: {}", model.joint_name(body), reached, value, why);
}

void LiveRun::grab(int body, const Vec3<double>& at, const Vec3<double>& target) {
  const Model& model = scene_.model;
  double mass = 0.0;  // of all that hangs on the body
  for (int i = body; i < model.subtree_end(body); ++i) mass += model.link(i).I.m;
  constexpr double kRate = 2.0 * std::numbers::pi * 2.0;  // rad/s: two swings a second if nothing else held it
  const Transform<double>& X = model.frame(model.body_frame(body)).X;
  target_ = target;
  pull_ = make_force(Pull{body, X.r + rotate_back(X.E, at), mass * kRate * kRate, 0.6 * mass * kRate,
                          static_cast<int>(scene_.inputs.size())});
  rebuild();
}

void LiveRun::pull_to(const Vec3<double>& target) {
  if (!pull_) return;
  target_ = target;
  write_target(*workspace_);
  restart();
}

void LiveRun::release() {
  if (!pull_) return;
  pull_.reset();
  rebuild();
}

std::optional<FormulaProblem> LiveRun::set_formula(int body, const JointFormula& formula) {
  const Model model_before = scene_.model;
  const State state_before = state_;
  try {
    scene_.model = with_joint(
        scene_.model, body,
        ExpressionJoint(formula.coordinates, formula.transform, formula.parameters, formula.let, formula.scene));
    rebuild();
    for (const double x : frame())
      if (!std::isfinite(x)) throw std::runtime_error("the pose is not a number here");
  } catch (const DefinitionError& problem) {
    return FormulaProblem{"let " + formula.let[problem.definition].name, problem.column, problem.what()};
  } catch (const ParseError& problem) {
    return FormulaProblem{"transform", problem.column, problem.what()};
  } catch (const std::exception& problem) {  // not rigid, too large, loops that cannot be closed
    scene_.model = model_before;
    state_ = state_before;
    rebuild();
    return FormulaProblem{"transform", 0, problem.what()};
  }
  for (auto& [owner, known] : formulas_)
    if (owner == body) known = formula;
  if (std::find(edited_.begin(), edited_.end(), body) == edited_.end()) edited_.push_back(body);
  return std::nullopt;
}

std::vector<double> LiveRun::frame() {
  const Energy energy = workspace_->energy(state_, t_);
  snapshots_->evaluate(t_, state_, energy, (*recorder_)(t_, state_, energy));
  std::vector<double> out{t_};
  for (std::size_t body = 0; body < static_cast<std::size_t>(scene_.model.bodies()); ++body) {
    const auto p = snapshots_->positions().begin() + static_cast<std::ptrdiff_t>(3 * body);
    const auto r = snapshots_->rotations().begin() + static_cast<std::ptrdiff_t>(4 * body);
    out.insert(out.end(), p, p + 3);
    out.insert(out.end(), r, r + 4);
  }
  out.insert(out.end(), snapshots_->values().begin(), snapshots_->values().end());
  for (const Vec3<double>& x : snapshots_->traced()) out.insert(out.end(), {x[0], x[1], x[2]});
  ContactArrows contacts;
  contacts.add(workspace_->contact_log());
  out.insert(out.end(), contacts.frame(0).begin(), contacts.frame(0).end());
  return out;
}

}  // namespace cardan::view
