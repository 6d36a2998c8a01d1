// SDF files with one mistake each, and what the message must say.
#pragma once

namespace cardan::test {

/// A model of that version; where there is no version the text is the whole file.
struct BrokenSdf {
  const char *version, *text, *message;
};

inline constexpr BrokenSdf kBrokenSdfs[]{
    {"", "", "an empty file"},
    {"", "<sdf version='1.7'>", "not closed"},
    {"", "<robot/>", "expected an SDF file, <sdf>, found <robot>"},
    {"", "<sdf><model name='m'/></sdf>", "expected an attribute \"version\", found none"},
    {"", "<sdf version='new'/>", "expected a version from 1.0 to 1.12, found \"new\""},
    {"", "<sdf version='2.0'/>", "expected a version from 1.0 to 1.12"},
    {"", "<sdf version='1.7'/>", "expected a <world> or a <model>, found none"},
    {"", "<sdf version='1.7'><modle name='m'/></sdf>", "unknown element \"modle\": did you mean \"model\"?"},
    {"", "<sdf version='1.7'><model/></sdf>", "expected an attribute \"name\", found none"},
    {"", "<sdf version='1.7'><model name=''/></sdf>", "expected a name, found an empty text"},
    {"1.7", "<lnik name='a'/>", "unknown element \"lnik\": did you mean \"link\"?"},
    {"1.7", "<link/>", "expected an attribute \"name\", found none"},
    {"1.7", "<link nmae='a' name='b'/>", "unknown attribute \"nmae\": did you mean \"name\"?"},
    {"1.7", "<link name='a'/><link name='a'/>", "expected names that differ, found \"m::a\" twice"},
    {"1.7", "<link name='a'><pose>1 2 3</pose></link>", "expected 6 numbers, found 3"},
    {"1.7", "<link name='a'><pose>1 2 3 4 5 x</pose></link>", "expected a finite number, found \"x\""},
    {"1.9", "<link name='a'><pose rotation_format='euler'>1 2 3 4 5 6</pose></link>",
     "expected euler_rpy or quat_xyzw, found \"euler\""},
    {"1.9", "<link name='a'><pose rotation_format='quat_xyzw'>1 2 3 0 0 0 0</pose></link>",
     "expected a quaternion, found one of zero length"},
    {"1.7", "<link name='arm'/><link name='b'><pose relative_to='amr'/></link>",
     "found \"amr\": did you mean \"arm\"?"},
    {"1.7", "<link name='a'><pose relative_to='b'/></link><link name='b'><pose relative_to='a'/></link>",
     "without a circle, found one"},
    {"1.7", "<link name='a'><pose relative_to='a'/></link>", "expected a pose in another frame, found one in itself"},
    {"1.7", "<link name='a'/><frame name='f' attached_to='g'/>",
     "expected a link, joint, frame or model in this scope, found \"g\""},
    {"1.7", "<link name='a'><inertial><mass>-1</mass></inertial></link>",
     "expected a mass that is not negative, found -1"},
    {"1.7", "<link name='a'><inertial><mass>heavy</mass></inertial></link>",
     "expected a finite number, found \"heavy\""},
    {"1.7", "<link name='a'><inertial><mas>1</mas></inertial></link>",
     "unknown element \"mas\": did you mean \"mass\"?"},
    {"1.7", "<link name='a'><inertial><inertia><ixx>1 2</ixx></inertia></inertial></link>",
     "expected 1 number, found 2"},
    {"1.7", "<link name='a'><gravity>maybe</gravity></link>", "expected true or false, found \"maybe\""},
    {"1.7", "<link name='a'><visual name='v'/></link>", "expected a <geometry>, found none"},
    {"1.7", "<link name='a'><visual name='v'><geometry><box/></geometry></visual></link>",
     "expected a <size> element, found none"},
    {"1.7", "<link name='a'><visual name='v'><geometry><sphere><radius>0</radius></sphere></geometry></visual></link>",
     "expected a positive length, found 0"},
    {"1.7", "<link name='a'><visual name='v'><geometry><box><size>1 -1 1</size></box></geometry></visual></link>",
     "expected positive lengths, found -1"},
    {"1.7", "<link name='a'/><link name='b'/><joint name='j' type='revolut'><parent>a</parent><child>b</child></joint>",
     "did you mean \"revolute\"?"},
    {"1.7", "<link name='a'/><joint name='j' type='fixed'><parent>a</parent></joint>",
     "expected a <child> element, found none"},
    {"1.7", "<link name='a'/><joint name='j' type='fixed'><parent>a</parent><child>a</child></joint>",
     "expected two links, found \"m::a\" for both"},
    {"1.7",
     "<link name='arm'/><link name='b'/><joint name='j' type='fixed'><parent>b</parent><child>amr</child></joint>",
     "did you mean \"arm\"?"},
    {"1.7",
     "<link name='a'/><link name='b'/><joint name='j' type='revolute'><parent>a</parent><child>b</child>"
     "<axis><xyz>0 0 0</xyz></axis></joint>",
     "expected a direction, found a vector of zero length"},
    {"1.7",
     "<link name='a'/><link name='b'/><joint name='j' type='revolute'><parent>a</parent><child>b</child>"
     "<axis><xyz expressed_in='q'>0 0 1</xyz></axis></joint>",
     "expected a link, joint, frame or model in this scope, found \"q\""},
    {"1.7",
     "<link name='a'/><link name='b'/><joint name='j' type='revolute'><parent>a</parent><child>b</child>"
     "<axis><limit><lower>1</lower><upper>-1</upper></limit></axis></joint>",
     "expected the lower limit below the upper, found 1 and -1"},
    {"1.7",
     "<link name='a'/><link name='b'/><joint name='j' type='revolute'><parent>a</parent><child>b</child>"
     "<axis><dynamics><damping>-1</damping></dynamics></axis></joint>",
     "expected a number that is not negative, found -1"},
    {"1.7",
     "<link name='a'/><link name='b'/><joint name='j' type='screw'><parent>a</parent><child>b</child>"
     "<thread_pitch>0</thread_pitch></joint>",
     "expected a number other than 0, found 0"},
    {"1.7",
     "<link name='a'/><link name='b'/><joint name='j' type='gearbox'><parent>a</parent><child>b</child>"
     "<gearbox_reference_body>a</gearbox_reference_body></joint>",
     "expected a revolute joint between"},
    {"1.11",
     "<link name='a'/><link name='b'/><joint name='j' type='revolute'><parent>a</parent><child>b</child>"
     "<axis><mimic joint='k'/></axis></joint>",
     "expected a joint of this model, found \"k\""},
    {"1.7", "<include><uri>model://no_such_model_anywhere</uri></include>", "expected a model in the folders above"},
    {"1.7", "<include><uri>model://../../etc</uri></include>", "expected a path inside the folders of models"},
    {"1.7", "<include><uri>../../../etc/passwd</uri></include>", "expected a path inside the folder of the file"},
    {"1.7", "<include><uri>https://example.org/m</uri></include>", "nothing is fetched"},
    {"1.7", "<include/>", "expected a <uri> element, found none"},
};

}  // namespace cardan::test
