#include "tests/support/counted_algorithms.hpp"

namespace cardan::test {

using C = Counted<double>;

Results run_all_counted(const RandomCase& c) { return run_all<C>(c); }

AlgorithmCounts count_algorithms(const Model& model) {
  Workspace<C> w(model);
  const std::vector<C> q(static_cast<std::size_t>(model.nq()), C(0.3)), v(static_cast<std::size_t>(model.nv()), C(0.2));
  std::vector<C> x(v);
  PlainMatrix<C> H(model.nv(), model.nv());
  const auto counted = [](const auto& call) {
    C::reset();
    call();
    OperationCount out = C::count();
    out.trigonometric = 0;
    return out;
  };
  return {counted([&] { inverse_dynamics<C>(model, w, q, v, v, x); }),
          counted([&] { mass_matrix<C>(model, w, q, H.view(), MassMatrixForm::body_frame); }),
          counted([&] { forward_dynamics<C>(model, w, q, v, v, x); })};
}

}  // namespace cardan::test
