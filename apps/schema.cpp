// cardan schema: what scene files may say, for editors and as a page.
#include "apps/command.hpp"
#include "apps/run_page.hpp"
#include "cardan/io/internal/scene_keys_page.hpp"
#include "cardan/io/internal/scene_schema.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace cardan::command {

namespace {

constexpr const char* kSchemaFooter = R"(Example:
  cardan schema --out scene.schema.json

Writes the JSON Schema (draft 2020-12) of scene files, by which editors complete keys, show what they mean and mark
mistakes. A scene names it in its first line, for taplo and the VS Code extension Even Better TOML:
  #:schema ./scene.schema.json
The schema sees keys, types, words and ranges; names of bodies, texts and files are checked by cardan info.)";

struct SchemaArguments {
  std::string out;
  bool markdown = false;
};

void schema(const SchemaArguments& a) {
  require_folder(a.out);
  write_output(a.out, a.markdown ? io::scene_keys_page() : io::scene_schema());
}

}  // namespace

void add_schema(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("schema", "Write the JSON Schema of scene files, for editors");
  const auto arguments = std::make_shared<SchemaArguments>();
  SchemaArguments& a = *arguments;
  command->add_option("--out", a.out, "The file to write; the standard output if not given")->option_text("FILE");
  command->add_flag("--markdown", a.markdown, "Write the reference of all keys instead (docs/keys.md)");
  command->footer(kSchemaFooter);
  command->callback([arguments, &action] { action = [arguments] { schema(*arguments); }; });
}

}  // namespace cardan::command
