#include "nvcc/rules/header_functions.h"

#include <algorithm>
#include <iterator>

namespace smem {
namespace {

struct HeaderFunction {
  std::string_view name, type; ///< of its first parameter; empty: any
  std::uint32_t first, last;   ///< lines of its body
};

constexpr HeaderFunction kHeaderFunctions[] = {
#define HEADER_FUNCTION(NAME, TYPE, FIRST, LAST) {#NAME, TYPE, FIRST, LAST},
#include "nvcc/rules/header_functions.def"
#undef HEADER_FUNCTION
};
static_assert(std::ranges::is_sorted(kHeaderFunctions, {}, &HeaderFunction::name));

} // namespace

std::vector<LineRange> bodies_of_header_function(std::string_view name, std::string_view type) {
  const auto overloads = std::ranges::equal_range(kHeaderFunctions, name, {}, &HeaderFunction::name);
  const bool known = !type.empty() && std::ranges::find(overloads, type, &HeaderFunction::type) != overloads.end();
  std::vector<LineRange> bodies;
  for (const HeaderFunction &overload : overloads)
    if (!known || overload.type.empty() || overload.type == type)
      bodies.push_back({overload.first, overload.last});
  return bodies;
}

} // namespace smem
