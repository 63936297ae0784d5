#include "plan/kernel_names.h"

#include "support/glob.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <string>

namespace smem {
namespace {

struct TypeName {
  std::string_view spelled, own;
};
/// Names for types in cuda_fp16.h, cuda_bf16.h and <cstdint>, as nvcc's hosts of 64 bits have them.
constexpr TypeName kTypeNames[] = {{"half", "__half"},
                                   {"half2", "__half2"},
                                   {"nv_bfloat16", "__nv_bfloat16"},
                                   {"nv_bfloat162", "__nv_bfloat162"},
                                   {"int8_t", "signed char"},
                                   {"uint8_t", "unsigned char"},
                                   {"int16_t", "short"},
                                   {"uint16_t", "unsigned short"},
                                   {"int32_t", "int"},
                                   {"uint32_t", "unsigned int"},
                                   {"int64_t", "long"},
                                   {"uint64_t", "unsigned long"},
                                   {"size_t", "unsigned long"}};

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// What follows `unsigned` tells of which integer: `unsigned char`.
bool goes_on(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  constexpr std::string_view kIntegers[] = {"int", "char", "short", "long"};
  return std::ranges::any_of(kIntegers, [&](std::string_view integer) { return text.starts_with(integer); });
}

/// How many characters a cast of a template argument has, `(short)` of `k<(short)32>`, as Clang prints arguments whose types are not int; 0: there is none.
std::size_t cast_at(std::string_view text) {
  const std::size_t close = text.find(')');
  if (!text.starts_with('(') || close == std::string_view::npos || close + 1 == text.size())
    return 0;
  const std::string_view type = text.substr(1, close - 1);
  const bool named = !type.empty() && std::isalpha(static_cast<unsigned char>(type.front())) &&
                     std::ranges::all_of(type, [](char c) { return is_of_word(c) || c == ' ' || c == ':'; });
  const char value = text[close + 1];
  return named && (is_of_word(value) || value == '-') ? close + 1 : 0;
}

/// `32` of `32U` and `32UL`.
std::string_view without_suffix(std::string_view word) {
  const std::size_t last = word.find_last_not_of("uUlL");
  return std::isdigit(static_cast<unsigned char>(word.front())) && last != std::string_view::npos
             ? word.substr(0, last + 1)
             : word;
}

/// Without blanks, each type among the template arguments by its own name, each number as it is.
std::string normalised(std::string_view text) {
  std::string out;
  const std::size_t arguments = text.find('<');
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t cast = at > arguments ? cast_at(text.substr(at)) : 0) {
      at += cast;
      continue;
    }
    if (!is_of_word(text[at])) {
      if (text[at] != ' ')
        out += text[at];
      ++at;
      continue;
    }
    const std::size_t begin = at;
    std::string_view word = text.substr(at);
    word = word.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(word, is_of_word) - word.begin()));
    at += word.size();
    const auto known = std::ranges::find(kTypeNames, word, &TypeName::spelled);
    if (begin > arguments && known != std::end(kTypeNames))
      word = known->own;
    else if (begin > arguments && without_suffix(word) != word)
      word = without_suffix(word);
    else if (begin > arguments && word == "unsigned" && !goes_on(text.substr(at)))
      word = "unsigned int";
    std::ranges::copy_if(word, std::back_inserter(out), [](char c) { return c != ' '; });
  }
  return out;
}

} // namespace

bool kernel_matches(std::string_view spelled, const Program &program) {
  if (spelled.empty())
    return true;
  const std::string glob = normalised(spelled), full = normalised(program.kernel);
  const std::string_view name = full;
  const std::string_view plain = name.substr(0, name.find('<'));
  const std::size_t scope = plain.rfind("::");
  const std::string_view unscoped = scope == std::string_view::npos ? plain : plain.substr(scope + 2);
  const std::string_view unscoped_full = scope == std::string_view::npos ? name : name.substr(scope + 2);
  for (const std::string_view candidate : {name, plain, unscoped, unscoped_full, std::string_view(program.mangled)})
    if (glob_matches(glob, candidate))
      return true;
  return false;
}

} // namespace smem
