#include "cardan/io/internal/scene_contact.hpp"

#include "cardan/io/internal/gray_map.hpp"
#include "cardan/io/internal/scene_keys.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

namespace cardan::io {

namespace {

void read_not_negative(const TomlValue& table, const char* key, std::optional<double>& out) {
  const TomlValue value = table.find(key);
  if (!value) return;
  out = value.number();
  if (!(*out >= 0.0)) value.fail(fmt::format("expected a number not below 0, found {}", *out));
}

std::vector<std::vector<double>> read_rows(const TomlValue& list) {
  std::vector<std::vector<double>> rows;
  for (const TomlValue& row : list.items()) {
    rows.emplace_back();
    for (const TomlValue& height : row.items()) rows.back().push_back(height.number());
    if (rows.back().size() != rows.front().size())
      row.fail(fmt::format("expected as many numbers as in the first row, {}, found {}", rows.front().size(),
                           rows.back().size()));
  }
  if (rows.size() < 2 || rows.front().size() < 2) list.fail("expected 2 rows of 2 numbers or more, found fewer");
  return rows;
}

std::vector<std::vector<double>> read_landscape(const TomlValue& file, const TomlValue& scale,
                                                const std::string& folder) {
  std::vector<std::vector<double>> rows;
  try {
    rows = read_gray_map((std::filesystem::path(folder) / file.name()).string());
  } catch (const ModelError& problem) {
    file.fail(problem.what());
  }
  const double white = scale ? scale.number() : 1.0;
  for (auto& row : rows)
    for (double& height : row) height *= white;
  return rows;
}

/// height_field = { rows = [[...], ...], size = [x, y] }, or a gray map, "map.pgm", with size = [x, y] and scale = z
/// beside it: how high white is.
std::shared_ptr<const collision::TriangleMesh> read_height_field(const TomlValue& ground, const std::string& folder) {
  const TomlValue field = ground.find("height_field");
  std::vector<std::vector<double>> rows;
  TomlValue size;
  if (field.is_text()) {
    rows = read_landscape(field, ground.find("scale"), folder);
    size = ground.required("size");
  } else {
    allow_keys(field, "height_field");
    for (const char* key : {"scale", "size"})
      if (ground.find(key)) ground.find(key).fail("expected a gray map as height field beside it, found rows");
    rows = read_rows(field.required("rows"));
    size = field.required("size");
  }
  const std::vector<TomlValue> lengths = size.items(2, "numbers");
  return std::make_shared<const collision::TriangleMesh>(
      collision::make_height_field(rows, lengths[0].positive(), lengths[1].positive()));
}

Ground read_ground(const TomlValue& table, const std::string& folder) {
  allow_keys(table, "ground");
  Ground out;
  if (const TomlValue height = table.find("height")) out.height = height.number();
  if (const TomlValue normal = table.find("normal")) {
    const Vec3<double> n = normal.vec3();
    const double length = norm(n);
    if (!(length > 1e-9) || !std::isfinite(length)) normal.fail("expected a direction, found one without length");
    out.normal = (1.0 / length) * n;
  }
  if (table.find("height_field")) {
    if (table.find("normal")) table.find("normal").fail("expected no normal beside a height field, found one");
    out.height_field = read_height_field(table, folder);
  } else {
    for (const char* key : {"scale", "size"})
      if (table.find(key)) table.find(key).fail("expected a height field beside it, found none");
  }
  out.coefficients = read_coefficients(table);
  return out;
}

ContactRule read_rule(const TomlValue& table) {
  allow_keys(table, "contact");
  ContactRule out;
  if (const TomlValue a = table.find("a")) out.a = a.name();
  if (const TomlValue b = table.find("b")) out.b = b.name();
  if (const TomlValue ignore = table.find("ignore")) out.ignore = ignore.truth();
  out.coefficients = read_coefficients(table);
  out.where = table.where() + ": contact";
  return out;
}

/// [simulation.staggering], the numbers of bilateral staggered projections.
void read_staggering(const TomlValue& simulation, Settings& settings) {
  const TomlValue table = simulation.find("staggering");
  if (!table) return;
  if (settings.contact_solver != ContactSolver::bilateral_staggered_projections)
    table.fail("expected contact_solver = \"bilateral_staggered_projections\" beside it, found another");
  allow_keys(table, "staggering");
  StaggeringSettings& out = settings.staggering;
  const auto number = [&](const char* key, double& value) {
    if (const TomlValue given = table.find(key)) value = given.positive();
  };
  if (const TomlValue products = table.find("velocity_products")) out.velocity_products = products.truth();
  number("convergence", out.convergence);
  number("regularization", out.regularization);
  number("least_impulse", out.least_impulse);
  if (const TomlValue rounds = table.find("rounds")) {
    const double value = rounds.positive();
    if (value != std::floor(value) || value > 1e6)
      rounds.fail(fmt::format("expected a whole number up to 1000000, found {}", value));
    out.rounds = static_cast<int>(value);
  }
}

}  // namespace

ContactCoefficients read_coefficients(const TomlValue& table) {
  ContactCoefficients out;
  read_not_negative(table, "friction", out.friction);
  read_not_negative(table, "restitution", out.restitution);
  if (out.restitution && *out.restitution > 1.0)
    table.find("restitution").fail(fmt::format("expected a number from 0 to 1, found {}", *out.restitution));
  read_not_negative(table, "damping", out.damping);
  read_not_negative(table, "rolling", out.rolling);
  read_not_negative(table, "torsional", out.torsional);
  if (const TomlValue stiffness = table.find("stiffness")) out.stiffness = stiffness.positive();
  if (const TomlValue velocity = table.find("surface_velocity")) out.surface_velocity = velocity.vec3();
  if (const TomlValue law = table.find("law")) out.law = law.one_of(choices("contact", "law"));
  return out;
}

void read_contact_settings(const TomlValue& simulation, Settings& settings) {
  if (const TomlValue contact = simulation.find("contact")) {
    const std::string& mode = contact.one_of(choices("simulation", "contact"));
    if (mode == "events") settings.contact = ContactMode::events;
    if (mode == "stepping") settings.contact = ContactMode::stepping;
  }
  if (const TomlValue solver = simulation.find("contact_solver")) {
    const auto& names = contact_solver_names();
    settings.contact_solver =
        static_cast<ContactSolver>(std::find(names.begin(), names.end(), solver.one_of(names)) - names.begin());
  }
  read_staggering(simulation, settings);
  if (const TomlValue penetration = simulation.find("penetration")) settings.penetration = penetration.positive();
  if (const TomlValue residual = simulation.find("residual")) settings.residual = residual.positive();
  if (const TomlValue repeat = simulation.find("repeat_rest")) settings.repeat_rest = repeat.truth();
}

ContactRules read_contact(const Model& model, const TomlValue& ground, const std::vector<TomlValue>& contacts,
                          const std::string& folder) {
  ContactRules out;
  if (ground) {
    out.ground = read_ground(ground.named("ground"), folder);
    out.ground_where = ground.where() + ": ground";
  }
  for (const TomlValue& contact : contacts) out.rules.push_back(read_rule(contact.named("contact")));
  check_names(model, out);
  return out;
}

}  // namespace cardan::io
