// OpenSim models against values that OpenSim 4.6 computed (reference data beside the project): mass matrix, bias and
// gravity forces, frames of bodies, center of mass, kinetic energy, coupled coordinates. Coordinates are matched by
// name. OpenSim's ball joint has angles about x, y and z as coordinates and as speeds the angular velocity in the
// parent's axes: with P from its speeds to ours, M = P' H P and bias = P' (H P_dot u + our bias), where P_dot u = 0.
#include "cardan/algorithms/energy.hpp"
#include "cardan/algorithms/kinematics.hpp"
#include "cardan/io/load.hpp"
#include "cardan/joints/internal/coordinate_names.hpp"
#include "tests/apps/scene_runs.hpp"
#include "tests/support/shared_data.hpp"

#include <Eigen/Dense>
#include <filesystem>
#include <map>

namespace cardan::test {
namespace {

namespace fs = std::filesystem;
using Eigen::Index;

/// Where a model of the reference data is: in its folder, or, where the licence keeps it apart, among those of forces.
std::string model_path(const fs::path& folder, const std::string& file) {
  if (fs::exists(folder / file)) return (folder / file).string();
  const fs::path other = fs::path(CARDAN_SHARED_DATA) / "forces/models" / (folder.filename().string() + ".osim");
  return fs::exists(other) ? other.string() : "";
}

/// The place of each coordinate in q and v, by its name in the file.
std::map<std::string, std::pair<int, int>> coordinate_places(const Model& model, const Json& file) {
  std::map<std::string, std::pair<int, int>> out;
  for (const Json& joint : file["joints"]) {
    if (joint["coordinates"].empty()) continue;
    const int body = model.find_joint(joint["name"].get<std::string>());
    if (body < 0) {
      ADD_FAILURE() << "no joint " << joint["name"];
      continue;
    }
    const bool is_ball = joint["type"] == "BallJoint";
    for (std::size_t k = 0; k < joint["coordinates"].size(); ++k) {
      const auto name = joint["coordinates"][k].get<std::string>();
      const std::vector<std::string> known = coordinate_names(model.joint(body), false);
      std::size_t at = k;
      for (std::size_t i = 0; !is_ball && i < known.size(); ++i)
        if (known[i] == name) at = i;
      out[name] = {model.link(body).q + static_cast<int>(at), model.link(body).v + static_cast<int>(at)};
    }
  }
  return out;
}

struct OsimState {
  std::vector<double> q, v;
  Eigen::MatrixXd P;  // from OpenSim's speeds in its order to ours
};

OsimState our_state(const Scene& scene, const Json& file, const Json& state) {
  const Model& model = scene.model;
  const auto places = coordinate_places(model, file);
  OsimState out{model.neutral(), {}, Eigen::MatrixXd::Zero(model.nv(), model.nv())};
  for (const auto& [name, value] : state["q"].items())
    if (const int q = places.at(name).first; q < model.nq()) out.q[static_cast<std::size_t>(q)] = value.get<double>();
  Eigen::VectorXd u(model.nv());
  Index column = 0;
  for (const Json& name : file["coordinates_in_state_order"]) {
    u[column] = state["qdot"][name.get<std::string>()].get<double>();
    out.P(places.at(name.get<std::string>()).second, column++) = 1.0;
  }
  for (const Json& joint : file["joints"]) {
    if (joint["type"] != "BallJoint") continue;
    const Link& link = model.link(model.find_joint(joint["name"].get<std::string>()));
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    for (std::size_t k = 0; k < 3; ++k)
      R = R * Eigen::AngleAxisd(state["q"][joint["coordinates"][k].get<std::string>()].get<double>(),
                                Eigen::Vector3d::Unit(static_cast<Index>(k)));
    const Eigen::Quaterniond turn(R);
    const double parts[] = {turn.w(), turn.x(), turn.y(), turn.z()};
    for (int i = 0; i < 4; ++i) out.q[static_cast<std::size_t>(link.q + i)] = parts[i];
    out.P.middleRows(link.v, 3) = R.transpose() * out.P.middleRows(link.v, 3).eval();
  }
  const Eigen::VectorXd own = out.P * u;
  out.v.assign(own.data(), own.data() + own.size());
  return out;
}

Eigen::VectorXd numbers_of(const Json& list) {
  Eigen::VectorXd out(static_cast<Index>(list.size()));
  for (Index i = 0; i < out.size(); ++i) out[i] = list[static_cast<std::size_t>(i)].get<double>();
  return out;
}

Eigen::MatrixXd square_of(const Json& rows) {
  const auto n = static_cast<Index>(rows.size());
  Eigen::MatrixXd out(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j)
      out(i, j) = out(j, i) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)].get<double>();
  return out;
}

/// The largest differences of a model, by quantity.
class Differences {
 public:
  void expect(const std::string& where, const std::string& quantity, const Eigen::MatrixXd& found,
              const Eigen::MatrixXd& expected, double tolerance) {
    const double scale = std::max(1.0, expected.lpNorm<Eigen::Infinity>());
    const double difference = (found - expected).lpNorm<Eigen::Infinity>() / scale;
    EXPECT_LE(difference, tolerance) << where << ": " << quantity;
    double& worst = worst_[quantity];
    worst = std::max(worst, difference);
  }
  void print(const std::string& model) const {
    std::cout << model << ":";
    for (const auto& [quantity, worst] : worst_) std::cout << " " << quantity << " " << worst << ",";
    std::cout << "\n";
  }

