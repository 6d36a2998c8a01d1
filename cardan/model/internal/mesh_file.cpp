#include "cardan/model/internal/mesh_file.hpp"

#include "cardan/model/internal/collada_file.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <unordered_map>

namespace cardan {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

/// Walks through text line by line and word by word, and knows where it is for error messages.
class Words {
 public:
  Words(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  bool next_line() {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line_ = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++number_;
    return true;
  }
  /// The next word of this line, empty at its end.
  std::string_view word() {
    while (!line_.empty() && is_blank(line_.front())) line_.remove_prefix(1);
    std::size_t n = 0;
    while (n < line_.size() && !is_blank(line_[n])) ++n;
    const std::string_view out = line_.substr(0, n);
    line_.remove_prefix(n);
    return out;
  }
  /// The next word of this line or a later one, empty at the end of the text.
  std::string_view word_anywhere() {
    for (;;) {
      if (const auto w = word(); !w.empty()) return w;
      if (!next_line()) return {};
    }
  }
  [[noreturn]] void fail(const std::string& expected, std::string_view found) const {
    throw std::runtime_error(fmt::format("{}:{}: expected {}, found {}", name_, number_, expected, quoted(found)));
  }
  double number(std::string_view w, const char* what) const {
    const std::string_view digits = w.starts_with('+') ? w.substr(1) : w;
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value))
      fail(fmt::format("a finite number ({})", what), w);
    return value;
  }
  Vec3<double> vertex(std::string_view (Words::*next)()) {
    const double x = number((this->*next)(), "vertex x"), y = number((this->*next)(), "vertex y");
    return {x, y, number((this->*next)(), "vertex z")};
  }

 private:
  /// A hostile word must neither fill the screen nor break the one line.
  static std::string quoted(std::string_view w) {
    if (w.empty()) return "the end";
    std::string out = "\"";
    for (const char c : w.substr(0, 40)) out += c >= ' ' && c <= '~' ? c : '?';
    return out + (w.size() > 40 ? "...\"" : "\"");
  }

  std::string_view text_, line_;
  const std::string& name_;
  std::size_t at_ = 0, number_ = 0;
};

/// The vertex index of a corner written v, v/vt, v//vn or v/vt/vn; negative counts back from the last vertex.
int obj_corner(const Words& words, std::string_view corner, std::size_t vertices) {
  const auto count = static_cast<long long>(vertices);
  const std::string_view digits = corner.substr(0, corner.find('/'));
  long long index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc{} || end != digits.data() + digits.size()) words.fail("a vertex index", corner);
  const long long from_zero = index < 0 ? count + index : index - 1;
  if (from_zero < 0 || from_zero >= count)
    words.fail(fmt::format("a vertex index among the {} vertices so far", count), corner);
  return static_cast<int>(from_zero);
}

/// Gives equal points one index.
class VertexMerger {
 public:
  explicit VertexMerger(std::vector<Vec3<double>>& vertices) : vertices_(vertices) {}

  int index(const Vec3<double>& v) {
    Key key;
    for (std::size_t k = 0; k < 3; ++k) key[k] = std::bit_cast<std::uint64_t>(v[static_cast<int>(k)] + 0.0);  // -0 is 0
    const auto [at, is_new] = known_.try_emplace(key, static_cast<int>(vertices_.size()));
    if (is_new) vertices_.push_back(v);
    return at->second;
  }

 private:
  using Key = std::array<std::uint64_t, 3>;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t h = 0;
      for (const std::uint64_t k : key) h = (std::rotl(h, 23) ^ k) * 0x9e3779b97f4a7c15u;
      return h ^ h >> 32;
    }
  };
  std::unordered_map<Key, int, Hash> known_;
  std::vector<Vec3<double>>& vertices_;
};

constexpr std::size_t kStlHeader = 84, kStlTriangle = 50;

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = 4; i-- > 0;) out = out << 8 | static_cast<unsigned char>(bytes[at + i]);
  return out;
}

Mesh parse_binary_stl(std::string_view bytes, const std::string& name, std::size_t triangles,
                      const MeshLimits& limits) {
  Mesh mesh{name, {}, {}};
  VertexMerger merger(mesh.vertices);
  mesh.triangles.reserve(triangles);
  for (std::size_t i = 0; i < triangles; ++i) {
    std::array<int, 3> triangle;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      Vec3<double> v;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t at = kStlHeader + kStlTriangle * i + 12 + 12 * corner + 4 * k;
        const auto value = static_cast<double>(std::bit_cast<float>(little_endian(bytes, at)));
        if (!std::isfinite(value))
          throw std::runtime_error(
              fmt::format("{}: byte {} (triangle {}): expected a finite coordinate, found {}", name, at, i, value));
        v[static_cast<int>(k)] = value;
      }
      triangle[corner] = merger.index(v);
    }
    mesh.triangles.push_back(triangle);
    if (mesh.vertices.size() > limits.vertices)
      throw std::runtime_error(
          fmt::format("{}: triangle {}: expected at most {} vertices, found more", name, i, limits.vertices));
  }
  return mesh;
}

