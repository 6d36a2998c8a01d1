#include "cardan/integrate/internal/cvode.hpp"

namespace cardan {

const char* const kNoCvode =
    "\"cvode\" is not part of this build: it needs SUNDIALS 6 (Debian: libsundials-dev) when Cardan is "
    "built";

}  // namespace cardan

#ifdef CARDAN_HAS_SUNDIALS

#include "cardan/integrate/internal/stepper.hpp"

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <limits>
#include <utility>

namespace cardan {

namespace {

/// A handle of SUNDIALS that is given back at the end.
template <auto release>
struct Release {
  template <class T>
  void operator()(T* handle) const {
    release(handle);
  }
};
template <class Handle, auto release>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release<release>>;

inline void free_context(SUNContext context) { SUNContext_Free(&context); }
inline void free_memory(void* memory) { CVodeFree(&memory); }
struct FreeMemory {
  void operator()(void* memory) const { free_memory(memory); }
};

class Cvode : public Stepper {
 public:
  Cvode(Problem& problem, const IntegratorOptions& options);

  bool is_adaptive() const override { return true; }
  void start(double t, const State& state) override;
  void step(double t_max) override;
  void interpolate(double t, State& out) const override;

 protected:
  void forget() override { stale_ = true; }
  void advance(double, double) override {}  // step does it

 private:
  void make_memory();
  void begin();
  void count_rejections();
  [[noreturn]] void explain(int flag);

  /// Runs f, which must not throw into C: the exception waits. What CVODE is to be told: 0, or -1 that it cannot go on.
  template <class F>
  int guarded(const F& f) {
    try {
      return f();
    } catch (...) {
      thrown_ = std::current_exception();
      return -1;
    }
  }
  int rate(double t, N_Vector y, N_Vector out);
  int project(double t, N_Vector y, N_Vector correction);
  void read(N_Vector y, State& out) const;
  void write(const State& state, N_Vector y) const;

  const std::size_t nq_, nv_;
  Owned<SUNContext, free_context> context_;
  Owned<N_Vector, N_VDestroy> y_, between_;
  Owned<SUNMatrix, SUNMatDestroy> matrix_;
  Owned<SUNLinearSolver, SUNLinSolFree> solver_;
  std::unique_ptr<void, FreeMemory> memory_;

  State before_, at_;  // where the last step began; where the dynamics were asked last
  std::vector<double> a_;
  double at_time_ = 0.0, first_step_;
  bool stale_ = true;  // what CVODE remembers is not of this state
  long failed_tests_ = 0;
  std::exception_ptr thrown_;
};

Cvode::Cvode(Problem& problem, const IntegratorOptions& options)
    : Stepper("cvode", problem, options, Chart{false}),
      nq_(state_.q.size()),
      nv_(state_.v.size()),
      before_(state_),
      at_(state_),
      a_(state_.v),
      first_step_(options.step) {
  refuse_element_states();
  if (nq_ + nv_ > 0) make_memory();
}

void Cvode::make_memory() {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::runtime_error(fmt::format("cvode: SUNDIALS refuses {}", what));
  };
  SUNContext context = nullptr;
  require(SUNContext_Create(nullptr, &context) == 0, "a context");
  context_.reset(context);
  const auto n = static_cast<sunindextype>(nq_ + nv_);
  y_.reset(N_VNew_Serial(n, context));
  between_.reset(N_VNew_Serial(n, context));
  matrix_.reset(SUNDenseMatrix(n, n, context));
  solver_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context));
  memory_.reset(CVodeCreate(CV_BDF, context));
  void* const m = memory_.get();
  require(m && y_ && between_ && matrix_ && solver_, "memory");
  N_VConst(0.0, y_.get());
  const double absolute = options_.absolute_tolerance > 0.0 ? options_.absolute_tolerance : options_.tolerance;
  const CVRhsFn rate = [](double t, N_Vector y, N_Vector out, void* data) {
    return static_cast<Cvode*>(data)->rate(t, y, out);
  };
  const CVProjFn project = [](double t, N_Vector y, N_Vector correction, double, N_Vector, void* data) {
    return static_cast<Cvode*>(data)->project(t, y, correction);
  };
  constexpr int kMostAttempts = 60;  // at one step; the smallest step ends it sooner
  require(CVodeInit(m, rate, 0.0, y_.get()) == CV_SUCCESS, "to begin");
  require(CVodeSetUserData(m, this) == CV_SUCCESS, "its data");
  require(CVodeSetErrHandlerFn(
              m, [](int, const char*, const char*, char*, void*) {}, nullptr) == CV_SUCCESS,
          "silence");
  require(CVodeSStolerances(m, options_.tolerance, absolute) == CV_SUCCESS, "these tolerances");
  require(CVodeSetLinearSolver(m, solver_.get(), matrix_.get()) == CV_SUCCESS, "a solver");
  require(CVodeSetProjFn(m, project) == CV_SUCCESS, "a projection");
  require(CVodeSetProjErrEst(m, SUNFALSE) == CV_SUCCESS, "a projection");
  require(CVodeSetMaxErrTestFails(m, kMostAttempts) == CV_SUCCESS, "attempts");
  require(CVodeSetMaxConvFails(m, kMostAttempts) == CV_SUCCESS, "attempts");
  if (std::isfinite(options_.largest_step))
    require(CVodeSetMaxStep(m, options_.largest_step) == CV_SUCCESS, "this largest_step");
}

