// Coverage-guided fuzzing of robot files (URDF, models of MuJoCo, Gazebo and OpenSim): whatever the text, it is read
// into a model that can be used, or refused.
#include "cardan/algorithms/inverse_dynamics.hpp"
#include "cardan/io/mjcf.hpp"
#include "cardan/io/osim.hpp"
#include "cardan/io/sdf.hpp"
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
  const auto has = [&](const char* root) { return text.find(root) != std::string_view::npos; };
  cardan::fuzz::refuses_in_one_line([&] {
    if (has("<mujoco"))
      use(cardan::parse_mjcf(text, "fuzzed.xml").bind().model);
    else if (has("<sdf"))
      use(cardan::parse_sdf(text, "fuzzed.sdf").bind().model);
    else if (has("<OpenSimDocument"))
      use(cardan::parse_osim(text, "fuzzed.osim").bind().model);
    else
      use(cardan::parse_urdf(text, "fuzzed.urdf"));
  });
  return 0;
}
