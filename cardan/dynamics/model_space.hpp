// The configuration manifold of a model: flat ranges of coordinates, which move by plain addition, and the few joints
// (ball, free) that move on groups of their own.
#pragma once

#include "cardan/dynamics/state_space.hpp"

namespace cardan {

class ModelSpace : public StateSpace {
 public:
  explicit ModelSpace(const Model& model, int first_order_states = 0);

  const Model& model() const { return model_; }
  Sizes sizes() const override { return {model_.nq(), model_.nv(), nz_}; }
  bool is_flat() const override { return groups_.empty(); }
  bool moves_by_adding() const override { return groups_.empty(); }
  void move(const double* q, const double* x, double* out) const override;
  void difference(const double* q0, const double* q1, double* x) const override;
  void increment_rate(const double* x, const double* v, double* rate) const override;
  void increment_velocity(const double* x, const double* rate, double* v) const override;
  void increment_velocity_derivative(const double* x, const double* u, double* out) const override;
  void coordinate_rate(const double* q, const double* v, double* rate) const override;
  void normalize(double* q) const override;
  /// Shortens rotation vectors that come near their singularity; true if any did.
  bool reparameterize(State& state) const;
  std::string name_of_coordinate(int i) const override;
  std::string name_of_velocity(int i) const override { return model_.joint_name(model_.body_of_dof(i)); }

 private:
  struct FlatRange {
    int q, v, n;
  };
  template <class Flat, class Group>
  void each(const Flat& flat, const Group& group) const {
    for (const FlatRange& r : flat_) flat(r);
    for (const int body : groups_) group(model_.joint(body), model_.link(body));
  }

  Model model_;
  int nz_;
  std::vector<FlatRange> flat_;
  std::vector<int> groups_;            // bodies whose joints are not flat
  std::vector<int> rotation_vectors_;  // bodies whose joints have any
};

}  // namespace cardan
