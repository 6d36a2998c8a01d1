#include "cardan/io/internal/mjcf_element.hpp"

#include "cardan/model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace cardan::io {

namespace {

constexpr std::size_t kLargestFile = std::size_t{64} << 20;
constexpr int kDeepestInclude = 20;

}  // namespace

XmlElement MjcfElement::holder(const char* attribute) const {
  if (own_.has(attribute)) return own_;
  for (const XmlElement& element : defaults_)
    if (element.has(attribute)) return element;
  return {};
}

std::string MjcfElement::text(const char* attribute, const std::string& otherwise) const {
  const XmlElement from = holder(attribute);
  return from ? from.text(attribute) : otherwise;
}

double MjcfElement::number(const char* attribute, double otherwise) const {
  const XmlElement from = holder(attribute);
  return from ? from.number(attribute) : otherwise;
}

std::vector<double> MjcfElement::numbers(const char* attribute, std::size_t least, std::size_t most) const {
  const XmlElement from = holder(attribute);
  if (!from) return {};
  std::vector<double> out;
  const std::string text = from.text(attribute);
  for (const std::string_view word : words(text)) {
    const auto number = parse_number(word);
    if (!number) from.fail(attribute, fmt::format("expected numbers, found {}", in_quotes(word)));
    out.push_back(*number);
  }
  if (out.size() < least || out.size() > most)
    from.fail(attribute,
              fmt::format("expected {} numbers, found {}",
                          least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most), out.size()));
  return out;
}

Vec3<double> MjcfElement::vec3(const char* attribute, const Vec3<double>& otherwise) const {
  const XmlElement from = holder(attribute);
  return from ? from.vec3(attribute) : otherwise;
}

std::string MjcfElement::one_of(const char* attribute, const std::vector<std::string>& words) const {
  const XmlElement from = holder(attribute);
  if (!from) return words.front();
  const std::string word = from.text(attribute);
  if (std::find(words.begin(), words.end(), word) == words.end())
    from.fail(attribute, fmt::format("expected {}, found {}{}", fmt::join(words, ", "), in_quotes(word),
                                     did_you_mean(word, words)));
  return word;
}

bool MjcfElement::truth(const char* attribute, bool otherwise) const {
  return has(attribute) ? one_of(attribute, {"true", "false"}) == "true" : otherwise;
}

MjcfDocument::MjcfDocument(std::string_view text, const std::string& path)
    : folder_(std::filesystem::path(path).parent_path().string()) {
  documents_.push_back(std::make_unique<XmlDocument>(text, Source{"mjcf", printable(path)}));
  root_ = documents_.front()->root();
  if (root_.tag() != "mujoco")
    root_.fail(fmt::format("expected a MuJoCo model, <mujoco>, found <{}>", printable(root_.tag())));
  classes_[main_] = {};
  for (const XmlElement& element : children(root_, "default")) read_defaults(element, "", true);
}

std::vector<XmlElement> MjcfDocument::children(const XmlElement& element) {
  std::vector<XmlElement> out;
  for (const XmlElement& child : element.children()) {
    if (child.tag() != "include") {
      out.push_back(child);
      continue;
    }
    if (++depth_ > kDeepestInclude) child.fail("expected files that do not include one another, found a circle");
    const std::string path = (std::filesystem::path(folder_) / child.name("file")).string();
    XmlElement& included = included_[path];
    if (!included) {
      try {
        documents_.push_back(
            std::make_unique<XmlDocument>(read_text_file("mjcf", path, kLargestFile), Source{"mjcf", printable(path)}));
      } catch (const ModelError& problem) {
        child.fail("file", problem.what());
      }
      included = documents_.back()->root();
    }
    for (const XmlElement& inner : children(included)) out.push_back(inner);
    --depth_;
  }
  return out;
}

std::vector<XmlElement> MjcfDocument::children(const XmlElement& element, const std::string& tag) {
  std::vector<XmlElement> out = children(element);
  std::erase_if(out, [&](const XmlElement& child) { return child.tag() != tag; });
  return out;
}

std::vector<XmlElement> MjcfDocument::section(const std::string& tag) {
  std::vector<XmlElement> out;
  for (const XmlElement& part : children(root_, tag))
    for (const XmlElement& child : children(part)) out.push_back(child);
  return out;
}

void MjcfDocument::read_defaults(const XmlElement& element, const std::string& parent, bool is_root) {
  std::string name = is_root ? main_ : "";
  if (element.has("class")) {
    name = element.name("class");
    if (is_root) {  // the root class may have a name of its own
      classes_[name] = classes_[main_];
      main_ = name;
    }
  } else if (!is_root) {
    element.fail("expected the attribute class, found none");
  }
  Class& own = classes_[name];
  own.parent = parent;
  for (const XmlElement& child : children(element)) {
    if (child.tag() == "default")
      read_defaults(child, name, false);
    else
      classes_[name].elements[child.tag()] = child;
  }
}

MjcfElement MjcfDocument::with_defaults(const XmlElement& element, const std::string& class_name,
                                        const std::string& tag) {
  std::string name = element.has("class") ? element.text("class") : class_name.empty() ? main_ : class_name;
  if (!classes_.contains(name)) {
    std::vector<std::string> known;
    for (const auto& [other, unused] : classes_) known.push_back(other);
    element.fail("class",
                 fmt::format("expected a default class, found {}{}", in_quotes(name), did_you_mean(name, known)));
  }
  std::vector<XmlElement> defaults;
  for (int depth = 0; !name.empty() && depth < 1000; ++depth) {
    const Class& one = classes_[name];
    if (const auto found = one.elements.find(tag.empty() ? element.tag() : tag); found != one.elements.end())
      defaults.push_back(found->second);
    name = one.parent;
  }
  return {element, std::move(defaults)};
}

}  // namespace cardan::io
