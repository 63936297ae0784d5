#include "race/number_type.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace smem::race {
namespace {

constexpr std::string_view kBetweenWords = " *&";

bool is_qualifier(std::string_view word) {
  constexpr std::array<std::string_view, 5> kQualifiers{"const", "volatile", "__restrict__", "__restrict", "restrict"};
  return std::ranges::find(kQualifiers, word) != kQualifiers.end();
}

std::string without_qualifiers(std::string_view declared) {
  std::string name;
  for (std::size_t at = 0; (at = declared.find_first_not_of(kBetweenWords, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(declared.find_first_of(kBetweenWords, at), declared.size());
    const std::string_view word = declared.substr(at, end - at);
    if (!is_qualifier(word))
      name.append(name.empty() ? "" : " ").append(word);
    at = end;
  }
  return name;
}

} // namespace

std::optional<NumberType> number_type(std::string_view declared) {
  using Known = std::pair<std::string_view, NumberType>;
  static constexpr std::array<Known, 27> kKnown{{
      {"float", {32, true, true}},       {"double", {64, true, true}},
      {"bool", {8, false, false, true}}, {"char", {8, false, true}},
      {"signed char", {8, false, true}}, {"unsigned char", {8, false, false}},
      {"short", {16, false, true}},      {"unsigned short", {16, false, false}},
      {"int", {32, false, true}},        {"unsigned int", {32, false, false}},
      {"unsigned", {32, false, false}},  {"uint", {32, false, false}},
      {"long", {64, false, true}},       {"unsigned long", {64, false, false}},
      {"long long", {64, false, true}},  {"unsigned long long", {64, false, false}},
      {"int8_t", {8, false, true}},      {"uint8_t", {8, false, false}},
      {"int16_t", {16, false, true}},    {"uint16_t", {16, false, false}},
      {"int32_t", {32, false, true}},    {"uint32_t", {32, false, false}},
      {"int64_t", {64, false, true}},    {"uint64_t", {64, false, false}},
      {"size_t", {64, false, false}},    {"uchar", {8, false, false}},
      {"ptrdiff_t", {64, false, true}},
  }};
  const auto known = std::ranges::find(kKnown, without_qualifiers(declared), &Known::first);
  return known == kKnown.end() ? std::nullopt : std::optional(known->second);
}

} // namespace smem::race
