#include "cardan/dynamics/force_tangent.hpp"

#include "cardan/algorithms/jacobian_products.hpp"
#include "cardan/forces/internal/dual_displacement.hpp"
#include "cardan/math/dual.hpp"
#include "cardan/model/state.hpp"

#include <algorithm>

namespace cardan {

namespace {

constexpr int kDirections = 8;
using D8 = Dual<kDirections>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

struct ForceTangent::Scratch {
  explicit Scratch(const Model& model)
      : w(model),
        bodies(model),
        q(at(model.nq())),
        moved(q),
        v(at(model.nv())),
        x(v),
        tau(v),
        wrench(at(model.bodies()) + 1),
        direct(v) {}

  struct Element {
    Touches touches;
    Tangent tangent;
    Eigen::VectorXd displacement, velocity_change, force;  // of what it touches, in one direction
  };

  Workspace<D8> w;
  Kinematics<D8> bodies;
  std::vector<D8> q, moved, v, x, tau;
  std::vector<ForceVector<D8>> wrench;
  std::vector<D8> direct;  // forces at velocities
  std::vector<Element> elements;
  std::vector<int> touched;                          // bodies
  std::vector<Eigen::Matrix<double, 6, -1>> twists;  // J of each touched body
  std::vector<int> place;                            // of a body among the touched
};

ForceTangent::ForceTangent(const Model& model, const Forces& forces)
    : model_(model), forces_(forces), scratch_(std::make_unique<Scratch>(model)) {
  Scratch& s = *scratch_;
  s.place.assign(at(model.bodies()) + 1, -1);
  for (const auto& force : forces) {
    Scratch::Element element;
    element.touches = force->touches();
    element.tangent.resize(element.touches);
    for (Eigen::VectorXd* x : {&element.displacement, &element.velocity_change, &element.force})
      x->setZero(element.tangent.K.rows());
    for (const int body : element.touches.bodies) {
      if (s.place[at(body)] >= 0) continue;
      s.place[at(body)] = static_cast<int>(s.touched.size());
      s.touched.push_back(body);
    }
    s.elements.push_back(std::move(element));
  }
  s.twists.assign(s.touched.size(), Eigen::Matrix<double, 6, -1>(6, model.nv()));
}
ForceTangent::~ForceTangent() = default;

void ForceTangent::add(const Instant& instant, std::span<const int> first_state, Eigen::MatrixXd* K, Eigen::MatrixXd* D,
                       Kind kind) {
  Scratch& s = *scratch_;
  const int n = model_.nv();
  // forces and tangents where the mechanism is
  std::vector<ForceVector<double>> wrench(at(model_.bodies()) + 1);
  std::vector<double> direct(at(n));
  Pushes pushes(wrench, direct);
  for (std::size_t e = 0; e < forces_.size(); ++e) {
    Scratch::Element& element = s.elements[e];
    const Instant own = instant.of_element(first_state[e], element.touches.states);
    element.tangent.K.setZero();
    element.tangent.D.setZero();
    if (kind == Kind::definite) {  // wrenches stay zero: how J changes at constant wrenches is left out
      forces_[e]->add_definite_tangent(own, element.tangent);
      continue;
    }
    forces_[e]->add(own, pushes);
    forces_[e]->add_tangent(own, element.tangent);
  }
  for (int i = 0; i < model_.nq(); ++i) s.q[at(i)] = s.moved[at(i)] = D8(instant.q[i]);
  for (int i = 0; i < n; ++i) s.v[at(i)] = D8(instant.v[i]), s.x[at(i)] = D8(0.0);

  // what the forces become when slots move by `displacement` and `velocity_change`, taken to the joints
  const auto respond = [&](int first, int count, const auto& moves, Eigen::MatrixXd& out) {
    for (std::size_t b = 0; b < wrench.size(); ++b)
      for (int c = 0; c < 6; ++c) s.wrench[b][c] = D8(wrench[b][c]);
    for (D8& tau : s.direct) tau = D8(0.0);
    for (int k = 0; k < count; ++k)
      for (Scratch::Element& element : s.elements) {
        moves(element, first + k, k);
        element.force.noalias() = element.tangent.K * element.displacement;
        element.force.noalias() += element.tangent.D * element.velocity_change;
        Eigen::Index row = 0;
        for (const int body : element.touches.bodies)
          for (int c = 0; c < 6; ++c) s.wrench[at(body)][c].d[k] += element.force[row++];
        for (const int velocity : element.touches.velocities) s.direct[at(velocity)].d[k] += element.force[row++];
      }
    jacobian_transpose_product<D8>(model_, s.w, s.moved, s.wrench, s.tau);
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < n; ++i) out(i, first + k) += s.tau[at(i)].d[k] + s.direct[at(i)].d[k];
  };
  for (int first = 0; first < n; first += kDirections) {
    const int count = std::min(kDirections, n - first);
    for (int k = 0; k < count; ++k) s.x[at(first + k)].d[k] = 1.0;
    integrate(model_, s.q.data(), s.x.data(), D8(1.0), s.moved.data());
    for (int k = 0; k < count; ++k) s.x[at(first + k)].d[k] = 0.0;
    forward_kinematics<D8>(model_, s.w, s.moved, s.v, s.bodies);
    for (std::size_t b = 0; b < s.touched.size(); ++b)
      for (int k = 0; k < count; ++k) {
        const MotionVector<double> m = detail::twist(s.bodies.X_0[at(s.touched[b])], k);
        for (int c = 0; c < 6; ++c) s.twists[b](c, first + k) = m[c];
      }
    const auto slots = [&](Scratch::Element& element, int column, const auto& of_body, Eigen::VectorXd& out) {
      Eigen::Index row = 0;
      for (const int body : element.touches.bodies)
        for (int c = 0; c < 6; ++c) out[row++] = of_body(body, c);
      for (const int velocity : element.touches.velocities) out[row++] = velocity == column ? 1.0 : 0.0;
    };
    const auto jacobian = [&](int column) {
      return [&, column](int body, int c) { return s.twists[at(s.place[at(body)])](c, column); };
    };
    if (K)
      respond(
          first, count,
          [&](Scratch::Element& element, int column, int k) {
            slots(element, column, jacobian(column), element.displacement);
            element.velocity_change.setZero();
            if (kind == Kind::definite) return;
            slots(
                element, -1, [&](int body, int c) { return s.bodies.v[at(body)][c].d[k]; }, element.velocity_change);
          },
          *K);
    std::copy(s.q.begin(), s.q.end(), s.moved.begin());
    if (D)
      respond(
          first, count,
          [&](Scratch::Element& element, int column, int) {
            element.displacement.setZero();
            slots(element, column, jacobian(column), element.velocity_change);
          },
          *D);
  }
}

}  // namespace cardan
