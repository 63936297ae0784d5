#include "config/yaml_reader.h"

#include "support/nearest.h"

#include <algorithm>
#include <set>

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/ConvertUTF.h>

namespace smem {
namespace {

namespace yaml = llvm::yaml;

/// The line on which too much is nested, or 0: LLVM's parser recurses. All
/// brackets count, as only a parser knows which of them are quoted; indentation
/// needs no bound, since its length grows with the square of its depth.
unsigned nested_too_deep(std::string_view text) {
  constexpr std::size_t kMostBrackets = 2000, kMostOnALine = 64;
  unsigned line = 1;
  std::size_t brackets = 0,
              indicators = 0; // the latter of `- - - -` and `? ? ?`
  bool begins = true;
  for (const char c : text) {
    if (c == '\n') {
      ++line;
      indicators = 0;
      begins = true;
      continue;
    }
    begins &= c == ' ' || c == '\t' || c == '-' || c == '?' || c == ':';
    indicators += begins && (c == '-' || c == '?' || c == ':');
    brackets += c == '[' || c == '{';
    if (brackets > kMostBrackets || (indicators > kMostOnALine && c == ' '))
      return line;
  }
  return 0;
}

/// The first line that is not UTF-8, or 0.
unsigned not_utf8(std::string_view text) {
  unsigned line = 1;
  for (std::size_t begin = 0; begin <= text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const auto *at = reinterpret_cast<const llvm::UTF8 *>(text.data() + begin);
    if (!llvm::isLegalUTF8String(&at, at + (end - begin)))
      return line;
    begin = end + 1;
  }
  return 0;
}

} // namespace

YamlReader::YamlReader(std::string name, std::vector<Diagnostic> &diagnostics)
    : name_(std::move(name)), diagnostics_(diagnostics) {
  sources_.setDiagHandler(
      [](const llvm::SMDiagnostic &diagnostic, void *self) {
        auto &reader = *static_cast<YamlReader *>(self);
        reader.fail({reader.name_, static_cast<unsigned>(std::max(0, diagnostic.getLineNo())),
                     static_cast<unsigned>(diagnostic.getColumnNo() + 1)},
                    diagnostic.getMessage().str());
      },
      this);
}

bool YamlReader::document(std::string_view text, const Handler &root) {
  if (const unsigned line = nested_too_deep(text)) {
    fail({name_, line, 1}, "nested too deep: 2000 brackets in a file and 64 indicators on a line are the limits");
    return false;
  }
  if (const unsigned line = not_utf8(text)) { // written again, such a byte would be another character
    fail({name_, line, 1}, "is not UTF-8");
    return false;
  }
  yaml::Stream stream(llvm::StringRef(text.data(), text.size()), sources_, /*ShowColors=*/false);
  yaml::document_iterator document = stream.begin();
  Node *node = document == stream.end() || stream.failed() ? nullptr : document->getRoot();
  if (!node || stream.failed() || llvm::isa<yaml::NullNode>(node))
    return false;
  root(node);
  return true;
}

SourceLocation YamlReader::place(const Node *node) const {
  const llvm::SMLoc start = node->getSourceRange().Start;
  if (sources_.FindBufferContainingLoc(start) == 0)
    return {name_, 0, 0};
  const auto [line, column] = sources_.getLineAndColumn(start);
  return {name_, line, column};
}

void YamlReader::fail(const SourceLocation &at, std::string message) {
  diagnostics_.push_back({Diagnostic::Severity::Error, at, std::move(message)});
}

void YamlReader::entries(yaml::MappingNode &map, const Entry &each) {
  for (yaml::KeyValueNode &entry : map) {
    auto *key = llvm::dyn_cast_or_null<yaml::ScalarNode>(entry.getKey());
    if (!key)
      return; // the parser has complained
    llvm::SmallString<32> storage;
    const std::string word = key->getValue(storage).str();
    const SourceLocation at = place(key);
    each(word, at, entry.getValue());
  }
}

void YamlReader::mapping(Node *node, const std::string &what, const Keys &keys) {
  auto *map = llvm::dyn_cast<yaml::MappingNode>(node);
  if (!map) {
    complain(node, what + " must be a mapping (`Key: value` lines)");
    if (auto *sequence = llvm::dyn_cast<yaml::SequenceNode>(node))
      sequence->skip();
    return;
  }
  std::vector<std::string> names;
  for (const auto &[key, handler] : keys)
    names.push_back(key);
  std::set<std::string> seen;
  entries(*map, [&](const std::string &word, const SourceLocation &at, Node *value) {
    const auto known = std::find_if(keys.begin(), keys.end(), [&](const auto &k) { return k.first == word; });
    const bool is_known = known != keys.end(), is_first = is_known && seen.insert(word).second;
    if (!is_known)
      fail(at, "unknown key '" + word + "'" + did_you_mean(word, names));
    else if (!is_first)
      fail(at, "the key '" + word + "' stands here for the second time");
    if (value && is_first)
      known->second(value);
    else if (value)
      value->skip();
  });
}

void YamlReader::sequence(Node *node, const std::string &key, const Handler &each) {
  auto *list = llvm::dyn_cast<yaml::SequenceNode>(node);
  if (!list) {
    complain(node, key + " must be a list");
    node->skip();
    return;
  }
  for (yaml::Node &item : *list)
    each(&item);
}

std::optional<std::string> YamlReader::scalar(Node *node, const std::string &key) {
  llvm::SmallString<64> storage;
  if (auto *value = llvm::dyn_cast<yaml::ScalarNode>(node))
    return value->getValue(storage).str();
  if (auto *block = llvm::dyn_cast<yaml::BlockScalarNode>(node))
    return block->getValue().str();
  complain(node, key + " must be a single value");
  node->skip();
  return std::nullopt;
}

void YamlReader::named(Node *node, const std::string &what, const Entry &each) {
  if (llvm::isa<yaml::NullNode>(node))
    return;
  auto *map = llvm::dyn_cast<yaml::MappingNode>(node);
  if (!map) {
    complain(node, what + " must be a mapping (`name: value` lines)");
    node->skip();
    return;
  }
  std::set<std::string> seen;
  entries(*map, [&](const std::string &word, const SourceLocation &at, Node *value) {
    if (!value)
      return;
    if (seen.insert(word).second)
      return each(word, at, value);
    fail(at, "'" + word + "' stands here for the second time");
    value->skip();
  });
}

} // namespace smem
