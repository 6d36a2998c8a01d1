// Coverage-guided fuzzing of robot files (URDF, MuJoCo models): whatever the text, it is read into a model that can be
// used, or refused.
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/io/mjcf.hpp"
#include "cardan/io/urdf.hpp"
#include "cardan/model/state.hpp"
#include "tests/fuzz/guided/expect.hpp"

#include <string_view>
#include <vector>

namespace {

void use(const cardan::Model& model) {
  cardan::Workspace<double> workspace(model);
  const cardan::State state(model);
  std::vector<double> tau(static_cast<std::size_t>(model.nv()));
  cardan::inverse_dynamics<double>(model, workspace, state.q, state.v, state.v, tau);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool mujoco = text.find("<mujoco") != std::string_view::npos;
  cardan::fuzz::refuses_in_one_line([&] {
    if (mujoco)
      use(cardan::parse_mjcf(text, "fuzzed.xml").bind().model);
    else
      use(cardan::parse_urdf(text, "fuzzed.urdf"));
  });
  return 0;
}
