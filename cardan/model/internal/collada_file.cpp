#include "cardan/model/internal/collada_file.hpp"

#include "cardan/math/so3.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <span>
#include <stdexcept>

namespace cardan {

namespace {

using tinyxml2::XMLElement;

/// x -> A x + b.
struct Affine {
  Mat3<double> A = Mat3<double>::identity();
  Vec3<double> b;

  friend Affine operator*(const Affine& f, const Affine& g) { return {f.A * g.A, f.A * g.b + f.b}; }
  Vec3<double> operator()(const Vec3<double>& x) const { return A * x + b; }
  /// Whether it turns the outside of a surface inward.
  bool mirrors() const {
    const Vec3<double> x{A(0, 0), A(1, 0), A(2, 0)}, y{A(0, 1), A(1, 1), A(2, 1)}, z{A(0, 2), A(1, 2), A(2, 2)};
    return dot(cross(x, y), z) < 0.0;
  }
};

class ColladaReader {
 public:
  ColladaReader(const XMLElement& root, const std::string& name, const MeshLimits& limits)
      : root_(root), name_(name), limits_(limits), mesh_{name, {}, {}} {}

  Mesh read() {
    index(root_);
    Affine unit;
    if (const XMLElement* asset = root_.FirstChildElement("asset"))
      if (const XMLElement* meter = asset->FirstChildElement("unit"); meter && meter->Attribute("meter"))
        unit.A = number(*meter, meter->Attribute("meter")) * unit.A;
    const XMLElement* scenes = root_.FirstChildElement("library_visual_scenes");
    const XMLElement* scene = scenes ? scenes->FirstChildElement("visual_scene") : nullptr;
    if (scene) {
      each(*scene, "node", [&](const XMLElement& node) { place(node, unit); });
    } else if (const XMLElement* geometries = root_.FirstChildElement("library_geometries")) {
      each(*geometries, "geometry", [&](const XMLElement& geometry) { add_geometry(geometry, unit); });
    }
    if (mesh_.triangles.empty()) fail(root_, "a geometry with triangles", "none");
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const XMLElement& at, const std::string& expected, const std::string& found) const {
    throw std::runtime_error(fmt::format("{}:{}: expected {}, found {}", name_, at.GetLineNum(), expected, found));
  }
  template <class F>
  void each(const XMLElement& parent, const char* tag, const F& f) const {
    for (const XMLElement* child = parent.FirstChildElement(tag); child; child = child->NextSiblingElement(tag))
      f(*child);
  }
  void index(const XMLElement& element) {
    for (const XMLElement* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) {
      if (const char* id = child->Attribute("id")) by_id_.emplace(id, child);
      index(*child);
    }
  }
  const XMLElement& referred(const XMLElement& by, const char* attribute, const char* tag) const {
    const char* url = by.Attribute(attribute);
    const auto found = url && *url == '#' ? by_id_.find(url + 1) : by_id_.end();
    if (found == by_id_.end() || std::strcmp(found->second->Name(), tag) != 0)
      fail(by, fmt::format("{} that names a <{}>", attribute, tag), url ? "another" : "none");
    return *found->second;
  }

  double number(const XMLElement& at, std::string_view word) const {
    double value = 0.0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value))
      fail(at, "a finite number", "another word");
    return value;
  }
  std::vector<double> numbers(const XMLElement& at) const {
    std::vector<double> out;
    const char* text = at.GetText();
    for (std::string_view rest = text ? text : ""; !rest.empty();) {
      const std::size_t begin = rest.find_first_not_of(" \t\r\n");
      if (begin == std::string_view::npos) break;
      rest.remove_prefix(begin);
      const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\n"));
      out.push_back(number(at, word));
      rest.remove_prefix(word.size());
    }
    return out;
  }
  std::vector<double> numbers(const XMLElement& at, std::size_t count) const {
    std::vector<double> out = numbers(at);
    if (out.size() != count) fail(at, fmt::format("{} numbers", count), fmt::format("{}", out.size()));
    return out;
  }

