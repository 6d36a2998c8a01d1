// OpenSim files with one mistake each, and what the message must say.
#pragma once

#include <string>

namespace cardan::test {

/// What stands in a file: all of it, or a part of a model with a body "arm".
enum class OsimPart { file, model, body, joint, pin, coordinate, axis, constraint, force, muscle, wrap };

/// Puts a text where it belongs in a model that is sound otherwise.
inline std::string osim_file(OsimPart part, const std::string& text) {
  const std::string ends =
      "<socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>arm</socket_child_frame>";
  const auto pin = [&](const std::string& inside) { return "<PinJoint name='pin'>" + ends + inside + "</PinJoint>"; };
  const auto set = [](const std::string& name, const std::string& objects) {
    return "\n<" + name + "><objects>" + objects + "</objects></" + name + ">";
  };
  const auto points = [&](const std::string& wraps) {
    return "<GeometryPath>" +
           set("PathPointSet",
               "<PathPoint name='a'><body>ground</body></PathPoint><PathPoint name='b'><body>arm</body><location>0 1 0"
               "</location></PathPoint>") +
           wraps + "</GeometryPath>";
  };
  std::string body = "<mass>1</mass><inertia>1 1 1 0 0 0</inertia>", forces, constraints, rest,
              joints = pin("<coordinates><Coordinate name='angle'/></coordinates>");
  switch (part) {
    case OsimPart::file: return text;
    case OsimPart::model:
      return "<OpenSimDocument Version='40000'>\n<Model name='m'>" + text + "</Model></OpenSimDocument>";
    case OsimPart::body: body = text; break;
    case OsimPart::joint: joints = text; break;
    case OsimPart::pin: joints = pin(text); break;
    case OsimPart::coordinate:
      joints = pin("<coordinates><Coordinate name='angle'>" + text + "</Coordinate></coordinates>");
      break;
    case OsimPart::axis:
      joints = "<CustomJoint name='j'>" + ends +
               "<coordinates><Coordinate name='angle'/></coordinates><SpatialTransform>" + text +
               "</SpatialTransform></CustomJoint>";
      break;
    case OsimPart::constraint: constraints = set("ConstraintSet", text); break;
    case OsimPart::force: forces = text; break;
    case OsimPart::muscle: forces = "<Thelen2003Muscle name='m'>" + text + points("") + "</Thelen2003Muscle>"; break;
    case OsimPart::wrap:
      body += set("WrapObjectSet", text);
      forces = "<PathActuator name='p'>" +
               points(set("PathWrapSet", "<PathWrap name='w'><wrap_object>ball</wrap_object></PathWrap>")) +
               "</PathActuator>";
      break;
  }
  return osim_file(OsimPart::model, set("BodySet", "<Body name='arm'>" + body + "</Body>") + set("JointSet", joints) +
                                        constraints + set("ForceSet", forces) + rest);
}

struct BrokenOsim {
  OsimPart part;
  const char *text, *message;
};

inline constexpr BrokenOsim kBrokenOsims[]{
    {OsimPart::file, "", "an empty file"},
    {OsimPart::file, "<OpenSimDocument Version='40000'>", "not closed"},
    {OsimPart::file, "<robot/>", "expected an OpenSim file, <OpenSimDocument>, found <robot>"},
    {OsimPart::file, "<OpenSimDocument/>", "expected an attribute \"Version\", found none"},
    {OsimPart::file, "<OpenSimDocument Version='new'/>", "expected a finite number, found \"new\""},
    {OsimPart::file, "<OpenSimDocument Version='10905'><Model/></OpenSimDocument>",
     "expected a version from 20000 on, found 10905"},
    {OsimPart::file, "<OpenSimDocument Version='40000'/>", "expected a <Model>, found none"},
    {OsimPart::file, "<OpenSimDocument Version='40000'><Modle/></OpenSimDocument>",
     "unknown element \"Modle\": did you mean \"Model\"?"},
    {OsimPart::model, "<BodySte/>", "unknown element \"BodySte\": did you mean \"BodySet\"?"},
    {OsimPart::model, "<gravity>0 -9.8</gravity>", "expected 3 numbers, found 2"},
    {OsimPart::model, "<gravity>0 down 0</gravity>", "expected a finite number, found \"down\""},
    {OsimPart::model, "<BodySet><objects><Bdoy name='a'/></objects></BodySet>", "expected a <Body>, found <Bdoy>"},
    {OsimPart::model, "<BodySet><objects><Body/></objects></BodySet>", "expected an attribute \"name\", found none"},
    {OsimPart::model, "<BodySet><objects><Body name='a'/><Body name='a'/></objects></BodySet>",
     "expected names that differ, found \"a\" twice"},
    {OsimPart::model, "<BodySet><objects><Body name='world'/></objects></BodySet>",
     "\"world\" is the fixed frame of reference"},
    {OsimPart::body, "<mass>-1</mass>", "expected a mass that is not negative, found -1"},
    {OsimPart::body, "<mas>1</mas>", "unknown element \"mas\": did you mean \"mass\"?"},
    {OsimPart::body, "<mass>1</mass><inertia>1 1 1</inertia>", "expected 6 numbers, found 3"},
    {OsimPart::body, "<attached_geometry><Sphere name='s'><radius>0</radius></Sphere></attached_geometry>",
     "expected positive lengths, found \"0\""},
    {OsimPart::joint, "<PinJiont name='j'/>", "did you mean \"PinJoint\"?"},
    {OsimPart::joint, "<PinJoint name='j'/>", "expected a <socket_parent_frame> element, found none"},
    {OsimPart::joint,
     "<PinJoint name='j'><socket_parent_frame>ground</socket_parent_frame><socket_child_frame>amr</socket_child_frame>"
     "</PinJoint>",
     "found \"amr\": did you mean \"arm\"?"},
    {OsimPart::joint,
     "<PinJoint name='j'><socket_parent_frame>arm</socket_parent_frame><socket_child_frame>arm</socket_child_frame>"
     "</PinJoint>",
     "expected two bodies, found \"arm\" for both"},
    {OsimPart::joint,
     "<WeldJoint name='j'><parent_body>ground</parent_body><socket_child_frame>arm</socket_child_frame></WeldJoint>"
     "<WeldJoint name='k'><parent_body>ground</parent_body><socket_child_frame>arm</socket_child_frame></WeldJoint>",
     "expected one joint for each body, found \"arm\" moved by \"j\" too"},
    {OsimPart::joint,
     "<WeldJoint name='j'><parent_body>ground</parent_body><socket_child_frame>arm</socket_child_frame></WeldJoint>"
     "<WeldJoint name='j'><parent_body>ground</parent_body><socket_child_frame>arm</socket_child_frame></WeldJoint>",
     "expected names that differ, found \"j\" twice"},
    {OsimPart::joint,
     "<PinJoint name='j'><socket_parent_frame>f</socket_parent_frame><socket_child_frame>arm</socket_child_frame>"
     "<frames><PhysicalOffsetFrame name='f'><socket_parent>/jointset/j/g</socket_parent></PhysicalOffsetFrame>"
     "<PhysicalOffsetFrame name='g'><socket_parent>/jointset/j/f</socket_parent></PhysicalOffsetFrame></frames>"
     "</PinJoint>",
     "found a circle of frames"},
    {OsimPart::pin, "<coordinates><Coordinate name='a'/><Coordinate name='b'/></coordinates>",
     "expected at most 1 coordinates, found 2"},
    {OsimPart::pin, "<coordinates><Coordniate name='a'/></coordinates>", "expected a <Coordinate>, found <Coordniate>"},
    {OsimPart::pin, "<cordinates/>", "did you mean \"coordinates\"?"},
    {OsimPart::coordinate, "<default_vlaue>1</default_vlaue>", "did you mean \"default_value\"?"},
    {OsimPart::coordinate, "<default_value>high</default_value>", "expected a finite number, found \"high\""},
    {OsimPart::coordinate, "<clamped>true</clamped><range>1 -1</range>",
     "expected the lower limit first, found 1 and -1"},
    {OsimPart::coordinate, "<locked>perhaps</locked>", "expected true or false, found \"perhaps\""},
    {OsimPart::coordinate, "<prescribed>true</prescribed><prescribed_function><GCVSpline/></prescribed_function>",
     "expected a function that is known"},
    {OsimPart::axis, "", "expected an axis that the coordinate \"angle\" moves, found none"},
    {OsimPart::axis, "<TransformAxis name='rotation9'/>", "did you mean \"rotation"},
    {OsimPart::axis,
     "<TransformAxis name='rotation1'><axis>0 0 0</axis><coordinates>angle</coordinates><LinearFunction/>"
     "</TransformAxis>",
     "expected a direction, found a vector of zero length"},
    {OsimPart::axis, "<TransformAxis name='rotation1'><coordinates>angel</coordinates></TransformAxis>",
     "expected a coordinate of the joint, found \"angel\": did you mean \"angle\"?"},
    {OsimPart::axis,
     "<TransformAxis name='rotation1'><coordinates>angle</coordinates><function><SimSpline/></function>"
     "</TransformAxis>",
     "did you mean \"SimmSpline\"?"},
    {OsimPart::axis,
     "<TransformAxis name='rotation1'><coordinates>angle</coordinates><SimmSpline><x>0 1 1</x><y>0 1 2</y></SimmSpline>"
     "</TransformAxis>",
     "expected numbers that rise, found 1 after 1"},
    {OsimPart::axis,
     "<TransformAxis name='rotation1'><coordinates>angle</coordinates><SimmSpline><x>0 1 2</x><y>0 1</y></SimmSpline>"
     "</TransformAxis>",
     "expected 3 numbers as in x, found 2"},
    {OsimPart::axis,
     "<TransformAxis name='rotation1'><coordinates>angle</coordinates><LinearFunction><coefficients>1 2 3"
     "</coefficients></LinearFunction></TransformAxis>",
     "expected 2 coefficients, found 3"},
    {OsimPart::constraint,
     "<CoordinateCouplerConstraint name='c'><dependent_coordinate_name>angel</dependent_coordinate_name>"
     "</CoordinateCouplerConstraint>",
     "expected a coordinate of this model, found \"angel\": did you mean \"angle\"?"},
    {OsimPart::constraint,
     "<CoordinateCouplerConstraint name='c'><dependent_coordinate_name>angle</dependent_coordinate_name>"
     "<coupled_coordinates_function><LinearFunction/></coupled_coordinates_function></CoordinateCouplerConstraint>",
     "expected <independent_coordinate_names>, found none"},
    {OsimPart::constraint, "<PointConstraint name='c'><body_1>arm</body_1><body_2>arm</body_2></PointConstraint>",
     "expected two bodies, found \"arm\" for both"},
    {OsimPart::constraint, "<PiontConstraint name='c'/>", "did you mean \"PointConstraint\"?"},
    {OsimPart::constraint,
     "<ConstantDistanceConstraint name='c'><body_1>arm</body_1><body_2>ground</body_2></ConstantDistanceConstraint>",
     "expected a positive distance, found 0"},
    {OsimPart::force, "<Thelen2003Musle name='m'/>", "did you mean \"Thelen2003Muscle\"?"},
    {OsimPart::force, "<Thelen2003Muscle name='m'><GeometryPath/></Thelen2003Muscle>",
     "expected at least 2 points, found 0"},
    {OsimPart::force,
     "<PathActuator name='p'><GeometryPath><PathPointSet><objects><PathPiont name='a'/></objects></PathPointSet>"
     "</GeometryPath></PathActuator>",
     "did you mean \"PathPoint\"?"},
    {OsimPart::force, "<CoordinateActuator name='c'><coordinate>angel</coordinate></CoordinateActuator>",
     "expected a coordinate of this model, found \"angel\""},
    {OsimPart::force, "<BushingForce name='b'><body_1>arm</body_1></BushingForce>",
     "expected a <socket_frame2> element, found none"},
    {OsimPart::muscle, "<max_isometric_force>0</max_isometric_force>", "expected a positive number, found 0"},
    {OsimPart::muscle, "<max_isometric_froce>1</max_isometric_froce>", "did you mean \"max_isometric_force\"?"},
    {OsimPart::muscle, "<Flen>0.9</Flen>", "expected a number above 1"},
    {OsimPart::wrap, "", "expected a wrap object of this model, found \"ball\""},
    {OsimPart::wrap, "<WrapSphree name='ball'/>", "did you mean \"WrapSphere\"?"},
    {OsimPart::wrap, "<WrapSphere name='ball'/>", "expected a <radius> element, found none"},
    {OsimPart::wrap, "<WrapSphere name='ball'><radius>-1</radius></WrapSphere>",
     "expected a positive number, found -1"},
    {OsimPart::wrap, "<WrapSphere name='ball'><quadrant>up</quadrant><radius>1</radius></WrapSphere>",
     "expected x, -x, y, -y, z, -z or all, found \"up\""},
};

}  // namespace cardan::test
