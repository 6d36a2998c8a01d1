#include "cardan/io/internal/scene_constraints.hpp"

#include "cardan/constraints/joint_subspace.hpp"
#include "cardan/io/internal/scene_geometry.hpp"
#include "cardan/io/internal/scene_joints.hpp"
#include "cardan/io/internal/scene_keys.hpp"
#include "cardan/io/internal/scene_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cardan::io {

namespace {

std::string read_end(const TomlValue& loop, const char* key, const std::set<std::string>& bodies) {
  const TomlValue body = loop.required(key);
  if (!body.is_text())
    body.fail(
        fmt::format("expected the name of a body, found {}; surfaces and curves of a loop are surface_{} and "
                    "curve_{}",
                    body.kind(), key, key));
  if (bodies.count(body.name()) == 0)
    body.fail(fmt::format("expected a body of this scene, found {}{}", in_quotes(body.text()),
                          did_you_mean(body.text(), {bodies.begin(), bodies.end()})));
  return body.text();
}

/// Refuses what only coordinates that are plain, or that differ, can have.
void check_dofs(const TomlValue& table, const JointSpec& loop) {
  const bool repeats = subspace_dimension(loop.type) < loop.type.nv();
  for (const DofProperties& dof : loop.dofs) {
    const bool is_limited = std::isfinite(dof.lower) || std::isfinite(dof.upper);
    for (const auto& [key, given] : {std::pair("stiffness", dof.stiffness != 0.0), {"limits", is_limited}})
      if (given && !loop.type.is_flat())
        table.find(key).fail(fmt::format(
            "expected a joint with plain coordinates, such as spherical_exponential, found {}", loop.type.type_name()));
    for (const auto& [key, given] : {std::pair("stiffness", dof.stiffness != 0.0),
                                     {"limits", is_limited},
                                     {"damping", dof.damping != 0.0},
                                     {"friction", dof.friction != 0.0}})
      if (given && repeats)
        table.find(key).fail("expected a joint whose coordinates differ, found one in which several do the same");
  }
}

JointSpec read_loop(const TomlValue& table, const std::set<std::string>& bodies) {
  JointSpec out;
  if (depends_on_time(table))
    table.find("transform").fail("expected a loop joint that does not depend on time, found t");
  out.type = read_joint_type(table, "loop");
  out.predecessor = read_end(table, "a", bodies);
  out.successor = read_end(table, "b", bodies);
  if (out.predecessor == out.successor)
    table.find("b").fail(
        fmt::format("expected another body than {}, found a loop from it to itself", in_quotes(out.predecessor)));
  if (out.type.nv() == 6) table.find("type").fail("expected a joint that holds something, found one with all freedoms");
  out.dofs.resize(static_cast<std::size_t>(out.type.nv()));
  read_dofs(table, out.dofs);
  check_dofs(table, out);
  if (const TomlValue at = table.find("at_a")) out.at = read_pose(at);
  if (const TomlValue at = table.find("at_b")) out.at_successor = read_pose(at);
  if (const TomlValue name = table.find("name")) out.name = name.name();
  out.where = table.where();
  out.closes_loop = true;
  return out;
}

}  // namespace

void add_loops(ModelBuilder& builder, const std::vector<TomlValue>& loops, const std::set<std::string>& bodies) {
  std::vector<std::string> names;
  for (const TomlValue& table : loops) {
    JointSpec loop = read_loop(table, bodies);
    if (loop.name.empty()) loop.name = fmt::format("{}-{}", loop.predecessor, loop.successor);
    const std::string first = loop.name;
    for (int n = 2; std::find(names.begin(), names.end(), loop.name) != names.end(); ++n) {
      if (table.find("name")) table.find("name").fail("expected names that differ, found this one twice");
      loop.name = fmt::format("{}-{}", first, n);
    }
    names.push_back(loop.name);
    builder.joint(std::move(loop));
  }
}

void add_couplings(ModelBuilder& builder, const std::vector<TomlValue>& couplings) {
  for (const TomlValue& table : couplings) {
    allow_keys(table, "coupling");
    const TomlValue with = table.find("with"), equals = table.required("equals");
    std::vector<std::string> words = names_used(table, equals), sources = words;
    if (with)
      for (const std::string& word : with.keys()) {
        const auto it = std::find(words.begin(), words.end(), word);
        if (it == words.end())
          with.fail_key(word, fmt::format("expected a name that equals uses, found {}", in_quotes(word)));
        sources[static_cast<std::size_t>(it - words.begin())] = with.find(word).name();
      }
    const TextScope scope = TextScope::of_names(table, words);
    builder.coupling({table.required("joint").name(), sources,
                      [scope, equals](std::span<const Expr> x) { return read_expression(equals, scope.symbols(x)); },
                      equals.is_text() ? equals.text() : fmt::format("{:g}", equals.number()), table.where()});
  }
}

}  // namespace cardan::io