  /// What one transformation element of a node does.
  Affine motion(const XMLElement& element) const {
    const std::string_view tag = element.Name();
    Affine out;
    if (tag == "matrix") {
      const std::vector<double> m = numbers(element, 16);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) out.A(i, j) = m[static_cast<std::size_t>(4 * i + j)];
        out.b[i] = m[static_cast<std::size_t>(4 * i + 3)];
      }
    } else if (tag == "translate") {
      const std::vector<double> t = numbers(element, 3);
      out.b = {t[0], t[1], t[2]};
    } else if (tag == "scale") {
      const std::vector<double> s = numbers(element, 3);
      for (int i = 0; i < 3; ++i) out.A(i, i) = s[static_cast<std::size_t>(i)];
    } else if (tag == "rotate") {
      const std::vector<double> r = numbers(element, 4);  // axis, degrees
      const double length = std::hypot(r[0], r[1], r[2]), angle = r[3] * std::numbers::pi / 180.0;
      if (length > 0.0) out.A = exp_so3((angle / length) * Vec3<double>{r[0], r[1], r[2]});
    }
    return out;
  }

  void place(const XMLElement& node, Affine to_file) {
    for (const XMLElement* child = node.FirstChildElement(); child; child = child->NextSiblingElement()) {
      const std::string_view tag = child->Name();
      if (tag == "node")
        place(*child, to_file);
      else if (tag == "instance_geometry")
        add_geometry(referred(*child, "url", "geometry"), to_file);
      else
        to_file = to_file * motion(*child);
    }
  }

  void add_geometry(const XMLElement& geometry, const Affine& to_file) {
    const XMLElement* mesh = geometry.FirstChildElement("mesh");
    if (!mesh) return;  // splines and the like
    for (const char* kind : {"triangles", "polylist", "polygons"})
      each(*mesh, kind, [&](const XMLElement& primitive) { add_primitive(primitive, to_file); });
  }

  /// Indices of corners come interleaved with those of normals and texture coordinates.
  void add_primitive(const XMLElement& primitive, const Affine& to_file) {
    std::size_t stride = 1, offset = 0;
    const XMLElement* vertices = nullptr;
    each(primitive, "input", [&](const XMLElement& input) {
      const auto at = static_cast<std::size_t>(std::max(0, input.IntAttribute("offset", 0)));
      if (at > 64) fail(input, "an offset up to 64", fmt::format("{}", at));
      stride = std::max(stride, at + 1);
      const char* semantic = input.Attribute("semantic");
      if (!semantic || std::strcmp(semantic, "VERTEX") != 0) return;
      vertices = &referred(input, "source", "vertices");
      offset = at;
    });
    if (!vertices) fail(primitive, "an input of semantic VERTEX", "none");
    const int first = add_positions(*vertices, to_file);
    mirrored_ = to_file.mirrors();
    const int count = static_cast<int>(mesh_.vertices.size()) - first;

    const bool is_list = std::strcmp(primitive.Name(), "polylist") == 0;
    const XMLElement* counts = primitive.FirstChildElement("vcount");
    if (is_list && !counts) fail(primitive, "the element vcount", "none");
    each(primitive, "p", [&](const XMLElement& p) {
      const std::vector<double> all = numbers(p);
      const std::size_t corners = all.size() / stride;
      std::vector<int> index;
      for (std::size_t i = 0; i < corners; ++i) {
        const double at = all[i * stride + offset];
        if (at < 0.0 || at >= count || at != std::floor(at))
          fail(p, fmt::format("indices of {} vertices", count), fmt::format("{}", at));
        index.push_back(first + static_cast<int>(at));
      }
      if (is_list) {
        std::size_t begin = 0;
        for (const double size : numbers(*counts)) {
          const auto n = static_cast<std::size_t>(std::max(0.0, size));
          if (n > index.size() - begin) fail(p, "as many corners as vcount says", fmt::format("{}", corners));
          add_fan(p, std::span(index).subspan(begin, n));
          begin += n;
        }
      } else if (std::strcmp(primitive.Name(), "polygons") == 0) {
        add_fan(p, index);
      } else {
        if (corners % 3 != 0) fail(p, "three corners for each triangle", fmt::format("{} in all", corners));
        for (std::size_t i = 0; i < corners; i += 3) add_fan(p, std::span(index).subspan(i, 3));
      }
    });
  }

  /// Appends the positions of a <vertices>; returns where they begin.
  int add_positions(const XMLElement& vertices, const Affine& to_file) {
    const XMLElement* source = nullptr;
    each(vertices, "input", [&](const XMLElement& input) {
      const char* semantic = input.Attribute("semantic");
      if (semantic && std::strcmp(semantic, "POSITION") == 0) source = &referred(input, "source", "source");
    });
    const XMLElement* array = source ? source->FirstChildElement("float_array") : nullptr;
    if (!array) fail(vertices, "a source of positions with a float_array", "none");
    const std::vector<double> x = numbers(*array);
    const std::size_t first = mesh_.vertices.size();
    if (first + x.size() / 3 > limits_.vertices)
      fail(*array, fmt::format("at most {} vertices", limits_.vertices), "more");
    for (std::size_t i = 0; i + 2 < x.size(); i += 3)
      mesh_.vertices.push_back(to_file(Vec3<double>{x[i], x[i + 1], x[i + 2]}));
    return static_cast<int>(first);
  }

  void add_fan(const XMLElement& at, std::span<const int> corners) {
    for (std::size_t i = 2; i < corners.size(); ++i) {
      if (mesh_.triangles.size() >= limits_.triangles)
        fail(at, fmt::format("at most {} triangles", limits_.triangles), "more");
      mesh_.triangles.push_back({corners[0], corners[mirrored_ ? i : i - 1], corners[mirrored_ ? i - 1 : i]});
    }
  }

  const XMLElement& root_;
  const std::string& name_;
  const MeshLimits& limits_;
  Mesh mesh_;
  bool mirrored_ = false;  // the primitive that is being read
  std::map<std::string, const XMLElement*, std::less<>> by_id_;
};

}  // namespace

Mesh parse_collada(std::string_view text, const std::string& name, const MeshLimits& limits) {
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
    throw std::runtime_error(fmt::format("{}:{}: expected XML, found a mistake in it", name, document.ErrorLineNum()));
  const XMLElement* root = document.FirstChildElement("COLLADA");
  if (!root) throw std::runtime_error(fmt::format("{}:1: expected the element COLLADA, found none", name));
  return ColladaReader(*root, name, limits).read();
}

}  // namespace cardan
