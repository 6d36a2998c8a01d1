// Models and their algorithms.
#include "model_calls.hpp"

#include "cardan/algorithms/forward_dynamics_derivatives.hpp"
#include "cardan/algorithms/inertial_regressor.hpp"
#include "cardan/algorithms/jacobian.hpp"
#include "cardan/algorithms/kinematics.hpp"
#include "cardan/constraints/constraint_set.hpp"
#include "cardan/io/load.hpp"
#include "cardan/model/state.hpp"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <Eigen/Dense>

namespace cardan::python {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMap = Eigen::Map<RowMajor>;

struct Derivatives {
  nb::object by_q, by_v, by_last;
};

/// Derivatives of inverse dynamics at all rows of the arguments, or of forward dynamics.
Derivatives differentiate(PythonModel& self, nb::handle q, nb::handle v, nb::handle last, bool is_forward) {
  const Model& model = self.model();
  const int nv = model.nv();
  const Array position(q, "q", model.nq()), speed(v, "v", nv), third(last, is_forward ? "tau" : "a", nv);
  const Rows rows = common_rows({&position, &speed, &third});
  const Result dq = make_result(rows, {nv, nv}), dv = make_result(rows, {nv, nv}), dlast = make_result(rows, {nv, nv});
  const std::size_t count = rows.count();
  {
    const nb::gil_scoped_release release;
    ForwardDerivativeWorkspace<double> w(model);
    Eigen::MatrixXd by_q(nv, nv), by_v(nv, nv), by_last(nv, nv);
    for (std::size_t i = 0; i < count; ++i) {
      const In<double> at(position.row(i), model.nq()), velocity(speed.row(i), nv), given(third.row(i), nv);
      if (is_forward)
        forward_dynamics_derivatives<double>(model, w, at, velocity, given, by_q, by_v, by_last);
      else
        inverse_dynamics_derivatives<double>(model, w.inverse, at, velocity, given, by_q, by_v, by_last);
      const std::size_t offset = i * static_cast<std::size_t>(nv * nv);
      RowMap(dq.data + offset, nv, nv) = by_q;
      RowMap(dv.data + offset, nv, nv) = by_v;
      RowMap(dlast.data + offset, nv, nv) = by_last;
    }
  }
  return {dq.array, dv.array, dlast.array};
}

int frame_of(const Model& model, const std::string& name) {
  const int frame = model.find_frame(name);
  if (frame < 0) throw ModelError(fmt::format("expected a frame, body or joint of the model, found \"{}\"", name));
  return frame;
}

/// Rotation and position of a frame in the world, at all rows of q.
std::pair<nb::object, nb::object> pose(PythonModel& self, nb::handle q, const std::string& name) {
  const Model& model = self.model();
  const int frame = frame_of(model, name);
  const Array at(q, "q", model.nq());
  const Rows rows = at.leading();
  const Result R = make_result(rows, {3, 3}), p = make_result(rows, {3});
  Workspace<double> w(model);
  Kinematics<double> k(model);
  for (std::size_t i = 0; i < rows.count(); ++i) {
    forward_kinematics<double>(model, w, In<double>(at.row(i), model.nq()), k);
    const Pose<double> pose = frame_pose(model, k, frame);
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) R.data[9 * i + static_cast<std::size_t>(3 * r + c)] = pose.R(r, c);
      p.data[3 * i + static_cast<std::size_t>(r)] = pose.p[r];
    }
  }
  return {R.array, p.array};
}

nb::object jacobian(PythonModel& self, nb::handle q, const std::string& name) {
  const Model& model = self.model();
  const int frame = frame_of(model, name), nv = model.nv();
  const Array at(q, "q", model.nq());
  const Rows rows = at.leading();
  const Result out = make_result(rows, {6, nv});
  Workspace<double> w(model);
  Kinematics<double> k(model);
  Eigen::MatrixXd J(6, nv);
  for (std::size_t i = 0; i < rows.count(); ++i) {
    forward_kinematics<double>(model, w, In<double>(at.row(i), model.nq()), k);
    frame_jacobian<double>(model, k, frame, J);
    RowMap(out.data + i * static_cast<std::size_t>(6 * nv), 6, nv) = J;
  }
  return out.array;
}