void Cvode::read(N_Vector y, State& out) const {
  const double* const x = N_VGetArrayPointer(y);
  std::copy(x, x + nq_, out.q.begin());
  std::copy(x + nq_, x + nq_ + nv_, out.v.begin());
  space().normalize(out.q.data());
}

void Cvode::write(const State& state, N_Vector y) const {
  double* const x = N_VGetArrayPointer(y);
  std::copy(state.q.begin(), state.q.end(), x);
  std::copy(state.v.begin(), state.v.end(), x + nq_);
}

int Cvode::rate(double t, N_Vector y, N_Vector out) {
  return guarded([&] {
    read(y, at_);
    at_time_ = t;
    if (!all_finite(at_.q) || !all_finite(at_.v)) return 1;
    evaluate(t, at_, a_);
    if (!all_finite(a_)) return 1;  // perhaps a shorter step helps
    double* const x = N_VGetArrayPointer(out);
    space().coordinate_rate(at_.q.data(), at_.v.data(), x);
    std::copy(a_.begin(), a_.end(), x + nq_);
    return 0;
  });
}

int Cvode::project(double t, N_Vector y, N_Vector correction) {
  return guarded([&] {
    read(y, at_);
    if (problem_.project(t, at_).result == Projection::Result::failed) return 1;
    write(at_, correction);
    N_VLinearSum(1.0, correction, -1.0, y, correction);
    return 0;
  });
}

void Cvode::start(double t, const State& state) {
  double kept = 0.0;
  if (memory_ && accepted_ > 0 && t == time_) CVodeGetCurrentStep(memory_.get(), &kept);
  first_step_ = kept > 0.0 ? kept : options_.step;
  stale_ = true;
  Stepper::start(t, state);
}

/// Orders and steps anew from the present state.
void Cvode::begin() {
  void* const m = memory_.get();
  write(state_, y_.get());
  CVodeReInit(m, time_, y_.get());
  CVodeSetInitStep(m, std::min(first_step_, options_.largest_step));
  failed_tests_ = 0;
  stale_ = false;
}

void Cvode::count_rejections() {
  long failed = 0;
  CVodeGetNumErrTestFails(memory_.get(), &failed);
  rejected_ += failed - std::exchange(failed_tests_, failed);
}

void Cvode::step(double t_max) {
  if (!(t_max > time_)) return;
  if (!memory_) return accept(t_max);
  begin_step();
  require_finite(time_, state_, state_.v);
  if (stale_) begin();
  void* const m = memory_.get();
  const double resolution = 16.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(time_), std::abs(t_max));
  CVodeSetMinStep(m, std::min(std::max(options_.smallest_step, resolution), options_.largest_step));
  CVodeSetStopTime(m, t_max);
  double t = time_;
  const int flag = CVode(m, t_max, y_.get(), &t, CV_ONE_STEP);
  count_rejections();
  if (flag < 0) explain(flag);
  before_ = state_;
  read(y_.get(), next_);
  require_finite(t, next_, next_.v);
  accept(std::abs(t - t_max) <= resolution ? t_max : t);
}

void Cvode::explain(int flag) {
  stale_ = true;
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  evaluate(time_, state_, a_);
  require_finite(time_, state_, a_);
  require_regular(time_, state_);
  switch (flag) {
    case CV_ERR_FAILURE: fail(time_, {}, "the step has become too small for the tolerance");
    case CV_CONV_FAILURE: fail(time_, {}, "Newton's method does not converge");
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
      evaluate(at_time_, at_, a_);
      require_finite(at_time_, at_, a_);
      break;
    default: break;
  }
  const std::unique_ptr<char, Release<std::free>> name(CVodeGetReturnFlagName(flag));
  fail(time_, {}, fmt::format("cannot go on ({})", name.get()));
}

void Cvode::interpolate(double t, State& out) const {
  if (t >= time_ || previous_time_ == time_ || !memory_) {
    out = state_;
  } else if (t <= previous_time_) {
    out = before_;
  } else {
    CVodeGetDky(memory_.get(), t, 0, between_.get());
    read(between_.get(), out);
  }
}

}  // namespace

bool has_cvode() { return true; }

std::unique_ptr<Integrator> make_cvode(Problem& problem, const IntegratorOptions& options) {
  return std::make_unique<Cvode>(problem, options);
}

}  // namespace cardan

#else

#include <stdexcept>

namespace cardan {

bool has_cvode() { return false; }

std::unique_ptr<Integrator> make_cvode(Problem&, const IntegratorOptions&) {
  throw std::invalid_argument(std::string("integrator ") + kNoCvode);
}

}  // namespace cardan

#endif
