#include "plan/statable.h"

#include <algorithm>

namespace smem {

const PassedScalar *statable_scalar(const std::vector<PassedScalar> &scalars, const ArgumentValue &argument) {
  const auto found = std::ranges::find_if(scalars, [&](const PassedScalar &one) {
    return one.index == argument.index && one.scalar.offset == argument.offset;
  });
  const bool stated = found != scalars.end() && !found->scalar.pointer && !argument.pointer &&
                      found->scalar.type.find("float") == std::string::npos &&
                      found->scalar.type.find("double") == std::string::npos;
  return stated ? &*found : nullptr;
}

LaunchWish stated_launch(const Program &program, const Launch &launch, bool only_known) {
  LaunchWish wish;
  if (launch.block_known || !only_known)
    wish.block = launch.block;
  if (launch.grid_known || !only_known)
    wish.grid = launch.grid;
  const bool dynamic =
      std::ranges::any_of(program.shared_arrays, [](const SharedArray &array) { return array.dynamic; });
  if (dynamic && (launch.dynamic_known || !only_known))
    wish.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  const std::vector<PassedScalar> scalars = passed_scalars(program);
  for (const ArgumentValue &argument : launch.arguments)
    if (const PassedScalar *scalar = statable_scalar(scalars, argument);
        scalar && argument.value && (argument.provenance != Provenance::Assumed || !only_known))
      wish.scalars.emplace_back(scalar->scalar.name, *argument.value);
  return wish;
}

} // namespace smem
