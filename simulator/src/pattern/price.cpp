#include "price.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lane_cases.h"
#include "table.h"

namespace smem::pattern {

std::variant<Space, Why> space_of(const MemoryOperation &operation, const Seen &seen, const Domain &domain) {
  if (operation.space != AddressSpace::Generic)
    return operation.access.space;
  if (seen.address.unknown & seen.activity.possible)
    return domain.why(seen.address.reason);
  const Quantity *memory = nullptr;
  bool mixed = false;
  for (const Term &t : seen.address.terms) {
    const Quantity &q = domain.quantity(t.dimension);
    // A pointer that is multiplied is chosen by a condition.
    mixed |= std::any_of(q.factors.begin(), q.factors.end(),
                         [&](DimensionId d) { return domain.quantity(d).memory != Quantity::Memory::None; });
    if (q.memory == Quantity::Memory::None)
      continue;
    mixed |= memory != nullptr || !uniform_over(t, seen.activity.possible);
    memory = &q;
  }
  if (mixed)
    return because("one instruction addresses several memories");
  if (!memory || memory->memory == Quantity::Memory::Local)
    return because("a pointer whose memory is not known");
  return memory->memory == Quantity::Memory::Shared ? Space::Shared : Space::Global;
}

Priced price_of(const Subject &subject, const MemoryOperation &operation, const Seen &seen, const Domain &domain,
                PriceCache &cache) {
  Access access = operation.access;
  // A copy that is passed by only where the kernel ends may be predicated or branched around: open, and so none that is plain.
  const auto index = static_cast<std::size_t>(&operation - subject.program.memory_operations.data());
  access.plain_copy =
      is_plain_copy(operation, subject.operations.conditional[index] || subject.operations.behind_exit[index]);
  if (!has_lane_addresses(access)) {
    Request request;
    request.active = seen.activity.possible;
    if (const auto reason = unsupported_reason(access, subject.architecture); !reason.empty())
      return because(std::string(reason));
    return Cases{figures(evaluate(request, access, subject.architecture), access.space == Space::Shared,
                         access.space == Space::Global)};
  }
  if (operation.aggregation != Aggregation::None && operation.site != kNone &&
      !subject.program.sites[operation.site].assumption.empty())
    return because("whether one lane does this atomic for all is not known");
  if (seen.address.unknown & seen.activity.possible)
    return domain.why(seen.address.reason);
  auto space = space_of(operation, seen, domain);
  if (auto *why = std::get_if<Why>(&space))
    return std::move(*why);
  access.space = std::get<Space>(space);
  if (access.operation != Operation::AsyncCopy) {
    if (const auto reason = unsupported_reason(access, subject.architecture); !reason.empty())
      return because(std::string(reason));
    if (is_atomic_loop(access, subject.architecture))
      return because("the atomic is a loop of compare-and-swap");
  }
  Table table(subject.architecture, access, seen, domain);
  if (auto why = table.describe_sides())
    return *std::move(why);
  PriceCache::Key key = table.key();
  if (auto known = cache.find(key, access))
    return *std::move(known);
  auto why = table.choose_rows();
  Priced result = why ? Priced(*std::move(why)) : cases_of_lanes(table);
  cache.add(std::move(key), access, result);
  return result;
}

} // namespace smem::pattern
