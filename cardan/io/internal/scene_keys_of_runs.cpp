// The table of keys: ground, rules of contact, and how the scene is simulated.
#include "cardan/dynamics/settings.hpp"
#include "cardan/integrate/integrator.hpp"
#include "cardan/io/internal/scene_key_tables.hpp"

namespace cardan::io {

namespace {

std::vector<SceneKey> coefficient_keys() {
  using namespace keys;
  return {{"friction", not_negative(), "coefficient of friction", "", "by the shapes' `material`, else 0.5"},
          {"restitution", from_0_to_1(), "part of the speed that is left after an impact", "",
           "by the shapes' `material`, else 0"},
          {"law", choice({"newton", "poisson", "sequential"}), "law of restitution", "", "\"newton\""},
          {"stiffness", positive(), "makes the normal a spring", "N/m", "rigid"},
          {"damping", not_negative(), "damping of that spring", "N s/m", "0"},
          {"rolling", not_negative(), "resistance to rolling: moment by normal force", "m", "0"},
          {"torsional", not_negative(), "resistance to spinning: moment by normal force", "m", "0"},
          {"surface_velocity", vec3(), "velocity of the surface of the ground, or of `a`, in the world", "m/s",
           "[0, 0, 0]"}};
}

std::vector<SceneKey> simulation_keys() {
  using namespace keys;
  return {
      {"duration", positive(), "how long it runs", "s", "10"},
      {"step", either(choice({"auto"}), positive()),
       "step of fixed-step methods and of contact stepping, first step of adaptive ones; \"auto\" with contact "
       "stepping: "
       "by doubling",
       "s", "1 ms"},
      {"integrator", choice(integrator_words()), "method (docs/integrators.md)", "",
       "munthe_kaas_54, or munthe_kaas_4 where a step is given"},
      {"formulation", choice(formulation_names()), "coordinates of the equations of motion (docs/formulations.md)", "",
       "\"recursive\""},
      {"independent", list(name(), 1), "joints whose coordinates are integrated in the formulation `reduced`"},
      {"output_every", positive(), "time between rows of the run's files", "s", "0.01"},
      {"tolerance", positive(), "error of one step of adaptive methods (1e-6 m or rad with step = \"auto\")", "",
       "1e-8"},
      {"max_step", positive(), "longest step of adaptive methods", "s", "1/50 of the duration"},
      {"newton_residual", positive(), "imbalance at which bdf1 and bdf2 also stop", "kg m", "not used"},
      {"constraint_method", choice(constraint_method_names()), "how loops and motions are solved (docs/loops.md)", "",
       "\"automatic\""},
      {"stabilization", choice(stabilization_names()), "how constraints are kept from drifting", "", "\"projection\""},
      {"baumgarte", list_of(3, not_negative()), "alpha, beta, gamma of stabilization = \"baumgarte\"", "1/s",
       "[5, 5, 5]"},
      {"implicit_forces", choice(implicit_forces_names()), "derivatives of forces in implicit methods (docs/forces.md)",
       "", "definite for linearly_implicit_euler, exact elsewhere"},
      {"contact", choice({"auto", "stepping", "events"}), "how contacts are followed through time (docs/contact.md)",
       "", "\"auto\""},
      {"penetration", positive(), "depth by which contacts may overlap", "m", "1e-6"},
      {"residual", positive(), "velocity by which laws of contact may be missed", "m/s", "1e-8"},
      {"repeat_rest", truth(), "whether contact steps in which nothing moves keep the rows of the step before", "",
       "true"},
      {"contact_solver", choice(contact_solver_names()), "method that solves the laws of contact", "", "\"exact\""},
      {"staggering", table("staggering"), "numbers of contact_solver = \"bilateral_staggered_projections\""}};
}

}  // namespace

std::vector<KeyTable> contact_key_tables() {
  using namespace keys;
  const std::string required(kRequired);
  using Rule = KeyRule::Kind;
  return {{"ground",
           "[ground]",
           "Fills all below a plane or a height field",
           std::vector<SceneKey>{
               {"height", number(), "height of the plane along its normal, or of the height field", "m", "0"},
               {"normal", vec3(), "normal of the plane, of any length", "", "[0, 0, 1]"},
               {"height_field", either(file(), table("height_field")), "a PGM file, relative to the scene, or rows"},
               {"size", list_of(2, positive()), "edges of the file's picture along x and y", "m"},
               {"scale", number(), "height of white in the file's picture", "m", "1"}} +
               coefficient_keys(),
           KeyTable::Choice::none,
           {},
           {{Rule::at_most_one, {"normal", "height_field"}},
            {Rule::needs, {"size", "height_field"}},
            {Rule::needs, {"scale", "height_field"}}}},
          {"height_field",
           "height_field = { ... }",
           "Heights on a grid about the origin",
           {{"rows", list(list(number(), 2), 2), "rows along x, the first at the smallest y", "m", required},
            {"size", list_of(2, positive()), "edges along x and y", "m", required}}},
          {"contact", "[[contact]]",
           "A rule for pairs that touch; the last that names both sides counts, each coefficient for itself",
           std::vector<SceneKey>{{"name", name(), "a name for messages"},
                                 {"a", name(), "body, group of shapes, or \"ground\"", "", "all"},
                                 {"b", name(), "the other side", "", "all"},
                                 {"ignore", truth(), "whether the pair is not looked at", "", "false"}} +
               coefficient_keys()}};
}

std::vector<KeyTable> run_key_tables() {
  using namespace keys;
  return {
      {"simulation",
       "[simulation]",
       "How the scene is run",
       simulation_keys(),
       KeyTable::Choice::none,
       {},
       {{KeyRule::Kind::needs_word, {"baumgarte", "stabilization", "baumgarte"}},
        {KeyRule::Kind::needs_word, {"staggering", "contact_solver", "bilateral_staggered_projections"}}}},
      {"staggering",
       "[simulation.staggering]",
       "Numbers of bilateral staggered projections",
       {{"convergence", positive(), "square of the relative change of reactions at which rounds end", "", "1e-3"},
        {"rounds", whole(1.0, 1e6), "most rounds in a step", "", "100"},
        {"regularization", positive(), "added to the matrix of the contacts", "1/kg", "1e-6"},
        {"least_impulse", positive(), "contact points with less have no friction", "N s", "1e-10"},
        {"velocity_products", truth(), "whether reactions of joints have velocity products in them", "", "true"}}},
      {"view",
       "[view]",
       "How pages and pictures show the scene at first",
       {{"from", vec3(), "direction from the mechanism to the camera, of any length", "", "from where it looks widest"},
        {"follow", name(), "the body that the camera goes with", "", "whatever travels far"},
        {"plots", list(name()), "what is plotted at first: records, joints, energy, tensions", "",
         "records, energy, tensions, then coordinates"},
        {"hide", list(choice({"ground", "anchors", "loops", "springs", "contacts", "traces"})),
         "layers of the picture that are off at first", "", "[]"},
        {"description", name(), "a line about the scene"}}}};
}

}  // namespace cardan::io
