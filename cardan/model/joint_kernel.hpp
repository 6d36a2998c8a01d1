// How an algorithm walks over a joint. Body frames inside a model are chosen parallel to their parent's wherever
// the joint axis is then a coordinate axis (see ModelBuilder), so nearly every joint of a real robot is an
// AxisRevolute or AxisPrismatic, whose types carry all the zeros. Other joints go through general kernels.
#pragma once

#include "cardan/joints/joint.hpp"
#include "cardan/model/link.hpp"

namespace cardan {

/// X_J, S and c_J of one joint, in the most telling types available.
template <class X, class Subspace, class Acceleration>
struct EvaluatedJoint {
  X X_J;
  [[no_unique_address]] Subspace S;
  [[no_unique_address]] Acceleration c_J;
};
template <class X, class S, class A>
EvaluatedJoint(X, S, A) -> EvaluatedJoint<X, S, A>;

/// A translation along coordinate axis A.
template <int A, class T>
struct AxisShift {
  T d;
};

/// Whether S depends on the configuration, so that c_J may not vanish.
template <class Kernel>
inline constexpr bool has_changing_S = requires {
  Kernel::has_changing_S;
};

template <int A>
struct AxisRevolute {
  static constexpr int nv = 1;
  static constexpr bool is_signed = true;
  template <class>
  using SubspaceFor = UnitRotation<A>;
  template <class T>
  using X = AxisRotation<A, T>;

  template <class T>
  static CARDAN_INLINE auto evaluate(const Link& link, const Joint&, const Coordinates<T>& q, const Vector<T, 1>&) {
    return EvaluatedJoint{AxisRotation<A, T>{cos(q, 0), T(link.sign) * sin(q, 0)}, SubspaceFor<T>{}, Zero{}};
  }
  template <class T>
  static CARDAN_INLINE Transform<T, AxisRotation<A, T>> transform(const Link& link, const X<T>& X_J) {
    return {X_J, Vec3<T>(link.r)};
  }
};

template <int A>
struct AxisPrismatic {
  static constexpr int nv = 1;
  static constexpr bool is_signed = true;
  template <class>
  using SubspaceFor = UnitTranslation<A>;
  template <class T>
  using X = AxisShift<A, T>;

  template <class T>
  static CARDAN_INLINE auto evaluate(const Link& link, const Joint&, const Coordinates<T>& q, const Vector<T, 1>&) {
    return EvaluatedJoint{AxisShift<A, T>{T(link.sign) * q[0]}, SubspaceFor<T>{}, Zero{}};
  }
  template <class T>
  static CARDAN_INLINE Transform<T, NoRotation> transform(const Link& link, const X<T>& X_J) {
    Vec3<T> r(link.r);
    r[A] += X_J.d;
    return {{}, r};
  }
};

/// A turn about the z axis of a frame that is tilted against the parent's by the constant rotation link.F.
struct TiltedRevolute {
  static constexpr int nv = 1;
  static constexpr bool is_signed = false;
  template <class>
  using SubspaceFor = UnitRotation<2>;
  template <class T>
  using X = Mat3<T>;

  template <class T>
  static CARDAN_INLINE auto evaluate(const Link& link, const Joint&, const Coordinates<T>& q, const Vector<T, 1>&) {
    return EvaluatedJoint{compose(AxisRotation<2, T>{cos(q, 0), sin(q, 0)}, Mat3<T>(link.F)), SubspaceFor<T>{}, Zero{}};
  }
  template <class T>
  static CARDAN_INLINE Transform<T> transform(const Link& link, const X<T>& X_J) {
    return {X_J, Vec3<T>(link.r)};
  }
};

/// A shift along any direction (link.direction): the frames stay parallel, which is worth more than a sparse S.
struct TiltedPrismatic {
  static constexpr int nv = 1;
  static constexpr bool is_signed = false;
  template <class T>
  using SubspaceFor = TranslationAlong<T>;
  template <class T>
  using X = Vec3<T>;

