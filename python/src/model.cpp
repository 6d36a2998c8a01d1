// Models and their algorithms.
#include "module.hpp"

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/inverse_dynamics_derivatives.hpp"
#include "cardan/algorithms/jacobian.hpp"
#include "cardan/algorithms/kinematics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/algorithms/singular_mass_matrix.hpp"
#include "cardan/io/load.hpp"
#include "cardan/model/state.hpp"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <Eigen/Dense>

#include <cmath>

namespace cardan::python {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMap = Eigen::Map<RowMajor>;

std::vector<std::size_t> sizes(std::initializer_list<int> all) {
  std::vector<std::size_t> out;
  for (const int n : all) out.push_back(static_cast<std::size_t>(n));
  return out;
}

/// Evaluates a compiled function at all rows of its arguments.
nb::object evaluate(PythonModel& self, ModelFunction function, const std::vector<nb::handle>& values, nb::handle out) {
  const Signature about = signature(self.model(), function);
  std::vector<Array> arrays;
  std::vector<const char*> names;
  for (std::size_t i = 0; i < values.size(); ++i) {
    names.push_back(about.inputs[i].name);
    arrays.push_back(rows_of(values[i], names.back(), about.inputs[i].size));
  }
  std::vector<Argument> arguments;
  const Rows rows = common_rows(arrays, names, arguments);
  const int nv = self.model().nv();
  const Result result = make_result(rows, function == ModelFunction::mass_matrix ? sizes({nv, nv}) : sizes({nv}), out);
  std::vector<Batch::Input> in;
  for (const Argument& argument : arguments) in.push_back({argument.array.data(), argument.is_common});
  const std::size_t count = rows.count();
  if (count < kFewRows) {
    self.batch.run(function, count, in, result.data, 1);
  } else {
    const nb::gil_scoped_release release;
    const std::scoped_lock lock(self.mutex);
    self.batch.run(function, count, in, result.data);
  }
  return result.array;
}

/// Explains accelerations that are no numbers though the state is one; a batch keeps them.
void require_regular(PythonModel& self, const nb::object& result, nb::handle q, nb::handle v, nb::handle tau) {
  const auto a = nb::cast<Array>(result);
  if (a.ndim() != 1) return;
  const auto finite = [](const Array& x) {
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!std::isfinite(x.data()[i])) return false;
    return true;
  };
  if (finite(a)) return;
  const Model& model = self.model();
  const Array at = rows_of(q, "q", model.nq());
  if (!finite(at) || !finite(rows_of(v, "v", model.nv())) || !finite(rows_of(tau, "tau", model.nv()))) return;
  Workspace<double> scratch(model);
  const std::string why =
      explain_singular_mass_matrix(model, scratch, std::vector<double>(at.data(), at.data() + model.nq()));
  throw ModelError("forward_dynamics: " + (why.empty() ? std::string("the mass matrix is singular") : why));
}

struct Derivatives {
  nb::object by_q, by_v, by_last;
};

