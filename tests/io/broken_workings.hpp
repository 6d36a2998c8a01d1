// Scene files with one thing wrong in how people work with them: parameters, tables, starts, feedback, records of
// forces, rolling, motions.
#pragma once

#include "tests/io/sound_scene.hpp"

namespace cardan::test {

inline std::vector<BrokenScene> broken_parameters() {
  return {
      extra("[parameters]\nlength = \"2*lenght\"\n", {"parameters: length: unknown name \"lenght\""}, 1),
      extra("[parameters]\na = \"b\"\nb = \"a\"\n", {"a uses b uses a"}, 1),
      extra("[parameters]\nt = 1\n", {"expected another name, found \"t\", which has a meaning"}, 1),
      extra("[parameters]\npi = 1\n", {"expected a name of your own, found \"pi\""}, 1),
      extra("[parameters]\n\"a b\" = 1\n", {"expected a name of letters, digits and _, found \"a b\""}, 1),
      extra("[parameters]\na = [1]\n", {"a: expected a finite number, found a list of 1 entry"}, 1),
      extra("[parameters]\na = \"1/0\"\n", {"division by zero"}, 1),
      extra("[parameters]\na = true\n", {"expected a finite number, found true"}, 1),
      scene("mass = 1.0", "mass = \"lenght\"",
            {"mass: expected a finite number, found the text \"lenght\": unknown name"}),
      scene("mass = 1.0", "mass = \"\"", {"mass: expected a finite number, found the text \"\""}),
      scene("q = [0.3]", "q = [\"30 degrees\"]", {"expected a finite number, found the text \"30 degrees\""}),
      scene("q = [0.3]", "q = [\"500 mm\"]",
            {"body \"arm\": joint: q entry 0: expected a number or a quantity in rad, found \"500 mm\""}),
      scene("mass = 1.0", "mass = \"2 N\"",
            {"body \"arm\": mass: expected a number or a quantity in kg, found \"2 N\""}),
      scene("com = [0, 0, -0.5]", "com = [0, 0, \"-0.5 s\"]",
            {"body \"arm\": com entry 2: expected a number or a quantity in m, found \"-0.5 s\""}),
      scene("[0, 0, -9.81]", "[0, 0, \"-9.81 m/s\"]",
            {"gravity entry 2: expected a number or a quantity in m/s^2, found \"-9.81 m/s\""}),
      extra("[initial]\nv = { arm = \"1 m/s\" }\n",
            {"initial: v: arm: expected a number or a quantity in rad/s, found \"1 m/s\""}, 1),
      extra("[initial]\nv = { arm = \"3 deg\" }\n", {"expected a number or a quantity in", "found \"3 deg\""}, 1),
      scene("mass = 1.0", "mass = \"log(0)\"", {"the value is not a finite number"}),
      scene("mass = 1.0", "mass = \"arm\"", {"unknown name \"arm\""}),
  };
}

inline std::vector<BrokenScene> broken_tables() {
  return {
      extra("[tables.f]\nx = [0, 1]\ny = [0]\n", {"y: expected 2 numbers as in x, found 1"}, 2),
      extra("[tables.f]\nx = [0]\ny = [0]\n", {"expected at least 2 points"}),
      extra("[tables.f]\nx = [1, 0]\ny = [0, 1]\n", {"expected x that rises"}),
      extra("[tables.f]\ny = [0, 1]\n", {"expected the key \"x\", found none"}),
      extra("[tables.f]\nx = [0, 1]\ny = [0, 1]\nmethod = \"cubic\"\n",
            {"expected linear, monotone, fmm_spline or spline, found \"cubic\""}, 3),
      extra("[tables.f]\nx = [0, 1, 2]\ny = [0, 1, 2]\nperiodic = true\n",
            {"expected equal end values of a periodic table"}),
      extra("[tables.sin]\nx = [0, 1]\ny = [0, 1]\n", {"expected a name of your own, found \"sin\""}),
      extra("[tables.f]\nx = [0, \"a\"]\ny = [0, 1]\n", {"x entry 1: expected a finite number, found the text \"a\""},
            1),
      extra("[tables.f]\nx = [0, 1]\ny = [0, 1]\n[[force]]\ntype = \"joint\"\njoint = \"arm\"\nforce = \"g(t)\"\n",
            {"unknown function \"g\""}, 6),
      extra("[tables.f]\nx = [0, 1]\ny = [0, 1]\n[[force]]\ntype = \"joint\"\njoint = \"arm\"\nforce = \"f(t, 1)\"\n",
            {"\"f\" takes 1 argument, found 2"}, 6),
  };
}

inline std::vector<BrokenScene> broken_views() {
  return {
      extra("[view]\nfrom = [0, 0, 0]\n", {"view: from: expected a direction, found zero"}, 1),
      extra("[view]\nfrom = [1, 0]\n", {"view: from: expected 3 numbers, found 2"}, 1),
      extra("[view]\nfollow = \"amr\"\n",
            {"view: follow: expected a body of this scene, found \"amr\": did you mean \"arm\"?"}, 1),
      extra("[view]\nfollow = \"world\"\n", {"expected a body that moves, found \"world\""}, 1),
      extra("[[record]]\nname = \"tip\"\nexpression = \"arm\"\n[view]\nplots = [\"tipp\"]\n",
            {"view: plots entry 0: expected a record or joint of this scene, energy or tensions, found \"tipp\"",
             "did you mean \"tip\"?"},
            4),
      extra("[view]\nplots = \"energy\"\n", {"view: plots: expected a list, found the text \"energy\""}, 1),
      extra("[view]\nhide = [\"contact\"]\n",
            {"view: hide entry 0: expected ground, anchors, loops, springs, contacts or traces, found \"contact\"",
             "did you mean \"contacts\"?"},
            1),
      extra("[view]\ndescription = \"\"\n", {"view: description: expected"}, 1),
      extra("[view]\ncamera = [1, 0, 0]\n", {"unknown key \"camera\""}, 1),
  };
}

inline std::vector<BrokenScene> broken_starts() {
  return {
      extra("[initial]\nq = { amr = 1 }\n", {"expected a joint that moves, found \"amr\": did you mean \"arm\"?"}, 1),
      extra("[initial]\nq = { arm = [1, 2] }\n", {"arm: expected 1 number, found 2"}, 1),
      extra("[initial]\nv = { cam = 1 }\n", {"cam: expected 2 numbers, found 1"}, 1),
      extra("[initial]\nq = { arm = \"up\" }\n", {"found the text \"up\": unknown name \"up\""}, 1),
      extra("[initial]\nat = 1\n", {"at: expected the key \"from\" beside it, found none"}, 1),
      extra("[initial]\nfrom = \"none.csv\"\n", {"none.csv"}, 1),
      extra("[initial]\nequilibrium = 1\n", {"expected true or false, found the number 1"}, 1),
      extra("[initial]\nposition = 1\n", {"unknown key \"position\""}, 1),
  };
}

inline std::vector<BrokenScene> broken_feedback() {
  const std::string pd = "[[controller]]\ntype = \"pd\"\n";
  return {
      extra("[[controller]]\njoints = [\"arm\"]\n", {"controller entry 0: expected the key \"type\", found none"}),
      extra("[[controller]]\ntype = \"pdi\"\n",
            {"expected pd, pid, computed_torque, gravity_compensation or text, found \"pdi\""}, 1),
      extra(pd, {"expected the key \"joints\", found none"}),
      extra(pd + "joints = [\"amr\"]\n", {"expected a joint that moves, found \"amr\": did you mean \"arm\"?"}, 2),
      extra(pd + "joints = [\"arm\", \"arm\"]\n", {"expected each joint once, found \"arm\" twice"}, 2),
      extra(pd + "joints = []\n", {"expected at least one joint, found none"}, 2),
      extra(pd + "joints = [\"arm\"]\n", {"expected the key \"kp\", found none"}),
      extra(pd + "joints = [\"arm\"]\nkp = 1\n", {"expected the key \"target\", found none"}),
      extra(pd + "joints = [\"arm\"]\nkp = -1\ntarget = 0\n", {"kp: expected a number that is not negative, found -1"},
            3),
      extra(pd + "joints = [\"arm\"]\nkp = [1, 2]\ntarget = 0\n", {"kp: expected 1 number, found 2"}, 3),
      extra(pd + "joints = [\"cam\"]\nkp = 1\ntarget = [0]\n", {"target: expected 2 expressions, found 1"}, 4),
      extra(pd + "joints = [\"arm\"]\nkp = 1\ntarget = \"arm\"\n", {"unknown name \"arm\""}, 4),
      extra(pd + "joints = [\"arm\"]\nkp = 1\nki = 1\ntarget = 0\n",
            {"unknown key \"ki\": it goes with type \"pid\", found type \"pd\""}, 4),
      extra(pd + "joints = [\"arm\"]\nkp = 1\ntarget = 0\nperiod = -1\n",
            {"period: expected seconds, 0 for continuous, found -1"}, 5),
      extra(pd + "joints = [\"arm\"]\nkp = 1\ntarget = 0\nlimit = -1\n",
            {"limit: expected a number that is not negative"}, 5),
      extra(pd + "name = \"c\"\njoints = [\"arm\"]\nkp = 1\ntarget = 0\n" + pd +
                "name = \"c\"\njoints = [\"cam\"]\nkp = 1\ntarget = [0, 0]\n",
            {"expected names that differ, found \"c\" twice"}, 8),
      extra("[[controller]]\ntype = \"text\"\njoints = [\"arm\"]\nforce = \"-k*x\"\nstate = [\"x\"]\n", {"found \"k\""},
            3),
      extra("[[controller]]\ntype = \"text\"\njoints = [\"arm\"]\nforce = \"-x\"\nstate = [\"x\"]\n",
            {"expected the key \"rate\", found none"}),
      extra("[[controller]]\ntype = \"text\"\njoints = [\"arm\"]\nforce = \"1\"\nrate = [\"1\"]\n",
            {"rate: expected the key \"state\" beside it"}, 4),
      extra("[[controller]]\ntype = \"text\"\njoints = [\"arm\"]\nforce = \"1\"\nstate = [\"arm\"]\nrate = [\"1\"]\n",
            {"expected a name that nothing else has, found \"arm\""}, 4),
      extra("[[force]]\ntype = \"joint\"\njoint = \"arm\"\nforce = \"spread.x\"\n", {"found \"spread.x\""}, 3),
      extra(
          "[[record]]\nname = \"quick\"\nframe = \"arm\"\nquantity = \"acceleration\"\n[[force]]\ntype = "
          "\"joint\"\njoint = \"arm\"\nforce = \"quick.x\"\n",
          {"expected a record of position, velocity or angular_velocity, found \"quick.x\", a record of acceleration"},
          7),
  };
}

inline std::vector<BrokenScene> broken_force_records() {
  return {
      extra("[[record]]\njoint = \"amr\"\nquantity = \"force\"\n",
            {"expected a joint that moves, found \"amr\": did you mean \"arm\"?"}, 1),
      extra("[[record]]\njoint = \"arm\"\nquantity = \"length\"\n",
            {"expected force, moment, wrench, bearing, effort, power or work, found \"length\""}, 2),
      extra("[[record]]\nloop = \"pin\"\nquantity = \"force\"\n", {"expected a loop of this scene, found \"pin\""}, 1),
      extra("[[record]]\nmotion = \"amr\"\nquantity = \"effort\"\n",
            {"expected a motion of this scene, found \"amr\": did you mean \"arm\"?"}, 1),
      extra("[[record]]\nmotion = \"arm\"\nquantity = \"force\"\n", {"expected effort, power or work, found \"force\""},
            2),
      extra("[[record]]\ncontroller = \"c\"\nquantity = \"effort\"\n",
            {"expected a controller of this scene, found \"c\""}, 1),
      extra("[[record]]\njoint = \"arm\"\n", {"expected the key \"quantity\", found none"}),
      extra("[[record]]\njoint = \"arm\"\nquantity = \"force\"\nat = [0, 0, 0]\n",
            {"unknown key \"at\": it goes with \"frame\", found \"joint\""}, 3),
  };
}

inline std::vector<BrokenScene> broken_rolling_and_motions() {
  const std::string rolling = "[[rolling]]\na = \"world\"\nb = \"bead\"\n";
  return {
      extra(rolling, {"expected the key \"shape_a\", found none"}),
      extra(rolling + "shape_a = { plan = true }\nshape_b = { disc = 1 }\n", {"expected a rolling shape"}, 3),
      extra(rolling + "shape_a = { plane = true }\nshape_b = { disc = 0 }\n", {"expected a positive number, found 0"},
            4),
      extra(rolling + "shape_a = { plane = true }\nshape_b = { plane = true }\n",
            {"expected shapes that roll on each other"}, 4),
      extra(rolling + "shape_a = { disc = 1 }\nshape_b = { ellipsoid = [1, 1, 2] }\n",
            {"expected shapes that roll on each other"}, 4),
      extra(rolling + "shape_a = { plane = true }\nshape_b = { ellipsoid = [1, 0, 2] }\n",
            {"expected a positive number, found 0"}, 4),
      extra(rolling + "shape_a = { plane = true }\nshape_b = { torus = { major = 0.1, minor = 0.2 } }\n",
            {"expected minor below major 0.1, found 0.2"}, 4),
      scene("damping = 0.1", "drive = { at = [0.1, 0, 0] }", {"drive: expected the key \"along\", found none"}),
      scene("damping = 0.1", "drive = { along = [0, 0, 0] }",
            {"drive: along: expected a direction, found a vector of zero length"}),
      scene("roll = \"free\"", "roll = \"free\"\ndrive = { along = [0, 0, 1] }",
            {"drive: expected a joint of one coordinate, found one of 2"}, 1),
      scene("integrator = \"rk4\"", "integrator = \"rk4\"\nnewton_residual = 0",
            {"newton_residual: expected a positive number, found 0"}, 1),
      extra("[[rolling]]\na = \"bead\"\nb = \"bead\"\nshape_a = { plane = true }\nshape_b = { disc = 1 }\n",
            {"expected two bodies that move against each other, found one"}, 2),
      extra("[[rolling]]\na = \"world\"\nb = \"bed\"\nshape_a = { plane = true }\nshape_b = { disc = 1 }\n",
            {"expected a body of this scene, found \"bed\": did you mean \"bead\"?"}, 2),
      extra(rolling + "shape_a = { plane = true }\nshape_b = { disc = 1 }\nspin = \"no\"\n",
            {"expected free or held, found \"no\""}, 5),
      extra("[[motion]]\nframe = \"bead\"\ntwist = [\"1\"]\n", {"twist: expected 6 expressions, found 1"}, 2),
      extra("[[motion]]\nframe = \"bead\"\ntwist = [\"\", \"\", \"\", \"\", \"\", \"\"]\n",
            {"expected at least one expression, found none"}, 2),
      extra("[[motion]]\nframe = \"bead\"\naxes = \"frame\"\nposition = [0, 0, 0]\n",
            {"axes: expected a twist for these axes, found none"}, 2),
      extra("[[motion]]\nframe = \"bead\"\nrpy = [0, 0, 0]\norientation = [1, 0, 0, 0]\n",
            {"expected one of rpy and orientation, found both"}, 3),
      extra("[[motion]]\nframe = \"bead\"\norientation = [0, 0, 0, 0]\n",
            {"expected a quaternion (w, x, y, z), found one of length 0"}, 2),
  };
}

inline std::vector<BrokenScene> broken_workings() {
  std::vector<BrokenScene> out;
  for (const auto& part : {broken_parameters(), broken_tables(), broken_views(), broken_starts(), broken_feedback(),
                           broken_force_records(), broken_rolling_and_motions()})
    out.insert(out.end(), part.begin(), part.end());
  return out;
}

}  // namespace cardan::test
