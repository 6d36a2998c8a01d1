// Scratch memory of the algorithms for one model and one scalar: made once, then no call allocates. No algorithm
// reads what it has not written itself in the same call; tests fill everything with NaN to prove it.
#pragma once

#include "cardan/math/aligned.hpp"
#include "cardan/model/joint_kernel.hpp"
#include "cardan/model/model.hpp"
#include "cardan/model/spatial_columns.hpp"

#include <span>

namespace cardan {

/// What one joint keeps between the passes of an algorithm.
template <class Kernel, class T>
struct JointScratch {
  typename Kernel::template X<T> X_J;
  [[no_unique_address]] typename Kernel::template SubspaceFor<T> S;
  // of the articulated-body algorithm, in the frame before the rotation of SplitTransform
  ForceMatrix<T, Kernel::nv> gain;          // U D^-1
  Matrix<T, Kernel::nv, Kernel::nv> D_inv;  // (S' I^A S + armature)^-1
  Vector<T, Kernel::nv> y;                  // D^-1 u: the joint's acceleration if its parent had none
};

template <class T>
class Workspace {
 public:
  using L = typename Lanes<T>::type;

  explicit Workspace(const Model& model)
      : sine(size(model.nq())),
        cosine(size(model.nq())),
        force(size(model.bodies()) + 1),
        pose(size(model.bodies()) + 1),
        inertia(size(model.bodies()) + 1),
        motion(size(model.nv())),
        lane_force(size(model.bodies()) + 1),
        lane_y(size(model.nv())),
        columns_(Columns::storage(model.nv())),
        branches_(size(model.branches()) * kBranchSize) {
    library_was_built_with_another_CARDAN_REGISTER_BYTES<kRegisterBytes>();
    std::size_t total = 0;
    offset_.push_back(0);
    for (int i = 1; i <= model.bodies(); ++i) {
      offset_.push_back(total);
      dispatch(model.link(i).kernel,
               [&]<class Kernel>(Kernel) { total += sizeof(JointScratch<Kernel, T>) / sizeof(T); });
    }
    scratch_.resize(total);
  }

  std::vector<T> sine, cosine;        // of every coordinate; written by each algorithm that turns joints
  std::vector<ForceVector<T>> force;  // one for each body
  std::vector<Transform<T>> pose;     // world to body; written where external forces are given

  std::vector<RigidBodyInertia<T>> inertia;  // one for each body
  std::vector<MotionVector<T>> motion;       // one for each velocity
  AlignedVector<ForceVector<L>> lane_force;  // the same for several right-hand sides at once
  AlignedVector<L> lane_y;

  /// The joint's typed scratch. All members are scalars, so the arena is an array of scalars.
  template <class Kernel>
  CARDAN_INLINE JointScratch<Kernel, T>& scratch(int body) {
    static_assert(sizeof(JointScratch<Kernel, T>) % sizeof(T) == 0);
    return *reinterpret_cast<JointScratch<Kernel, T>*>(scratch_.data() + offset_[size(body)]);
  }
  /// A value that a fold keeps at a branching body.
  template <class Value>
  CARDAN_INLINE Value& branch(int slot) {
    static_assert(sizeof(Value) <= kBranchSize * sizeof(T));
    return *reinterpret_cast<Value*>(branches_.data() + size(slot) * kBranchSize);
  }

  /// Columns of spatial vectors, one for each velocity.
  using Columns = SpatialColumns<T>;
  Columns columns(const Model& model) { return Columns(columns_.data(), model.nv()); }

  /// Overwrites all scratch, for tests.
  void fill(const T& value) {
    for (auto* v : {&sine, &cosine, &columns_, &scratch_}) v->assign(v->size(), value);
    branches_.assign(branches_.size(), value);
    const Vec3<T> a{value, value, value};
    Mat3<T> m;
    for (auto& row : m.row) row = a;
    force.assign(force.size(), {a, a});
    pose.assign(pose.size(), {m, a});
    motion.assign(motion.size(), {a, a});
    inertia.assign(inertia.size(), {value, a, Sym3<T>{value, value, value, value, value, value}});
    lane_y.assign(lane_y.size(), L(value));
    for (ForceVector<L>& f : lane_force)
      for (int c = 0; c < 6; ++c) f[c] = L(value);
  }

 private:
  static constexpr std::size_t kBranchSize = 6 * Lanes<T>::width > 32 ? 6 * Lanes<T>::width : 32;
  static CARDAN_INLINE std::size_t size(int n) { return static_cast<std::size_t>(n); }

  std::vector<T> columns_, scratch_;
  AlignedVector<T> branches_;  // may hold registers
  std::vector<std::size_t> offset_;
};

}  // namespace cardan
