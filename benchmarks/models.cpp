#include "benchmarks/models.hpp"

#include "cardan/io/urdf.hpp"
#include "cardan/model/internal/sample_states.hpp"

#include <algorithm>
#include <filesystem>

namespace cardan::bench {

ModelBuilder chain_builder(int n) {
  ModelBuilder builder("chain" + std::to_string(n));
  std::string parent = "world";
  for (int i = 0; i < n; ++i) {
    const std::string name = "link" + std::to_string(i);
    Vec3<double> axis;
    axis[i % 3] = 1.0;
    builder.body(name, {1.0, {0.02, 0.03, -0.05}, {0.002, 0.003, 0.0025, 0.0001, 0.0002, -0.0001}});
    builder.joint(parent, name, Revolute(axis), {Mat3<double>::identity(), {0.01, 0.02, -0.1}});
    parent = name;
  }
  return builder;
}
Model chain(int n) { return chain_builder(n).build(); }

std::vector<NamedModel> all_models(const std::string& robot_folder) {
  namespace fs = std::filesystem;
  std::vector<NamedModel> models;
  std::vector<fs::path> files;
  if (fs::is_directory(robot_folder))
    for (const auto& entry : fs::directory_iterator(robot_folder))
      if (entry.path().extension() == ".urdf") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    UrdfOptions options;
    options.read_meshes = false;
    const std::string name = file.stem().string();
    for (const char* walker : {"talos_reduced", "hyq_no_sensors", "solo12"})
      if (name == walker) options.base = UrdfOptions::Base::free;
    models.push_back({name, load_urdf(file.string(), options)});
  }
  for (const int n : {20, 50, 100}) models.push_back({"chain" + std::to_string(n), chain(n)});
  return models;
}

States random_states(const Model& model, int count) {
  States states;
  for (SampleState& s : sample_states(model, count, 20260101)) {
    states.q.push_back(std::move(s.q));
    states.v.push_back(std::move(s.v));
    states.a.push_back(std::move(s.a));
    states.tau.push_back(std::move(s.tau));
  }
  return states;
}

}  // namespace cardan::bench
