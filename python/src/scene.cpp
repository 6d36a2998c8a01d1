// Scenes, whole runs, runs that are moved step by step, and many of them.
#include "simulator.hpp"

#include "cardan/io/load.hpp"
#include "cardan/io/trajectory_file.hpp"
#include "cardan/view/page.hpp"

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <map>

namespace cardan::python {

namespace {

/// A finished run with what its page needs.
struct PythonRun {
  Scene scene;
  std::unique_ptr<SystemWorkspace> workspace;
  std::optional<Trajectory> run;
  std::vector<std::string> columns;

  /// The column as the CSV has it.
  nb::object column(const std::string& name) const;
  nb::object table() const;
};

std::vector<std::string> all_columns(const Trajectory& run) {
  std::vector<std::string> out = trajectory_columns(run.model());
  for (const RecordedColumns& record : run.layout())
    out.insert(out.end(), record.columns.begin(), record.columns.end());
  out.insert(out.end(), run.states().begin(), run.states().end());
  return out;
}

nb::object PythonRun::table() const {
  const std::size_t n = columns.size();
  const Result out = make_result({{run->size()}}, {static_cast<int>(n)});
  for (std::size_t row = 0; row < run->size(); ++row) {
    double* to = out.data + row * n;
    const auto put = [&](std::span<const double> numbers) { to = std::copy(numbers.begin(), numbers.end(), to); };
    const Energy& energy = run->energies()[row];
    const double energies[] = {energy.total(), energy.kinetic, energy.potential};
    put(std::span(&run->times()[row], 1));
    put(run->q(row));
    put(run->v(row));
    put(energies);
    put(run->recorded(row));
    put(run->z(row));
  }
  return out.array;
}

std::shared_ptr<PythonRun> simulate_spec(const SceneSpec& spec, const Choices& choices) {
  auto out = std::make_shared<PythonRun>();
  out->scene = spec.bind();
  choices.apply(out->scene.settings);
  assemble(out->scene);
  out->workspace = std::make_unique<SystemWorkspace>(System(out->scene));
  out->run = simulate(out->scene, *out->workspace);
  out->columns = all_columns(*out->run);
  return out;
}

using View = nb::ndarray<nb::numpy, double>;
using ConstView = nb::ndarray<nb::numpy, const double>;

/// Runs many starts under many courses of inputs.
struct Rollout {
  nb::object q, v, ok;
  std::vector<std::string> problems;
};

Rollout rollout(const SceneSpec& spec, nb::handle q, nb::handle v, nb::handle u,
                const std::map<std::string, std::vector<double>>& parameters, int threads, const Choices& choices) {
  const Scene first = [&] {
    Scene scene = spec.bind();
    choices.apply(scene.settings);
    return scene;
  }();
  const Model& model = first.model;
  const auto nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv()),
             nu = first.inputs.size();
  const Array at(q, "q", model.nq()), velocity(v, "v", model.nv()), input(u, "u", static_cast<int>(nu));
  if (input.axes() != 3)
    throw std::invalid_argument(
        fmt::format("u: expected an array of shape (batch, steps, {}), found {} axes", nu, input.axes()));
  const std::size_t batch = input.shape(0), steps = input.shape(1);
  for (const Array* array : {&at, &velocity})
    if (array->axes() > 2 || (array->axes() == 2 && array->shape(0) != batch))
      throw std::invalid_argument(
          fmt::format("{}: expected shape (n,) or ({}, n) as u has, found another", array->name(), batch));
  for (const auto& [name, values] : parameters)
    if (values.size() != batch)
      throw std::invalid_argument(
          fmt::format("parameters: {}: expected {} numbers, found {}", name, batch, values.size()));
  const Result out_q = make_result({{batch, steps}}, {model.nq()}), out_v = make_result({{batch, steps}}, {model.nv()});
  std::vector<std::string> problems(batch);
  const auto run_one = [&](std::size_t i, PythonSimulator& sim) {
    State start = sim.state();
    start.z.clear();
    std::copy_n(at.row(i), nq, start.q.begin());
    std::copy_n(velocity.row(i), nv, start.v.begin());
    std::copy_n(input.data() + i * steps * nu, steps > 0 ? nu : 0, sim.u().begin());
    sim.begin(first.settings.start, start);
    for (std::size_t k = 0; k < steps; ++k) {
      std::copy_n(input.data() + (i * steps + k) * nu, nu, sim.u().begin());
      sim.step(1);
      std::copy(sim.state().q.begin(), sim.state().q.end(), out_q.data + (i * steps + k) * nq);
      std::copy(sim.state().v.begin(), sim.state().v.end(), out_v.data + (i * steps + k) * nv);
    }
  };
  std::fill_n(out_q.data, batch * steps * nq, NAN);
  std::fill_n(out_v.data, batch * steps * nv, NAN);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    std::unique_ptr<PythonSimulator> kept;
    for (std::size_t i = next++; i < batch; i = next++) try {
        if (!parameters.empty()) {
          SceneSpec own = spec;
          for (const auto& [name, values] : parameters) own.set(name, values[i]);
          kept = std::make_unique<PythonSimulator>(own, choices);
        } else if (!kept) {
          kept = std::make_unique<PythonSimulator>(spec, choices);
        }
        run_one(i, *kept);
      } catch (const std::exception& problem) {
        problems[i] = problem.what();
        if (problems[i].empty()) problems[i] = "failed";
      }
  };
  {
    const nb::gil_scoped_release release;
    on_threads(threads, batch, work);
  }
  nb::list ok;
  for (const std::string& problem : problems) ok.append(problem.empty());
  return {out_q.array, out_v.array, ok, problems};
}

}  // namespace