 private:
  std::map<std::string, double> worst_;
};

constexpr double kExact = 1e-9;
/// OpenSim rounds the angles of joints to 6 digits where it converts a file of version 2 or 3.
double tolerance_of(const std::string& name) { return name == "p2p_ball_joint" ? 1e-5 : kExact; }

class Osim : public SceneRuns {
 protected:
  /// Calls compare(name, path, file) for every model that is there.
  template <class Compare>
  void for_each_model(const Compare& compare) {
    const fs::path folder = fs::path(CARDAN_SHARED_DATA) / "osim";
    if (!fs::exists(folder)) GTEST_SKIP() << missing_data("osim");
    int models = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      const Json file = *shared_json("osim/" + name + "/vectors.json");
      const std::string path = model_path(entry.path(), file["model_file"].get<std::string>());
      if (path.empty()) {
        std::cout << name << ": the model is not among the reference data\n";
        continue;
      }
      compare(name, path, file);
      ++models;
    }
    EXPECT_GE(models, 12);
  }
};

void compare_frames(const Model& model, const OsimState& own, const Json& state, const std::string& where,
                    double tolerance, Differences& differences) {
  Workspace<double> w(model);
  Kinematics<double> k(model);
  forward_kinematics<double>(model, w, own.q, k);
  for (const auto& [body, expected] : state["bodies"].items()) {
    const int frame = model.find_frame(body);
    ASSERT_GE(frame, 0) << where << ": " << body;
    const Pose<double> pose = frame_pose(model, k, frame);
    Eigen::MatrixXd found(3, 4), other(3, 4);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) {
        const auto r = static_cast<std::size_t>(i), c = static_cast<std::size_t>(j);
        found(i, j) = j < 3 ? pose.R(i, j) : pose.p[i];
        other(i, j) = (j < 3 ? expected["R"][r][c] : expected["p"][r]).get<double>();
      }
    differences.expect(where + ", " + body, "frames", found, other, tolerance);
  }
}

TEST_F(Osim, BodiesAndJointsHaveOpenSimsNumbers) {
  for_each_model([&](const std::string& name, const std::string& path, const Json& file) {
    const Scene scene = load(path);
    ASSERT_EQ(scene.model.nv(), file["nu"].get<int>()) << name;
    double mass = 0.0;
    for (const Json& body : file["bodies"]) mass += body["mass"].get<double>();
    const bool has_mass_on_ground =
        std::abs(mass - scene.model.total_mass()) > 1e-9 * mass;  // which counts for OpenSim
    const double tolerance = tolerance_of(name);
    // of a knee that turns about three axes by one coordinate OpenSim's velocity forces contradict its own mass matrix:
    // Lagrange's equations with differences of that give ours
    const double bias_tolerance = name == "rajagopal_right_leg_coupler_knee" ? 1e-5 : tolerance;
    const bool has_other_forces = name == "gait_2d";  // contacts and muscles are in the reference's bias
    const bool stands_elsewhere = name == "arm26";    // the shoulder of the file at hand is 0.8 m higher
    Json states = Json::array();
    for (const Json& state : file["states"]) {
      const OsimState own = our_state(scene, file, state);
      states.push_back({{"q", own.q}, {"v", own.v}});
    }
    const Json request{{"quantities", {"mass_matrix", "bias", "gravity", "energy", "center_of_mass"}},
                       {"states", states}};
    const Json found = eval(path, request.dump())["results"];
    Differences differences;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const Json& state = file["states"][i];
      const std::string where = name + ", state " + std::to_string(i);
      const OsimState own = our_state(scene, file, state);
      Eigen::MatrixXd H(own.P.rows(), own.P.rows());
      for (Index r = 0; r < H.rows(); ++r) H.row(r) = numbers_of(found[i]["mass_matrix"][static_cast<std::size_t>(r)]);
      differences.expect(where, "mass matrix", own.P.transpose() * H * own.P, square_of(state["M_lower"]), tolerance);
      if (!has_other_forces) {
        differences.expect(where, "bias", own.P.transpose() * numbers_of(found[i]["bias"]), numbers_of(state["bias"]),
                           bias_tolerance);
        differences.expect(where, "gravity", own.P.transpose() * numbers_of(found[i]["gravity"]),
                           numbers_of(state["gravity_bias"]), tolerance);
      }
      if (!has_mass_on_ground && !stands_elsewhere)
        differences.expect(where, "center of mass", numbers_of(found[i]["center_of_mass"]), numbers_of(state["com"]),
                           tolerance);
      differences.expect(where, "kinetic energy",
                         Eigen::MatrixXd::Constant(1, 1, found[i]["energy"]["kinetic"].get<double>()),
                         Eigen::MatrixXd::Constant(1, 1, state["kinetic"].get<double>()), tolerance);
      if (!stands_elsewhere) compare_frames(scene.model, own, state, where, tolerance, differences);
    }
    differences.print(name);
  });
}

}  // namespace
}  // namespace cardan::test
