// A moment and a force that follow time and state, applied to a body at one of its points.
#pragma once

#include "cardan/forces/force_of.hpp"
#include "cardan/forces/signal_function.hpp"

namespace cardan {

struct AppliedWrench {
  int frame = 0;              // of the model: whose body feels it
  Vec3<double> at;            // the point, in that frame
  bool in_body_axes = false;  // the six numbers are along the frame's axes, else along the world's
  SignalFunction wrench;      // moment about the point (N m), then force (N)
  int body = 0;               // that carries the frame; set by on()
  Transform<double> X{};      // from the body's internal frame to the frame; set by on()

  /// Returns the wrench bound to the model. Throws std::invalid_argument where the two do not fit.
  AppliedWrench on(const Model& model) const;

  std::string name() const { return "wrench on \"" + label + "\""; }
  Touches touches() const {
    Touches out{.bodies = {body}};
    wrench.add_to(out);
    return out;
  }

  const SignalFunction& text() const { return wrench; }
  SignalFunction& text() { return wrench; }
  void add_time_texts(TimeTexts& texts) const { wrench.add_to(texts); }

  template <class T>
  void add(const InstantOf<T>& instant, PushesOf<T>& pushes) const {
    T w[6];
    wrench.evaluate(instant, w);
    Vec3<T> moment{w[0], w[1], w[2]}, force{w[3], w[4], w[5]};
    const Transform<T> to_frame = as<T>(X);
    if (!in_body_axes) {
      const Transform<T> X_0 = to_frame * instant.X_0(body);
      moment = rotate(X_0.E, moment);
      force = rotate(X_0.E, force);
    }
    pushes.body(body) += transpose_apply(to_frame, ForceVector<T>{moment + cross(Vec3<T>(at), force), force});
  }

  /// Nothing: a given force neither holds nor damps; its K only says how it turns with the body.
  void add_definite_tangent(const Instant&, Tangent&) const {}

  std::string label{};
};

}  // namespace cardan
