#include "cardan/io/internal/gray_map.hpp"

#include "cardan/io/internal/text.hpp"
#include "cardan/model/model.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>

namespace cardan::io {

namespace {

class GrayMapReader {
 public:
  GrayMapReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(printable(name)) {}

  std::vector<std::vector<double>> read() {
    const std::string_view magic = word();
    if (magic != "P2" && magic != "P5") fail("expected a gray map that begins with P2 or P5");
    constexpr int kMostPixels = 4096;
    const int columns = integer("a width", kMostPixels), rows = integer("a height", kMostPixels),
              white = integer("the value of white", 65535);
    if (columns < 2 || rows < 2 || white < 1) fail("expected 2 rows and columns or more, and white above 0");
    ++at_;  // one blank before the pixels
    std::vector<std::vector<double>> out(static_cast<std::size_t>(rows));
    for (auto& row : out)
      for (int j = 0; j < columns; ++j)
        row.push_back(static_cast<double>(magic == "P2" ? integer("a pixel", white) : pixel(white)) / white);
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw ModelError(fmt::format("gray map: {}: {}, found another at byte {}", name_, expected, at_));
  }
  std::string_view word() {
    for (;;) {
      while (at_ < bytes_.size() && std::isspace(static_cast<unsigned char>(bytes_[at_])) != 0) ++at_;
      if (at_ >= bytes_.size() || bytes_[at_] != '#') break;
      while (at_ < bytes_.size() && bytes_[at_] != '\n') ++at_;
    }
    const std::size_t begin = at_;
    while (at_ < bytes_.size() && std::isspace(static_cast<unsigned char>(bytes_[at_])) == 0) ++at_;
    return bytes_.substr(begin, at_ - begin);
  }
  int integer(const char* what, int most) {
    const std::string_view digits = word();
    int value = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || value < 0 || value > most)
      fail(fmt::format("expected {} from 0 to {}", what, most));
    return value;
  }
  int pixel(int white) {
    const std::size_t size = white > 255 ? 2 : 1;
    if (at_ + size > bytes_.size()) fail("expected more pixels");
    int value = static_cast<unsigned char>(bytes_[at_++]);
    if (size == 2) value = 256 * value + static_cast<unsigned char>(bytes_[at_++]);
    if (value > white) fail("expected a pixel not above white");
    return value;
  }

  std::string_view bytes_;
  std::string name_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::vector<double>> parse_gray_map(std::string_view bytes, const std::string& name) {
  return GrayMapReader(bytes, name).read();
}

std::vector<std::vector<double>> read_gray_map(const std::string& path) {
  constexpr std::size_t max_bytes = std::size_t{64} << 20;
  return parse_gray_map(read_text_file("gray map", path, max_bytes), path);
}

}  // namespace cardan::io
