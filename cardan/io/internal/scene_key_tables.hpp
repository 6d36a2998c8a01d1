// The entries of the table of keys, by what they describe; scene_keys.hpp puts them together.
#pragma once

#include "cardan/io/internal/scene_keys.hpp"

namespace cardan::io {

/// The scene itself, robots, parameters, tables, starts.
std::vector<KeyTable> scene_key_tables();
/// Bodies, shapes, poses.
std::vector<KeyTable> body_key_tables();
/// Joint types, curves and surfaces.
std::vector<KeyTable> joint_key_tables();
/// Loops, couplings, motions, rolling.
std::vector<KeyTable> constraint_key_tables();
/// The types of forces.
std::vector<KeyTable> force_key_tables();
/// Points and wraps of paths, strands, cables.
std::vector<KeyTable> line_key_tables();
/// Inputs, controllers, records.
std::vector<KeyTable> feedback_key_tables();
/// The ground and rules of contact.
std::vector<KeyTable> contact_key_tables();
/// How the scene is simulated.
std::vector<KeyTable> run_key_tables();

/// Numbers and helpers that texts of a table may use.
std::vector<SceneKey> text_keys();
/// These, and names that are no words.
std::vector<SceneKey> word_keys();
/// Surfaces of joints, but for the sphere.
std::vector<KeyVariant> surface_variants();
/// Joins lists of keys.
std::vector<SceneKey> operator+(std::vector<SceneKey> a, const std::vector<SceneKey>& b);

}  // namespace cardan::io
