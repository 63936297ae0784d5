// What warps report of barriers in shared memory (mbarrier) and of the bulk copies that complete their phases.
#include <algorithm>
#include <span>

#include "race/race_watch.h"
#include "warp.h"

namespace smem {

bool Warp::group_alike(const Instruction &instruction, const Path &path, std::span<const RegisterId> values,
                       unsigned addresses, std::vector<Alike> &groups) {
  race::RaceWatch &watch = *machine_.race_watch;
  const auto lose = [&](std::uint32_t reason) {
    watch.lose(reason ? reason : machine_.reasons.add("which threads come to an mbarrier, or to which, is not known"));
    watch.lost = true;
    return false;
  };
  if (path.why_uncertain)
    return lose(path.why_uncertain);
  const Value on = arithmetic_.fixed(read(instruction.operands[1]), path.mask);
  if (on.unknown & path.mask)
    return lose(on.reason);
  LaneMask mask = 0;
  for_lanes(path.mask, [&](unsigned lane) { mask |= LaneMask{on.at(lane) != 0} << lane; });
  std::vector<Value> known;
  for (std::size_t n = 0; n < values.size(); ++n) {
    Value value = read(values[n]);
    if (!(value.unknown & mask) && n < addresses && !shared_offset(value, mask))
      return lose(machine_.reasons.add("barriers in other blocks' shared memory are not followed"));
    value = arithmetic_.fixed(value, mask);
    if (value.unknown & mask)
      return lose(value.reason);
    known.push_back(std::move(value));
  }
  for_lanes(mask, [&](unsigned lane) {
    std::vector<std::uint64_t> mine;
    for (const Value &value : known)
      mine.push_back(static_cast<std::uint64_t>(value.at(lane)) &
                     (value.width < 64 ? (1ULL << value.width) - 1 : ~0ULL));
    const auto same = std::ranges::find(groups, mine, &Alike::values);
    if (same == groups.end())
      groups.push_back({LaneMask{1} << lane, std::move(mine)});
    else
      same->lanes |= LaneMask{1} << lane;
  });
  return true;
}

void Warp::mbarrier(const Instruction &instruction, const Path &path) {
  MbarrierCall call = MbarrierCall::unpack(instruction.immediate);
  using enum MbarrierOperation;
  race::RaceWatch *watch = machine_.race_watch;
  const auto not_known = [&] {
    write(instruction.result,
          make_unknown(instruction.width, path.mask,
                       machine_.reasons.add(call.reason < program_.reasons.size() ? program_.reasons[call.reason]
                                                                                  : "the phase of an mbarrier")),
          path.mask);
  };
  not_known();
  if (!watch || watch->lost)
    return;
  const bool waits = call.operation == Wait || call.operation == WaitForParity;
  if (waits && !call.blocks && !watch->blocking.contains(&instruction))
    return; // it may be complete
  if (!watch->sync || call.operation == NotFollowed)
    return watch->fail({"what a thread does with an mbarrier is not followed"}, instruction);
  const std::array<RegisterId, 3> values{instruction.operands[0], instruction.operands[2], instruction.operands[3]};
  std::vector<Alike> groups;
  if (!group_alike(instruction, path, values, 1, groups))
    return;
  Value result = make_uniform(waits, instruction.width, path.mask);
  for (const Alike &group : groups) {
    const std::uint64_t address = group.values[0];
    if (address % 8 || address + 8 > machine_.shared_bytes)
      return watch->fail({"an mbarrier is not in shared memory, or not aligned to 8 bytes"}, instruction);
    const std::uint32_t phase =
        watch->mbarrier(call.operation, {address, index_, group.lanes}, group.values[1], group.values[2], instruction);
    if (watch->lost)
      return;
    if (!waits) {
      spread(result);
      for_lanes(group.lanes, [&](unsigned lane) { result.base[lane] = canonical(phase, result.width); });
    }
  }
  compact(result, path.mask);
  write(instruction.result, result, path.mask);
  if (waits && !groups.empty()) {
    LaneMask waiting = 0;
    for (const Alike &group : groups)
      waiting |= group.lanes;
    watch->warps()[index_].waits_whole = waiting == alive_;
    barrier_pending_ = stop_at_barriers_;
  }
}

void Warp::watch_bulk_copy(const Instruction &instruction, const Path &path) {
  race::RaceWatch &watch = *machine_.race_watch;
  const auto move = static_cast<BulkMove>(instruction.immediate);
  const bool into = move == BulkMove::IntoShared || move == BulkMove::TensorIntoShared;
  const bool tensor = move == BulkMove::TensorIntoShared || move == BulkMove::TensorOutOfShared;
  const MemoryOperation &operation = program_.memory_operations[instruction.index];
  if (watch.lost)
    return;
  // Which bytes a tensor's copy touches is nowhere in the kernel.
  const std::array<RegisterId, 3> values{instruction.operands[0], instruction.operands[3], instruction.operands[2]};
  std::vector<Alike> groups;
  if (!group_alike(instruction, path, values, 2, groups))
    return;
  if (!into && !watch.bulk_copies_see_writes(path.mask))
    lose_races(operation, "threads have written without a fence.proxy.async, which a bulk copy may not see: the one");
  if (tensor)
    lose_races(operation, "the box of a tensor map is not known, which says what the copy touches");
  for (const Alike &group : groups) {
    const std::uint64_t begin = group.values[0], bytes = group.values[2];
    if (!tensor && (begin % 16 || bytes % 16 || begin > machine_.shared_bytes || machine_.shared_bytes - begin < bytes))
      return lose_races(operation, "a bulk copy outside shared memory, or not aligned to 16 bytes,");
    race::WarpAccess access;
    access.operation = instruction.index;
    access.active = group.lanes;
    access.kind = into ? race::Kind::Write : race::Kind::Read;
    access.asynchronous = true;
    access.address.fill(begin);
    access.bytes = bytes;
    if (!into && !tensor)
      watch.access(std::move(access), true);
    else if (into)
      watch.bulk_write(std::move(access), group.values[1], tensor ? std::nullopt : std::optional(bytes), instruction);
  }
}

} // namespace smem
