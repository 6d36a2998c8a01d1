// Damaged models of formats that become scenes: each either loads and can be used, or is refused in one line that names
// the file.
#pragma once

#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/dynamics/scene.hpp"
#include "cardan/io/scene_spec.hpp"
#include "tests/fuzz/mutator.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cardan::test {

using SpecReader = std::function<SceneSpec(std::string_view text, const std::string& name)>;

/// Reads so many damaged copies of a sound text under this name; enough of them must load, and enough be refused.
inline void expect_models_or_complaints(Mutator& mutate, const std::string& sound, const std::string& name, int files,
                                        const SpecReader& read) {
  int models = 0, complaints = 0;
  for (int i = 0; i < files; ++i) {
    const std::string text = mutate(sound);
    try {
      const Scene scene = read(text, name).bind();
      Workspace<double> w(scene.model);
      std::vector<double> zero(static_cast<std::size_t>(scene.model.nv())), tau(zero.size());
      bias<double>(scene.model, w, scene.model.neutral(), zero, tau);
      ++models;
    } catch (const ModelError& error) {
      const std::string what = error.what();
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
      EXPECT_NE(what.find(name), std::string::npos) << what;
      ++complaints;
    } catch (const std::exception& error) {
      FAIL() << "not a ModelError: " << error.what() << "\n" << text;
    }
  }
  EXPECT_GT(models, files / 40);
  EXPECT_GT(complaints, files / 20);
}

}  // namespace cardan::test