  template <class T>
  static CARDAN_INLINE auto evaluate(const Link& link, const Joint&, const Coordinates<T>& q, const Vector<T, 1>&) {
    const Vec3<T> d(link.direction);
    return EvaluatedJoint{Vec3<T>(link.r) + q[0] * d, TranslationAlong<T>{d}, Zero{}};
  }
  template <class T>
  static CARDAN_INLINE Transform<T, NoRotation> transform(const Link&, const X<T>& X_J) {
    return {{}, X_J};
  }
};

struct BallKernel {
  static constexpr int nv = 3;
  static constexpr bool is_signed = false;
  template <class>
  using SubspaceFor = AllRotations;
  template <class T>
  using X = Mat3<T>;

  template <class T>
  static CARDAN_INLINE auto evaluate(const Link& link, const Joint&, const Coordinates<T>& q, const Vector<T, 3>&) {
    return EvaluatedJoint{compose(Spherical::E(q), Mat3<T>(link.F)), SubspaceFor<T>{}, Zero{}};
  }
  template <class T>
  static CARDAN_INLINE Transform<T> transform(const Link& link, const X<T>& X_J) {
    return {X_J, Vec3<T>(link.r)};
  }
};

struct FreeKernel {
  static constexpr int nv = 6;
  static constexpr bool is_signed = false;
  template <class>
  using SubspaceFor = AllMotions;
  template <class T>
  using X = Transform<T>;

  template <class T>
  static CARDAN_INLINE auto evaluate(const Link& link, const Joint&, const Coordinates<T>& q, const Vector<T, 6>&) {
    const Mat3<T> F(link.F);
    return EvaluatedJoint{Transform<T>{compose(Spherical::E(q), F), Vec3<T>(link.r) + rotate_back(F, Free::p(q))},
                          SubspaceFor<T>{}, Zero{}};
  }
  template <class T>
  static CARDAN_INLINE const Transform<T>& transform(const Link&, const X<T>& X_J) {
    return X_J;
  }
};

/// Any joint with N degrees of freedom.
template <int N>
struct GeneralKernel {
  static constexpr int nv = N;
  static constexpr bool is_signed = false;
  static constexpr bool has_changing_S = true;
  template <class T>
  using SubspaceFor = MotionMatrix<T, N>;
  template <class T>
  using X = Transform<T>;

  template <class T>
  static CARDAN_INLINE auto evaluate(const Link& link, const Joint& joint, const Coordinates<T>& q,
                                     const Vector<T, N>& v) {
    const JointKinematics<T, N> k = joint.kinematics<T, N>(q, v);
    const Mat3<T> F(link.F);
    return EvaluatedJoint{Transform<T>{compose(k.E, F), Vec3<T>(link.r) + rotate_back(F, k.p)}, k.S, k.c_J};
  }
  template <class T>
  static CARDAN_INLINE const Transform<T>& transform(const Link&, const X<T>& X_J) {
    return X_J;
  }
};

/// Calls f with the kernel's type. A switch over a small enum: std::visit costs 1.3x (clang) to 2.6x (gcc) here.
template <class F>
CARDAN_INLINE void dispatch(JointKernel kernel, F&& f) {
  switch (kernel) {
    case JointKernel::revolute_x: return f(AxisRevolute<0>{});
    case JointKernel::revolute_y: return f(AxisRevolute<1>{});
    case JointKernel::revolute_z: return f(AxisRevolute<2>{});
    case JointKernel::prismatic_x: return f(AxisPrismatic<0>{});
    case JointKernel::prismatic_y: return f(AxisPrismatic<1>{});
    case JointKernel::prismatic_z: return f(AxisPrismatic<2>{});
    case JointKernel::tilted_revolute: return f(TiltedRevolute{});
    case JointKernel::tilted_prismatic: return f(TiltedPrismatic{});
    case JointKernel::ball: return f(BallKernel{});
    case JointKernel::free: return f(FreeKernel{});
    case JointKernel::general_0: return f(GeneralKernel<0>{});
    case JointKernel::general_1: return f(GeneralKernel<1>{});
    case JointKernel::general_2: return f(GeneralKernel<2>{});
    case JointKernel::general_3: return f(GeneralKernel<3>{});
    case JointKernel::general_4: return f(GeneralKernel<4>{});
    case JointKernel::general_5: return f(GeneralKernel<5>{});
    case JointKernel::general_6: return f(GeneralKernel<6>{});
  }
}

}  // namespace cardan
