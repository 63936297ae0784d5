#include "race/block_run.h"

#include <algorithm>

namespace smem::race {

SourceLocation place_of(const Program &program, const Instruction *barrier) {
  return barrier && barrier->index < program.places.size() ? program.places[barrier->index] : SourceLocation{};
}

namespace {

/// Whether a token of an arrival at an mbarrier, which has more in it than the phase, is used for anything but a wait.
bool looks_at_tokens(const Program &program) {
  std::vector<bool> token(program.register_count);
  const auto is_token = [&](RegisterId id) { return id != kNone && token[id]; };
  for (bool more = true; more;) {
    more = false;
    const auto mark = [&](RegisterId id) {
      if (id == kNone || token[id])
        return;
      token[id] = more = true;
    };
    for (const BasicBlock &block : program.blocks) {
      for (const Phi &phi : block.phis)
        if (std::ranges::any_of(phi.incoming, [&](const Phi::Incoming &in) { return is_token(in.value); }))
          mark(phi.result);
      for (const Instruction &instruction : block.instructions) {
        const MbarrierOperation operation = MbarrierCall::unpack(instruction.immediate).operation;
        if (instruction.opcode == Opcode::Mbarrier
                ? operation == MbarrierOperation::Arrive || operation == MbarrierOperation::ArriveAndDrop
                : instruction.opcode == Opcode::Select && std::ranges::any_of(instruction.operands, is_token))
          mark(instruction.result);
        else if (instruction.opcode != Opcode::Mbarrier && std::ranges::any_of(instruction.operands, is_token))
          return true;
      }
    }
  }
  return std::ranges::any_of(program.blocks,
                             [&](const BasicBlock &block) { return is_token(block.terminator.condition); });
}

} // namespace

bool has_opcode(const Program &program, Opcode opcode) {
  return std::ranges::any_of(program.blocks, [&](const BasicBlock &block) {
    return std::ranges::find(block.instructions, opcode, &Instruction::opcode) != block.instructions.end();
  });
}

bool orders_in_part(const Program &program, const Launch &launch) {
  return program.split_barriers || program.waits_in_memory || !program.counted_barriers.empty() ||
         waits_in_part(program, launch);
}

NotFollowed not_followed(const Program &program) {
  if (!program.untimed.empty())
    return {"when shared memory is accessed by " + program.untimed + " is not followed", program.untimed_at};
  if (program.waits_in_memory && !has_opcode(program, Opcode::Mbarrier)) // as machine code has them
    return {"threads wait for barriers in shared memory (mbarrier), which are not known", {}};
  if (program.waits_in_memory && looks_at_tokens(program))
    return {"what a thread does with the token of an mbarrier, other than to wait, is not followed", {}};
  for (const Site &site : program.sites)
    if (!site.not_lowered.empty())
      return {site.not_lowered + " is not followed", site.location};
  return {};
}

bool has_barriers_under_conditions(const Program &program, const ControlFlow &flow, bool of_warps) {
  std::vector<bool> met(program.blocks.size()), certain(program.blocks.size()); // all threads come to these, once
  for (BlockId block = 0; block != kNone && block < certain.size() && !met[block];
       block = flow.immediate_post_dominator[block]) {
    met[block] = true;
    certain[block] = flow.innermost_loop[block] == kNone;
  }
  const auto waits = [&](const Instruction &instruction) {
    const bool of_block = instruction.opcode == Opcode::Barrier || instruction.opcode == Opcode::BarrierArrive;
    return (of_block && !of_warps) || instruction.opcode == Opcode::WarpBarrier ||
           instruction.opcode == Opcode::WarpMembers;
  };
  for (BlockId block = 0; block < program.blocks.size(); ++block)
    if (!certain[block] && std::ranges::any_of(program.blocks[block].instructions, waits))
      return true;
  return false;
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

bool leaves_threads_out(const RaceWatch &watch) {
  return std::ranges::any_of(watch.warps(),
                             [](const RaceWatch::WarpState &warp) { return (warp.gone | warp.passed_by) != 0; });
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

void run_intervals(Machine &machine, Scopes &scopes, RaceWatch &watch, CellMemory *shared, IntervalChecker &checker,
                   const std::function<bool(const BlockRun &, const BlockRun::Interval &)> &take) {
  machine.race_watch = &watch;
  checker.begin_block();
  BlockRun run(machine, scopes, watch, shared);
  while (take(run, run.run()) && !run.finished())
    for (const WarpAccess &access : watch.accesses())
      if (const LaneMask ended = watch.warps()[access.warp].ended)
        checker.end_lanes(access, ended);
  machine.race_watch = nullptr;
}

} // namespace smem::race
