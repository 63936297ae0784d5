#include "sass/triton_metadata.h"

#include <algorithm>

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/JSON.h>

#include "support/parse_json.h"

namespace smem::compiled {
namespace {

using llvm::StringRef;

constexpr std::int64_t kMostWarps = 32, kMostShared = 1 << 20, kMostStages = 1000, kMostBlocks = 16;
constexpr std::size_t kMostArguments = 4096, kLongestName = 256;

std::optional<std::uint32_t> number(const llvm::json::Object &object, StringRef key, std::int64_t least,
                                    std::int64_t most) {
  const std::optional<std::int64_t> value = object.getInteger(key);
  return value && *value >= least && *value <= most ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

bool is_word(char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.'; }

/// Up to the end of one argument: a comma or the closing parenthesis outside of brackets and quotes.
StringRef take_argument(StringRef &rest) {
  int depth = 0;
  bool quoted = false;
  std::size_t at = 0;
  for (; at < rest.size(); ++at) {
    const char c = rest[at];
    if (c == '"' && (at == 0 || rest[at - 1] != '\\'))
      quoted = !quoted;
    if (quoted)
      continue;
    if (depth == 0 && (c == ',' || c == ')'))
      break;
    depth += c == '(' || c == '{' || c == '<' || c == '[';
    depth -= c == ')' || c == '}' || c == '>' || c == ']';
  }
  const StringRef argument = rest.take_front(at);
  rest = rest.drop_front(at);
  return argument;
}

} // namespace

std::optional<TritonMetadata> read_triton_metadata(std::string_view json, std::string &error) {
  llvm::Expected<llvm::json::Value> value = parse_json(StringRef(json.data(), json.size()));
  if (!value) {
    error = llvm::toString(value.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return std::nullopt;
  const std::optional<std::uint32_t> warps = number(*object, "num_warps", 1, kMostWarps);
  const std::optional<StringRef> name = object->getString("name");
  if (!warps || !name || name->empty() || name->size() > 16 * kLongestName)
    return std::nullopt;
  TritonMetadata metadata;
  metadata.name = name->str();
  metadata.warps = *warps;
  metadata.shared = number(*object, "shared", 0, kMostShared);
  metadata.stages = number(*object, "num_stages", 0, kMostStages);
  metadata.blocks_of_a_cluster = number(*object, "num_ctas", 1, kMostBlocks).value_or(1);
  if (const std::optional<StringRef> hash = object->getString("hash");
      hash && std::ranges::all_of(*hash, [](char c) { return llvm::isHexDigit(c); }))
    metadata.hash = hash->str();
  if (const llvm::json::Object *target = object->getObject("target"))
    metadata.backend = target->getString("backend").value_or("").str();
  return metadata;
}

std::vector<TritonArgument> read_triton_arguments(std::string_view ttir, std::string_view kernel) {
  StringRef text(ttir.data(), ttir.size());
  const std::string head = ("@" + StringRef(kernel.data(), kernel.size()) + "(").str();
  const std::size_t at = text.find(head);
  if (at == StringRef::npos)
    return {};
  StringRef rest = text.drop_front(at + head.size());
  std::vector<TritonArgument> arguments;
  while (!rest.empty() && arguments.size() < kMostArguments) {
    StringRef argument = take_argument(rest).trim();
    if (argument.consume_front("%")) {
      TritonArgument found;
      const StringRef name = argument.take_while(is_word);
      argument = argument.drop_front(name.size()).ltrim();
      if (name.empty() || name.size() > kLongestName || !argument.consume_front(":"))
        return {};
      found.name = name.str();
      found.pointer = argument.ltrim().starts_with("!tt.ptr");
      constexpr StringRef kDivisibility = "tt.divisibility = ";
      if (const std::size_t hint = argument.find(kDivisibility); hint != StringRef::npos) {
        StringRef value = argument.drop_front(hint + kDivisibility.size());
        std::uint32_t divisor = 0;
        if (!value.consumeInteger(10, divisor) && divisor >= 1 && divisor <= 1u << 16)
          found.divisibility = divisor;
      }
      arguments.push_back(std::move(found));
    } else if (!argument.empty()) {
      return {};
    }
    if (!rest.consume_front(","))
      return rest.starts_with(")") ? arguments : std::vector<TritonArgument>();
  }
  return {};
}

} // namespace smem::compiled
