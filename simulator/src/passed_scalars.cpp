#include "smem/program.h"

namespace smem {

std::vector<PassedScalar> passed_scalars(const Program &program) {
  constexpr std::uint64_t kLargestScalar = 8;
  std::vector<PassedScalar> scalars;
  const auto add = [&](std::uint32_t index, const ParameterMember &scalar) {
    if (!scalar.name.empty() && scalar.size <= kLargestScalar)
      scalars.push_back({index, scalar});
  };
  for (std::uint32_t index = 0; index < program.parameters.size(); ++index) {
    const Parameter &parameter = program.parameters[index];
    for (const ParameterMember &member : parameter.members)
      add(index, member);
    if (parameter.members.empty())
      add(index, {parameter.name, parameter.type, 0, parameter.size, parameter.pointer, parameter.enumerators});
  }
  return scalars;
}

} // namespace smem
