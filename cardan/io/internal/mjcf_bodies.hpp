// The bodies, joints, geoms and sites of an MJCF file as those of a scene. A body whose joints do not turn about its
// origin, or that has several, stands behind bodies without mass, one for each joint; its own frame stays MuJoCo's.
#pragma once

#include "cardan/io/internal/mjcf_shapes.hpp"
#include "cardan/io/internal/scene_build.hpp"

namespace cardan::io {

/// A joint as other elements of the file speak of it.
struct MjcfJoint {
  std::string name, type;  // hinge, slide, ball, free
  double reference = 0.0;
  Vec3<double> axis;
};

/// A place on a body, in its frame.
struct MjcfPlace {
  std::string body;
  Pose<double> pose;
  std::optional<Shape> shape{};  // of geoms
};

class MjcfBodies {
 public:
  MjcfBodies(MjcfDocument& document, const MjcfCompiler& compiler, std::vector<std::string>& warnings)
      : document_(document), compiler_(compiler), shapes_(document, compiler), warnings_(warnings) {}

  /// Holds what of <option> acts on bodies.
  struct Surroundings {
    Vec3<double> gravity{0.0, 0.0, -9.81}, wind{};
    double density = 0.0, viscosity = 0.0;
  };
  /// Reads <worldbody> into the scene.
  void read(TomlNode& scene, const Surroundings& surroundings);

  const std::vector<MjcfJoint>& joints() const { return joints_; }
  const std::map<std::string, MjcfPlace>& sites() const { return sites_; }
  const std::map<std::string, MjcfPlace>& geoms() const { return geoms_; }
  /// True if geoms would touch in MuJoCo.
  bool may_touch() const { return may_touch_; }
  /// Gives where bodies are in the world at the file's own configuration.
  const std::map<std::string, Pose<double>>& poses() const { return poses_; }

 private:
  /// Holds what one body has, frames resolved.
  struct Parts {
    struct Placed {
      XmlElement element;
      Pose<double> frame;
      std::string child_class;
    };
    std::vector<Placed> joints, geoms, sites, bodies;
    XmlElement inertial;
  };
  void gather(const XmlElement& element, const Pose<double>& frame, const std::string& child_class, Parts& parts);
  void read_body(const Parts::Placed& body, const std::string& parent);
  /// Reads geoms and sites; returns the shapes to draw.
  std::vector<TomlNode> read_places(const Parts& parts, const std::string& name);
  /// Adds the bodies of the joints; returns the joint table and parent of the body itself.
  struct Carrier {
    std::string parent;
    TomlNode joint;
  };
  Carrier carry(const Parts& parts, const std::string& name, const std::string& parent, const Pose<double>& pose);
  TomlNode joint_table(const MjcfElement& joint, const MjcfJoint& about, const Pose<double>& at);
  MassProperties mass_of(const Parts& parts, const std::string& name);
  void add_body(const std::string& name, const std::string& parent, TomlNode joint, const MassProperties& mass,
                std::vector<TomlNode> shapes = {});
  void scale_total_mass() const;
  void add_fluid(const Parts& parts, const std::string& name, const MassProperties& mass);
  void compensate_gravity(const XmlElement& body, const std::string& name, const MassProperties& mass);
  void check_attributes(const XmlElement& element);
  std::string unique(std::string name);

  MjcfDocument& document_;
  const MjcfCompiler& compiler_;
  MjcfShapes shapes_;
  std::vector<std::string>& warnings_;
  TomlNode* scene_ = nullptr;
  Surroundings around_;
  std::vector<std::string> names_{"world"};
  std::vector<MjcfJoint> joints_;
  std::map<std::string, MjcfPlace> sites_, geoms_;
  std::map<std::string, Pose<double>> poses_;
  std::vector<std::string> moving_;  // bodies behind a joint
  int count_ = 0;
  bool may_touch_ = false;
};

}  // namespace cardan::io
