// Packs of columns overhang the ends of a matrix. What lies there is not ours: matrices between pages that may not be
// touched show that nothing there is read or written, which no sanitizer sees in masked stores.
#include "cardan/algorithms/forward_dynamics_adjoint.hpp"
#include "cardan/algorithms/inverse_mass_matrix.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/model/internal/sample_states.hpp"
#include "tests/support/near.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

namespace cardan::test {

namespace {

/// One page between two that may not be touched.
class GuardedPage {
 public:
  GuardedPage() : size_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    memory_ = mmap(nullptr, 3 * size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED || mprotect(first(), size_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  ~GuardedPage() { munmap(memory_, 3 * size_); }
  GuardedPage(const GuardedPage&) = delete;
  GuardedPage& operator=(const GuardedPage&) = delete;

  double* first() const { return reinterpret_cast<double*>(static_cast<char*>(memory_) + size_); }
  /// Where n numbers begin that end with the page.
  double* last(int n) const { return first() + static_cast<std::ptrdiff_t>(size_ / sizeof(double)) - n; }

 private:
  std::size_t size_;
  void* memory_;
};

Model chain_of(int links) {
  ModelBuilder builder("chain");
  std::string parent = "world";
  for (int i = 0; i < links; ++i) {
    const std::string name = "link" + std::to_string(i);
    builder.body(name, {1.0, {0.1, 0.2, 0.3}, {0.2, 0.3, 0.4, 0.01, 0.02, 0.03}});
    Vec3<double> axis;
    axis[i % 3] = 1.0;
    builder.joint(parent, name, Revolute{axis}, Pose<double>{Mat3<double>::identity(), {0.0, 0.1, 0.3}});
    parent = name;
  }
  return builder.build();
}

TEST(GuardedMemory, MatricesAtTheEndsOfAPage) {
  const GuardedPage page;
  for (int n = 1; n <= 17; ++n) {
    const Model model = chain_of(n);
    const std::vector<double> q = sample_states(model, 1, 5)[0].q;
    Workspace<double> w(model);
    Eigen::MatrixXd expected(n, n);
    mass_matrix<double>(model, w, q, expected, MassMatrixForm::body_frame);
    const Eigen::MatrixXd expected_whole = expected;
    for (double* at : {page.first(), page.last(n * n)}) {
      const MatrixView<double> H(at, n, n);
      const Eigen::Map<const Eigen::MatrixXd> found(at, n, n);
      for (const auto form : {MassMatrixForm::body_frame, MassMatrixForm::base_frame})
        for (const auto part : {MassMatrixPart::lower, MassMatrixPart::whole}) {
          mass_matrix<double>(model, w, q, H, form, part);
          EXPECT_TRUE(near(Eigen::MatrixXd(found.triangularView<Eigen::Lower>()),
                           Eigen::MatrixXd(expected.triangularView<Eigen::Lower>()), 1e-13));
        }
      ForwardDerivativeWorkspace<double> d(model);
      Eigen::MatrixXd other(n, n);
      for (const auto& [by_q, by_v] : {std::pair(H, MatrixView<double>(other)), {MatrixView<double>(other), H}})
        inverse_dynamics_derivatives<double>(model, d.inverse, q, q, q, by_q, by_v);
      inverse_dynamics_derivatives<double>(model, d.inverse, q, q, q, other, other, H);
      EXPECT_TRUE(near(Eigen::MatrixXd(found), expected_whole, 1e-13));
      forward_dynamics_derivatives<double>(model, d, q, q, q, H, other);
      forward_dynamics_derivatives<double>(model, d, q, q, q, other, other, H);
      EXPECT_TRUE(
          near(Eigen::MatrixXd(expected_whole * found), Eigen::MatrixXd(Eigen::MatrixXd::Identity(n, n)), 1e-9));
      const auto column = [&](int j) { return Out<double>(H.column(j), n); };
      for (int j = 0; j < n; ++j)
        forward_dynamics_adjoint<double>(model, d, q, q, q, q, column(0), column(j), column(n - 1));
      inverse_mass_matrix<double>(model, w, q, H);
      EXPECT_TRUE(near(Eigen::MatrixXd(expected * found), Eigen::MatrixXd(Eigen::MatrixXd::Identity(n, n)), 1e-9));
    }
  }
}

}  // namespace

}  // namespace cardan::test
