// docs/keys.md is what the table of keys says.
#include "cardan/io/internal/scene_keys_page.hpp"
#include "tests/support/markdown.hpp"

#include <gtest/gtest.h>

namespace cardan::test {
namespace {

TEST(KeysPage, IsThatOfTheTable) {
  EXPECT_TRUE(source_file("docs/keys.md") == io::scene_keys_page())
      << "docs/keys.md is not what the table of keys says; renew it: build/bin/cardan schema --markdown --out "
         "docs/keys.md";
}

}  // namespace
}  // namespace cardan::test
