// Two bodies that move freely, for what acts between them.
#pragma once

#include "tests/support/random_models.hpp"

namespace cardan::test {

/// Makes bodies 1 ("a") and 2 ("b") with random masses.
inline Model two_free_bodies(Random& random) {
  return ModelBuilder()
      .body("a", random.mass())
      .body("b", random.mass())
      .joint("world", "a", Free{})
      .joint("world", "b", Free{})
      .build();
}

}  // namespace cardan::test
