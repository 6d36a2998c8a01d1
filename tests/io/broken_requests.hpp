// Requests to `cardan eval`, each with one thing wrong, and what the complaint must say. Read by the library (tests/io)
// and through the command (tests/apps).
#pragma once

#include <string>
#include <vector>

namespace cardan::test {

/// A ball that floats and a slider on it: nq = 8, nv = 7.
inline const std::string kRequestUrdf = R"(<robot name="ball">
  <link name="ball"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="pin"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="slide" type="prismatic"><parent link="ball"/><child link="pin"/></joint>
</robot>
)";

inline const std::string kRequest = R"({"quantities": ["inverse_dynamics", "forward_dynamics", "pose"],
 "frame": "pin",
 "backend": "generic",
 "states": [
  {"q": [1, 0, 0, 0, 0, 0, 0, 0], "v": [0, 0, 0, 0, 0, 0, 0], "a": [0, 0, 0, 0, 0, 0, 0], "tau": [0, 0, 0, 0, 0, 0, 0]},
  {"q": [0.6, 0.8, 0, 0, 1, 2, 3, 4], "v": [1, 2, 3, 4, 5, 6, 7], "a": [1, 1, 1, 1, 1, 1, 1], "tau": [7, 6, 5, 4, 3, 2, 1]}
 ]}
)";

struct BrokenRequest {
  std::string part, by;           // the replacement in kRequest
  std::vector<std::string> says;  // parts of the message
};

inline std::vector<BrokenRequest> broken_requests() {
  const std::string q1 = "[0.6, 0.8, 0, 0, 1, 2, 3, 4]", v1 = "[1, 2, 3, 4, 5, 6, 7]", tau1 = "[7, 6, 5, 4, 3, 2, 1]";
  const std::string list = R"(["inverse_dynamics", "forward_dynamics", "pose"])";
  return {
      {q1, "[0.6, 0.8, 0, 0, 1, 2, 3]", {"state 1", "\"q\"", "expected 8 numbers, found 7"}},
      {q1, "[0.6, 0.8, 0, 0, 1, 2, 3, 4, 5]", {"state 1", "\"q\"", "expected 8 numbers, found 9"}},
      {q1, "[]", {"state 1", "\"q\"", "expected 8 numbers, found 0"}},
      {q1, "7", {"state 1", "\"q\"", "expected a list of 8 numbers, found the number 7"}},
      {q1, "null", {"state 1", "\"q\"", "found null"}},
      {q1, "[0.6, 0.8, 0, 0, 1, 2, 3, \"4\"]", {"state 1", "\"q\" entry 7", "finite number", "the text \"4\""}},
      {q1, "[0.6, 0.8, 0, 0, 1, 2, 3, null]", {"state 1", "\"q\" entry 7", "finite number", "null"}},
      {q1, "[0.6, 0.8, 0, 0, 1, 2, 3, [4]]", {"state 1", "\"q\" entry 7", "a list of 1 entry"}},
      {q1, "[0.6, 0.8, 0, 0, 1, 2, 3, NaN]", {":6:", "expected a finite number, found NaN"}},
      {q1, "[0.6, 0.8, 0, 0, 1, 2, 3, -Infinity]", {":6:", "expected a finite number, found Infinity"}},
      {q1, "[0.6, 0.8, 0, 0, 1, 2, 3, 1e999]", {":6:", "expected a finite number, found \"1e999\""}},
      {q1, "[0.6, 0.8, 0.1, 0, 1, 2, 3, 4]", {"state 1", "root_joint", "quaternion", "length 1.00498756"}},
      {q1, "[0, 0, 0, 0, 1, 2, 3, 4]", {"state 1", "root_joint", "quaternion", "length 0"}},
      {q1, "[0.600002, 0.8, 0, 0, 1, 2, 3, 4]", {"state 1", "quaternion"}},
      {"\"q\": " + q1 + ", ", "", {"state 1", "\"q\"", "expected 8 numbers", "found none"}},
      {v1, "[1, 2, 3]", {"state 1", "\"v\"", "expected 7 numbers, found 3"}},
      {"\"tau\": " + tau1, "\"torque\": 1", {"state 1", "unknown key \"torque\"", "expected q, v, a, tau, t"}},
      {tau1, "\"many\"", {"state 1", "\"tau\"", "found the text \"many\""}},
      {"{\"q\": [0.6", "[{\"q\": [0.6", {":7:", "JSON"}},
      {list, R"(["inverse_dynamic"])", {"unknown quantity", "did you mean \"inverse_dynamics\"?"}},
      {list, R"(["beauty"])", {"unknown quantity \"beauty\""}},
      {list, R"(["drive_forces"])", {"\"drives\"", "expected a list of joints for \"drive_forces\", found none"}},
      {list, R"(["drive_forces"], "drives": ["pim"])", {"\"drives\"", "expected a joint of the model, found \"pim\""}},
      {list, R"(["pose"], "drives": ["pin"])", {"\"drives\"", "expected the quantity \"drive_forces\""}},
      {list, "[]", {"\"quantities\"", "expected a list of names"}},
      {list, "[1]", {"\"quantities\"", "expected a text, found the number 1"}},
      {list, "\"pose\"", {"\"quantities\"", "expected a list of names"}},
      {"\"quantities\"", "\"quantites\"", {"\"quantities\"", "did you mean", "\"quantites\""}},
      {"\"states\"", "\"state\"", {"\"states\"", "did you mean", "\"state\""}},
      {"\"frame\": \"pin\"", "\"frame\": \"pim\"", {"\"frame\"", "\"pim\"", "did you mean \"pin\"?"}},
      {"\"frame\": \"pin\"", "\"frame\": 3", {"\"frame\"", "expected a text"}},
      {"\"frame\": \"pin\",", "", {"\"frame\"", "\"pose\"", "found none"}},
      {"\"generic\"", "\"compield\"", {"\"backend\"", "\"compield\"", "did you mean \"compiled\""}},
      {"\"generic\"", "\"genric\"", {"\"backend\"", "did you mean \"generic\"?"}},
      {"\"states\": [", "\"states\": [3, ", {"state 0", "expected an object"}},
      {" ]}\n", " ]\n", {":8:", "JSON"}},
      {" ]}\n", " ]} trailing\n", {":7:", "JSON"}},
      {"{\"quantities\"", "[{\"quantities\"", {"JSON"}},
  };
}

}  // namespace cardan::test
