#include "frontend/header_patterns.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include "frontend/conditions.h"

namespace smem {
namespace {

/// `@NAME@` or `${NAME}`.
bool is_filled_in(llvm::StringRef line) {
  const auto [before, after] = line.split('@');
  const llvm::StringRef name = after.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  return line.contains("${") || (!name.empty() && after.drop_front(name.size()).starts_with("@"));
}

std::string definition(llvm::StringRef line) {
  llvm::StringRef directive = line.ltrim();
  if (!directive.consume_front("#"))
    return is_filled_in(line) ? std::string() : line.str();
  const auto [word, rest] = directive.ltrim().split(' ');
  const llvm::StringRef name = rest.trim().take_until([](char c) { return c == ' ' || c == '\t'; });
  const bool on = is_for_cuda({name.str(), {}});
  if (word == "cmakedefine01")
    return "#define " + name.str() + (on ? " 1" : " 0");
  if (word == "cmakedefine" || word == "undef") {
    const llvm::StringRef value = rest.trim().drop_front(name.size());
    return on ? "#define " + name.str() + (value.empty() || is_filled_in(value) ? std::string(" 1") : value.str())
              : std::string();
  }
  return is_filled_in(line) ? std::string() : line.str();
}

} // namespace

std::string header_of_pattern(std::string_view pattern) {
  std::string header;
  for (llvm::StringRef rest = pattern; !rest.empty();) {
    const auto [line, after] = rest.split('\n');
    header += definition(line.rtrim('\r')) + "\n";
    rest = after;
  }
  return header;
}

} // namespace smem
