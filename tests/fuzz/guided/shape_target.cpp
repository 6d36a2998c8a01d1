// Coverage-guided fuzzing of what shapes are made of: meshes (Wavefront OBJ, STL) and gray maps of height fields. The
// first byte says which.
#include "cardan/io/internal/gray_map.hpp"
#include "cardan/model/internal/mesh_file.hpp"
#include "tests/fuzz/guided/expect.hpp"

#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto use = [](const cardan::Mesh& mesh) {
    cardan::fuzz::refuses_in_one_line([&] { (void)cardan::mass_properties(mesh, 1.0); });
  };
  cardan::fuzz::refuses_in_one_line([&] {
    switch (data[0]) {
      case 'o': return use(cardan::parse_obj(bytes, "fuzzed.obj"));
      case 's': return use(cardan::parse_stl(bytes, "fuzzed.stl"));
      default:
        for (const std::vector<double>& row : cardan::io::parse_gray_map(bytes, "fuzzed.pgm"))
          for (const double x : row) cardan::fuzz::expect(x >= 0.0 && x <= 1.0, "gray is from 0 to 1");
    }
  });
  return 0;
}