void bind_scene(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<SceneSpec>(m, "_Spec")
      .def_static("load", &load_spec, "path"_a)
      .def_static("parse",
                  [](const std::string& text, const std::string& name) { return SceneSpec::parse(text, name); })
      .def("copy", [](const SceneSpec& self) { return SceneSpec(self); })
      .def("set", [](SceneSpec& self, const std::string& change) { self.set(change); })
      .def("value", &SceneSpec::value)
      .def("parameters", &SceneSpec::parameters)
      .def("lead_inputs", &SceneSpec::lead_inputs)
      .def("to_toml", nb::overload_cast<>(&SceneSpec::to_toml, nb::const_))
      .def_prop_ro("name", &SceneSpec::name)
      .def("model", [](const SceneSpec& self) { return std::make_shared<PythonModel>(self.bind().model); })
      .def("inputs", [](const SceneSpec& self) {
        std::vector<std::string> out;
        for (const Input& input : self.bind().inputs) out.push_back(input.name);
        return out;
      });
  nb::class_<Choices>(m, "_Choices")
      .def(nb::init<>())
      .def_rw("duration", &Choices::duration, nb::arg().none())
      .def_rw("step", &Choices::step, nb::arg().none())
      .def_rw("tolerance", &Choices::tolerance, nb::arg().none())
      .def_rw("output_every", &Choices::output_every, nb::arg().none())
      .def_rw("max_step", &Choices::max_step, nb::arg().none())
      .def_rw("integrator", &Choices::integrator, nb::arg().none())
      .def_rw("formulation", &Choices::formulation, nb::arg().none());
  nb::class_<PythonRun>(m, "_Run")
      .def_ro("columns", &PythonRun::columns)
      .def("table", &PythonRun::table)
      .def_prop_ro("model", [](const PythonRun& self) { return std::make_shared<PythonModel>(self.scene.model); })
      .def_prop_ro("warnings", [](const PythonRun& self) { return warnings_of(self.scene, self.run->summary.notes); })
      .def_prop_ro("done", [](const PythonRun& self) { return self.run->summary.end == RunSummary::End::done; })
      .def_prop_ro("failure", [](const PythonRun& self) { return self.run->summary.failure; })
      .def_prop_ro("steps", [](const PythonRun& self) { return self.run->summary.steps; })
      .def_prop_ro("wall_time", [](const PythonRun& self) { return self.run->summary.wall_time; })
      .def_prop_ro("energy_drift", [](const PythonRun& self) { return energy_drift(*self.run).relative; })
      .def("csv", [](const PythonRun& self) { return trajectory_csv(*self.run); })
      .def("page", [](const PythonRun& self) {
        view::PageText text{self.run->model().name(),
                            {},
                            view::setting_lines("scene", self.run->settings),
                            warnings_of(self.scene, self.run->summary.notes)};
        return view::run_page(self.scene, self.workspace->system(), *self.run, text);
      });
  m.def("_simulate", &simulate_spec, "spec"_a, "choices"_a, nb::call_guard<nb::gil_scoped_release>());
  nb::class_<PythonSimulator>(m, "_Simulator")
      .def(nb::init<const SceneSpec&, const Choices&>())
      .def_prop_ro("t", &PythonSimulator::t, "Time [s].")
      .def_prop_rw("dt", &PythonSimulator::dt, &PythonSimulator::set_dt, "How far step() goes [s].")
      .def_prop_ro(
          "q", [](PythonSimulator& s) { return ConstView(s.state().q.data(), {s.state().q.size()}, nb::find(&s)); },
          "Coordinates (nq,), a view that follows the run and cannot be written.")
      .def_prop_ro(
          "v", [](PythonSimulator& s) { return ConstView(s.state().v.data(), {s.state().v.size()}, nb::find(&s)); },
          "Velocities (nv,), likewise.")
      .def_prop_ro(
          "z", [](PythonSimulator& s) { return ConstView(s.state().z.data(), {s.state().z.size()}, nb::find(&s)); },
          "States of forces and controllers, likewise.")
      .def_prop_ro(
          "u", [](PythonSimulator& s) { return View(s.u().data(), {s.u().size()}, nb::find(&s)); },
          "Inputs in the order of `inputs`; write them.")
      .def("reset", &PythonSimulator::reset, "Goes back to the scene's initial state.")
      .def("_set_state",
           [](PythonSimulator& s, double t, const std::vector<double>& q, const std::vector<double>& v,
              const std::vector<double>& z, const std::vector<double>& u) {
             const auto require = [](const char* name, std::size_t expected, std::size_t found) {
               if (expected != found)
                 throw std::invalid_argument(fmt::format("{}: expected {} numbers, found {}", name, expected, found));
             };
             require("q", s.state().q.size(), q.size());
             require("v", s.state().v.size(), v.size());
             require("u", s.u().size(), u.size());
             if (!z.empty()) require("z", s.state().z.size(), z.size());
             State state;
             state.q = q;
             state.v = v;
             state.z = z;
             std::copy(u.begin(), u.end(), s.u().begin());
             s.begin(t, state);
           })
      .def("step", [](PythonSimulator& s) { s.step(1); })  // found first, without a look at keywords
      .def("step", &PythonSimulator::step, "n"_a,
           "Goes on by n steps. Raises cardan.Error where a step cannot be made.")
      .def("_records",
           [](PythonSimulator& s) {
             nb::dict out;
             const auto row = s.records();
             std::size_t i = 0;
             for (const RecordedColumns& record : s.layout())
               for (const std::string& column : record.columns) out[column.c_str()] = row[i++];
             return out;
           })
      .def_prop_ro("energy", &PythonSimulator::energy, "Kinetic and potential energy [J].")
      .def_prop_ro("warnings", &PythonSimulator::notes)
      .def_prop_ro("model", [](const PythonSimulator& s) { return std::make_shared<PythonModel>(s.scene().model); })
      .def_prop_ro("inputs", [](const PythonSimulator& s) {
        std::vector<std::string> out;
        for (const Input& input : s.scene().inputs) out.push_back(input.name);
        return out;
      });
  nb::class_<Rollout>(m, "_Rollout")
      .def_ro("q", &Rollout::q)
      .def_ro("v", &Rollout::v)
      .def_ro("ok", &Rollout::ok)
      .def_ro("problems", &Rollout::problems);
  m.def("_rollout", &rollout, "spec"_a, "q"_a, "v"_a, "u"_a, "parameters"_a, "threads"_a, "choices"_a);
}

}  // namespace cardan::python
