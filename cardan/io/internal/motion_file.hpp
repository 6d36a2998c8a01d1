// OpenSim's motion and storage files (.mot, .sto): a header that ends with the line "endheader", then a line with the
// names of the columns, the first of which is time, then rows of numbers, separated by white space.
#pragma once

#include "cardan/io/internal/csv.hpp"
#include "cardan/model/model.hpp"

namespace cardan {

struct MotionFile {
  CsvTable table;
  bool in_degrees = false;
};

/// Tells by the ending of its name whether a file is one.
bool is_motion_file(const std::string& path);

/// Reads a file. Throws ModelError, one line, that names file and line, where it is none.
MotionFile parse_motion_file(std::string_view text, const std::string& name);
MotionFile load_motion_file(const std::string& path);

/// Finds the column of a coordinate: its name, or a path that ends with NAME or NAME/value (NAME/speed of a rate,
/// NAME_u in older files). The number of columns if there is none.
std::size_t find_motion_column(const CsvTable& table, const std::string& coordinate, bool is_rate);

/// Sets coordinates and velocities that the file has at a time (linear between rows, the last row if none is given).
/// Velocities that it does not have are the slopes of its coordinates. Throws ModelError where it has none of them.
struct MotionState {
  double t = 0.0;
  std::vector<double> q, v;
};
MotionState motion_state(const Model& model, const std::string& path, const double* t, const std::vector<double>& q,
                         const std::vector<double>& v);

}  // namespace cardan
