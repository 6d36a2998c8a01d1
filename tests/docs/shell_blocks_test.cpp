// Walks every document as a reader does, from a clean folder: saves the files that it shows (<!-- file NAME -->),
// appends to them (<!-- append NAME -->), runs its commands, and compares the output (<!-- output -->) and the numbers
// that it prints with those of the runs. Commands are lines that begin with `cardan` or `build/bin/cardan`, in a folder
// from which the examples are seen as from the project's own; lines that begin with `make` must name targets of the
// Makefile.
#include "cardan/io/internal/csv.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/support/markdown.hpp"
#include "tests/support/printed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <sstream>

namespace cardan::test {

namespace {

/// Where the reader of one document is.
class Reader {
 public:
  Reader() {
    std::filesystem::create_directories(folder_.path("build/bin"));
    std::filesystem::create_symlink(CARDAN_COMMAND, folder_.path("build/bin/cardan"));
    std::filesystem::create_symlink(std::string(CARDAN_SOURCE_DIR) + "/examples", folder_.path("examples"));
  }

  void read(const CodeBlock& block) {
    const std::string append = "append ";
    if (!block.saved_as().empty()) {
      folder_.write(block.saved_as(), block.text);
      use_in(block.text);
      unused_.insert(block.saved_as());
    } else if (block.marker.starts_with(append)) {
      std::ofstream(folder_.path(block.marker.substr(append.size())), std::ios::app) << block.text;
    } else if (block.marker == "output") {
      std::string missing;
      EXPECT_TRUE(is_printed(block.text, printed_, missing))
          << block.place() << ": not printed: " << missing << "\nprinted:\n"
          << printed_;
    } else if (block.language == "sh" && !block.is_fragment()) {
      for (const std::string& line : lines_of(block.text)) follow(line, block);
    }
  }

  /// Checks "NUMBER is HOW COLUMN of FILE", HOW being first, last, min, max or rms, and "NUMBER bounds COLUMN of FILE".
  void check(const Claim& claim) const;

  int commands() const { return commands_; }
  /// The files that no command and no other file has asked for.
  const std::set<std::string>& unused() const { return unused_; }

 private:
  void follow(const std::string& line, const CodeBlock& block) {
    std::istringstream words(line);
    std::string program, subcommand;
    if (!(words >> program) || program.starts_with("#")) return;
    if (program == "cardan" || program == "build/bin/cardan") {
      words >> subcommand;
      const bool is_live = subcommand == "view" && line.find("--save") == std::string::npos;
      run(is_live ? line.substr(0, line.find('#')) + " --save live.html" : line, block);
      use_in(line);
      ++commands_;
    } else if (program == "make") {
      expect_make_targets(line, block);
    } else {
      const std::set<std::string> not_run{"cmake", "ctest", "apt", "git"};  // they build, install or need a network
      EXPECT_TRUE(not_run.contains(program)) << block.place() << ": no test knows the command " << program;
    }
  }

  void use_in(const std::string& text) {
    std::erase_if(unused_, [&](const std::string& name) { return text.find(name) != std::string::npos; });
  }

  /// Runs a line. Below the marker "fails" it is one that says what is wrong, with exit code 1.
  void run(const std::string& line, const CodeBlock& block) {
    const std::string said = folder_.path("said");
    const std::string command =
        "cd '" + folder_.path("") + "' && PATH=build/bin:$PATH && { " + line + "\n} >'" + said + "' 2>&1 </dev/null";
    const int status = std::system(command.c_str());
    std::ostringstream text;
    text << std::ifstream(said).rdbuf();
    EXPECT_EQ(WEXITSTATUS(status), block.marker == "fails" ? 1 : 0) << block.place() << ": " << line << "\n"
                                                                    << text.str();
    printed_ += text.str();
  }

  static void expect_make_targets(const std::string& line, const CodeBlock& block) {
    const std::string makefile = "\n" + source_file("Makefile");
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    words >> word;
    while (words >> word)
      if (word.find('=') == std::string::npos)
        EXPECT_NE(makefile.find("\n" + word + ":"), std::string::npos) << block.place() << ": no target " << word;
  }

