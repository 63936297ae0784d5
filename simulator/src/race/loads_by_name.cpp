#include "race/loads_by_name.h"

#include <algorithm>
#include <string_view>

#include "race/number_type.h"

namespace smem::race {
namespace {

/// `float` of `__shared__ float tile[32][33]`; empty: it is written otherwise.
std::string_view type_of(const SharedArray &array) {
  constexpr std::string_view kShared = "__shared__";
  const std::string_view declared = std::string_view(array.declaration).substr(0, array.declaration.find('['));
  const std::size_t shared = declared.find(kShared), name = declared.rfind(array.name);
  if (shared == std::string_view::npos || name == std::string_view::npos || name < shared + kShared.size())
    return {};
  return declared.substr(shared + kShared.size(), name - shared - kShared.size());
}

} // namespace

std::vector<bool> loads_by_name(const Program &program) {
  std::vector<bool> all;
  for (const MemoryOperation &operation : program.memory_operations) {
    all.push_back(false);
    if (operation.access.operation != Operation::Load || operation.site == kNone || operation.shared_array == kNone ||
        operation.shared_array >= program.shared_arrays.size())
      continue;
    const SharedArray &array = program.shared_arrays[operation.shared_array];
    const std::string_view expression = program.sites[operation.site].expression;
    const auto type = number_type(type_of(array));
    all.back() = type && type->width == operation.access.width_bits &&
                 (expression == array.name || (expression.starts_with(array.name + "[") && expression.ends_with(']')));
  }
  return all;
}

} // namespace smem::race