/// Joint forces by inertial parameters, at all rows of the arguments.
nb::object regressor(PythonModel& self, nb::handle q, nb::handle v, nb::handle a) {
  const Model& model = self.model();
  const int nv = model.nv(), columns = kInertialParameters * model.bodies();
  const Array position(q, "q", model.nq()), speed(v, "v", nv), rate(a, "a", nv);
  const Rows rows = common_rows({&position, &speed, &rate});
  const Result out = make_result(rows, {nv, columns});
  Workspace<double> w(model);
  Kinematics<double> k(model);
  Eigen::MatrixXd Y(nv, columns);
  for (std::size_t i = 0; i < rows.count(); ++i) {
    forward_kinematics<double>(model, w, In<double>(position.row(i), model.nq()), In<double>(speed.row(i), nv),
                               In<double>(rate.row(i), nv), k);
    inverse_dynamics_regressor<double>(model, k, Y);
    RowMap(out.data + i * static_cast<std::size_t>(nv * columns), nv, columns) = Y;
  }
  return out.array;
}

/// Which columns of the regressor are independent, and what they stand for.
std::pair<std::vector<int>, nb::object> base_of(PythonModel& self) {
  const BaseParameters base = base_parameters(self.model());
  const Result out =
      make_result(Rows{}, {static_cast<int>(base.combination.rows()), static_cast<int>(base.combination.cols())});
  RowMap(out.data, base.combination.rows(), base.combination.cols()) = base.combination;
  return {base.columns, out.array};
}

/// Moves q by the velocity v during h, or finds the velocity between two configurations.
nb::object moved(PythonModel& self, nb::handle q, nb::handle v, double h) {
  const Model& model = self.model();
  const Array from(q, "q", model.nq()), velocity(v, "v", model.nv());
  const Rows rows = common_rows({&from, &velocity});
  const Result out = make_result(rows, {model.nq()});
  for (std::size_t i = 0; i < rows.count(); ++i)
    integrate<double>(model, from.row(i), velocity.row(i), h, out.data + i * static_cast<std::size_t>(model.nq()));
  return out.array;
}
nb::object between(PythonModel& self, nb::handle q0, nb::handle q1) {
  const Model& model = self.model();
  const Array from(q0, "q0", model.nq()), to(q1, "q1", model.nq());
  const Rows rows = common_rows({&from, &to});
  const Result out = make_result(rows, {model.nv()});
  for (std::size_t i = 0; i < rows.count(); ++i)
    difference<double>(model, from.row(i), to.row(i), out.data + i * static_cast<std::size_t>(model.nv()));
  return out.array;
}

/// By how much loops and couplings are open at q, and the Jacobian that says how that changes with the velocities.
std::pair<nb::object, nb::object> openings(PythonModel& self, nb::handle q) {
  const Model& model = self.model();
  const Array at(q, "q", model.nq());
  ConstraintSet set(model);
  const std::vector<double> rest(static_cast<std::size_t>(model.nv()));
  set.evaluate(0.0, In<double>(at.data(), model.nq()), rest);
  Eigen::MatrixXd J(set.rows(), model.nv());
  set.matrix(J);
  const Result out = make_result({}, {set.rows(), model.nv()});
  RowMap(out.data, set.rows(), model.nv()) = J;
  const Eigen::VectorXd& gap = set.gap();
  return {copied({gap.data(), static_cast<std::size_t>(gap.size())}), out.array};
}

template <class Name>
std::vector<std::string> names(const Model& model, const Name& name) {
  std::vector<std::string> out;
  for (int i = 1; i <= model.bodies(); ++i) out.push_back(name(i));
  return out;
}

}  // namespace

