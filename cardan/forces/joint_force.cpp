#include "cardan/forces/joint_force.hpp"

#include "cardan/program/expression_limits.hpp"

#include <algorithm>
#include <stdexcept>

namespace cardan {

StateFunction::StateFunction(const Model& model, std::vector<int> coordinates, std::vector<int> velocities,
                             const SymbolicFunction& function)
    : velocities_(std::move(velocities)), coordinate_velocities_(std::move(coordinates)) {
  for (const int v : coordinate_velocities_) {
    const int body = model.body_of_dof(v);
    if (!model.joint(body).is_flat())
      throw std::invalid_argument("joint \"" + model.joint_name(body) +
                                  "\": its coordinates are a quaternion, which no text can name yet");
    coordinates_.push_back(model.link(body).q + v - model.link(body).v);
  }
  Graph graph(kMostTextNodes);
  int next = 0;
  const auto inputs = [&](std::size_t n) {
    std::vector<Expr> out;
    for (std::size_t i = 0; i < n; ++i) out.push_back(graph.input(next++));
    return out;
  };
  const Expr t = inputs(1).front();
  const std::vector<Expr> x = inputs(coordinates_.size()), v = inputs(velocities_.size());
  const std::vector<Expr> outputs = function(t, x, v);
  if (const int operations = count_operations(graph, outputs).total(); operations > kMostTextOperations)
    throw GraphTooLarge("the text takes " + std::to_string(operations) + " operations, at most " +
                        std::to_string(kMostTextOperations) + " are allowed");
  interpreter_ = Interpreter(make_program(graph, outputs, next));
}

std::vector<int> StateFunction::depends_on() const {
  std::vector<int> out = coordinate_velocities_;
  out.insert(out.end(), velocities_.begin(), velocities_.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Touches JointForce::touches() const {
  Touches out{.velocities = force.depends_on()};
  for (int i = 0; i < force.size(); ++i)
    if (std::find(out.velocities.begin(), out.velocities.end(), first + i) == out.velocities.end())
      out.velocities.push_back(first + i);
  return out;
}

}  // namespace cardan
