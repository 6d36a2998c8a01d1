#include "apps/command.hpp"

#include "cardan/io/internal/text.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <unistd.h>

namespace cardan::command {

namespace fs = std::filesystem;

namespace {

/// False, with errno set, if not all of the text has arrived.
bool write_all(std::FILE* file, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

}  // namespace

void refuse_to_write(const std::string& path, int error) {
  throw std::runtime_error(fmt::format("{}: cannot be written: {}", io::printable(path), std::strerror(error)));
}

void add_base_option(CLI::App& command, std::string& base) {
  command
      .add_option("--base", base, "Whether the root link of a URDF file is fixed to the world or floats: fixed or free")
      ->check(CLI::IsMember({"fixed", "free"}))
      ->option_text("fixed|free")
      ->default_str("fixed");
}

void add_set_option(CLI::App& command, std::vector<std::string>& set) {
  command
      .add_option("--set", set,
                  "Change a parameter of the scene, or a value by its path (body.rod.mass); may be given several times")
      ->allow_extra_args(false)
      ->option_text("NAME=VALUE");
}

void add_model_options(CLI::App& command, ModelArguments& arguments) {
  add_base_option(command, arguments.base);
  command.add_flag(
      "--strict", arguments.strict,
      "Refuse a URDF file with inertia that no body has, without a name, or with a mimic of an unknown joint");
  add_set_option(command, arguments.set);
}

namespace {

std::string& kept_command_line() {
  static std::string text;
  return text;
}

}  // namespace

void remember_command_line(int argc, char** argv) {
  std::string& text = kept_command_line();
  text = "cardan";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain = !word.empty() && word.find_first_of(" \t\n\"'\\$`*?&|;<>()[]{}!#~") == std::string::npos;
    text += plain ? " " + word : " '" + word + "'";
  }
}

const std::string& command_line() { return kept_command_line(); }

bool is_standard_output(const std::string& path) { return path == "-" || path == "/dev/stdout"; }

void write_output(const std::string& path, std::string_view text) {
  if (path.empty() || is_standard_output(path)) {
    if (!write_all(stdout, text)) refuse_to_write("standard output", errno);
    return;
  }
  std::error_code error;
  const fs::path target = fs::exists(path, error) ? fs::canonical(path, error) : fs::path(path);
  if (fs::is_directory(target, error)) refuse_to_write(path, EISDIR);
  // a device or pipe is written to; a file is replaced in one step by a finished one beside it
  const bool replace = !fs::exists(target, error) || fs::is_regular_file(target, error);
  const std::string place = replace ? fmt::format("{}.{}.part", target.string(), ::getpid()) : target.string();
  std::FILE* file = std::fopen(place.c_str(), "wb");
  if (file == nullptr) refuse_to_write(path, errno);
  const bool written = write_all(file, text);
  int problem = written ? 0 : errno;
  if (std::fclose(file) != 0 && problem == 0) problem = errno;
  if (problem == 0 && replace && std::rename(place.c_str(), target.c_str()) != 0) problem = errno;
  if (problem == 0) return;
  if (replace) std::remove(place.c_str());
  refuse_to_write(path, problem);
}

}  // namespace cardan::command
