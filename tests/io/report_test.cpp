// Files that a run leaves, CSV and binary; and pages of figures.
#include "cardan/io/report.hpp"

#include "cardan/io/svg_plot.hpp"
#include "cardan/io/trajectory_file.hpp"
#include "cardan/model/model_builder.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

namespace cardan::report_test {
namespace {

Model model() {
  return ModelBuilder("a <b> & \"c\"")
      .body("arm", {1.0, {0.0, 0.0, -0.5}, {0.08, 0.08, 0.001, 0.0, 0.0, 0.0}})
      .body("odd, \"name\"", {1.0, {}, {0.1, 0.1, 0.1, 0.0, 0.0, 0.0}})
      .joint("world", "arm", Revolute{{0.0, 1.0, 0.0}})
      .joint("arm", "odd, \"name\"", Spherical{})
      .build();
}

Trajectory trajectory(const Model& m, int rows) {
  Trajectory out(m);
  State state(m);
  for (int i = 0; i < rows; ++i) {
    state.q[0] = i == rows / 2 ? 50.0 : 1.0 / (3.0 + i);
    out.add(0.1 * i, state, {0.1 * i, -1.0 / 3.0});
  }
  return out;
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(TrajectoryFile, CsvHasTheContractsHeaderAndAllDigits) {
  const Model m = model();
  std::istringstream lines(trajectory_csv(trajectory(m, 5)));
  std::string header, first;
  std::getline(lines, header);
  std::getline(lines, first);
  EXPECT_EQ(header,
            "t,q.arm,\"q.odd, \"\"name\"\".0\",\"q.odd, \"\"name\"\".1\",\"q.odd, \"\"name\"\".2\",\"q.odd, "
            "\"\"name\"\".3\",v.arm,\"v.odd, \"\"name\"\".0\",\"v.odd, \"\"name\"\".1\",\"v.odd, \"\"name\"\".2\","
            "energy,kinetic,potential");
  EXPECT_EQ(first, "0,0.33333333333333331,1,0,0,0,0,0,0,0,-0.33333333333333331,0,-0.33333333333333331");
  int rows = 1;
  for (std::string line; std::getline(lines, line);) ++rows;
  EXPECT_EQ(rows, 5);
}

TEST(TrajectoryFile, BinaryHoldsTheSameNumbers) {
  const Model m = model();
  const Trajectory run = trajectory(m, 3);
  const std::string bytes = trajectory_binary(run), csv = trajectory_csv(run);
  const std::string head = "cardan trajectory 1\n" + csv.substr(0, csv.find('\n') + 1);
  ASSERT_TRUE(bytes.starts_with(head));
  const std::size_t columns = trajectory_columns(m).size();
  ASSERT_EQ(bytes.size() - head.size(), 3 * columns * sizeof(double));
  double number = 0.0;
  std::memcpy(&number, bytes.data() + head.size() + (columns + 1) * sizeof(double), sizeof(double));
  EXPECT_EQ(number, run.q(1)[0]);
}

TEST(Report, IsOnePageOfItsOwn) {
  const std::vector<double> times{0.0, 1.0, 2.0};
  const io::PlotLine line[] = {{"q.odd, \"name\".0", [](std::size_t i) { return static_cast<double>(i); }}};
  const std::string page = html_page({"a <b> & \"c\"", {{"steps", "12 <3>"}}, {"a & b"}},
                                     io::plot("Coordinates", "rad", times, line) + io::plot("None", "J", {}, {}));
  for (const char* foreign : {"http:", "https:", "src=", "href=", "<script", "@import", "url("})
    EXPECT_FALSE(says(page, foreign));
  EXPECT_TRUE(says(page, "<h1>a &lt;b&gt; &amp; &quot;c&quot;</h1>"));
  EXPECT_TRUE(says(page, "<td>12 &lt;3&gt;</td>"));
  EXPECT_TRUE(says(page, "a &amp; b"));
  EXPECT_TRUE(says(page, "q.odd, &quot;name&quot;.0"));
  EXPECT_TRUE(says(page, "<h2>Coordinates"));
  for (const char* tag : {"figure", "svg", "table", "div", "g", "figcaption", "span"}) {
    std::size_t open = 0, close = 0;
    const std::string begin = std::string("<") + tag, end = std::string("</") + tag + ">";
    for (std::size_t at = 0; (at = page.find(begin, at)) != std::string::npos; ++at)
      open += says(" >", std::string(1, page[at + begin.size()]));
    for (std::size_t at = 0; (at = page.find(end, at)) != std::string::npos; ++at) ++close;
    EXPECT_EQ(open, close) << tag;
  }
}

/// y = x^2 is a line of slope 2 on logarithmic axes; what has no logarithm breaks it.
TEST(Report, LogarithmicAxesAndBreaks) {
  const io::PlotCurve curve[] = {{"square", {0.1, 1.0, 0.0, 10.0, 100.0}, {0.01, 1.0, 0.0, 100.0, 10'000.0}, true}};
  const std::string figure = io::plot("title", {"x", "y", true, true}, curve);
  std::vector<std::pair<double, double>> dots;
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = figure.find("cx=\"", at)) != std::string::npos; ++at)
    dots.emplace_back(std::stod(figure.substr(at + 4)), std::stod(figure.substr(figure.find("cy=\"", at) + 4)));
  for (std::size_t at = 0; (at = figure.find("<polyline", at)) != std::string::npos; ++at) ++lines;
  ASSERT_EQ(dots.size(), 4u);
  EXPECT_EQ(lines, 2u);
  for (std::size_t i = 1; i < 4; ++i) {
    const double across = dots[i].first - dots[i - 1].first, up = dots[i - 1].second - dots[i].second;
    EXPECT_GT(across, 10.0);
    EXPECT_NEAR(up / across, 2.0, 0.02);
  }
  EXPECT_TRUE(says(figure, ">1e-2<") || says(figure, ">0.01<"));
  EXPECT_TRUE(says(figure, ">1<"));
}

/// One row of 5000 stands out; thinning must not lose it.
TEST(Report, ThinnedLinesKeepTheirPeaks) {
  std::vector<double> times;
  for (int i = 0; i < 5000; ++i) times.push_back(0.01 * i);
  const io::PlotLine line[] = {{"peak", [](std::size_t i) { return i == 2503 ? 1.0 : 0.0; }}};
  const std::string figure = io::plot("title", "J", times, line);
  const std::size_t points = figure.find("points=\"");
  ASSERT_NE(points, std::string::npos);
  std::istringstream all(figure.substr(points + 8, figure.find('"', points + 8) - points - 8));
  double highest = 1e9;
  int count = 0;
  for (std::string pair; all >> pair; ++count) highest = std::min(highest, std::stod(pair.substr(pair.find(',') + 1)));
  EXPECT_LT(highest, 30.0);
  EXPECT_LT(count, 1300);
  EXPECT_FALSE(says(figure, ">-0<"));
}

}  // namespace
}  // namespace cardan::report_test