Mesh parse_text_stl(std::string_view text, const std::string& name, const MeshLimits& limits) {
  Words words(text, name);
  Mesh mesh{name, {}, {}};
  VertexMerger merger(mesh.vertices);
  const auto expect = [&](std::string_view keyword) {
    if (const auto w = words.word_anywhere(); w != keyword) words.fail(fmt::format("\"{}\"", keyword), w);
  };
  words.next_line();
  if (const auto w = words.word(); w != "solid") words.fail("\"solid\"", w);
  for (bool in_solid = true;;) {
    if (in_solid) words.next_line();  // what follows "solid" or "endsolid" on its line is a name
    const auto w = words.word_anywhere();
    in_solid = false;
    if (w == "endsolid") {
      if (mesh.triangles.empty()) words.fail("\"facet\"", w);
      if (!words.next_line()) return mesh;
      const auto next = words.word_anywhere();
      if (next.empty()) return mesh;
      if (next != "solid") words.fail("\"solid\" or the end of the file", next);
      in_solid = true;
      continue;
    }
    if (w != "facet") words.fail("\"facet\" or \"endsolid\"", w);
    if (mesh.triangles.size() >= limits.triangles) words.fail(fmt::format("at most {} triangles", limits.triangles), w);
    if (mesh.vertices.size() > limits.vertices) words.fail(fmt::format("at most {} vertices", limits.vertices), w);
    expect("normal");
    for (int k = 0; k < 3; ++k) words.word_anywhere();  // many writers leave it zero or NaN; the corners say it better
    expect("outer");
    expect("loop");
    std::array<int, 3> triangle;
    for (int& corner : triangle) {
      expect("vertex");
      corner = merger.index(words.vertex(&Words::word_anywhere));
    }
    expect("endloop");
    expect("endfacet");
    mesh.triangles.push_back(triangle);
  }
}

}  // namespace

Mesh parse_obj(std::string_view text, const std::string& name, const MeshLimits& limits) {
  Words words(text, name);
  Mesh mesh{name, {}, {}};
  while (words.next_line()) {
    const std::string_view keyword = words.word();
    if (keyword == "v") {
      if (mesh.vertices.size() >= limits.vertices)
        words.fail(fmt::format("at most {} vertices", limits.vertices), keyword);
      mesh.vertices.push_back(words.vertex(&Words::word));
    } else if (keyword == "f") {
      int corners = 0;
      std::array<int, 3> fan{};
      for (auto w = words.word(); !w.empty() && !w.starts_with('#'); w = words.word()) {
        fan[1] = fan[2];
        fan[2] = obj_corner(words, w, mesh.vertices.size());
        if (++corners == 1) fan[0] = fan[2];
        if (corners < 3) continue;
        if (mesh.triangles.size() >= limits.triangles)
          words.fail(fmt::format("at most {} triangles", limits.triangles), w);
        mesh.triangles.push_back(fan);
      }
      if (corners < 3) words.fail("a face with at least 3 corners", fmt::format("{}", corners));
    }
  }
  if (mesh.triangles.empty()) words.fail("a face (\"f\")", {});
  return mesh;
}

Mesh parse_stl(std::string_view bytes, const std::string& name, const MeshLimits& limits) {
  // a binary header may begin with "solid" too; only its length tells
  if (bytes.size() >= kStlHeader) {
    const std::size_t triangles = little_endian(bytes, 80);
    if (bytes.size() == kStlHeader + kStlTriangle * triangles) {
      if (triangles == 0 || triangles > limits.triangles)
        throw std::runtime_error(
            fmt::format("{}: byte 80: expected 1 to {} triangles, found {}", name, limits.triangles, triangles));
      return parse_binary_stl(bytes, name, triangles, limits);
    }
    if (!bytes.starts_with("solid"))
      throw std::runtime_error(fmt::format("{}: byte 80: expected {} bytes for {} binary triangles, found {}", name,
                                           kStlHeader + kStlTriangle * triangles, triangles, bytes.size()));
  }
  return parse_text_stl(bytes, name, limits);
}

Mesh read_mesh(const std::string& path, const MeshLimits& limits) {
  const std::filesystem::path file(path);
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw std::runtime_error(fmt::format("{}: expected a mesh file, found none", path));
  const auto size = std::filesystem::file_size(file, error);
  if (error || size > limits.bytes)
    throw std::runtime_error(
        fmt::format("{}: expected a mesh of at most {} bytes, found {}", path, limits.bytes, size));
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::ifstream in(file, std::ios::binary);
  if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    throw std::runtime_error(fmt::format("{}: expected to read {} bytes, found {}", path, size, in.gcount()));
  std::string ending = file.extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (ending == ".obj") return parse_obj(bytes, path, limits);
  if (ending == ".stl") return parse_stl(bytes, path, limits);
  if (ending == ".dae") return parse_collada(bytes, path, limits);
  throw std::runtime_error(fmt::format("{}: expected a name ending in .obj, .stl or .dae, found \"{}\"", path, ending));
}

}  // namespace cardan
