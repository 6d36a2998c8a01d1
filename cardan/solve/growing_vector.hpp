// A vector that keeps its memory when it shrinks and grows, which Eigen's own does not; in expressions it is a Map.
#pragma once

#include <Eigen/Dense>

#include <new>
#include <vector>

namespace cardan {

class GrowingVector : public Eigen::Map<Eigen::VectorXd> {
 public:
  using Base = Eigen::Map<Eigen::VectorXd>;
  GrowingVector() : Base(nullptr, 0) {}
  GrowingVector(const GrowingVector& other) : Base(nullptr, 0), memory_(other.memory_) { point(); }
  GrowingVector& operator=(const GrowingVector& other) {
    memory_ = other.memory_;
    point();
    return *this;
  }
  template <class Other>
  GrowingVector& operator=(const Eigen::DenseBase<Other>& other) {
    const Eigen::VectorXd copy = other;  // which may be an expression of this vector
    resize(copy.size());
    Base::operator=(copy);
    return *this;
  }

  /// Changes the size; entries that were there keep their values, new ones are zero.
  void resize(Eigen::Index size) {
    memory_.resize(static_cast<std::size_t>(size), 0.0);
    point();
  }

 private:
  /// Makes the Map speak of the memory, as Eigen's documentation of Map asks for.
  void point() { new (static_cast<Base*>(this)) Base(memory_.data(), static_cast<Eigen::Index>(memory_.size())); }

  std::vector<double> memory_;
};

}  // namespace cardan
