// Scratch memory of the derivatives of dynamics for one model and one scalar: made once, then no call allocates. All
// spatial vectors are in one stationary frame for each tree: that of its root body at the instant.
#pragma once

#include "cardan/math/lane_records.hpp"
#include "cardan/model/workspace.hpp"

namespace cardan {

template <class T>
class DerivativeWorkspace {
 public:
  using L = typename Lanes<T>::type;
  using Columns = SpatialColumns<T>;
  static constexpr int width = Lanes<T>::width;
  // numbers in the records of a body's motion (X, v, a), of a velocity's displacements (phi, psi1, psi2, chi) and of a
  // subtree's sums (inertia, 2B, force), as they lie in memory
  static constexpr int kMotion = record_size<T>(24), kDisplacement = record_size<T>(24), kSums = record_size<T>(28);

  explicit DerivativeWorkspace(const Model& model)
      : tree(model),
        external(size(model.bodies() + 1)),
        run_start(size(model.nv())),
        subspace_start(size(model.bodies() + 2)),
        inertia_(size(10 * row_size(model))),
        motion_(size(kMotion * row_size(model))),
        sums_(size(kSums * row_size(model))),
        displacement_(size(kDisplacement * (model.nv() + width))),
        columns_(kColumns * Columns::storage(model.nv())) {
    for (int i = 0; i < model.nv(); ++i)
      run_start[size(i)] = i > 0 && model.dof_parent(i) == i - 1 ? run_start[size(i - 1)] : i;
    int total = 0;
    for (int i = 1; i <= model.bodies(); ++i) {
      const Link& link = model.link(i);
      subspace_start[size(i)] = total;
      dispatch(link.kernel, [&]<class Kernel>(Kernel) {
        if constexpr (has_changing_S<Kernel>) total += Kernel::nv * Kernel::nv;
      });
      const Vec3<double>& h = link.I.h;
      const Vector<double, 6>& I = link.I.I.e;
      const double numbers[10] = {link.I.m, h[0], h[1], h[2], I[0], I[1], I[2], I[3], I[4], I[5]};
      for (int r = 0; r < 10; ++r) inertia_[size(r * row_size(model) + i)] = T(numbers[r]);
    }
    subspace_start.back() = total;
    subspace_by.resize(size(total));
  }

  Workspace<T> tree;
  std::vector<ForceVector<T>> external;      // on each body's subtree; written where external forces are given
  std::vector<MotionVector<T>> subspace_by;  // dS_s/dq_r of joints whose S changes, by r, then s; body coordinates
  std::vector<int> run_start;       // by velocity: the first of the unbroken run of ancestors that ends with it
  std::vector<int> subspace_start;  // by body: where its part of subspace_by begins, and an end

  CARDAN_INLINE T* motion(int body) { return motion_.data() + body * kMotion; }
  CARDAN_INLINE T* sums(int body) { return sums_.data() + body * kSums; }
  CARDAN_INLINE T* displacement(int v) { return displacement_.data() + v * kDisplacement; }
  /// Number r of the bodies' own inertias (m, h, I), body after body.
  CARDAN_INLINE const T* inertia(const Model& model, int r) const { return inertia_.data() + r * row_size(model); }
  /// Columns, one for each velocity: phi, psi1, psi2, chi, I phi, (2B)' phi, what the subtree's force changes by with q
  /// and with v, and what external forces add.
  enum Column { phi, psi1, psi2, chi, momentum, turning, force_by_q, force_by_v, external_by_q, kColumns };
  Columns columns(const Model& model, Column which) {
    return Columns(columns_.data() + which * Columns::storage(model.nv()), model.nv());
  }

  /// Overwrites all scratch, for tests.
  void fill(const T& value) {
    tree.fill(value);
    motion_.assign(motion_.size(), value);
    sums_.assign(sums_.size(), value);
    displacement_.assign(displacement_.size(), value);
    columns_.assign(columns_.size(), value);
    const Vec3<T> a{value, value, value};
    external.assign(external.size(), {a, a});
    subspace_by.assign(subspace_by.size(), {a, a});
  }

 private:
  static CARDAN_INLINE std::size_t size(int n) { return static_cast<std::size_t>(n); }
  /// Room for all bodies, the world and what a register overhangs.
  static CARDAN_INLINE int row_size(const Model& model) { return record_size<T>(model.bodies() + 1) + width; }

  AlignedVector<T> inertia_, motion_, sums_, displacement_, columns_;
};

}  // namespace cardan
