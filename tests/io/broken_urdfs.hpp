// URDF texts, each with one thing wrong, and what the complaint must say. Read by the library (tests/io) and through
// the command (tests/apps).
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cardan::test {

/// A sound robot that the broken ones are made of.
inline const std::string kSoundUrdf = R"(<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.5" rpy="0 0 0"/>
      <mass value="2"/>
      <inertia ixx="0.2" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.01"/>
    </inertial>
    <visual>
      <geometry><box size="0.1 0.1 1"/></geometry>
      <material name="red"><color rgba="1 0 0 1"/></material>
    </visual>
  </link>
  <link name="lower">
    <inertial>
      <mass value="1"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/>
    </inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="5"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
  <joint name="elbow" type="prismatic">
    <parent link="upper"/>
    <child link="lower"/>
    <origin xyz="0 0 1" rpy="0 0.5 0"/>
    <axis xyz="0 0 1"/>
    <mimic joint="shoulder" multiplier="2" offset="0.1"/>
  </joint>
</robot>
)";

/// The text with the first occurrence of a part replaced; the part must be there.
inline std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const auto at = text.find(part);
  if (at == std::string::npos) throw std::logic_error("not in the text: " + part);
  return text.replace(at, part.size(), by);
}

struct BrokenUrdf {
  std::string what, text;
  int line;                       // that the message must name
  std::vector<std::string> says;  // parts of the message, the offending name among them
};

