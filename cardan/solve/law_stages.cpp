#include "cardan/solve/law_stages.hpp"

namespace cardan {

namespace {

using Fits = LawStage::Fits;
using Start = LawStage::Start;

constexpr auto kProximal = LawStage::Method::proximal;

// docs/contact.md has how many of 7,000 random problems each of them solves.
const LawStage kStages[] = {
    {.name = "modes of the guess",
     .why = "between steps few modes change: one or two factorizations; position projections, which are convex",
     .start = Start::guess},
    {.name = "sweeps, modes",
     .why = "where a part of the modes is wrong, sweeps from what Newton has reached find most of them",
     .start = Start::best,
     .sweeps = 100,
     .modes = {.factorizations = 8}},
    {.name = "sweeps, proximal",
     .why = "soft rows at first, so that modes may still change, then stiff ones",
     .start = Start::last,
     .method = kProximal,
     .proximal = {.rho = 100.0, .rounds = 20, .inner = 6, .halvings = 4, .factorizations = 30, .hurry = true}},
    {.name = "interior point",
     .why = "many contacts that repeat one another: modes are approached from inside, all at once",
     .start = Start::interior_point,
     .method = kProximal,
     .proximal = {.rho = 100.0, .rounds = 20, .inner = 10, .halvings = 4}},
    {.name = "proximal",
     .why = "friction that grows with loads, from no forces at all: a guess may hold a jam that need not be",
     .fits = Fits::with_loads,
     .start = Start::nothing,
     .method = kProximal,
     .proximal = {.rho = 10.0, .rounds = 60, .inner = 12, .halvings = 8, .factorizations = 30}},
    {.name = "softened equalities",
     .why = "self-locking: equality rows that give way a little end the cycles of Newton's method",
     .start = Start::nothing,
     .method = kProximal,
     .proximal = {.rho = 10.0, .rounds = 60, .inner = 20, .halvings = 8, .factorizations = 120, .softened = true}},
    {.name = "interior point without shift",
     .why = "much friction: the shift of de Saxce in the matrix leads interior points astray",
     .start = Start::interior_point,
     .interior = {.iterations = 60, .shift_slope = false},
     .method = kProximal,
     .proximal = {.rho = 10.0, .rounds = 30, .inner = 10, .halvings = 8}},
    {.name = "constrained scales",
     .why = "contacts that loops all but hold: their response is that with the equality rows held",
     .fits = Fits::with_equalities,
     .start = Start::nothing,
     .method = kProximal,
     .proximal = {.rho = 10.0,
                  .rounds = 60,
                  .inner = 20,
                  .halvings = 8,
                  .factorizations = 120,
                  .softened = true,
                  .constrained_scale = true}},
    {.name = "slow growth",
     .why = "rows a hundred times softer, which stiffen slowly",
     .start = Start::nothing,
     .method = kProximal,
     .proximal = {.rho = 1.0, .growth = 2.0, .rounds = 60, .inner = 20, .halvings = 8, .softened = true}},
    {.name = "frozen radii",
     .why = "friction whose bound depends on itself through loads: bounds of the last round",
     .start = Start::best,
     .method = kProximal,
     .proximal = {.rho = 10.0, .rounds = 40, .inner = 20, .halvings = 8, .frozen_radius = true}},
    {.name = "shorter steps",
     .why = "Newton's method that needs many halvings, each round solved more sharply",
     .start = Start::best,
     .method = kProximal,
     .proximal = {.rho = 100.0, .rounds = 40, .inner = 30, .halvings = 12, .inner_tolerance = 1e-4}},
    {.name = "2000 sweeps",
     .why = "sweeps converge where Newton's method cycles, if slowly",
     .start = Start::best,
     .sweeps = 2000,
     .repeat = 3,
     .method = kProximal,
     .proximal = {.rho = 100.0, .rounds = 20, .inner = 10, .halvings = 8}},
    {.name = "scattered starts",
     .why = "several solutions, or none nearby: each start leads to another corner (the generator is seeded anew)",
     .start = Start::scattered,
     .sweeps = 100,
     .repeat = 96,
     .method = kProximal,
     .proximal = {.rho = 100.0, .rounds = 20, .inner = 10, .halvings = 8}},
};

}  // namespace

std::span<const LawStage> law_stages() { return kStages; }

}  // namespace cardan
