#include "tests/support/redmax_scenes.hpp"

#include "cardan/algorithms/energy.hpp"
#include "cardan/algorithms/kinematics.hpp"

#include <stdexcept>

namespace cardan::test {

namespace {

using nlohmann::json;

Vec3<double> triple(const json& x) { return {x[0], x[1], x[2]}; }

Pose<double> pose(const json& E) {
  Pose<double> out;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) out.R(static_cast<int>(i), static_cast<int>(j)) = E[i][j];
    out.p[static_cast<int>(i)] = E[i][3];
  }
  return out;
}

MassProperties mass_of(const json& body) {
  const Vec3<double> d = triple(body.at("inertia_diag"));
  const Pose<double> at = pose(body.at("E_joint_body"));
  return to_parent({body.at("mass"), {}, {d[0], d[1], d[2], 0.0, 0.0, 0.0}}, at.R, at.p);
}

/// A rotation vector as a joint that the library does not shorten: the reference does it, at its own limit.
ExpressionJoint rotation_vector() {
  return ExpressionJoint(3, [](std::span<const Expr> q) {
    return Pose<Expr>{exp_so3(Vec3<Expr>{q[0], q[1], q[2]}), {}};
  });
}

/// The uniform cubic B-spline basis.
std::array<Expr, 4> basis(const Expr& s) {
  constexpr double B[4][4] = {{1, -3, 3, -1}, {4, 0, -6, 3}, {1, 3, 3, -3}, {0, 0, 0, 1}};
  std::array<Expr, 4> out;
  for (std::size_t r = 0; r < 4; ++r)
    out[r] = Expr(B[r][0] / 6) + s * (Expr(B[r][1] / 6) + s * (Expr(B[r][2] / 6) + s * Expr(B[r][3] / 6)));
  return out;
}

/// Cyclic cumulative B-spline through four frames: Q = C_k exp(D_k+1 b1) exp(D_k+2 b2) exp(D_k+3 b3).
ExpressionJoint spline_curve(const json& joint) {
  return ExpressionJoint(1, [&](std::span<const Expr> q) {
    const Expr zero(0.0), four(4.0);
    const Expr wrapped = select_less(q[0], zero, q[0] + four, q[0]);
    const Expr u = select_less(wrapped, four, wrapped, wrapped - four);
    const auto pick = [&](const auto& value) {  // of the segment in which u lies
      Expr out(value(3));
      for (int k = 2; k >= 0; --k) out = select_less(u, Expr(k + 1.0), Expr(value(k)), out);
      return out;
    };
    Pose<Expr> Q;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        const Expr entry =
            pick([&](int k) { return joint.at("control_frames")[static_cast<std::size_t>(k)][i][j].get<double>(); });
        (j < 3 ? Q.R(static_cast<int>(i), static_cast<int>(j)) : Q.p[static_cast<int>(i)]) = entry;
      }
    const auto b = basis(u - pick([](int k) { return static_cast<double>(k); }));
    for (std::size_t i = 1; i <= 3; ++i) {
      Expr weight = b[i];
      for (std::size_t r = i + 1; r < 4; ++r) weight = weight + b[r];
      const auto log = [&](std::size_t row) {
        return weight * pick([&](int k) {
                 return joint.at("relative_logs_columns")[row][(static_cast<std::size_t>(k) + i) % 4].get<double>();
               });
      };
      Q = Q * exp_se3(Vec3<Expr>{log(0), log(1), log(2)}, Vec3<Expr>{log(3), log(4), log(5)});
    }
    return Q;
  });
}

/// Three shifts and three turns, each a bicubic B-spline of the two coordinates.
ExpressionJoint spline_surface(const json& joint) {
  return ExpressionJoint(2, [&](std::span<const Expr> q) {
    const auto b0 = basis(q[0]), b1 = basis(q[1]);
    Vec3<Expr> value[2];
    for (std::size_t k = 0; k < 6; ++k) {
      Expr sum(0.0);
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j)
          sum = sum + b1[i] * Expr(joint.at("control_coordinates_4x4x6")[i][j][k].get<double>()) * b0[j];
      value[k / 3][static_cast<int>(k % 3)] = sum;
    }
    const auto turn = [&](int axis) {
      Vec3<Expr> phi{Expr(0.0), Expr(0.0), Expr(0.0)};
      phi[axis] = value[1][axis];
      return exp_so3(phi);
    };
    return Pose<Expr>{turn(0) * turn(1) * turn(2), value[0]};
  });
}

