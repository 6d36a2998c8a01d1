// Many states at once against the generic algorithms, state by state.
#include "cardan/compile/batch.hpp"

#include "cardan/algorithms/forward_dynamics.hpp"
#include "cardan/algorithms/mass_matrix.hpp"
#include "cardan/io/load.hpp"

#include "tests/support/random_models.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

TEST(Batch, IsTheGenericAlgorithmStateByState) {
  for (const char* name : {"double_pendulum.urdf", "humanoid.urdf", "heavy_top.toml", "knee.toml"}) {
    const Model model = load(std::string(CARDAN_SOURCE_DIR "/examples/") + name).model;
    const auto nq = static_cast<std::size_t>(model.nq()), nv = static_cast<std::size_t>(model.nv());
    Workspace<double> w(model);
    Random random(7);
    Batch batch(model);
    for (const std::size_t states : {1u, 5u, 33u, 3000u}) {
      std::vector<double> q, v, tau;
      for (std::size_t i = 0; i < states; ++i) {
        for (const double x : random_configuration(random, model)) q.push_back(x);
        for (const double x : random.values(model.nv())) v.push_back(x);
        for (const double x : random.values(model.nv())) tau.push_back(x);
      }
      const Batch::Input common_v{v.data(), true};
      std::vector<double> a(states * nv), H(states * nv * nv), one(nv);
      for (const int threads : {1, 2, 0}) {
        const Batch::Input in[] = {{q.data()}, common_v, {tau.data()}};
        batch.run(ModelFunction::forward_dynamics, states, in, a.data(), threads);
        batch.run(ModelFunction::mass_matrix, states, std::span(in, 1), H.data(), threads);
        for (std::size_t i = 0; i < states; i += std::max<std::size_t>(1, states / 11)) {
          const In<double> at(q.data() + i * nq, model.nq()), force(tau.data() + i * nv, model.nv());
          forward_dynamics<double>(model, w, at, In<double>(v.data(), model.nv()), force, one);
          double largest = 1.0;
          for (const double x : one) largest = std::max(largest, std::abs(x));
          for (std::size_t k = 0; k < nv; ++k) EXPECT_NEAR(a[i * nv + k], one[k], 1e-8 * largest) << name << i;
          Eigen::MatrixXd expected(model.nv(), model.nv());
          mass_matrix<double>(model, w, at, expected);
          for (std::size_t k = 0; k < nv * nv; ++k)
            EXPECT_NEAR(H[i * nv * nv + k], expected.data()[k], 1e-11 * expected.lpNorm<Eigen::Infinity>());
        }
      }
    }
  }
}

TEST(Batch, MayWriteOverWhatItReads) {
  const Model model = load(CARDAN_SOURCE_DIR "/examples/double_pendulum.urdf").model;
  Batch batch(model);
  const std::vector<double> q{0.3, -0.2}, v{1.0, 2.0}, tau{0.1, 0.4};
  std::vector<double> a(2), both = tau;
  const Batch::Input apart[] = {{q.data()}, {v.data()}, {tau.data()}}, over[] = {{q.data()}, {v.data()}, {both.data()}};
  batch.run(ModelFunction::forward_dynamics, 1, apart, a.data());
  batch.run(ModelFunction::forward_dynamics, 1, over, both.data());
  EXPECT_EQ(a, both);
}

TEST(Batch, RefusesWhatItCannotBe) {
  const Model model = load(CARDAN_SOURCE_DIR "/examples/double_pendulum.urdf").model;
  Batch batch(model);
  std::vector<double> numbers(100);
  const Batch::Input in[] = {{numbers.data()}};
  EXPECT_THROW(batch.run(ModelFunction::pose, 1, in, numbers.data()), std::invalid_argument);
  EXPECT_THROW(batch.run(ModelFunction::forward_dynamics, 1, in, numbers.data()), std::invalid_argument);
}

}  // namespace
}  // namespace cardan::test
