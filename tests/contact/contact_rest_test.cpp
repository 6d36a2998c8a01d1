// What rests keeps its rows from step to step: the motion is that of steps which are all made anew, forces act on as
// they must, and whatever arrives wakes it.
#include "tests/support/contact_scenes.hpp"
#include "tests/support/near.hpp"

namespace cardan::test {
namespace {

/// A tower of three boxes on a slope that holds it, and a small one that falls on it.
std::string tower(double height) {
  std::string text = "[ground]\nnormal = [0.1, 0, 1]\nfriction = 0.6\n";
  const double c = std::cos(std::atan(0.1)), s = std::sin(std::atan(0.1)), half = 0.5 * std::atan(0.1);
  for (int i = 0; i < 3; ++i) {
    const double up = 0.0501 + 0.1001 * i;
    text += box_body(
        "box" + std::to_string(i), {0.2, 0.2, 0.1}, 1.0 + i,
        fmt::format("[{:.17g}, 0, {:.17g}, 0, {:.17g}, 0, {:.17g}]", std::cos(half), std::sin(half), s * up, c * up));
  }
  return text + box_body("fourth", {0.1, 0.1, 0.05}, 0.5, fmt::format("[1, 0, 0, 0, 0.03, 0, {:.17g}]", height));
}

TEST(ContactRest, MovesAsIfAllRowsWereMadeAnew) {
  for (const double height : {0.4, 3.0}) {  // it falls at once, and for 0.7 s
    const std::string run = "[simulation]\ncontact = \"stepping\"\nduration = 2\nstep = 0.002\n";
    const Trajectory rests = run_contact(tower(height) + run);
    const Trajectory anew = run_contact(tower(height) + run + "repeat_rest = false\n");
    EXPECT_GT(rests.summary.contact->rested_steps, 200);
    EXPECT_EQ(anew.summary.contact->rested_steps, 0);
    EXPECT_EQ(rests.summary.contact->unsolved, 0);
    Worst places("places with kept rows against new ones (m)", 1e-9);
    for (std::size_t row = 0; row < rests.size(); ++row)
      for (int k = 0; k < rests.model().nq(); ++k)
        places.add(std::abs(q_at(rests, row, k) - q_at(anew, row, k)), fmt::format("row {}", row));
  }
}

/// Nothing but the tower: it rests from the first steps on, exactly where it is, and its forces carry it.
TEST(ContactRest, HoldsStillAndCarriesItsWeight) {
  std::string text = "[ground]\n";
  for (int i = 0; i < 3; ++i)
    text += box_body("box" + std::to_string(i), {0.2, 0.2, 0.1}, 1.0,
                     fmt::format("[1, 0, 0, 0, 0, 0, {:.17g}]", 0.05 + 0.1 * i));
  const Trajectory run = run_contact(text +
                                     "[[record]]\nname = \"push\"\ncontact = \"ground|box0\"\nquantity = \"force\"\n"
                                     "[simulation]\ncontact = \"stepping\"\nduration = 5\nstep = 0.002\n");
  EXPECT_GT(run.summary.contact->rested_steps, 2400);
  EXPECT_LT(run.summary.contact->residual, 1e-12);
  Worst creep("creep of a tower in 5 s (m)", 1e-12), weight("force under it (N)", 1e-9);
  for (int k = 0; k < run.model().nq(); ++k) creep.add(std::abs(last_q(run, k) - q_at(run, 0, k)));
  for (std::size_t row = 0; row < run.size(); ++row) weight.add(std::abs(run.recorded(row)[2]) - 3.0 * 9.81);
}

/// Springs of joints push the same at the same place; forces that follow time do not, and rows are made anew.
TEST(ContactRest, IsLeftToWhatPushesTheSame) {
  const auto rested = [](const std::string& extra) {
    const std::string text = "[ground]\n" + box_body("box", {0.2, 0.2, 0.1}, 1.0, "[1, 0, 0, 0, 0, 0, 0.05]") + extra;
    return run_contact(text + "[simulation]\ncontact = \"stepping\"\nduration = 0.2\nstep = 0.002\n")
        .summary.contact->rested_steps;
  };
  EXPECT_GT(rested(""), 90);
  EXPECT_EQ(rested("[[force]]\ntype = \"point\"\nbody = \"box\"\nat = [0, 0, 0]\nforce = [\"t\", 0, 0]\n"), 0);
}

}  // namespace
}  // namespace cardan::test
