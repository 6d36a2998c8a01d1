// The entries of the table of keys, by what they describe; scene_keys.hpp puts them together.
#pragma once

#include "cardan/io/internal/scene_keys.hpp"

namespace cardan::io {

/// Lists the scene itself, robots, parameters, tables, starts.
std::vector<KeyTable> scene_key_tables();
/// Lists bodies, what joints carry, shapes, poses.
std::vector<KeyTable> body_key_tables();
/// Lists joint types, curves and surfaces.
std::vector<KeyTable> joint_key_tables();
/// Lists loops, couplings, motions, rolling.
std::vector<KeyTable> constraint_key_tables();
/// Lists the types of forces.
std::vector<KeyTable> force_key_tables();
/// Lists points and wraps of paths, strands, cables.
std::vector<KeyTable> line_key_tables();
/// Lists inputs, controllers, records.
std::vector<KeyTable> feedback_key_tables();
/// Lists the ground and rules of contact.
std::vector<KeyTable> contact_key_tables();
/// Lists how the scene is simulated.
std::vector<KeyTable> run_key_tables();

/// Lists what each velocity of a joint may have beside its motion: stops, spring, damping, friction, ...
std::vector<SceneKey> dof_keys();
/// Lists those of them that joints of loops may have.
std::vector<SceneKey> loop_dof_keys();
/// Lists numbers and helpers that texts of a table may use.
std::vector<SceneKey> text_keys();
/// Lists these, and names that are no words.
std::vector<SceneKey> word_keys();
/// Lists surfaces of joints, but for the sphere.
std::vector<KeyVariant> surface_variants();
/// Joins lists of keys.
std::vector<SceneKey> operator+(std::vector<SceneKey> a, const std::vector<SceneKey>& b);

}  // namespace cardan::io
