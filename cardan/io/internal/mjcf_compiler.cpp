#include "cardan/io/internal/mjcf_compiler.hpp"

#include "cardan/math/so3.hpp"

#include <cctype>
#include <cmath>

namespace cardan::io {

MjcfCompiler::MjcfCompiler(MjcfDocument& document) {
  for (const XmlElement& own : document.children(document.root(), "compiler")) {
    const MjcfElement element(own, {});
    degrees = element.has("angle") ? element.one_of("angle", {"degree", "radian"}) == "degree" : degrees;
    autolimits = element.truth("autolimits", autolimits);
    balance_inertia = element.truth("balanceinertia", balance_inertia);
    if (element.has("inertiafromgeom")) {
      const std::string word = element.one_of("inertiafromgeom", {"auto", "true", "false"});
      inertia_from_geoms = word == "auto"   ? FromGeoms::automatic
                           : word == "true" ? FromGeoms::always
                                            : FromGeoms::never;
    }
    if (element.has("eulerseq")) {
      euler_sequence = element.text("eulerseq", "");
      if (euler_sequence.size() != 3 || euler_sequence.find_first_not_of("xyzXYZ") != std::string::npos)
        own.fail("eulerseq", "expected three of x, y, z, X, Y, Z, found " + in_quotes(euler_sequence));
    }
    least_mass = element.number("boundmass", least_mass);
    least_inertia = element.number("boundinertia", least_inertia);
    total_mass = element.number("settotalmass", total_mass);
    mesh_folder = element.text("meshdir", element.text("assetdir", mesh_folder));
    if (element.has("inertiagrouprange")) {
      const std::vector<double> range = element.numbers("inertiagrouprange", 2, 2);
      first_group = range[0];
      last_group = range[1];
    }
    if (element.text("coordinate", "local") != "local")
      own.fail("coordinate", "expected local coordinates, found " + in_quotes(own.text("coordinate")));
  }
}

Mat3<double> rotation_of_z(const Vec3<double>& direction) {
  const double length = norm(direction);
  const Vec3<double> z{0.0, 0.0, 1.0}, d = (1.0 / length) * direction, axis = cross(z, d);
  const double sine = norm(axis), angle = std::atan2(sine, d[2]);
  if (sine < 1e-14) return exp_so3(d[2] > 0.0 ? Vec3<double>{} : Vec3<double>{angle, 0.0, 0.0});
  return exp_so3((angle / sine) * axis);
}

Mat3<double> MjcfCompiler::orientation(const MjcfElement& element) const {
  const auto require = [&](const Vec3<double>& v, const char* attribute) {
    if (!(norm(v) > 1e-14)) element.own().fail(attribute, "expected a direction, found a vector of zero length");
  };
  if (const auto q = element.numbers("quat", 4, 4); !q.empty()) {
    const Quaternion<double> quat{q[0], q[1], q[2], q[3]};
    if (!(dot(quat, quat) > 1e-28)) element.own().fail("quat", "expected a quaternion, found one of zero length");
    return quaternion_to_matrix(quaternion_normalize(quat));
  }
  if (const auto a = element.numbers("axisangle", 4, 4); !a.empty()) {
    const Vec3<double> axis{a[0], a[1], a[2]};
    require(axis, "axisangle");
    return exp_so3((angle(a[3]) / norm(axis)) * axis);
  }
  if (const auto a = element.numbers("xyaxes", 6, 6); !a.empty()) {
    Vec3<double> x{a[0], a[1], a[2]}, y{a[3], a[4], a[5]};
    require(x, "xyaxes");
    x = (1.0 / norm(x)) * x;
    y = y - dot(x, y) * x;
    require(y, "xyaxes");
    y = (1.0 / norm(y)) * y;
    const Vec3<double> z = cross(x, y);
    Mat3<double> R;
    for (int i = 0; i < 3; ++i) R.row[i] = {x[i], y[i], z[i]};
    return R;
  }
  if (const auto a = element.numbers("zaxis", 3, 3); !a.empty()) {
    const Vec3<double> z{a[0], a[1], a[2]};
    require(z, "zaxis");
    return rotation_of_z(z);
  }
  Mat3<double> R = Mat3<double>::identity();
  if (const auto e = element.numbers("euler", 3, 3); !e.empty())
    for (std::size_t i = 0; i < 3; ++i) {
      const char c = euler_sequence[i];
      Vec3<double> phi{};
      phi[std::tolower(static_cast<unsigned char>(c)) - 'x'] = angle(e[i]);
      // about axes that turn along, or about those of the parent
      R = std::islower(static_cast<unsigned char>(c)) != 0 ? R * exp_so3(phi) : exp_so3(phi) * R;
    }
  return R;
}

Pose<double> MjcfCompiler::pose(const MjcfElement& element) const {
  return {orientation(element), element.vec3("pos", {})};
}

}  // namespace cardan::io
