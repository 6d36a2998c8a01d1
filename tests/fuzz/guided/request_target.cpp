// Coverage-guided fuzzing of what comes from outside while a program runs: requests of `cardan eval`, heads of HTTP and
// messages of live pages. The first byte says which.
#include "cardan/io/internal/eval_request.hpp"
#include "cardan/io/scene.hpp"
#include "cardan/view/internal/http_request.hpp"
#include "cardan/view/internal/live_session.hpp"
#include "tests/fuzz/guided/expect.hpp"

#include <string_view>

namespace {

const char* const kScene = CARDAN_SOURCE_DIR "/examples/cart_pole.toml";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  cardan::fuzz::refuses_in_one_line([&] {
    switch (data[0]) {
      case 'e': {
        static const cardan::Scene scene = cardan::load_scene(kScene);
        (void)cardan::parse_eval_request(text, "fuzzed.json", scene.model, &scene.initial);
        break;
      }
      case 'h': (void)cardan::view::read_head(text); break;
      default: {
        cardan::view::LiveSession session(kScene, false);
        (void)session.handle(text);
        (void)session.advance(0.01);
      }
    }
  });
  return 0;
}
