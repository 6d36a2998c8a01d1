// Many runs of one scene that are moved together, each with inputs of its own.
#include "simulator.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>

namespace cardan::python {

namespace {

class Fleet {
 public:
  Fleet(const SceneSpec& spec, const Choices& choices, std::size_t count) : problems_(count) {
    if (count == 0) throw std::invalid_argument("count: expected at least one, found 0");
    for (std::size_t i = 0; i < count; ++i) runs_.push_back(std::make_unique<PythonSimulator>(spec, choices));
  }
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  const Model& model() const { return runs_.front()->scene().model; }
  double dt() const { return runs_.front()->dt(); }
  std::size_t inputs() const { return runs_.front()->u().size(); }

  /// Begins one run again, from a state of the model.
  void begin(std::size_t i, nb::handle q, nb::handle v) {
    const Array at(q, "q", model().nq()), velocity(v, "v", model().nv());
    PythonSimulator& run = *runs_.at(i);
    run.reset();
    State state = run.state();
    std::copy_n(at.data(), state.q.size(), state.q.begin());
    std::copy_n(velocity.data(), state.v.size(), state.v.begin());
    state.z.clear();
    run.begin(run.scene().settings.start, state);
    problems_[i].clear();
  }

  /// Moves every run by n steps under its row of u. A run that cannot go on stays where it is, with its problem.
  std::vector<std::string> step(nb::handle u, int n, int threads) {
    const Array all(u, "u", static_cast<int>(inputs()));
    if (all.axes() != 2 || all.shape(0) != runs_.size())
      throw std::invalid_argument(fmt::format("u: expected shape ({}, {})", runs_.size(), inputs()));
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < runs_.size(); i = next++) try {
          if (!problems_[i].empty()) continue;
          std::copy_n(all.row(i), inputs(), runs_[i]->u().begin());
          runs_[i]->step(n);
        } catch (const std::exception& problem) {
          problems_[i] = problem.what();
        }
    };
    const nb::gil_scoped_release release;
    on_threads(threads, runs_.size(), work);
    return problems_;
  }

  nb::object q() const {
    return gathered(model().nq(), [](PythonSimulator& run) { return run.state().q; });
  }
  nb::object v() const {
    return gathered(model().nv(), [](PythonSimulator& run) { return run.state().v; });
  }

 private:
  template <class Part>
  nb::object gathered(int n, const Part& part) const {
    const Result out = make_result({{runs_.size()}}, {n});
    double* to = out.data;
    for (const auto& run : runs_) {
      const std::vector<double> numbers = part(*run);
      to = std::copy(numbers.begin(), numbers.end(), to);
    }
    return out.array;
  }

  std::vector<std::unique_ptr<PythonSimulator>> runs_;
  std::vector<std::string> problems_;  // of runs that cannot go on
};

}  // namespace

void bind_fleet(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Fleet>(m, "_Fleet")
      .def(nb::init<const SceneSpec&, const Choices&, std::size_t>())
      .def("begin", &Fleet::begin, "i"_a, "q"_a, "v"_a)
      .def("step", &Fleet::step, "u"_a, "n"_a, "threads"_a)
      .def_prop_ro("dt", &Fleet::dt)
      .def_prop_ro("q", &Fleet::q)
      .def_prop_ro("v", &Fleet::v);
}

}  // namespace cardan::python
