#include "race/passed_pointers.h"

#include <algorithm>

#include "smem/race.h"

namespace smem::race {

std::vector<PassedPointer> passed_pointers(const Program &program, const Launch &launch) {
  std::vector<PassedPointer> all;
  for (const PassedScalar &passed : passed_scalars(program)) {
    const ParameterMember &scalar = passed.scalar;
    if (!scalar.pointer)
      continue;
    PassedPointer &pointer = all.emplace_back();
    pointer.place = {passed.index, static_cast<std::int64_t>(scalar.offset)};
    pointer.name = scalar.name;
    pointer.type = number_type(scalar.type);
    pointer.depth = std::ranges::count(scalar.type, '*');
    pointer.is_restrict = scalar.type.find("restrict") != std::string::npos;
    const auto argument = std::ranges::find_if(launch.arguments, [&](const ArgumentValue &one) {
      return one.pointer && one.index == passed.index && one.offset == scalar.offset;
    });
    if (argument != launch.arguments.end())
      pointer.origin = argument->origin;
  }
  return all;
}

bool may_be_one(const PassedPointer &a, const PassedPointer &b) {
  if (a.origin.allocation && b.origin.allocation)
    return a.origin.allocation == b.origin.allocation;
  constexpr std::uint32_t kByte = 8;
  if (!a.type || !b.type || a.type->width == kByte || b.type->width == kByte)
    return true;
  return a.type->width == b.type->width && a.type->floating == b.type->floating;
}

bool may_be_changed(const PassedPointer &read, const PassedPointer &written) {
  return !read.is_restrict && !written.is_restrict && may_be_one(read, written);
}

} // namespace smem::race

bool smem::races_alike(const Program &a, const Program &b) {
  const auto reads_alike = [](const Parameter &x, const Parameter &y) {
    return x.type == y.type ||
           (race::number_type(x.type) == race::number_type(y.type) &&
            std::ranges::count(x.type, '*') == std::ranges::count(y.type, '*') &&
            (x.type.find("restrict") == std::string::npos) == (y.type.find("restrict") == std::string::npos));
  };
  return alike(a, b) && std::ranges::equal(a.parameters, b.parameters, reads_alike);
}
