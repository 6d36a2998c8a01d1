#include "cardan/constraints/moving_bodies.hpp"

#include "cardan/algorithms/fold.hpp"

#include <algorithm>
#include <numeric>

namespace cardan {

namespace {

MotionVector<double> acceleration_or_zero(Zero) { return {}; }
MotionVector<double> acceleration_or_zero(const MotionVector<double>& c_J) { return c_J; }

}  // namespace

JointMotion link_motion(const Model& model, const Workspace<double>& w, int body, In<double> q, In<double> v) {
  const Link& link = model.link(body);
  JointMotion out;
  out.nv = link.nv;
  dispatch(link.kernel, [&]<class Kernel>(Kernel) {
    const At<Kernel> at{model, link, body};
    const auto [X_J, S, c_J] = at.evaluate(w, q, at(v));
    out.X = general(at.transform(X_J));
    const auto basis = columns<double>(S);
    for (int c = 0; c < at.nv; ++c) out.S[c] = link.sign * basis.column[c];
    out.c_J = acceleration_or_zero(c_J);
  });
  return out;
}

MovingBodies::MovingBodies(const Model& model)
    : model_(model),
      far_above_(static_cast<std::size_t>(model.bodies()) + 1),
      towards_unfollowed_(far_above_.size()),
      workspace_(model),
      q_(static_cast<std::size_t>(model.nq())),
      v_(static_cast<std::size_t>(model.nv())),
      motions_(towards_unfollowed_.size()) {
  std::iota(towards_unfollowed_.begin(), towards_unfollowed_.end(), 0);
  // steps whose lengths are the digits of skew-binary numbers: where two are equal, one of both lengths follows
  const auto above = [this](int i) { return far_above_[static_cast<std::size_t>(i)]; };
  const auto step = [&](int i) { return model.depth(i) - model.depth(above(i)); };
  for (int i = 1; i <= model.bodies(); ++i) {
    const int p = model.link(i).parent;
    far_above_[static_cast<std::size_t>(i)] = step(p) == step(above(p)) ? above(above(p)) : p;
  }
}

int MovingBodies::common_ancestor(int a, int b) const {
  const auto carries_b = [&](int i) { return i == 0 || (i <= b && b < model_.subtree_end(i)); };
  while (!carries_b(a)) {
    const int far = far_above_[static_cast<std::size_t>(a)];
    a = carries_b(far) ? model_.link(a).parent : far;
  }
  return a;
}

void MovingBodies::follow(int body, int above) {
  const auto unfollowed = [this](int i) {
    const auto next = [this](int k) -> int& { return towards_unfollowed_[static_cast<std::size_t>(k)]; };
    while (next(i) != i) i = next(i) = next(next(i));  // each walk halves the way of the next
    return i;
  };
  for (int i = unfollowed(body); i > above; i = unfollowed(i)) {
    bodies_.push_back(i);
    towards_unfollowed_[static_cast<std::size_t>(i)] = model_.link(i).parent;
  }
  sorted_ = false;
}

JointMotion MovingBodies::joint(int body) const { return link_motion(model_, workspace_, body, q_, v_); }

void MovingBodies::update(const double* q, const double* v) {
  if (!sorted_) std::sort(bodies_.begin(), bodies_.end());
  sorted_ = true;
  std::copy_n(q, q_.size(), q_.begin());
  std::copy_n(v, v_.size(), v_.begin());
  compute_sincos(model_, workspace_, In<double>(q_));
  for (const int body : bodies_) {
    const Link& link = model_.link(body);
    const Motion& parent = motion(link.parent);
    Motion& m = motions_[static_cast<std::size_t>(body)];
    dispatch(link.kernel, [&]<class Kernel>(Kernel) CARDAN_INLINE_LAMBDA {
      const At<Kernel> at{model_, link, body};
      const auto qd = at(In<double>(v_));
      const auto [X_J, S, c_J] = at.evaluate(workspace_, In<double>(q_), qd);
      const auto X = at.transform(X_J);
      const MotionVector<double> v_J = S * qd;
      m.X_0 = X * parent.X_0;
      m.v = X * parent.v + v_J;
      m.a = X * parent.a + acceleration_or_zero(c_J) + cross(m.v, v_J);
    });
  }
}

}  // namespace cardan