Joint joint_of(const json& joint) {
  const std::string type = joint.at("type");
  if (type == "fixed") return Fixed{};
  if (type == "revolute") return Revolute{triple(joint.at("axis"))};
  if (type == "prismatic") return Prismatic{triple(joint.at("axis"))};
  if (type == "universal_xy") return Universal{};
  if (type == "planar_xy") return Planar{};
  if (type == "free2d_xy_then_rotz") return FreePlanar{};
  if (type == "spherical_expmap") return rotation_vector();
  if (type == "free3d_translation_then_expmap") return Composite({Translational{}, rotation_vector()});
  if (type == "spherical_euler_charts") {
    const std::string letters = joint.at("initial_chart");
    return SphericalEuler({letters[0] - 'X', letters[1] - 'X', letters[2] - 'X'});
  }
  if (type == "free3d_translation_then_euler") return Composite({Translational{}, SphericalEuler{}});
  if (type == "spline_curve_cyclic_cubic") return spline_curve(joint);
  if (type == "spline_surface_bicubic_4x4") return spline_surface(joint);
  if (type == "composite") {
    std::vector<Joint> parts;
    for (const auto& part : joint.at("parts")) parts.push_back(joint_of(part));
    return Composite(parts);
  }
  throw std::invalid_argument("redmax: no joint for " + type);
}

std::string body_name(int joint) { return joint < 0 ? "world" : "body" + std::to_string(joint); }

Model model_of(const json& scene) {
  ModelBuilder builder(scene.at("name").get<std::string>());
  builder.gravity(triple(scene.at("gravity")));
  for (const auto& joint : scene.at("joints")) {
    const std::string name = body_name(joint.at("index"));
    builder.body(name, mass_of(scene.at("bodies")[joint.at("body").get<std::size_t>()]));
    builder.joint(body_name(joint.at("parent")), name, joint_of(joint), pose(joint.at("E_parentjoint_joint")));
  }
  return builder.build();
}

}  // namespace

RedmaxScene::RedmaxScene(const json& scene)
    : data(scene), model(model_of(scene)), start(model), stiffness(start.v), damping(start.v), place_(start.v.size()) {
  for (const auto& joint : scene.at("joints")) {
    const int body = model.find_joint(body_name(joint.at("index")));
    if (body < 0) continue;  // a fixed one
    const auto first = static_cast<std::size_t>(model.link(body).v), n = joint.at("dof_indices").size();
    for (std::size_t k = 0; k < n; ++k) {
      place_[joint.at("dof_indices")[k].get<std::size_t>()] = static_cast<int>(first + k);
      start.q[first + k] = joint.at("q0")[k];
      start.v[first + k] = joint.at("qdot0")[k];
      stiffness[first + k] = joint.at("stiffness");
      damping[first + k] = joint.at("damping");
    }
    const std::string type = joint.at("type");
    if (type.find("expmap") != std::string::npos) rotation_vectors.push_back(static_cast<int>(first + n - 3));
    if (type == "spherical_euler_charts")
      euler_angles.push_back({joint.at("index"), static_cast<int>(first), joint.at("initial_chart")});
  }
}

std::vector<double> RedmaxScene::torques(double t) const {
  std::vector<double> tau(start.v.size());
  if (!data.contains("driven") || !data.at("driven").contains("joint_torques")) return tau;
  // three intervals, as the scene's text says: t < 3, 3 <= t < 6, t >= 6
  const auto& interval = data.at("driven").at("joint_torques")[t < 3.0 ? 0u : t < 6.0 ? 1u : 2u];
  for (const auto& joint : data.at("joints"))
    tau[static_cast<std::size_t>(place_[joint.at("dof_indices")[0].get<std::size_t>()])] =
        interval.at("tau_by_joint_index")[joint.at("index").get<std::size_t>()];
  return tau;
}

void RedmaxScene::joint_forces(double t, const double* q, const double* v, double* tau) const {
  const std::vector<double> torque = torques(t);
  for (std::size_t i = 0; i < torque.size(); ++i)
    tau[i] = torque[i] - stiffness[i] * (q[i] - start.q[i]) - damping[i] * v[i];
}

double RedmaxScene::kinetic(const State& state) const {
  Workspace<double> w(model);
  Kinematics<double> k(model);
  forward_kinematics(model, w, state.q, state.v, k);
  return kinetic_energy(model, k, state.v);
}

double RedmaxScene::potential(const State& state) const {
  Workspace<double> w(model);
  Kinematics<double> k(model);
  forward_kinematics(model, w, state.q, k);
  double sum = potential_energy(model, k);
  for (std::size_t i = 0; i < stiffness.size(); ++i)
    sum += 0.5 * stiffness[i] * (state.q[i] - start.q[i]) * (state.q[i] - start.q[i]);
  return sum;
}

std::vector<double> RedmaxScene::in_model_order(const json& row) const {
  std::vector<double> out(place_.size());
  for (std::size_t i = 0; i < place_.size(); ++i) out[static_cast<std::size_t>(place_[i])] = row[i];
  return out;
}

std::string redmax_body(int index) { return body_name(index); }

const json* find_scene(const json& file, int id) {
  for (const auto& scene : file.at("scenes"))
    if (scene.at("id") == id) return &scene;
  return nullptr;
}

}  // namespace cardan::test
