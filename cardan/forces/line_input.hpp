// An actuator along a path, such as a winch or a piston: its tension (N, positive where it pulls) is an input.
#pragma once

#include "cardan/forces/line_force.hpp"
#include "cardan/forces/signal_function.hpp"

namespace cardan {

class LineInput final : public LineForce {
 public:
  LineInput(std::string label, Path path, SignalFunction tension)
      : LineForce("input", std::move(label), std::move(path)), tension_(std::move(tension)) {}

  Tension law(double, double, const Instant& at) const override {
    Tension out;
    tension_.evaluate(at, &out.value);
    return out;
  }
  Dual8 dual_law(const Dual8&, const Dual8&, const Instant&, const DualInstant& at) const override {
    Dual8 out;
    tension_.evaluate(at, &out);
    return out;
  }
  Expr symbolic_law(Expr, Expr, const SymbolicInstant& at) const override {
    Expr out;
    tension_.evaluate(at, &out);
    return out;
  }
  std::string law_beyond_code() const override { return {}; }
  bool is_actuator() const override { return true; }
  void add_time_texts(TimeTexts& texts) const override { tension_.add_to(texts); }

 private:
  SignalFunction tension_;
};

}  // namespace cardan
