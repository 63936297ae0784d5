#include "analysis/array_widths.h"

#include <algorithm>
#include <map>

namespace smem {
namespace {

/// Bytes that the array's rows have to be multiples of for the operation.
std::uint32_t bytes_of(const MemoryOperation &operation) {
  return std::max<std::uint32_t>(operation.access.width_bits / 8u, operation.row_bytes);
}

/// By array. What is accessed through a pointer to any of several is an access of each.
std::vector<std::uint32_t> widest_accesses(const Program &program) {
  std::vector<std::uint32_t> widest(program.shared_arrays.size());
  for (const MemoryOperation &operation : program.memory_operations) {
    if (operation.space != AddressSpace::Shared && operation.shared_array == kNone)
      continue;
    for (std::uint32_t i = 0; i < widest.size(); ++i)
      if (operation.shared_array == kNone || operation.shared_array == i)
        widest[i] = std::max(widest[i], bytes_of(operation));
  }
  return widest;
}

/// Those of the source, as far as each kernel that has the array is there.
std::vector<std::uint32_t> widest_in_source(const Program &program, std::span<const Program> sources) {
  std::vector<std::uint32_t> widest(program.shared_arrays.size());
  const auto source = std::ranges::find(sources, program.mangled, &Program::mangled);
  if (source == sources.end())
    return widest;
  const std::vector<std::uint32_t> all = widest_accesses(*source);
  for (std::size_t i = 0; i < widest.size(); ++i) {
    const SharedArray &array = program.shared_arrays[i];
    const auto same = std::ranges::find_if(source->shared_arrays, [&](const SharedArray &other) {
      return other.name == array.name && other.location == array.location;
    });
    if (same != source->shared_arrays.end())
      widest[i] = all[static_cast<std::size_t>(same - source->shared_arrays.begin())];
  }
  return widest;
}

struct Widths {
  std::uint32_t widest = 0, in_source = 0;
  bool source_known = true;
};

} // namespace

void note_array_widths(std::span<Program> programs, std::span<const Program> sources) {
  std::map<SourceLocation, Widths> by_place;
  for (Program &program : programs) {
    const std::vector<std::uint32_t> widest = widest_accesses(program), own = widest_in_source(program, sources);
    for (std::size_t i = 0; i < program.shared_arrays.size(); ++i) {
      SharedArray &array = program.shared_arrays[i];
      array.widest = widest[i];
      array.widest_in_source = own[i];
      if (!array.location.known())
        continue;
      Widths &all = by_place[array.location];
      all.widest = std::max(all.widest, widest[i]);
      all.in_source = std::max(all.in_source, own[i]);
      all.source_known = all.source_known && own[i] != 0;
    }
  }
  for (Program &program : programs)
    for (SharedArray &array : program.shared_arrays)
      if (const auto all = by_place.find(array.location); array.location.known() && all != by_place.end()) {
        array.widest = all->second.widest;
        array.widest_in_source = all->second.source_known ? all->second.in_source : 0;
      }
}

} // namespace smem
