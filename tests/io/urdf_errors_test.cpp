// Every broken URDF gives one clear line: file, line, what is meant, what was expected.
#include "cardan/io/urdf.hpp"
#include "cardan/model/model.hpp"
#include "tests/io/broken_urdfs.hpp"
#include "tests/io/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace cardan::urdf_errors_test {
namespace {

using test::broken_urdfs;
using test::BrokenUrdf;
using test::kSoundUrdf;

/// What reading the text complains of; empty if it does not.
std::string complaint(const std::string& text, const UrdfOptions& options = {}) {
  try {
    parse_urdf(text, "models/arm.urdf", options);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}
std::string complaint_about_file(const std::string& path, const UrdfOptions& options = {}) {
  try {
    load_urdf(path, options);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(UrdfErrors, TheSoundRobotIsRead) { EXPECT_EQ(complaint(kSoundUrdf), ""); }

TEST(UrdfErrors, AreOneLineWithFileLineAndName) {
  const auto all = broken_urdfs();
  EXPECT_GE(all.size(), 40u);
  for (const BrokenUrdf& broken : all) {
    SCOPED_TRACE(broken.what);
    UrdfOptions strict;
    strict.strict = true;
    const std::string message = complaint(broken.text, strict);
    EXPECT_TRUE(message.starts_with("urdf: models/arm.urdf:" + std::to_string(broken.line) + ": ")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const std::string& part : broken.says)
      EXPECT_NE(message.find(part), std::string::npos) << message << "\n  does not say: " << part;
  }
}

TEST(UrdfErrors, HaveTheDocumentedForm) {
  EXPECT_EQ(complaint(test::replaced(kSoundUrdf, "0 1 0", "0 1")),
            "urdf: models/arm.urdf:24: joint \"shoulder\": axis xyz: expected 3 numbers, found 2: \"0 1\"");
  EXPECT_EQ(
      complaint(test::replaced(kSoundUrdf, "type=\"revolute\"", "type=\"revolut\"")),
      "urdf: models/arm.urdf:21: joint \"shoulder\": type: expected revolute, continuous, prismatic, fixed, floating "
      "or planar, found \"revolut\": did you mean \"revolute\"?");
}

TEST(UrdfErrors, StayOneLineWhateverTheFileIsCalled) {
  try {
    parse_urdf("", "a\nb.urdf");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}

TEST(UrdfErrors, StayShortWhateverTheFileSays) {
  const std::string long_text(100000, 'x');
  for (const char* part : {"\"0 1 0\"", "\"revolute\"", "\"base\"", "\"2\"", "\"arm\""})
    EXPECT_LT(complaint(test::replaced(kSoundUrdf, part, "\"" + long_text + "\"")).size(), 1000u) << part;
}

TEST(UrdfErrors, MissingFile) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(complaint_about_file(folder.path("none.urdf")),
            "urdf: " + folder.path("none.urdf") + ": expected a file, found none of this name");
}

TEST(UrdfErrors, Folder) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(complaint_about_file(folder.path("")), "urdf: " + folder.path("") + ": expected a file, found a directory");
}

TEST(UrdfErrors, TooLargeFile) {
  const test::TemporaryFolder folder;
  UrdfOptions options;
  options.max_bytes = 1000;
  const std::string path = folder.write("large.urdf", kSoundUrdf);
  const std::string allowed = std::string(kSoundUrdf).substr(0, 1000);  // the place is where it ends
  const auto line = 1 + std::count(allowed.begin(), allowed.end(), '\n');
  const auto column = allowed.size() - allowed.rfind('\n');
  EXPECT_EQ(complaint_about_file(path, options), "urdf: " + path + ":" + std::to_string(line) + ":" +
                                                     std::to_string(column) +
                                                     ": expected at most 1000 bytes, found more");
  EXPECT_EQ(complaint_about_file(path), "");
}

TEST(UrdfErrors, WorldCannotFloat) {
  UrdfOptions options;
  options.base = UrdfOptions::Base::free;
  EXPECT_EQ(complaint(test::simple(test::joint_between("j", "world", "b"), "<link name=\"world\"/><link name=\"b\"/>"),
                      options),
            "urdf: models/arm.urdf:2: link \"world\": expected a root link that can float, found the world");
}

TEST(UrdfErrors, NothingIsReportedTwice) {
  UrdfOptions options;
  std::vector<std::string> warnings;
  options.warnings = &warnings;
  EXPECT_NE(complaint(test::replaced(kSoundUrdf, "0 1 0", "0 0 0"), options), "");
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace cardan::urdf_errors_test
