#include "race/block_run.h"

#include <algorithm>

namespace smem::race {

SourceLocation place_of(const Program &program, const Instruction *barrier) {
  return barrier && barrier->index < program.places.size() ? program.places[barrier->index] : SourceLocation{};
}

NotFollowed not_followed(const Program &program) {
  if (!program.untimed.empty())
    return {"when shared memory is accessed by " + program.untimed + " is not followed", program.untimed_at};
  const auto has_mbarrier = [](const BasicBlock &block) {
    return std::ranges::find(block.instructions, Opcode::Mbarrier, &Instruction::opcode) != block.instructions.end();
  };
  if (program.waits_in_memory && std::ranges::none_of(program.blocks, has_mbarrier)) // as machine code has them
    return {"threads wait for barriers in shared memory (mbarrier), which are not known", {}};
  for (const Site &site : program.sites)
    if (!site.not_lowered.empty())
      return {site.not_lowered + " is not followed", site.location};
  return {};
}

bool may_be(const MemoryOperation &operation, RaceMemory memory) {
  return operation.space == AddressSpace::Generic || operation.access.operation == Operation::AsyncCopy ||
         operation.space == (memory == RaceMemory::Shared ? AddressSpace::Shared : AddressSpace::Global);
}

std::uint64_t granule_of(const Program &program, RaceMemory memory) {
  std::uint64_t granule = 4;
  for (const MemoryOperation &operation : program.memory_operations)
    if (may_be(operation, memory) && operation.access.operation != Operation::BulkCopy) // 16 bytes
      granule = std::min<std::uint64_t>(granule, std::max(operation.access.width_bits / 8u, 1u));
  return granule;
}

void end_lanes(IntervalChecker &checker, const RaceWatch &watch) {
  for (const WarpAccess &access : watch.accesses())
    if (const LaneMask ended = watch.warps()[access.warp].ended)
      checker.end_lanes(access, ended);
}

BlockRun::BlockRun(Machine &machine, Scopes &scopes, RaceWatch &watch, CellMemory *shared)
    : program_(machine.program), watch_(watch), finished_(watch.warps().size()) {
  warps_.reserve(finished_.size());
  for (std::uint32_t w = 0; w < finished_.size(); ++w)
    warps_.emplace_back(machine, scopes, w, shared);
}

BlockRun::Interval BlockRun::run() {
  Interval interval;
  std::uint32_t first_number = 0;
  watch_.begin_interval();
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    if (finished_[w])
      continue;
    watch_.begin_turn(w);
    const Warp::Status status = warps_[w].run(true);
    if (status == Warp::Status::Interrupted || status == Warp::Status::OutOfSteps) {
      interval.status = status;
      return interval;
    }
    finished_[w] = status != Warp::Status::AtBarrier;
    if (finished_[w])
      continue;
    const Instruction *at = watch_.warps()[w].waits_at;
    const SourceLocation here = place_of(program_, at);
    const std::uint32_t number = watch_.warps()[w].waits_number;
    const bool elsewhere =
        interval.barrier && interval.barrier != at && !(here.known() && here == place_of(program_, interval.barrier));
    if (interval.barrier && (elsewhere || number != first_number))
      interval.other = interval.other ? interval.other : at;
    first_number = interval.barrier ? first_number : number;
    interval.barrier = interval.barrier ? interval.barrier : at;
  }
  return interval;
}

std::vector<bool> BlockRun::running() const {
  std::vector<bool> running;
  for (const bool finished : finished_)
    running.push_back(!finished);
  return running;
}

bool BlockRun::finished() const {
  return std::ranges::all_of(finished_, [](bool one) { return one; });
}

} // namespace smem::race
