// The results of a sweep as a page: curves over one parameter, contours over two, points over each of many.
#pragma once

#include "apps/sweep_plan.hpp"

#include <map>
#include <string>

namespace cardan::command {

/// Counts the runs whose status is another than ok.
long failed_runs(const SweepPlan& plan, const std::map<long, std::string>& lines);

/// Counts the runs whose note, the last column, says something.
long noted_runs(const std::map<long, std::string>& lines);

/// Draws the results. `header` and `lines` are those of sweep.csv, `scene` the name of the scene's file.
std::string sweep_page(const SweepPlan& plan, const std::string& header, const std::map<long, std::string>& lines,
                       const std::string& scene);

}  // namespace cardan::command
