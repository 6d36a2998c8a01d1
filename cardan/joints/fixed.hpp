#pragma once

#include "cardan/joints/kinematics.hpp"

namespace cardan {

/// Holds two bodies together. No coordinates; S is 6 x 0.
struct Fixed : RateCoordinates<0> {
  static constexpr const char* name = "fixed";

  template <class T>
  JointKinematics<T, 0> operator()(const Coordinates<T>&, const Vector<T, 0>&) const {
    return {};
  }
};

}  // namespace cardan