/// The sound robot with one part replaced; the complaint is due at the line of the replacement.
inline BrokenUrdf broken(const std::string& what, const std::string& part, const std::string& by,
                         std::vector<std::string> says) {
  const auto at = kSoundUrdf.find(part);
  if (at == std::string::npos) throw std::logic_error("not in the text: " + part);
  const auto line = 1 + std::count(kSoundUrdf.begin(), kSoundUrdf.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return {what, replaced(kSoundUrdf, part, by), static_cast<int>(line), std::move(says)};
}

inline std::vector<BrokenUrdf> broken_numbers() {
  const std::string upper = "link \"upper\"", shoulder = "joint \"shoulder\"", elbow = "joint \"elbow\"";
  return {
      broken("zero axis", "0 1 0", "0 0 0", {shoulder, "axis xyz", "zero length"}),
      broken("axis of two numbers", "0 1 0", "0 1", {shoulder, "axis xyz: expected 3 numbers, found 2"}),
      broken("axis of four numbers", "0 1 0", "0 1 0 0", {shoulder, "expected 3 numbers, found 4"}),
      broken("axis with commas", "0 1 0", "0,1,0", {shoulder, "expected 3 numbers, found 1"}),
      broken("NaN in an axis", "0 1 0", "0 nan 0", {shoulder, "axis xyz: expected a finite number, found \"nan\""}),
      broken("infinite axis", "0 1 0", "1e200 1e200 0", {shoulder, "axis xyz", "infinite length"}),
      broken("infinite mass", "mass value=\"2\"", "mass value=\"inf\"", {upper, "mass value", "found \"inf\""}),
      broken("mass with a unit", "mass value=\"2\"", "mass value=\"2kg\"", {upper, "mass value", "found \"2kg\""}),
      broken("negative mass", "mass value=\"2\"", "mass value=\"-2\"", {upper, "mass value", "not negative", "-2"}),
      broken("mass beyond double", "mass value=\"2\"", "mass value=\"1e999\"", {upper, "found \"1e999\""}),
      broken("hexadecimal mass", "mass value=\"2\"", "mass value=\"0x2\"", {upper, "found \"0x2\""}),
      broken("two masses", "mass value=\"2\"", "mass value=\"2 3\"", {upper, "expected 1 number, found 2"}),
      broken("empty mass", "mass value=\"2\"", "mass value=\"\"", {upper, "expected 1 number, found 0"}),
      broken("negative moment", "ixx=\"0.2\"", "ixx=\"-0.2\"", {upper, "inertia ixx", "not negative"}),
      broken("misspelt moment", "iyy=\"0.2\"", "iyy=\"O.2\"", {upper, "inertia iyy", "found \"O.2\""}),
      broken("origin of two numbers", "xyz=\"0 0 0.5\"", "xyz=\"0 0.5\"", {upper, "origin xyz", "3 numbers, found 2"}),
      broken("letters in rpy", "rpy=\"0 0.5 0\"", "rpy=\"0 half 0\"", {elbow, "origin rpy", "found \"half\""}),
      broken("misspelt limit", "lower=\"-1\"", "lower=\"--1\"", {shoulder, "limit lower", "found \"--1\""}),
      broken("infinite limit", "upper=\"1\"", "upper=\"inf\"", {shoulder, "limit upper", "found \"inf\""}),
      broken("NaN friction", "friction=\"0.2\"", "friction=\"NaN\"", {shoulder, "dynamics friction", "\"NaN\""}),
      broken("misspelt multiplier", "multiplier=\"2\"", "multiplier=\"2x\"", {elbow, "mimic multiplier", "\"2x\""}),
      broken("misspelt offset", "offset=\"0.1\"", "offset=\"+-1\"", {elbow, "mimic offset", "found \"+-1\""}),
      broken("box of two numbers", "size=\"0.1 0.1 1\"", "size=\"0.1 1\"", {upper, "box size", "3 numbers, found 2"}),
      broken("color of three numbers", "rgba=\"1 0 0 1\"", "rgba=\"1 0 0\"", {"color rgba", "4 numbers, found 3"}),
      broken("misspelt radius", "<box size=\"0.1 0.1 1\"/>", "<sphere radius=\"big\"/>",
             {upper, "sphere radius", "big"}),
      broken("misspelt scale", "<box size=\"0.1 0.1 1\"/>", "<mesh filename=\"a.stl\" scale=\"1 1\"/>",
             {upper, "mesh scale", "3 numbers, found 2"}),
  };
}

inline std::vector<BrokenUrdf> broken_parts() {
  const std::string upper = "link \"upper\"", shoulder = "joint \"shoulder\"", elbow = "joint \"elbow\"";
  const std::string elbow_type = "name=\"elbow\" type=\"prismatic\"";
  return {
      broken("mass without value", "mass value=\"2\"", "mass weight=\"2\"", {upper, "mass", "attribute \"value\""}),
      broken("no moment", "ixx=\"0.2\"", "", {upper, "inertia", "attribute \"ixx\""}),
      broken("no joint name", "name=\"shoulder\" ", "", {"joint", "attribute \"name\""}),
      broken("empty joint name", "name=\"shoulder\"", "name=\"\"", {"joint: name", "empty"}),
      broken("no link name", "<link name=\"base\"/>", "<link/>", {"link", "attribute \"name\""}),
      broken("line break in a name", "link name=\"base\"", "link name=\"ba&#10;se\"",
             {"link: name", "control", "ba?se"}),
      broken("no joint type", elbow_type, "name=\"elbow\"", {elbow, "attribute \"type\""}),
      broken("unknown joint type", "type=\"revolute\"", "type=\"revolut\"", {shoulder, "did you mean \"revolute\"?"}),
      broken("joint type of no kind", "type=\"revolute\"", "type=\"ball\"", {shoulder, "type", "\"ball\"", "floating"}),
      broken("parent without link", "<parent link=\"base\"/>", "<parent/>", {shoulder, "parent", "attribute \"link\""}),
      broken("unknown parent", "<parent link=\"base\"/>", "<parent link=\"bass\"/>",
             {shoulder, "parent link", "\"bass\"", "did you mean \"base\"?"}),
      broken("unknown child", "<child link=\"lower\"/>", "<child link=\"hand\"/>", {elbow, "child link", "\"hand\""}),
      broken("mimic without joint", "joint=\"shoulder\" m", "m", {elbow, "mimic", "attribute \"joint\""}),
      broken("unknown mimic", "joint=\"shoulder\" m", "joint=\"sholder\" m", {elbow, "did you mean \"shoulder\"?"}),
      broken("mimic of itself", "joint=\"shoulder\" m", "joint=\"elbow\" m", {elbow, "mimic", "cycle"}),
      broken("box without size", "<box size=\"0.1 0.1 1\"/>", "<box/>", {upper, "box", "attribute \"size\""}),
      broken("cylinder without length", "<box size=\"0.1 0.1 1\"/>", "<cylinder radius=\"1\"/>",
             {upper, "cylinder", "attribute \"length\""}),
      broken("mesh without file", "<box size=\"0.1 0.1 1\"/>", "<mesh/>", {upper, "mesh", "attribute \"filename\""}),
      broken("no robot name", "<robot name=\"arm\">", "<robot>", {"robot", "attribute \"name\""}),
      broken("duplicate joint", "joint name=\"elbow\"", "joint name=\"shoulder\"",
             {shoulder, "name of its own", "joint in line 21"}),
      broken("duplicate link", "link name=\"lower\"", "link name=\"upper\"",
             {upper, "name of its own", "link in line 4"}),
      broken("limits the wrong way round", "<joint name=\"shoulder\" type=\"revolute\">",
             "<joint name=\"shoulder\" type=\"revolute\"><limit lower=\"1\" upper=\"-1\"/>",
             {shoulder, "lower limit 1"}),
      broken("negative effort", "<joint name=\"shoulder\" type=\"revolute\">",
             "<joint name=\"shoulder\" type=\"revolute\"><limit effort=\"-1\"/>", {shoulder, "effort"}),
      broken("negative damping", "<joint name=\"shoulder\" type=\"revolute\">",
             "<joint name=\"shoulder\" type=\"revolute\"><dynamics damping=\"-1\"/>", {shoulder, "damping"}),
      broken("mimic of six freedoms", elbow_type, "name=\"elbow\" type=\"floating\"", {elbow, "1 degree of freedom"}),
  };
}

inline std::string simple(const std::string& joints, const std::string& links = R"(<link name="a"/><link name="b"/>)") {
  return "<robot name=\"r\">\n" + links + "\n" + joints + "\n</robot>\n";
}
inline std::string joint_between(const std::string& name, const std::string& parent, const std::string& child,
                                 const std::string& inside = "") {
  return "<joint name=\"" + name + "\" type=\"continuous\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/>" + inside + "</joint>\n";
}

inline std::vector<BrokenUrdf> broken_graphs() {
  const std::string four = R"(<link name="a"/><link name="b"/><link name="c"/><link name="d"/>)";
  const std::string indefinite = replaced(kSoundUrdf, "ixx=\"0.2\" ixy=\"0\"", "ixx=\"0.2\" ixy=\"0.5\"");
  return {
      {"inertia with a negative principal moment", indefinite, 5, {"\"upper\"", "inertia", "positive semidefinite"}},
      {"no mass", replaced(kSoundUrdf, "<mass value=\"2\"/>", ""), 5, {"\"upper\"", "<mass>"}},
      {"no joint parent", replaced(kSoundUrdf, "<parent link=\"base\"/>", ""), 21, {"joint \"shoulder\"", "<parent>"}},
      {"no joint child", replaced(kSoundUrdf, "<child link=\"upper\"/>", ""), 21, {"joint \"shoulder\"", "<child>"}},
      {"no inertia",
       replaced(kSoundUrdf, "<inertia ixx=\"0.2\"", "<inertial ixx=\"0.2\""),
       5,
       {"\"upper\"", "<inertia>"}},
      {"two roots", simple(""), 2, {"link \"b\"", "one root link", "\"a\""}},
      {"no link", "<robot name=\"r\"/>", 1, {"robot \"r\"", "at least one link"}},
      {"parent is child", simple(joint_between("j", "a", "a")), 3, {"joint \"j\"", "two different links", "\"a\""}},
      {"cycle of all links",
       simple(joint_between("j", "a", "b") + joint_between("k", "b", "a")),
       4,
       {"joint \"k\"", "cycle"}},
      {"cycle beside the tree",
       simple(joint_between("j", "a", "b") + joint_between("k", "c", "d") + joint_between("l", "d", "c"), four),
       5,
       {"joint \"l\"", "cycle"}},
      {"two parents",
       simple(joint_between("j", "a", "c") + joint_between("k", "b", "c"), four),
       4,
       {"joint \"k\"", "without a parent", "\"c\"", "\"j\""}},
      {"world inside",
       simple(joint_between("j", "a", "world"), "<link name=\"a\"/>\n<link name=\"world\"/>"),
       3,
       {"link \"world\"", "root"}},
      {"cycle of mimics",
       simple(
           joint_between("j", "a", "b", "<mimic joint=\"k\"/>") + joint_between("k", "b", "c", "<mimic joint=\"j\"/>"),
           R"(<link name="a"/><link name="b"/><link name="c"/>)"),
       3,
       {"joint \"j\"", "cycle of mimics"}},
  };
}

inline std::vector<BrokenUrdf> broken_xml() {
  const auto until = [](const std::string& part) { return kSoundUrdf.substr(0, kSoundUrdf.find(part)); };
  std::string deep = "<robot name=\"r\">";
  for (int i = 0; i < 200; ++i) deep += "<a>";
  return {
      {"empty file", "", 1, {"XML", "empty file"}},
      {"blank file", " \n\n ", 1, {"XML", "empty file"}},
      {"no XML", "a robot, please\n", 1, {"XML"}},
      {"only a comment", "<!-- robot -->\n", 1, {"XML", "no element"}},
      {"another format", "<sdf version=\"1.9\">\n</sdf>\n", 1, {"sdf", "expected <robot>", "found <sdf>"}},
      {"cut in a tag", until("value=\"2\""), 7, {"XML"}},
      {"cut in an attribute", until("0 0 0.5"), 6, {"XML"}},
      {"cut between elements", until("  <joint name=\"shoulder\""), 2, {"XML", "unclosed"}},
      {"cut in a comment", "<robot name=\"r\">\n<!-- a robot", 2, {"XML"}},
      {"wrong closing tag", replaced(kSoundUrdf, "</inertial>", "</internal>"), 5, {"XML", "not closed"}},
      {"attribute without quotes", replaced(kSoundUrdf, "value=\"2\"", "value=2"), 7, {"XML"}},
      {"second robot", kSoundUrdf + "<robot name=\"b\"/>", 36, {"XML", "a second one"}},
      {"zero byte", replaced(kSoundUrdf, "</robot>", std::string("</robot>\0x", 10)), 35, {"XML", "zero byte"}},
      {"bytes of another kind",
       "\x7f"
       "ELF\x02\x01\x01\n",
       1,
       {"XML"}},
      {"too deep", deep, 1, {"XML"}},
  };
}

inline std::vector<BrokenUrdf> broken_urdfs() {
  std::vector<BrokenUrdf> all;
  for (auto part : {broken_numbers(), broken_parts(), broken_graphs(), broken_xml()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace cardan::test
