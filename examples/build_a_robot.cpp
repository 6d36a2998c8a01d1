// A small arm put together in code: a shoulder with two axes, an elbow, and a tool on a slide. Shows the mass matrix,
// where the tool is, and the torques that hold the arm against gravity.
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/algorithms/jacobian.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/model/model_builder.hpp"

#include <Eigen/Dense>

#include <iostream>

int main() {
  using namespace cardan;
  const Vec3<double> along_x{1.0, 0.0, 0.0}, along_y{0.0, 1.0, 0.0};
  const auto at = [](double x, double y, double z) {
    return Pose<double>{Mat3<double>::identity(), Vec3<double>{x, y, z}};
  };
  // a rod of aluminium along x, its frame at one end
  const auto rod = [](double length) {
    const MassProperties centered = mass_properties(Box{length, 0.05, 0.05}, 2700.0);
    return to_parent(centered, Mat3<double>::identity(), Vec3<double>{length / 2.0, 0.0, 0.0});
  };

  const Model model = ModelBuilder("arm")
                          .body("upper", rod(0.4))
                          .body("lower", rod(0.3))
                          .body("tool", mass_properties(Sphere{0.04}, 1000.0))
                          .joint("world", "upper", Universal{}, at(0.0, 0.0, 1.0), "shoulder")
                          .joint("upper", "lower", Revolute(along_y), at(0.4, 0.0, 0.0), "elbow")
                          .joint("lower", "tool", Prismatic(along_x), at(0.3, 0.0, 0.0), "slide")
                          .build();

  Workspace<double> workspace(model);
  Kinematics<double> kinematics(model);
  Eigen::VectorXd q(model.nq()), tau(model.nv());
  q << 0.1, 0.4, -0.8, 0.02;
  Eigen::MatrixXd H(model.nv(), model.nv()), J(6, model.nv());

  mass_matrix(model, workspace, q, H);
  gravity(model, workspace, q, tau);
  forward_kinematics(model, workspace, q, kinematics);
  const int tool = model.find_frame("tool");
  const Vec3<double> p = frame_pose(model, kinematics, tool).p;
  frame_jacobian(model, kinematics, tool, J);

  std::cout << "mass matrix:\n"
            << H << "\n\nholding torques: " << tau.transpose() << "\n\ntool at: " << p[0] << ' ' << p[1] << ' ' << p[2]
            << "\n\nits Jacobian:\n"
            << J << '\n';
}
