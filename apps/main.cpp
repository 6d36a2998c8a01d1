// The `cardan` command.
#include "apps/command.hpp"
#include "cardan/io/internal/text.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>

namespace {

constexpr int kDone = 0, kFailed = 1, kWrongUsage = 2;

/// The subcommand that the arguments name, or the program itself.
const CLI::App& named(const CLI::App& program) {
  const auto chosen = program.get_subcommands();
  return chosen.empty() ? program : *chosen.front();
}

/// "unknown option --duraton: did you mean "--duration"?" for the first option that the command does not have.
std::string unknown_option(const CLI::App& command, int argc, char** argv) {
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (int i = 2; i < argc; ++i) {
    const std::string text = argv[i], name = text.substr(0, text.find('='));
    if (name.starts_with("--") && std::find(known.begin(), known.end(), name) == known.end())
      return fmt::format("unknown option {}{}", cardan::io::in_quotes(name), cardan::io::did_you_mean(name, known));
  }
  return {};
}

std::string complaint(const CLI::App& program, const CLI::ParseError& error, int argc, char** argv) {
  const CLI::App& command = named(program);
  const std::string name = &command == &program ? "cardan" : "cardan " + command.get_name();
  std::string what = error.what();
  if (&command == &program && argc > 1 && argv[1][0] != '-') {
    std::vector<std::string> known;
    for (const CLI::App* sub : program.get_subcommands({})) known.push_back(sub->get_name());
    what = fmt::format("unknown subcommand {}{}", cardan::io::in_quotes(argv[1]),
                       cardan::io::did_you_mean(argv[1], known));
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && &command != &program)
    if (const std::string option = unknown_option(command, argc, argv); !option.empty()) what = option;
  return cardan::io::printable(fmt::format("{}: {} (see {} --help)", name, what, name));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Dynamics of mechanisms made of rigid bodies.", "cardan");
  program.set_version_flag("--version", "cardan " CARDAN_VERSION);
  program.require_subcommand(0, 1);
  program.footer(
      "Each subcommand has its own help, with an example: cardan info --help\n"
      "Exit codes: 0 done, 1 bad input or a failed run, 2 wrong usage.");
  cardan::command::remember_command_line(argc, argv);
  cardan::command::Action action;
  cardan::command::add_info(program, action);
  cardan::command::add_eval(program, action);
  cardan::command::add_simulate(program, action);
  cardan::command::add_view(program, action);
  cardan::command::add_picture(program, action);
  cardan::command::add_film(program, action);
  cardan::command::add_plot(program, action);
  cardan::command::add_modes(program, action);
  cardan::command::add_sweep(program, action);
  cardan::command::add_gradient(program, action);
  cardan::command::add_optimize(program, action);
  cardan::command::add_compare(program, action);
  cardan::command::add_compare_formulations(program, action);
  cardan::command::add_compile(program, action);
  cardan::command::add_convert(program, action);
  cardan::command::add_new(program, action);
  cardan::command::add_schema(program, action);

  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help, --version
    return program.exit(wanted);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{}\n", complaint(program, error, argc, argv));
    return kWrongUsage;
  }

  try {
    if (action) {
      action();
    } else {
      fmt::print("{}", program.help());
    }
    return kDone;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", cardan::io::printable(error.what()));
    return kFailed;
  }
}
