#include "cardan/io/internal/osim_functions.hpp"

#include "cardan/io/internal/scene_build.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cardan::io {

namespace {

const std::vector<std::string> kFunctions{"Constant",           "LinearFunction",     "SimmSpline",
                                          "NaturalCubicSpline", "natCubicSpline",     "PiecewiseLinearFunction",
                                          "MultiplierFunction", "PolynomialFunction", "Sine"};

bool is_osim_function(const std::string& tag) {
  return std::find(kFunctions.begin(), kFunctions.end(), tag) != kFunctions.end();
}

/// The tables of a scene, made where there are none yet.
TomlNode& tables_of(TomlNode& scene) {
  for (TomlEntry& entry : scene.entries)
    if (entry.key == "tables") return entry.value;
  put(scene, "tables", TomlNode());
  return scene.entries.back().value;
}

}  // namespace

XmlElement OsimFunctions::find(const XmlElement& owner, const char* tag) {
  if (const XmlElement property = owner.child(tag)) {
    const std::vector<XmlElement> inside = property.children();
    if (!inside.empty()) return inside.front();
  }
  for (const XmlElement& child : owner.children())
    if (osim_name(child) == tag) return child;
  for (const XmlElement& child : owner.children())
    if (is_osim_function(child.tag()) && osim_name(child).empty()) return child;
  return {};
}

std::string OsimFunctions::text(const XmlElement& function, const std::vector<std::string>& arguments,
                                const std::string& title) {
  constexpr int deepest = 20;
  const std::string tag = function.tag();
  if (tag == "Constant") return written(number_in(function, "value", 0.0));
  if (!is_osim_function(tag))
    function.fail(fmt::format("expected a function that is known ({}), found {}{}", fmt::join(kFunctions, ", "),
                              in_quotes(tag), did_you_mean(tag, kFunctions)));
  if (tag == "MultiplierFunction") {
    const XmlElement inner = find(function, "function");
    if (!inner) function.fail("expected a function inside, found none");
    if (++depth_ > deepest) function.fail("expected fewer functions inside one another, found too many");
    const double scale = number_in(function, "scale", 1.0);
    const std::string factor = text(inner, arguments, title);
    --depth_;
    if (factor == "0") return factor;
    return scale == 1.0 ? factor : fmt::format("{}*({})", written(scale), factor);
  }
  if (arguments.empty()) function.fail("expected a coordinate that the function depends on, found none");
  if (tag == "LinearFunction") return linear(function, arguments);
  if (arguments.size() != 1)
    function.fail(fmt::format("expected one coordinate for this function, found {}", arguments.size()));
  if (tag == "PolynomialFunction") return polynomial(function, arguments[0]);
  if (tag == "Sine")
    return fmt::format("{}*sin({}*{} + {}) + {}", written(number_in(function, "amplitude", 1.0)),
                       written(number_in(function, "omega", 1.0)), arguments[0],
                       written(number_in(function, "phase", 0.0)), written(number_in(function, "offset", 0.0)));
  return spline(function, arguments[0], title, tag == "PiecewiseLinearFunction" ? "linear" : "fmm_spline");
}

/// c_0 x_0 + c_1 x_1 + ... + c_n.
std::string OsimFunctions::linear(const XmlElement& function, const std::vector<std::string>& arguments) const {
  const XmlElement list = function.child("coefficients");
  const std::vector<double> c = list ? osim_numbers(list) : std::vector<double>{1.0, 0.0};
  if (c.size() != arguments.size() + 1)
    (list ? list : function).fail(fmt::format("expected {} coefficients, found {}", arguments.size() + 1, c.size()));
  std::string out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (c[i] == 0.0) continue;
    if (!out.empty()) out += " + ";
    out += c[i] == 1.0 ? arguments[i] : fmt::format("{}*{}", written(c[i]), arguments[i]);
  }
  if (c.back() != 0.0 || out.empty()) out += (out.empty() ? "" : " + ") + written(c.back());
  return out;
}

/// c_0 x^n + ... + c_n, by Horner's rule.
std::string OsimFunctions::polynomial(const XmlElement& function, const std::string& argument) const {
  constexpr std::size_t most = 50;
  const XmlElement list = function.required_child("coefficients");
  const std::vector<double> c = osim_numbers(list);
  if (c.empty() || c.size() > most)
    list.fail(fmt::format("expected from 1 to {} coefficients, found {}", most, c.size()));
  std::string out = written(c[0]);
  for (std::size_t i = 1; i < c.size(); ++i) out = fmt::format("({})*{} + {}", out, argument, written(c[i]));
  return out;
}

std::string OsimFunctions::spline(const XmlElement& function, const std::string& argument, const std::string& title,
                                  const char* method) {
  const XmlElement x_list = function.required_child("x"), y_list = function.required_child("y");
  std::vector<double> x = osim_numbers(x_list), y = osim_numbers(y_list);
  if (x.size() != y.size()) y_list.fail(fmt::format("expected {} numbers as in x, found {}", x.size(), y.size()));
  if (x.size() < 2) x_list.fail(fmt::format("expected at least 2 numbers, found {}", x.size()));
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    if (!(x[i] < x[i + 1]))
      x_list.fail(fmt::format("expected numbers that rise, found {:g} after {:g}", x[i + 1], x[i]));
  if (std::all_of(y.begin(), y.end(), [&](double one) { return one == y[0]; })) return written(y[0]);
  const std::string name = osim_word(title, taken_);
  put(tables_of(scene_), name,
      toml_table({{"x", toml_numbers(x)}, {"y", toml_numbers(y)}, {"method", toml_text(method)}}));
  return fmt::format("{}({})", name, argument);
}

}  // namespace cardan::io
