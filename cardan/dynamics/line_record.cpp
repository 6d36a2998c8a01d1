#include "cardan/dynamics/line_record.hpp"

#include "cardan/algorithms/jacobian_products.hpp"
#include "cardan/dynamics/system.hpp"
#include "cardan/forces/muscle.hpp"

#include <stdexcept>

namespace cardan {

const std::vector<std::string>& line_quantity_names() {
  static const std::vector<std::string> names{"length",       "speed",       "tension",   "power",     "activation",
                                              "fiber_length", "fiber_speed", "pennation", "moment_arm"};
  return names;
}

const char* unit_of(LineQuantity quantity) {
  constexpr const char* units[] = {"m", "m/s", "N", "W", "", "m", "m/s", "rad", "m"};
  return units[static_cast<std::size_t>(quantity)];
}

bool is_of_muscles(LineQuantity quantity) {
  return quantity == LineQuantity::activation || quantity == LineQuantity::fiber_length ||
         quantity == LineQuantity::fiber_speed || quantity == LineQuantity::pennation;
}

LineRecorder::LineRecorder(const Model& model)
    : model_(model),
      workspace_(model),
      wrenches_(static_cast<std::size_t>(model.bodies()) + 1),
      direct_(static_cast<std::size_t>(model.nv())),
      tau_(direct_) {}

void LineRecorder::append(const System& system, const Instant& at, const LineRecord& record, std::vector<double>& row) {
  const LineForce* line = nullptr;
  int first = 0, states = 0;
  for (std::size_t i = 0; i < system.forces().size() && !line; ++i) {
    line = dynamic_cast<const LineForce*>(system.forces()[i].get());
    if (line && line->label() != record.line) line = nullptr;
    first = system.first_states()[i];
    states = system.first_states()[i + 1] - first;
  }
  if (!line) throw std::invalid_argument("record: no spring, cable or muscle \"" + record.line + "\"");
  if (at.z.size() < first + states) first = states = 0;  // at the start
  const Instant own = at.of_element(first, states);
  const auto fiber = [&] { return dynamic_cast<const Muscle&>(*line).fiber(own); };
  switch (record.quantity) {
    case LineQuantity::length: return row.push_back(line->length(own));
    case LineQuantity::speed: return row.push_back(line->speed(own));
    case LineQuantity::tension: return row.push_back(line->tension(own));
    case LineQuantity::power: return row.push_back(-line->tension(own) * line->speed(own));
    case LineQuantity::activation: return row.push_back(fiber().activation);
    case LineQuantity::fiber_length: return row.push_back(fiber().length);
    case LineQuantity::fiber_speed: return row.push_back(fiber().speed);
    case LineQuantity::pennation: return row.push_back(fiber().pennation);
    case LineQuantity::moment_arm: break;
  }
  std::fill(wrenches_.begin(), wrenches_.end(), ForceVector<double>{});
  std::fill(direct_.begin(), direct_.end(), 0.0);
  Pushes pushes(wrenches_, direct_);
  line->add_unit_pull(own, pushes);
  jacobian_transpose_product<double>(model_, workspace_, at.q, wrenches_, tau_);
  for (int k = record.first_velocity; k < record.first_velocity + record.velocities; ++k)
    row.push_back(tau_[static_cast<std::size_t>(k)] + direct_[static_cast<std::size_t>(k)]);
}

}  // namespace cardan
