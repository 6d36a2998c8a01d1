// Chains under friction against closed forms of golden/contact_more.json: a chain around a drum (capstan), and a rope
// that slides over the edge of a table.
#include "tests/support/contact_scenes.hpp"
#include "tests/support/near.hpp"
#include "tests/support/shared_data.hpp"

namespace cardan::test {
namespace {

constexpr const char* kChainForms = "golden/contact_more.json";

/// Links whose hinges touch a drum at `bends` points, evenly spread over the angle phi; both ends are pulled along the
/// polygon's next sides, one by a newton, the other by 1/ratio.
std::string capstan(double mu, double phi, int bends, double ratio) {
  const double R = 0.1, r = 1e-6, d = phi / bends, link = 2.0 * (R + r) * std::sin(0.5 * d);
  std::string text = fmt::format("gravity = [0, 0, 0]\n[[contact]]\nfriction = {}\n", mu);
  text += "[[contact]]\na = \"chain\"\nb = \"chain\"\nignore = true\n[[body]]\nname = \"drum\"\nmass = 1\n";
  text +=
      fmt::format("[[body.shape]]\ncylinder = {{ radius = {}, length = 0.1 }}\n[body.joint]\ntype = \"fixed\"\n", R);
  const auto node = [&](double x) {
    return fmt::format("[[body.shape]]\nsphere = {}\ngroup = \"chain\"\nat = {{ xyz = [{:.17g}, 0, 0] }}\n", r, x);
  };
  for (int k = 0; k + 1 < bends; ++k) {
    text += fmt::format(
                "[[body]]\nname = \"link{}\"\nmass = 1\ncom = [{:.17g}, 0, 0]\ninertia = [1e-4, 1e-4, 1e-4, 0, 0, 0]\n",
                k, 0.5 * link) +
            (k > 0 ? fmt::format("parent = \"link{}\"\n", k - 1) : "") + node(0.0) + (k + 2 == bends ? node(link) : "");
    text += k == 0 ? fmt::format("[body.joint]\ntype = \"free_planar\"\nq = [{:.17g}, 0, {:.17g}]\n", R + r,
                                 0.5 * (std::numbers::pi + d))
                   : fmt::format(
                         "[body.joint]\ntype = \"revolute\"\naxis = [0, 0, 1]\nat = {{ xyz = [{:.17g}, 0, 0] }}\n"
                         "q = [{:.17g}]\n",
                         link, d);
  }
  const auto pull = [&](int body, double at, double force, double angle) {
    text += fmt::format(
        "[[force]]\ntype = \"point\"\nbody = \"link{}\"\nat = [{:.17g}, 0, 0]\nforce = [{:.17g}, {:.17g}, 0]\n", body,
        at, force * std::cos(angle), force * std::sin(angle));
  };
  pull(0, 0.0, 1.0 / ratio, 1.5 * std::numbers::pi - 0.5 * d);
  pull(bends - 2, link, 1.0, phi - 0.5 * d + 0.5 * std::numbers::pi);
  return text + "[simulation]\nduration = 0.1\n";
}

/// T2/T1 = ((1 + mu tan(d/2))/(1 - mu tan(d/2)))^N: 1e-4 less holds, 1e-4 more slides.
TEST(ContactChains, ACapstanHoldsUpToItsRatio) {
  const auto golden = shared_json(kChainForms);
  if (!golden) GTEST_SKIP() << missing_data(kChainForms);
  Worst holds("motion of a capstan that holds, 0.1 s (m, rad)", 1e-11);
  int cases = 0;
  for (const auto& c : (*golden)["capstan"]["cases"]) {
    const int bends = c["N"];
    if (bends == 0) continue;  // the limit of many
    ++cases;
    const double mu = c["mu"], phi = c["phi"], ratio = c["ratio"];
    const auto moved = [&](double share) {
      const Trajectory run = run_contact(capstan(mu, phi, bends, share * ratio));
      double out = 0.0;
      for (int k = 0; k < run.model().nq(); ++k) out = std::max(out, std::abs(last_q(run, k) - q_at(run, 0, k)));
      return out;
    };
    holds.add(moved(1.0 - 1e-4), c.dump());
    EXPECT_GT(moved(1.0 + 1e-4), 1e-9) << c.dump();
  }
  EXPECT_GT(cases, 3);
}

/// Beads on a path that turns down at the edge, at fixed distances along it; on the table each rubs under its weight.
std::string rope(int beads, double length, double mu, double hanging, double duration) {
  std::string text;
  for (int i = 0; i < beads; ++i) {
    text += fmt::format(
        "[[body]]\nname = \"bead{}\"\nmass = {:.17g}\ninertia = [0, 0, 0, 0, 0, 0]\n[body.joint]\ntype = "
        "\"expression\"\n"
        "coordinates = [\"s\"]\ntransform = \"trans(if(s < 0, s, 0), 0, if(s < 0, 0, 0 - s))\"\nq = [{:.17g}]\n"
        "bearing = {{ radii = [1], mu = {} }}\n",
        i, 1.0 / beads, hanging - (i + 0.5) * length / beads, mu);
    if (i > 0)
      text += fmt::format("[[coupling]]\njoint = \"bead{}\"\nequals = \"bead0 - {:.17g}\"\n", i, i * length / beads);
  }
  return text + fmt::format("[simulation]\nduration = {}\n", duration);
}

/// x = x* + (x0 - x*) cosh(w t); a rope that hangs down less than x* = mu L/(1 + mu) stays.
TEST(ContactChains, ARopeSlidesOverAnEdge) {
  const auto golden = shared_json(kChainForms);
  if (!golden) GTEST_SKIP() << missing_data(kChainForms);
  Worst fine("how far a rope of 100 beads hangs down after 0.5 s (m)", 1e-3);
  for (const auto& c : (*golden)["rope_over_edge"]["cases"]) {
    const double L = c["L"], mu = c["mu"], x0 = c["x0"], critical = c["x_critical"];
    const auto hangs = [&](int beads, double start) {
      return last_q(run_contact(rope(beads, L, mu, start, 0.5)), 0) + 0.5 * L / beads;
    };
    const double error = std::abs(hangs(100, x0) - c["x_at_0_5"].get<double>());
    fine.add(error, c.dump());
    EXPECT_LT(error, 0.3 * std::abs(hangs(25, x0) - c["x_at_0_5"].get<double>())) << "converges with the beads";
    const double little = 0.9 * critical;
    EXPECT_NEAR(hangs(20, little), little, 1e-9);
  }
}

}  // namespace
}  // namespace cardan::test
