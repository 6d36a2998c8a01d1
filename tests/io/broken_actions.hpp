// Scene files with one thing wrong in what happens there: forces, motions, records, loops and couplings.
#pragma once

#include "tests/io/sound_scene.hpp"

namespace cardan::test {

inline std::vector<BrokenScene> broken_forces() {
  const std::string point = "type = \"point\"", bead = "body = \"bead\"", push = "force = [\"0\", \"k*sin(3*t)\", 1]";
  const std::string turn = "moment = [\"0\", \"exp(-t)\", \"0\"]";
  return {
      scene("[[force]]\n" + point, "[force]\n" + point, {"TOML"}, 7),
      scene("[[force]]\n" + point, "[[forces]]\n" + point, {"unknown key \"forces\": did you mean \"force\"?"}),
      scene(point + "\n", "", {"force entry 0: expected the key \"type\", found none"}, -1),
      scene(point, "type = \"pont\"",
            {"expected point, wrench, joint, spring, spring_damper, cable, muscle, damping, bushing, soft_contact or "
             "fluid, "
             "found \"pont\": "
             "did you mean \"point\"?"}),
      scene(point, "type = 3",
            {"force entry 0: type: expected point, wrench, joint, spring, spring_damper, cable, muscle, damping, "
             "bushing, "
             "soft_contact or fluid, found the number 3"}),
      extra("[[force]]\ntype = \"spring\"\n", {"force entry 2: expected the key \"points\", found none"}),
      extra("[[force]]\ntype = \"spring\"\npoints = [{ body = \"arm\" }]\n",
            {"points: expected from 2 to 1000 points, found 1"}, 2),
      extra("[[force]]\ntype = \"spring\"\npoints = [{ body = \"arm\" }, { body = \"arm\" }]\nstiffness = 1\n",
            {"expected points of two bodies that move against each other, found all on one"}, 2),
      extra("[[force]]\ntype = \"spring\"\npoints = [{ body = \"arm\" }, { body = \"wrld\" }]\n",
            {"expected a body of this scene, found \"wrld\": did you mean \"world\"?"}, 2),
      extra("[[force]]\ntype = \"spring\"\npoints = [{ body = \"arm\" }, { body = \"world\" }]\n",
            {"expected the key \"stiffness\" or \"damping\", found neither"}),
      extra("[[force]]\ntype = \"spring\"\npoints = [{ body = \"arm\" }, { body = \"world\" }]\nstiffness = -1\n",
            {"stiffness: expected a number not below 0, found the number -1"}, 3),
      extra("[[force]]\ntype = \"joint\"\njoint = \"amr\"\nforce = \"t\"\n",
            {"expected a joint that moves, found \"amr\": did you mean \"arm\"?"}, 2),
      extra("[[force]]\ntype = \"joint\"\njoint = \"arm\"\n", {"expected the key \"force\", found none"}),
      extra("[[force]]\ntype = \"joint\"\njoint = \"arm\"\nforce = \"2*v.amr\"\n",
            {"expected t, a joint, v.JOINT, an input or a record further up, found \"v.amr\": did you mean \"v.arm\"?"},
            3),
      extra("[[force]]\ntype = \"joint\"\njoint = \"arm\"\nforce = \"2*\"\n", {"force"}, 3),
      scene(bead + "\n", "", {"force entry 0: expected the key \"body\", found none"}, -2),
      scene(bead, "body = \"beads\"", {"expected a body of this scene, found \"beads\": did you mean \"bead\"?"}),
      scene(bead, "body = \"world\"", {"expected a body that moves, found \"world\", which is fixed"}),
      scene(bead, "body = 1", {"body: expected a text, found the number 1"}),
      scene("at = [0, 0, 0.1]", "at = [0, 0.1]", {"force entry 0: at: expected 3 numbers, found 2"}),
      scene("at = [0, 0, 0.1]", "point = [0, 0, 0.1]", {"force entry 0: unknown key \"point\""}),
      scene("at = [0, 0, 0.1]", "moment = [0, 0, 1]",
            {"force entry 0: unknown key \"moment\": it goes with type \"wrench\", found type \"point\""}),
      scene(push + "\n", "", {"force entry 0: expected the key \"force\", found none"}, -4),
      scene(push, "force = [0, 1]", {"force: expected 3 expressions, found 2"}),
      scene(push, "force = \"2*t\"", {"force: expected a list of 3 expressions, found the text \"2*t\""}),
      scene("k*sin(3*t)", "k*sin(3*x)",
            {":24: ", "force entry 1: expected t, a joint, v.JOINT, an input or a record further up, found \"x\""}),
      scene("k*sin(3*t)", "k*sin(3*t", {"force entry 1: expected \")\", found the end"}),
      scene("k*sin(3*t)", "k/0", {"division by zero"}),
      scene("k = 2.0", "kk = 2.0", {"expected t, a joint, v.JOINT, an input or a record further up, found \"k\""}, -1),
      scene("k = 2.0", "k = \"two\"", {"parameters: k: expected a finite number"}),
      scene("frame = \"body\"", "frame = \"arm\"", {"force entry 1: frame: expected world or body, found \"arm\""}),
      scene(turn + "\n", "", {"force entry 1: expected the key \"moment\" or \"force\", found neither"}, -4),
      scene(turn, "momnet = [0, 1, 0]", {"unknown key \"momnet\": did you mean \"moment\"?"}),
  };
}

inline std::vector<BrokenScene> broken_motions() {
  const std::string joint = "joint = \"arm\"", swing = "position = \"0.5*sin(2*t)\"";
  return {
      scene("[[motion]]\n" + joint, "[[motions]]\n" + joint, {"unknown key \"motions\": did you mean \"motion\"?"}),
      scene(joint + "\n", "", {"motion entry 0: expected the key \"joint\", found none"}, -1),
      scene(joint, "joint = \"arms\"", {"expected a joint that moves, found \"arms\": did you mean \"arm\"?"}),
      scene(joint, "joint = \"cam\"", {"position: expected a list of 2 expressions"}, 1),
      scene(joint, "joint = \"bead\"", {"position: expected a list of 2 expressions"}, 1),
      scene("joint = \"cam\"", "joint = \"arm\"", {"acceleration: expected 1 expression, found 2"}, 1),
      scene("joint = \"cam\"\nacceleration = [\"t\", 0.1]", joint + "\nacceleration = \"t\"",
            {"expected one motion for each joint, found \"arm\" twice"}),
      scene(swing + "\n", "", {"motion entry 0: expected a motion: position, velocity or acceleration"}, -2),
      scene(swing, swing + "\nacceleration = 0", {"found \"position\" and \"acceleration\""}, 1),
      scene(swing, "speed = \"t\"", {"motion entry 0: unknown key \"speed\""}),
      scene(swing, "positon = \"t\"", {"unknown key \"positon\": did you mean \"position\"?"}),
      scene(swing, "position = \"0.5*sin(2*q)\"", {":23: ", "position: unknown name \"q\""}),
      scene(swing, "position = true", {"position: expected a text, found true"}),
      scene("[\"t\", 0.1]", "[\"t\"]", {"motion entry 1: acceleration: expected 2 expressions, found 1"}),
      scene("[[motion]]\n" + joint, "[[motion]]\nlet = { a = \"b\", b = \"a\" }\n" + joint, {"a uses b uses a"}, 1),
      scene("type = \"revolute\"\naxis = [0, 1, 0]\nat = { xyz = [0, 0, 1], rpy = [0, 0, 0] }\nq = [0.3]\nlimits = "
            "[[-3, 3]]",
            "type = \"spherical\"", {"position: expected a list of 4 expressions, found the text"}, 58),
      scene("duration = 2", "duration = 0", {"simulation: duration: expected a positive number, found 0"}),
      scene("duration = 2", "duration = \"long\"", {"duration: expected a finite number, found the text \"long\""}),
      scene("duration = 2", "duraton = 2", {"unknown key \"duraton\": did you mean \"duration\"?"}),
      scene("duration = 2", "step = -0.1", {"simulation: step: expected a positive number, found -0.1"}),
      scene("duration = 2", "output_every = inf", {"output_every: expected a finite number"}),
      scene("duration = 2", "tolerance = 0", {"tolerance: expected a positive number, found 0"}),
      scene("\"rk4\"", "\"rk5\"", {"integrator: expected euler,", "found \"rk5\": did you mean \"rk4\"?"}),
      scene("integrator", "constraint_method",
            {"constraint_method: expected automatic, direct, dual, elimination, articulated or sparse, found \"rk4\""}),
      scene("integrator", "formulation",
            {"formulation: expected recursive, reduced, redmax or maximal, found \"rk4\""}),
  };
}

inline std::vector<BrokenScene> broken_records() {
  const std::string frame = "frame = \"bead\"", spread = "expression = \"k*(tip.z - arm) + w + energy\"";
  return {
      scene("[[record]]\nname = \"tip\"", "[[recrod]]\nname = \"tip\"",
            {"unknown key \"recrod\": did you mean \"record\"?"}),
      scene(frame, "frame = \"beed\"",
            {"record entry 0: frame: expected a body or frame of this scene, found \"beed\": did you mean \"bead\"?"}),
      scene(frame, "body = \"bead\"",
            {"record entry 0: expected a record: muscle, spring, cable, frame, joint, loop, motion, controller, "
             "contact or "
             "expression"},
            -2),
      scene("quantity = \"position\"\n", "", {"record entry 0: expected the key \"quantity\", found none"}, -3),
      scene("quantity = \"position\"", "quantity = \"postion\"",
            {"quantity: expected position, orientation,", "found \"postion\": did you mean \"position\"?"}),
      scene("quantity = \"position\"", "quantity = \"orientation\"", {"at: expected no point, found one"}, 1),
      scene("at = [0, 0, 0.1]\n\n", "at = [0, 0]\n\n", {"record entry 0: at: expected 3 numbers, found 2"}),
      scene("name = \"tip\"", "name = \"tip\"\nunit = \"m\"", {"record entry 0: unknown key \"unit\""}, 1),
      scene("name = \"spread\"", "name = \"energy\"", {"expected another name", "\"energy\" is there already"}),
      scene("name = \"spread\"\n", "", {"record entry 1: expected the key \"name\", found none"}, -1),
      scene(spread, "expression = \"tip.y*v.arn + k + w\"", {"found \"v.arn\": did you mean \"v.arm\"?"}),
      scene(spread, "expression = \"cam + k + w\"", {"expression: expected a column", "found \"cam\""}),
      scene(spread, "expression = \"k*(arm + w\"", {"expression: expected \")\", found the end"}),
      scene(spread, "expression = \"k*arm\"", {"with: expected a name that the expression uses, found \"w\""}, 1),
      scene("v.cam.1", "v.cam.2", {"with: w: expected a column", "found \"v.cam.2\""}),
      scene("k = 0.5", "k = 0.5, w = 1", {"with: expected a name that the expression uses, found \"w\""}, -1),
  };
}

inline std::vector<BrokenScene> broken_constraints() {
  const auto with = [](const std::string& table, std::vector<std::string> says, int line) {
    return scene("[simulation]", table + "\n[simulation]", std::move(says), line);
  };
  const std::string loop = "[[loop]]\na = \"arm\"\nb = \"bead\"\n";
  return {
      with("[[loop]]\na = \"arm\"", {"expected the key \"type\", found none"}, 0),
      with(loop + "type = \"spherial\"", {"unknown joint type \"spherial\": did you mean \"spherical\"?"}, 3),
      with(loop + "type = \"free\"", {"expected a joint that holds something"}, 3),
      with("[[loop]]\na = \"arm\"\nb = \"arm\"\ntype = \"fixed\"", {"a loop from it to itself"}, 2),
      with("[[loop]]\na = \"arm\"\nb = \"beads\"\ntype = \"fixed\"",
           {"expected a body of this scene, found \"beads\": did you mean \"bead\"?"}, 2),
      with("[[loop]]\nb = \"arm\"\ntype = \"fixed\"", {"expected the key \"a\", found none"}, 0),
      with(loop + "type = \"fixed\"\nat_c = { xyz = [0, 0, 0] }", {"unknown key \"at_c\": did you mean"}, 4),
      with(loop + "type = \"spherical\"\nstiffness = 5",
           {"expected a joint with plain coordinates, such as spherical_exponential, found spherical"}, 4),
      with(loop + "type = \"revolute\"\narmature = 5", {"unknown key \"armature\""}, 4),
      with(loop + "type = \"revolute\"\nlimits = [1, 0]", {"expected the lower limit first"}, 4),
      with(loop + "name = \"pin\"\ntype = \"fixed\"\n[[force]]\ntype = \"joint\"\njoint = \"pin\"\nforce = 1",
           {"expected a joint that moves, found \"pin\", a fixed loop"}, 7),
      with(loop + "name = \"pin\"\ntype = \"revolute\"\n[[input]]\nname = \"u\"\njoint = \"pi\"",
           {"expected a joint that moves, or a loop, found \"pi\": did you mean \"pin\"?"}, 7),
      with("[[loop]]\nname = \"far\"\na = \"arm\"\nb = \"world\"\ntype = \"spherical\"\nat_b = { xyz = [9, 0, 0] }",
           {"loop \"far\" cannot be closed: its ends stay"}, 0),
      with("[[loop]]\nname = \"x\"\na = \"arm\"\nb = \"world\"\ntype = \"planar\"\n" + loop +
               "type = \"planar\"\nname = \"x\"",
           {"expected names that differ, found this one twice"}, 9),
      with("[[coupling]]\njoint = \"arm\"", {"expected the key \"equals\", found none"}, 0),
      with("[[coupling]]\nequals = \"arm\"", {"expected the key \"joint\", found none"}, 0),
      with("[[coupling]]\njoint = \"bead.0\"\nequals = \"2*arms\"", {"coupling of \"bead.0\": unknown joint \"arms\""},
           0),
      with("[[coupling]]\njoint = \"beads\"\nequals = \"2*arm\"", {"coupling of \"beads\": unknown joint \"beads\""},
           0),
      with("[[coupling]]\njoint = \"bead.0\"\nequals = \"2*(arm\"", {"expected \")\", found the end"}, 2),
      with("[[coupling]]\njoint = \"bead.0\"\nequals = \"2*x\"\nwith = { y = \"arm\" }",
           {"expected a name that equals uses"}, 3),
      with("[[coupling]]\njoint = \"bead.0\"\nequals = \"x\"\nwith = { x = \"cam.0\" }\n[[coupling]]\njoint = "
           "\"cam.0\"\nequals = \"x\"\nwith = { x = \"bead.0\" }",
           {"coupling of \"cam.0\": follows itself"}, 4),
      with("[[coupling]]\njoint = \"arm\"\nequals = \"0\"",
           {"expected a joint that is free to be moved, found \"arm\""}, -7),
      with("[[motion]]\nbody = \"bead\"",
           {"expected the key \"position\", \"rpy\", \"orientation\" or \"twist\", found none"}, 0),
      with("[[motion]]\nbody = \"bead\"\nposition = [0, 1]", {"position: expected 3 expressions, found 2"}, 2),
      with("[[motion]]\nbody = \"bead\"\nrpy = [0, 1, 0]\nat = [0, 0, 1]", {"expected a position for this point"}, 3),
  };
}

}  // namespace cardan::test
