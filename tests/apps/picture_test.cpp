// `cardan picture`, `cardan film` and `cardan plot` from outside: the files that they write, and refusals. Pictures and
// films are skipped where there is no Chromium to draw them.
#include "tests/apps/run_command.hpp"

#include "cardan/io/internal/xml.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace cardan::picture_test {
namespace {

using test::file_contents;
using test::Outcome;
using test::refusal;
using test::says;

const std::string kExamples = std::string(CARDAN_SOURCE_DIR) + "/examples/";

class Drawing : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& arguments) { return test::run_command(arguments, folder); }
  std::string at(const std::string& name) const { return folder.path(name); }
  test::TemporaryFolder folder;
};

bool has_browser() {
  return std::system("command -v chromium chromium-browser google-chrome google-chrome-stable >/dev/null") == 0;
}
constexpr const char* kNoBrowser = "no Chromium here: pictures and films are not drawn";

/// A whole number of four bytes, the largest first.
unsigned long number_at(const std::string& bytes, std::size_t at) {
  unsigned long out = 0;
  for (std::size_t i = 0; i < 4; ++i) out = out << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return out;
}

TEST_F(Drawing, APictureIsAPngOfThatSize) {
  if (!has_browser()) GTEST_SKIP() << kNoBrowser;
  const Outcome done =
      run({"picture", kExamples + "four_bar.toml", "--at", "0.5", "--size", "401x300", "--out", at("x.png")});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.err, "");
  EXPECT_EQ(done.out, "wrote " + at("x.png") + "\n");
  const std::string png = file_contents(at("x.png"));
  ASSERT_GT(png.size(), 4000u);  // an empty one of one color has less
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_EQ(png.substr(12, 4), "IHDR");
  EXPECT_EQ(number_at(png, 16), 401u);
  EXPECT_EQ(number_at(png, 20), 300u);
}

TEST_F(Drawing, InstantThemeAndBackgroundChangeThePicture) {
  if (!has_browser()) GTEST_SKIP() << kNoBrowser;
  std::vector<std::string> pictures;
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--at", "0.5"},
                                                  {"--at", "0.9"},
                                                  {"--at", "0.5", "--dark"},
                                                  {"--at", "0.5", "--transparent"}}) {
    std::vector<std::string> arguments{"picture",  kExamples + "four_bar.toml", "--size", "160x120", "--out",
                                       at("x.png")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    ASSERT_EQ(run(arguments).code, 0);
    pictures.push_back(file_contents(at("x.png")));
    for (std::size_t i = 0; i + 1 < pictures.size(); ++i) EXPECT_NE(pictures[i], pictures.back());
  }
}

/// The first box of this name: its content.
std::string box_of(const std::string& file, const std::string& name) {
  const std::size_t at = file.find(name);
  return at == std::string::npos ? "" : file.substr(at + 4, number_at(file, at - 4) - 8);
}