void bind_model(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Derivatives>(m, "_Derivatives")
      .def_ro("by_q", &Derivatives::by_q)
      .def_ro("by_v", &Derivatives::by_v)
      .def_ro("by_last", &Derivatives::by_last);
  static PyType_Slot slots[] = {{Py_tp_methods, model_methods()}, {}};
  nb::class_<PythonModel>(m, "Model", nb::dynamic_attr(), nb::type_slots(slots),
                          "A tree of bodies and joints. Arrays are float64, with any leading axes.")
      .def_prop_ro("name", [](const PythonModel& self) { return self.model().name(); })
      .def_prop_ro(
          "nq", [](const PythonModel& self) { return self.model().nq(); }, "Number of coordinates.")
      .def_prop_ro(
          "nv", [](const PythonModel& self) { return self.model().nv(); }, "Number of velocities.")
      .def_prop_ro("joint_names",
                   [](const PythonModel& self) {
                     return names(self.model(), [&](int i) { return self.model().joint_name(i); });
                   })
      .def_prop_ro(
          "body_names",
          [](const PythonModel& self) { return names(self.model(), [&](int i) { return self.model().body_name(i); }); })
      .def_prop_ro(
          "mass", [](const PythonModel& self) { return self.model().total_mass(); }, "Moving mass [kg].")
      .def_prop_ro("warnings", [](const PythonModel& self) { return self.model().warnings(); })
      .def(
          "joint_slices",
          [](const PythonModel& self, const std::string& joint) {
            const int body = self.model().find_joint(joint);
            if (body < 0) throw ModelError(fmt::format("expected a joint of the model, found \"{}\"", joint));
            const Link& link = self.model().link(body);
            return std::tuple(link.q, link.nq, link.v, link.nv);
          },
          "joint"_a, "Where a joint's numbers stand: first q, count, first v, count.")
      .def(
          "neutral",
          [](const PythonModel& self) {
            const std::vector<double> q = self.model().neutral();
            return copied(q);
          },
          "The zero configuration, shape (nq,).")
      .def("_inverse_dynamics_derivatives", [](PythonModel& self, nb::handle q, nb::handle v,
                                               nb::handle a) { return differentiate(self, q, v, a, false); })
      .def("_forward_dynamics_derivatives", [](PythonModel& self, nb::handle q, nb::handle v,
                                               nb::handle tau) { return differentiate(self, q, v, tau, true); })
      .def("_openings", &openings, "q"_a)
      .def_prop_ro(
          "limits",
          [](const PythonModel& self) {
            std::vector<double> lower, upper;
            for (int i = 0; i < self.model().nv(); ++i) {
              lower.push_back(self.model().dof(i).lower);
              upper.push_back(self.model().dof(i).upper);
            }
            return std::pair(copied(lower), copied(upper));
          },
          "Lower and upper limits of the coordinates, one for each velocity (nv,); infinite where there is none.")
      .def("pose", &pose, "q"_a, "frame"_a, "Rotation (..., 3, 3) and position (..., 3) of a frame in the world.")
      .def("jacobian", &jacobian, "q"_a, "frame"_a,
           "Jacobian (..., 6, nv) of a frame, angular part first, in the frame's own axes.")
      .def("inverse_dynamics_regressor", &regressor, "q"_a, "v"_a, "a"_a,
           "Y (..., nv, 10 bodies) with joint forces = Y pi + armature a; pi as inertial_parameters() has it.")
      .def(
          "inertial_parameters",
          [](const PythonModel& self) {
            const Eigen::VectorXd pi = inertial_parameters(self.model());
            return copied({pi.data(), static_cast<std::size_t>(pi.size())});
          },
          "m, m c (3), Ixx, Iyy, Izz, Ixy, Ixz, Iyz of each body, about the origin of its own frame (10 bodies,).")
      .def("base_parameters", &base_of,
           "Columns of the regressor that are independent, and the matrix that takes pi to their parameters.")
      .def("integrate", &moved, "q"_a, "v"_a, "h"_a = 1.0,
           "q moved by the velocity v during h, on the joints' manifolds.")
      .def("difference", &between, "q0"_a, "q1"_a, "The velocity that leads from q0 to q1 in unit time.");
  PyModule_AddFunctions(m.ptr(), model_functions());
  m.def(
      "_load_model",
      [](const std::string& path, const std::string& base, bool strict) {
        LoadOptions options;
        options.free_base = base == "free";
        options.strict = strict;
        options.read_meshes = false;
        return std::make_shared<PythonModel>(load(path, options).model);
      },
      "path"_a, "base"_a, "strict"_a);
}

}  // namespace cardan::python
