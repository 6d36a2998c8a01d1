#include "cardan/view/snapshot.hpp"

#include "cardan/joints/internal/coordinate_names.hpp"
#include "cardan/math/so3.hpp"

#include <type_traits>

namespace cardan::view {

namespace {

/// Units of the coordinates of one type of joint; velocities have "/s" behind them.
template <class J>
std::vector<std::string> units_of(const J& joint, bool of_velocities) {
  const std::vector<std::string> turn3{"rad", "rad", "rad"}, shift3{"m", "m", "m"};
  if constexpr (std::is_same_v<J, Revolute> || std::is_same_v<J, Helical>) return {"rad"};
  if constexpr (std::is_same_v<J, Prismatic>) return {"m"};
  if constexpr (std::is_same_v<J, Cylindrical>) return {"rad", "m"};
  if constexpr (std::is_same_v<J, Universal>) return {"rad", "rad"};
  if constexpr (std::is_same_v<J, Planar>) return {"m", "m"};
  if constexpr (std::is_same_v<J, Translational>) return shift3;
  if constexpr (std::is_same_v<J, SphericalEuler> || std::is_same_v<J, SphericalExponential>) return turn3;
  if constexpr (std::is_same_v<J, FreePlanar>) return {"m", "m", "rad"};
  if constexpr (std::is_same_v<J, Spherical>) return of_velocities ? turn3 : std::vector<std::string>(4);
  if constexpr (std::is_same_v<J, Free>) {
    if (of_velocities) return {"rad", "rad", "rad", "m", "m", "m"};
    return {"", "", "", "", "m", "m", "m"};
  }
  if constexpr (std::is_same_v<J, Composite>) {
    std::vector<std::string> out;
    for (const Joint& part : joint.joints)
      for (const std::string& unit : coordinate_units(part, false)) out.push_back(unit);
    return out;
  }
  if constexpr (SizedAtRunTime<J>)
    return std::vector<std::string>(static_cast<std::size_t>(of_velocities ? joint.nv() : joint.nq()));
  return {};
}

}  // namespace

std::vector<std::string> coordinate_units(const Joint& joint, bool of_velocities) {
  std::vector<std::string> out =
      std::visit([&](const auto& type) { return units_of(type, of_velocities); }, joint.type);
  out.resize(static_cast<std::size_t>(of_velocities ? joint.nv() : joint.nq()));
  for (std::string& unit : out)
    if (of_velocities && !unit.empty()) unit += "/s";
  return out;
}

Snapshots::Snapshots(const System& system, const std::vector<RecordedColumns>& layout)
    : system_(system), lines_(line_elements(system)), kinematics_(system.model()) {
  const Model& model = system.model();
  const std::vector<std::string> names = trajectory_columns(model);
  for (const bool of_velocities : {false, true})
    for (int body = 1; body <= model.bodies(); ++body) {
      const Link& link = model.link(body);
      const std::vector<std::string> units = coordinate_units(model.joint(body), of_velocities);
      const auto first = static_cast<std::size_t>(1 + (of_velocities ? model.nq() + link.v : link.q));
      // joints of one coordinate share a plot for each unit, others have their own
      const char* all = of_velocities ? "Velocities" : "Coordinates";
      const std::string& joint = model.joint_name(body);
      const std::vector<std::string> own = model.coordinate_names(body, of_velocities);
      for (std::size_t k = 0; k < units.size(); ++k)
        columns_.push_back({names[first + k], units[k], of_velocities ? "v" : "q",
                            units.size() > 1 ? joint + (of_velocities ? ", velocities" : "") : all,
                            units.size() == 1 ? joint
                            : own[k].empty()  ? std::to_string(k)
                                              : own[k],
                            body});
    }
  for (const char* name : {"energy", "kinetic", "potential"})
    columns_.push_back({name, "J", "energy", "Energies", name});
  const char* drift = system.is_conservative() ? "Drift of the energy" : "Change of the energy";
  columns_.push_back({"energy - first energy", "J", "energy", drift, "energy - first energy"});
  for (const RecordedColumns& record : layout)
    for (const std::string& name : record.columns) {
      const bool is_part = name.size() > record.name.size() + 1 && name.starts_with(record.name + ".");
      columns_.push_back(
          {name, record.unit, "record", record.name, is_part ? name.substr(record.name.size() + 1) : name});
    }
  for (const LineElement& line : lines_) columns_.push_back({line.name, "N", "tension", "Tensions", line.name});
}

void Snapshots::evaluate(double t, const State& state, const Energy& energy, std::span<const double> recorded) {
  const Instant at = kinematics_.at(t, state.q, state.v, state.z, system_.u());
  const Model& model = system_.model();
  positions_.clear();
  rotations_.clear();
  for (int body = 1; body <= model.bodies(); ++body) {
    const auto [R, p] = frame_pose(model, kinematics_.kinematics(), model.body_frame(body));
    const Quaternion<double> turn = quaternion_from_matrix(R);
    positions_.insert(positions_.end(), {p[0], p[1], p[2]});
    rotations_.insert(rotations_.end(), {turn[0], turn[1], turn[2], turn[3]});
  }
  if (!started_) first_energy_ = energy.total();
  started_ = true;
  values_.assign(state.q.begin(), state.q.end());
  values_.insert(values_.end(), state.v.begin(), state.v.end());
  values_.insert(values_.end(), {energy.total(), energy.kinetic, energy.potential, energy.total() - first_energy_});
  values_.insert(values_.end(), recorded.begin(), recorded.end());
  traced_.clear();
  for (const LineElement& line : lines_) {
    values_.push_back(line.tension(at));
    if (line.path) line.path->trace(at, traced_);
  }
}

}  // namespace cardan::view