/// Derivatives of inverse dynamics at all rows of the arguments, or of forward dynamics: da = -H^-1 d tau at the
/// acceleration that tau gives.
Derivatives differentiate(PythonModel& self, nb::handle q, nb::handle v, nb::handle last, bool is_forward) {
  const Model& model = self.model();
  const int nv = model.nv();
  const std::vector<const char*> names{"q", "v", is_forward ? "tau" : "a"};
  const std::vector<Array> arrays{rows_of(q, names[0], model.nq()), rows_of(v, names[1], nv),
                                  rows_of(last, names[2], nv)};
  std::vector<Argument> arguments;
  const Rows rows = common_rows(arrays, names, arguments);
  const Result dq = make_result(rows, sizes({nv, nv})), dv = make_result(rows, sizes({nv, nv})),
               dlast = make_result(rows, sizes({nv, nv}));
  const std::size_t count = rows.count();
  {
    const nb::gil_scoped_release release;
    InverseDynamicsDerivatives derivatives(model);
    Workspace<double> w(model);
    Eigen::MatrixXd by_q(nv, nv), by_v(nv, nv), H(nv, nv);
    Eigen::VectorXd a(nv);
    for (std::size_t i = 0; i < count; ++i) {
      const auto row = [&](std::size_t k, int n) {
        return In<double>(arguments[k].array.data() + (arguments[k].is_common ? 0 : i * static_cast<std::size_t>(n)),
                          n);
      };
      const In<double> at = row(0, model.nq()), velocity = row(1, nv), given = row(2, nv);
      const std::size_t offset = i * static_cast<std::size_t>(nv * nv);
      if (is_forward)
        forward_dynamics<double>(model, w, at, velocity, given, a);
      else
        a = Eigen::Map<const Eigen::VectorXd>(given.data(), nv);
      derivatives.compute(at, velocity, a, by_q, by_v);
      mass_matrix<double>(model, w, at, H);
      if (is_forward) {
        const Eigen::LLT<Eigen::MatrixXd> factor(H);
        RowMap(dq.data + offset, nv, nv) = -factor.solve(by_q);
        RowMap(dv.data + offset, nv, nv) = -factor.solve(by_v);
        RowMap(dlast.data + offset, nv, nv) = factor.solve(Eigen::MatrixXd::Identity(nv, nv));
      } else {
        RowMap(dq.data + offset, nv, nv) = by_q;
        RowMap(dv.data + offset, nv, nv) = by_v;
        RowMap(dlast.data + offset, nv, nv) = H;
      }
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
  const Array at = rows_of(q, "q", model.nq());
  const Rows rows = leading(at);
  const Result R = make_result(rows, {3, 3}), p = make_result(rows, {3});
  Workspace<double> w(model);
  Kinematics<double> k(model);
  for (std::size_t i = 0; i < rows.count(); ++i) {
    forward_kinematics<double>(model, w, In<double>(at.data() + i * static_cast<std::size_t>(model.nq()), model.nq()),
                               k);
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
  const Array at = rows_of(q, "q", model.nq());
  const Rows rows = leading(at);
  const Result out = make_result(rows, sizes({6, nv}));
  Workspace<double> w(model);
  Kinematics<double> k(model);
  Eigen::MatrixXd J(6, nv);
  for (std::size_t i = 0; i < rows.count(); ++i) {
    forward_kinematics<double>(model, w, In<double>(at.data() + i * static_cast<std::size_t>(model.nq()), model.nq()),
                               k);
    frame_jacobian<double>(model, k, frame, J);
    RowMap(out.data + i * static_cast<std::size_t>(6 * nv), 6, nv) = J;
  }
  return out.array;
}

/// Moves q by the velocity v during h, or finds the velocity between two configurations.
nb::object moved(PythonModel& self, nb::handle q, nb::handle v, double h) {
  const Model& model = self.model();
  std::vector<Argument> a;
  const Rows rows = common_rows({rows_of(q, "q", model.nq()), rows_of(v, "v", model.nv())}, {"q", "v"}, a);
  const Result out = make_result(rows, sizes({model.nq()}));
  const auto nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
  for (std::size_t i = 0; i < rows.count(); ++i)
    integrate<double>(model, a[0].array.data() + (a[0].is_common ? 0 : i * nq),
                      a[1].array.data() + (a[1].is_common ? 0 : i * nv), h, out.data + i * nq);
  return out.array;
}
nb::object between(PythonModel& self, nb::handle q0, nb::handle q1) {
  const Model& model = self.model();
  std::vector<Argument> a;
  const Rows rows = common_rows({rows_of(q0, "q0", model.nq()), rows_of(q1, "q1", model.nq())}, {"q0", "q1"}, a);
  const Result out = make_result(rows, sizes({model.nv()}));
  const auto nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
  for (std::size_t i = 0; i < rows.count(); ++i)
    difference<double>(model, a[0].array.data() + (a[0].is_common ? 0 : i * nq),
                       a[1].array.data() + (a[1].is_common ? 0 : i * nq), out.data + i * nv);
  return out.array;
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
  nb::class_<PythonModel>(m, "Model", nb::dynamic_attr(),
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
            return copied(q.data(), {q.size()});
          },
          "The zero configuration, shape (nq,).")
      .def(
          "forward_dynamics",
          [](PythonModel& self, nb::handle q, nb::handle v, nb::handle tau, nb::handle out) {
            nb::object a = evaluate(self, ModelFunction::forward_dynamics, {q, v, tau}, out);
            require_regular(self, a, q, v, tau);
            return a;
          },
          "q"_a, "v"_a, "tau"_a, "out"_a = nb::none(),
          "Accelerations (..., nv) under joint forces tau (..., nv) [N or N m].")
      .def(
          "inverse_dynamics",
          [](PythonModel& self, nb::handle q, nb::handle v, nb::handle a, nb::handle out) {
            return evaluate(self, ModelFunction::inverse_dynamics, {q, v, a}, out);
          },
          "q"_a, "v"_a, "a"_a, "out"_a = nb::none(), "Joint forces (..., nv) [N or N m] that give accelerations a.")
      .def(
          "mass_matrix",
          [](PythonModel& self, nb::handle q, nb::handle out) {
            return evaluate(self, ModelFunction::mass_matrix, {q}, out);
          },
          "q"_a, "out"_a = nb::none(), "H(q), shape (..., nv, nv).")
      .def(
          "bias",
          [](PythonModel& self, nb::handle q, nb::handle v, nb::handle out) {
            return evaluate(self, ModelFunction::bias, {q, v}, out);
          },
          "q"_a, "v"_a, "out"_a = nb::none(), "Inverse dynamics without acceleration, shape (..., nv).")
      .def(
          "gravity",
          [](PythonModel& self, nb::handle q, nb::handle out) {
            return evaluate(self, ModelFunction::gravity, {q}, out);
          },
          "q"_a, "out"_a = nb::none(), "Joint forces that hold it at rest, shape (..., nv).")
      .def("_inverse_dynamics_derivatives", [](PythonModel& self, nb::handle q, nb::handle v,
                                               nb::handle a) { return differentiate(self, q, v, a, false); })
      .def("_forward_dynamics_derivatives", [](PythonModel& self, nb::handle q, nb::handle v,
                                               nb::handle tau) { return differentiate(self, q, v, tau, true); })
      .def("pose", &pose, "q"_a, "frame"_a, "Rotation (..., 3, 3) and position (..., 3) of a frame in the world.")
      .def("jacobian", &jacobian, "q"_a, "frame"_a,
           "Jacobian (..., 6, nv) of a frame, angular part first, in the frame's own axes.")
      .def("integrate", &moved, "q"_a, "v"_a, "h"_a = 1.0,
           "q moved by the velocity v during h, on the joints' manifolds.")
      .def("difference", &between, "q0"_a, "q1"_a, "The velocity that leads from q0 to q1 in unit time.");
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
