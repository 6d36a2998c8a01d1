// What the subcommands share. Each is one file with one function that registers it; main.cpp lists them.
// Exit codes: 0 done, 1 bad input or a failed run (one line on stderr), 2 wrong usage.
#pragma once

#include "cardan/io/load.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace cardan::command {

/// A subcommand's work, called after the arguments are read; it throws where something is wrong.
using Action = std::function<void()>;

/// Each adds its subcommand to the program and sets the action when the user asks for it.
void add_info(CLI::App& program, Action& action);
void add_eval(CLI::App& program, Action& action);
void add_compile(CLI::App& program, Action& action);
void add_convert(CLI::App& program, Action& action);
void add_new(CLI::App& program, Action& action);
void add_schema(CLI::App& program, Action& action);
void add_simulate(CLI::App& program, Action& action);
void add_view(CLI::App& program, Action& action);
void add_picture(CLI::App& program, Action& action);
void add_film(CLI::App& program, Action& action);
void add_plot(CLI::App& program, Action& action);
void add_modes(CLI::App& program, Action& action);
void add_sweep(CLI::App& program, Action& action);
void add_gradient(CLI::App& program, Action& action);
void add_optimize(CLI::App& program, Action& action);
void add_compare(CLI::App& program, Action& action);
void add_compare_formulations(CLI::App& program, Action& action);

/// Names a model file and says how it is read: what nearly every subcommand takes.
struct ModelArguments {
  std::string file, base = "fixed";
  bool strict = false;
  std::vector<std::string> set{};

  LoadOptions how_to_load(bool read_meshes) const { return {base == "free", read_meshes, strict, set}; }
};
/// Adds --base, --strict and --set; the arguments must outlive the parsing.
void add_model_options(CLI::App& command, ModelArguments& arguments);

/// The option --base of commands that read robots; the text must outlive the parsing.
void add_base_option(CLI::App& command, std::string& base);

/// Says in the help of commands that read robots with their pictures where these are looked for.
inline constexpr const char* kPackageHelp =
    R"(Meshes package://NAME/... of a robot are looked for in the folders of ROS_PACKAGE_PATH (each contains NAME or is it)
and of AMENT_PREFIX_PATH (ROS 2: PREFIX/share/NAME), then in the folders above the robot's file.)";

/// The option --set of commands that read models.
void add_set_option(CLI::App& command, std::vector<std::string>& set);

/// Keeps the words of the command line, for pages that say how they were made.
void remember_command_line(int argc, char** argv);
/// The command as one would type it: "cardan simulate top.toml --report top.html".
const std::string& command_line();

/// True for "-" and the name that the system gives to the standard output.
bool is_standard_output(const std::string& path);

/// To the file, or to the standard output if the path is empty or means it. A file is either written completely or left
/// as it was.
void write_output(const std::string& path, std::string_view text);
/// Throws that a file cannot be written, with the system's reason (errno).
[[noreturn]] void refuse_to_write(const std::string& path, int error);

}  // namespace cardan::command
