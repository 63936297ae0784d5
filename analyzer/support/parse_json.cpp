#include "support/parse_json.h"

#include <cstddef>
#include <string>

#include <llvm/ADT/Twine.h>

namespace smem {
namespace {

constexpr std::size_t kDeepest = 256, kMostValues = 20'000'000;

/// What is too much in `text`, or null. Where it is no JSON, that is for the
/// parser to say.
const char *excess(llvm::StringRef text) {
  std::size_t depth = 0, values = 1;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"')
      quoted = !quoted;
    else if (quoted)
      i += c == '\\';
    else if (c == '[' || c == '{')
      depth += 1, values += 1;
    else if (c == ']' || c == '}')
      depth -= depth != 0;
    else
      values += c == ',';
    if (depth > kDeepest)
      return "nested deeper than 256 levels, the limit";
    if (values > kMostValues)
      return "more than 20000000 values, the limit";
  }
  return nullptr;
}

} // namespace

llvm::Expected<llvm::json::Value> parse_json(llvm::StringRef text) {
  if (const char *wrong = excess(text))
    return llvm::createStringError(llvm::inconvertibleErrorCode(), wrong);
  return llvm::json::parse(text);
}

} // namespace smem