  TemporaryFolder folder_;
  std::set<std::string> unused_;
  std::string printed_;  // by all commands so far
  int commands_ = 0;
};

/// Reduces a column to one number; NaN where there is no such way.
double reduced(const std::string& how, const std::vector<double>& values) {
  if (how == "first") return values.front();
  if (how == "last") return values.back();
  if (how == "min") return *std::min_element(values.begin(), values.end());
  if (how == "max") return *std::max_element(values.begin(), values.end());
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return how == "rms" ? std::sqrt(sum / static_cast<double>(values.size())) : std::nan("");
}

/// Half a unit of the last digit that is written: 0.0005 for "0.295".
double half_digit(const std::string& number) {
  const std::size_t exponent = number.find('e');
  const std::string mantissa = number.substr(0, exponent);
  const std::size_t point = mantissa.find('.');
  const int digits = point == std::string::npos ? 0 : static_cast<int>(mantissa.size() - point - 1);
  return 0.5001 * std::pow(10.0, (exponent == std::string::npos ? 0 : std::stoi(number.substr(exponent + 1))) - digits);
}

void Reader::check(const Claim& claim) const {
  std::istringstream words(claim.text);
  std::string number, verb, how, column, of, file;
  words >> number >> verb;
  if (verb == "is") words >> how;
  words >> column >> of >> file;
  ASSERT_EQ(of, "of") << claim.place() << ": " << claim.text;
  const std::string digits = number.starts_with("-") ? number.substr(1) : number;
  EXPECT_NE(claim.paragraph.find(digits), std::string::npos)
      << claim.place() << ": the paragraph does not say " << digits << "\n"
      << claim.paragraph;
  const CsvTable table = load_csv(folder_.path(file));
  const std::size_t index = table.find(column);
  ASSERT_LT(index, table.columns.size()) << claim.place() << ": no column " << column;
  std::vector<double> values;
  for (const std::vector<double>& row : table.rows) values.push_back(row[index]);
  if (verb == "is") {
    EXPECT_NEAR(reduced(how, values), std::stod(number), half_digit(number)) << claim.place() << ": " << claim.text;
  } else {
    for (const double value : values) ASSERT_LE(std::abs(value), std::stod(number)) << claim.place();
  }
}

TEST(Documents, RunAndPrintWhatTheySay) {
  int commands = 0, claims = 0;
  for (const std::filesystem::path& file : documents()) {
    Reader reader;
    const std::vector<Claim> found = claims_of(file);
    auto claim = found.begin();
    const auto check_up_to = [&](int line) {
      for (; claim != found.end() && claim->line < line; ++claim) reader.check(*claim);
    };
    for (const CodeBlock& block : code_blocks_of(file)) {
      check_up_to(block.line);
      reader.read(block);
    }
    check_up_to(std::numeric_limits<int>::max());
    EXPECT_TRUE(reader.unused().empty()) << file << ": nothing uses " << *reader.unused().begin();
    commands += reader.commands();
    claims += static_cast<int>(found.size());
  }
  EXPECT_GT(commands, 60);
  EXPECT_GT(claims, 10);
}

TEST(Documents, OutputIsComparedByWordsAndNumbers) {
  EXPECT_TRUE(is_like("steps  2000", "steps                     2000"));
  EXPECT_TRUE(is_like("drift 1.866e-09 J, 2 of 3", "drift 9e-11 J, 2 of 3"));  // rounding errors
  EXPECT_TRUE(is_like("integrator rk4, ...", "integrator rk4, compiled code"));
  EXPECT_FALSE(is_like("steps 2000", "steps 2100"));
  EXPECT_FALSE(is_like("stone1 falls", "stone2 falls"));
  EXPECT_FALSE(is_like("holds at 0.3640", "slides at 0.3640"));
  EXPECT_FALSE(is_like("steps", "steps 2000"));
  EXPECT_NEAR(half_digit("0.295"), 0.0005, 1e-6);
  EXPECT_NEAR(half_digit("1.2e3"), 50.0, 0.1);
}

}  // namespace

}  // namespace cardan::test