TEST_F(Drawing, AFilmHasAllOfItsFrames) {
  if (!has_browser()) GTEST_SKIP() << kNoBrowser;
  const Outcome done = run(
      {"film", kExamples + "pendulum.toml", "--to", "0.5", "--fps", "20", "--size", "160x120", "--out", at("x.mp4")});
  ASSERT_EQ(done.code, 0) << done.err;
  const std::string film = file_contents(at("x.mp4"));
  EXPECT_EQ(film.substr(4, 4), "ftyp");
  const std::string samples = box_of(film, "stsz"), place = box_of(film, "tkhd"), head = box_of(film, "mvhd");
  ASSERT_EQ(number_at(samples, 8), 10u);  // 0.5 s at 20 frames a second
  unsigned long bytes = 0;
  for (std::size_t i = 0; i < 10; ++i) bytes += number_at(samples, 12 + 4 * i);
  EXPECT_EQ(bytes, number_at(film, film.find("mdat") - 4) - 8);
  EXPECT_EQ(number_at(box_of(film, "stco"), 8), film.find("mdat") + 4);
  EXPECT_EQ(number_at(head, 16), 45'000u);  // half a second in ticks of 1/90,000 s
  EXPECT_EQ(number_at(place, 76), 160u << 16);
  EXPECT_EQ(number_at(place, 80), 120u << 16);
}

TEST_F(Drawing, AFilmMayBeWebM) {
  if (!has_browser()) GTEST_SKIP() << kNoBrowser;
  const Outcome done = run({"film", kExamples + "pendulum.toml", "--to", "0.2", "--fps", "20", "--size", "160x120",
                            "--dark", "--out", at("x.webm")});
  ASSERT_EQ(done.code, 0) << done.err;
  const std::string film = file_contents(at("x.webm"));
  EXPECT_EQ(film.substr(0, 4), "\x1a\x45\xdf\xa3");
  EXPECT_TRUE(says(film, "V_VP9"));
}

TEST_F(Drawing, BadInputIsOneLineAndWritesNothing) {
  const std::string scene = kExamples + "four_bar.toml", png = at("x.png"), mp4 = at("x.mp4");
  const auto picture = [&](const std::vector<std::string>& options) {
    std::vector<std::string> all{"picture", scene};
    all.insert(all.end(), options.begin(), options.end());
    return refusal(run(all));
  };
  EXPECT_TRUE(says(picture({"--out", at("x.jpg")}), "--out: expected a name that ends in .png, found"));
  EXPECT_TRUE(says(picture({"--out", png, "--size", "12"}), "--size: expected WIDTHxHEIGHT"));
  EXPECT_TRUE(says(picture({"--out", png, "--size", "99999x10"}), "each from 16 to 4096 pixels"));
  EXPECT_TRUE(says(picture({"--out", png, "--at", "-1"}), "--at: expected an instant from 0 s on"));
  EXPECT_TRUE(says(picture({"--out", at("no/x.png")}), "there is no folder"));
  EXPECT_TRUE(says(refusal(run({"film", scene, "--out", png})), "ends in .mp4 or .webm"));
  EXPECT_TRUE(says(refusal(run({"film", scene, "--out", mp4, "--size", "161x120"})), "even numbers of pixels"));
  EXPECT_TRUE(says(refusal(run({"film", scene, "--out", mp4, "--from", "2", "--to", "1"})),
                   "--to: expected an instant after 2 s"));
  EXPECT_TRUE(says(refusal(run({"film", scene, "--out", mp4, "--fps", "0"})), "--fps: expected a positive number"));
  EXPECT_TRUE(says(refusal(run({"picture", at("none.toml"), "--out", png})), "none.toml"));
  EXPECT_FALSE(std::filesystem::exists(png) || std::filesystem::exists(mp4));
}

TEST_F(Drawing, WithoutABrowserItSaysWhatIsMissing) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder.path("").c_str(), 1);
  const Outcome done = run({"picture", kExamples + "four_bar.toml", "--out", at("x.png")});
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(refusal(done),
            "picture: no browser to draw with: looked for chromium, chromium-browser and google-chrome in PATH "
            "(apt-get install chromium)\n");
  EXPECT_FALSE(std::filesystem::exists(at("x.png")));
}

TEST_F(Drawing, APlotHasItsLinesAndNames) {
  ASSERT_EQ(run({"simulate", kExamples + "cart_pole.toml", "--duration", "1", "--out", at("cart.csv")}).code, 0);
  const Outcome list = run({"plot", at("cart.csv")});
  EXPECT_EQ(list.code, 0);
  EXPECT_TRUE(list.out.starts_with("t\nq.cart\nq.pole\n")) << list.out;
  const Outcome done = run(
      {"plot", at("cart.csv"), "--columns", "tip,push", "--title", "a < b", "--label", "m, N", "--out", at("x.svg")});
  ASSERT_EQ(done.code, 0) << done.err;
  const std::string svg = file_contents(at("x.svg"));
  EXPECT_EQ(std::count(svg.begin(), svg.end(), '\n') > 4, true);
  std::size_t lines = 0;
  for (std::size_t i = svg.find("<polyline"); i != std::string::npos; i = svg.find("<polyline", i + 1)) ++lines;
  EXPECT_EQ(lines, 4u);  // tip.x, tip.y, tip.z and push
  for (const char* name : {">tip.x<", ">tip.y<", ">tip.z<", ">push<", ">a &lt; b<", ">m, N<", ">time (s)<"})
    EXPECT_TRUE(says(svg, name)) << name;
  EXPECT_NO_THROW(io::XmlDocument(svg, {"plot", "x.svg"}));
  ASSERT_EQ(run({"plot", at("cart.csv"), "--columns", "v.pole", "--over", "q.pole", "--out", at("y.svg")}).code, 0);
  EXPECT_TRUE(says(file_contents(at("y.svg")), ">q.pole<"));
}

TEST_F(Drawing, APlotOfNoSuchColumnNamesTheNearest) {
  ASSERT_EQ(run({"simulate", kExamples + "cart_pole.toml", "--duration", "0.1", "--out", at("cart.csv")}).code, 0);
  EXPECT_TRUE(says(refusal(run({"plot", at("cart.csv"), "--columns", "q.pol", "--out", at("x.svg")})),
                   "cart.csv: no column \"q.pol\": did you mean \"q.pole\"?"));
  EXPECT_TRUE(says(refusal(run({"plot", at("cart.csv"), "--columns", "t", "--over", "tip", "--out", at("x.svg")})),
                   "--over: expected one column, found 3"));
  EXPECT_TRUE(says(refusal(run({"plot", at("cart.csv"), "--columns", "t", "--out", at("x.png")})), "ends in .svg"));
  EXPECT_TRUE(says(refusal(run({"plot", at("cart.csv"), "--columns", "t"})), "--out: expected the name of a file"));
  EXPECT_FALSE(std::filesystem::exists(at("x.svg")));
}

}  // namespace
}  // namespace cardan::picture_test
