// Values and lists as OpenSim files write them.
#pragma once

#include "cardan/io/internal/xml_values.hpp"
#include "cardan/spatial/se3.hpp"

namespace cardan::io {

/// Lists the objects of a set: <JointSet><objects>, or those that stand in a list property themselves.
std::vector<XmlElement> osim_objects(const XmlElement& owner, const char* set);

/// Reads the attribute "name", or `otherwise` where it is missing or empty.
std::string osim_name(const XmlElement& element, const std::string& otherwise = {});

/// Reads a flag; an empty or missing element is `otherwise`.
bool osim_truth(const XmlElement& element, const char* tag, bool otherwise);

/// Reads all the numbers of an element.
std::vector<double> osim_numbers(const XmlElement& element);

/// Reads the names in an element, separated by white space; none where there is no such element.
std::vector<std::string> osim_names(const XmlElement& element, const char* tag);

/// Reads what a socket is connected to: <socket_NAME>, a connector of that name (before version 4.0), or the element
/// `old_tag` of files up to version 3. Empty where there is none of these.
std::string osim_socket(const XmlElement& element, const std::string& socket, const char* old_tag = nullptr);

/// Composes a pose of a translation and angles about x, y and z of the moving axes.
Pose<double> osim_pose(const Vec3<double>& translation, const Vec3<double>& angles);

/// Takes the last part of a path: knee_angle of /jointset/knee/knee_angle.
std::string osim_last_part(const std::string& path);

/// A name that texts of scenes can use: letters, digits and underscores, not one of `taken`, which it joins.
std::string osim_word(const std::string& name, std::set<std::string>& taken);

}  // namespace cardan::io
