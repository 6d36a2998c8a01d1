// What acts on the bodies of an MJCF file: equalities as exact loops and couplings, actuators as inputs with the law of
// their kind, tendons as forces at joints and springs along paths.
#pragma once

#include "cardan/io/internal/mjcf_bodies.hpp"

namespace cardan::io {

class MjcfElements {
 public:
  MjcfElements(MjcfDocument& document, const MjcfCompiler& compiler, const MjcfBodies& bodies, TomlNode& scene,
               std::vector<std::string>& warnings)
      : document_(document), compiler_(compiler), bodies_(bodies), scene_(scene), warnings_(warnings) {}

  void read_equalities();
  void read_tendons();
  void read_actuators();

 private:
  void read_connect(const MjcfElement& element, bool is_weld);
  void read_joint_equality(const MjcfElement& element);
  void read_fixed_tendon(const XmlElement& own, const MjcfElement& tendon);
  void read_spatial_tendon(const XmlElement& own, const MjcfElement& tendon, const std::string& name);
  void read_actuator(const MjcfElement& actuator, const std::string& name);
  /// The joint of that name; complains where there is none, or where it is no hinge or slide.
  const MjcfJoint& plain_joint(const XmlElement& element, const char* attribute) const;
  const MjcfPlace& place(const XmlElement& element, const char* attribute,
                         const std::map<std::string, MjcfPlace>& places, const char* what) const;
  Pose<double> body_pose(const XmlElement& element, const char* attribute, std::string& name) const;
  void warn(const XmlElement& element, const std::string& what) { warnings_.push_back(element.message(what)); }

  MjcfDocument& document_;
  const MjcfCompiler& compiler_;
  const MjcfBodies& bodies_;
  TomlNode& scene_;
  std::vector<std::string>& warnings_;
};

}  // namespace cardan::io
