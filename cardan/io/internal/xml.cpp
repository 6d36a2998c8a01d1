#include "cardan/io/internal/xml.hpp"

#include "cardan/model/model.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

namespace cardan::io {

XmlElement::XmlElement(const tinyxml2::XMLElement* element, const Source* source, std::string owner)
    : element_(element), source_(source), owner_(std::move(owner)) {}

std::string XmlElement::tag() const { return element_->Name(); }
int XmlElement::line() const { return element_->GetLineNum(); }
std::string XmlElement::where() const { return fmt::format("{}: {}:{}", source_->format, source_->file, line()); }

XmlElement XmlElement::child(const char* tag) const { return {element_->FirstChildElement(tag), source_, owner_}; }

XmlElement XmlElement::required_child(const char* tag) const {
  const XmlElement found = child(tag);
  if (!found) fail(fmt::format("expected a <{}> element, found none", tag));
  return found;
}

std::vector<XmlElement> XmlElement::children(const char* tag) const {
  std::vector<XmlElement> out;
  for (auto* e = element_->FirstChildElement(tag); e != nullptr; e = e->NextSiblingElement(tag))
    out.emplace_back(e, source_, owner_);
  return out;
}

std::vector<std::string> XmlElement::attributes() const {
  std::vector<std::string> out;
  for (const auto* attribute = element_->FirstAttribute(); attribute != nullptr; attribute = attribute->Next())
    out.emplace_back(attribute->Name());
  return out;
}
bool XmlElement::has(const char* attribute) const { return element_->FindAttribute(attribute) != nullptr; }

std::string XmlElement::text(const char* attribute) const {
  const char* value = element_->Attribute(attribute);
  if (value == nullptr) fail(fmt::format("expected an attribute \"{}\", found none", attribute));
  return value;
}

std::string XmlElement::checked_name(const char* attribute, const std::string& value) const {
  constexpr std::size_t longest = 1000;
  if (value.empty()) fail(attribute, "expected a name, found an empty text");
  if (value.size() > longest)
    fail(attribute, fmt::format("expected a name of at most {} characters, found {}", longest, value.size()));
  if (printable(value) != value)
    fail(attribute, "expected a name without control characters, found " + in_quotes(value));
  return value;
}

std::vector<double> XmlElement::parsed_numbers(const char* attribute, const std::string& value,
                                               std::size_t count) const {
  const auto entries = words(value);
  if (entries.size() != count)
    fail(attribute, fmt::format("expected {} number{}, found {}: {}", count, count == 1 ? "" : "s", entries.size(),
                                in_quotes(value)));
  std::vector<double> out;
  for (const auto entry : entries) {
    const auto number = parse_number(entry);
    if (!number) fail(attribute, "expected a finite number, found " + in_quotes(entry));
    out.push_back(*number);
  }
  return out;
}

std::string XmlElement::name(const char* attribute) const { return checked_name(attribute, text(attribute)); }
std::vector<double> XmlElement::numbers(const char* attribute, std::size_t count) const {
  return parsed_numbers(attribute, text(attribute), count);
}

std::string XmlElement::content() const {
  const char* text = element_->GetText();
  if (text == nullptr) return {};
  const std::string_view view = text;
  const auto begin = view.find_first_not_of(" \t\r\n"), end = view.find_last_not_of(" \t\r\n");
  return begin == std::string_view::npos ? std::string() : std::string(view.substr(begin, end - begin + 1));
}
std::string XmlElement::content_name() const { return checked_name(nullptr, content()); }
std::vector<double> XmlElement::content_numbers(std::size_t count) const {
  return parsed_numbers(nullptr, content(), count);
}

double XmlElement::number(const char* attribute) const { return numbers(attribute, 1)[0]; }
double XmlElement::number(const char* attribute, double otherwise) const {
  return has(attribute) ? number(attribute) : otherwise;
}
Vec3<double> XmlElement::vec3(const char* attribute) const {
  const auto v = numbers(attribute, 3);
  return {v[0], v[1], v[2]};
}
Vec3<double> XmlElement::vec3(const char* attribute, const Vec3<double>& otherwise) const {
  return has(attribute) ? vec3(attribute) : otherwise;
}

/// "joint "elbow": axis xyz", each part only where it adds something.
std::string XmlElement::subject(const char* attribute) const {
  std::string out = owner_;
  const std::string tag = printable(this->tag());
  const bool is_owner = owner_ == tag || owner_.starts_with(tag + " ");
  if (!is_owner) out += (out.empty() ? "" : ": ") + tag;
  if (attribute != nullptr) out += (is_owner ? std::string(": ") : std::string(" ")) + attribute;
  return out;
}

std::string XmlElement::message(const std::string& what) const {
  return fmt::format("{}: {}: {}", where(), subject(nullptr), what);
}
void XmlElement::fail(const std::string& what) const { throw ModelError(message(what)); }
void XmlElement::fail(const char* attribute, const std::string& what) const {
  const auto* found = attribute != nullptr ? element_->FindAttribute(attribute) : nullptr;
  const int at = found != nullptr ? found->GetLineNum() : line();
  throw ModelError(fmt::format("{}: {}:{}: {}: {}", source_->format, source_->file, at, subject(attribute), what));
}

XmlDocument::XmlDocument(std::string_view text, Source source)
    : source_{source.format, printable(source.file)}, document_(std::make_unique<tinyxml2::XMLDocument>()) {
  const auto fail = [&](int line, const std::string& found) {
    throw ModelError(fmt::format("{}: {}:{}: XML: expected one well-formed element, found {}", source_.format,
                                 source_.file, line, found));
  };
  // the parser would take the byte for the end of the text and be content
  if (const auto nul = text.find('\0'); nul != std::string_view::npos) fail(line_of(text, nul), "a zero byte");
  if (words(text).empty()) fail(1, "an empty file");
  document_->Parse(text.data(), text.size());
  // what happens if a file ends too early, or a tag is not closed, is the same to the parser
  const int last_line = line_of(text, text.find_last_not_of(" \t\r\n"));
  const int line = document_->ErrorLineNum() > 0 ? document_->ErrorLineNum() : last_line;
  switch (document_->ErrorID()) {
    case tinyxml2::XML_SUCCESS: break;
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT: fail(1, "no element"); break;
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      fail(line, "an element that is not closed or closed by another tag");
      break;
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE: fail(line, "a broken attribute"); break;
    case tinyxml2::XML_ERROR_PARSING_COMMENT: fail(line, "a comment that does not end"); break;
    case tinyxml2::XML_ERROR_PARSING_CDATA: fail(line, "a CDATA section that does not end"); break;
    case tinyxml2::XML_ERROR_PARSING_DECLARATION: fail(line, "a broken or misplaced declaration"); break;
    case tinyxml2::XML_ERROR_PARSING_TEXT: fail(line, "broken text"); break;
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED: fail(line, "too many elements inside one another"); break;
    default: fail(line, "a broken or unclosed element"); break;
  }
  const auto* root = document_->RootElement();
  if (root == nullptr) fail(1, "no element");
  if (const auto* second = root->NextSiblingElement())
    fail(second->GetLineNum(), fmt::format("a second one, {}", in_quotes(second->Name())));
}

XmlDocument::~XmlDocument() = default;

XmlElement XmlDocument::root() const {
  const auto* root = document_->RootElement();
  return {root, &source_, printable(root->Name())};
}

}  // namespace cardan::io
