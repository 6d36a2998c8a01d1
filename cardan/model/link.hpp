// What the inner loops read of one body and the joint that carries it.
#pragma once

#include "cardan/spatial/inertia.hpp"

namespace cardan {

enum class JointKernel : int {
  revolute_x,
  revolute_y,
  revolute_z,
  prismatic_x,
  prismatic_y,
  prismatic_z,
  tilted_revolute,
  tilted_prismatic,
  ball,
  free,
  general_0,
  general_1,
  general_2,
  general_3,
  general_4,
  general_5,
  general_6,
};

struct Link {
  JointKernel kernel = JointKernel::general_0;
  int parent = 0;
  int q = 0, nq = 0, v = 0, nv = 0;  // first coordinate and velocity, and how many
  bool chained = false;              // parent is the body before: values pass in locals
  bool has_armature = false;         // a rotor adds to the joint's own inertia
  bool first_into_branch = false;    // of the unchained children of one parent, the first met from the tips
  int branch = -1;                   // where the parent keeps its value for this body; -1: the parent is the world
  int store = -1;                    // where this body keeps a value for unchained children; -1: it has none
  double sign = 1.0;                 // the joint axis is sign times a coordinate axis
  Vec3<double> r;                    // X_T: the joint's place in the parent
  RigidBodyInertia<double> I;
  Sym3<double> P;                             // second moments of mass, for the force that a motion takes
  Vec3<double> direction;                     // of a prismatic joint along no coordinate axis
  Mat3<double> F = Mat3<double>::identity();  // X_T: constant rotation before the joint, where there is one
};

}  // namespace cardan
