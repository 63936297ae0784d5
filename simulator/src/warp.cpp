#include "warp.h"

#include <algorithm>

namespace smem {

Warp::Warp(Machine &machine, Scopes &scopes, std::uint32_t index, CellMemory *shared)
    : machine_(machine), program_(machine.program), scopes_(scopes),
      arithmetic_(scopes, machine.symbols, machine.reasons, machine.floating), index_(index), shared_(shared),
      registers_(machine.places.width.size()), loops_(machine.flow.loops.size()) {
  const std::uint64_t threads = machine.launch.block.count();
  const std::uint64_t first = std::uint64_t{index} * kWarpSize;
  const std::uint64_t lanes = std::min<std::uint64_t>(kWarpSize, threads - first);
  alive_ = lanes == kWarpSize ? kFullMask : (1u << lanes) - 1;
  for (std::size_t i = 0; i < registers_.size(); ++i)
    registers_[i].width = machine.places.width[i];
  Path path;
  path.mask = alive_;
  paths_.push_back(path);
}

Warp::Status Warp::run(bool stop_at_barriers) {
  stop_at_barriers_ = stop_at_barriers;
  return execute({});
}

Warp::Status Warp::execute(const Watch &watch) {
  while (!paths_.empty()) {
    if (watch.header != kNone && paths_.size() < watch.depth)
      return Status::Escaped;
    Path &path = paths_.back();
    if (!path.mask) {
      paths_.pop_back();
      continue;
    }
    if (path.arrived) {
      path.arrived = false;
      path.awaits = kNone;
      path.merged = 0;
      // Lanes that go on behind the loop without the others would change what is not undone with it.
      if (watch.header != kNone && (paths_.size() == watch.depth || !machine_.symbols.symbolic) &&
          !machine_.flow.loops[machine_.flow.loop_of_header[watch.header]].contains[path.block])
        return Status::Escaped;
      const std::uint32_t loop = machine_.flow.loop_of_header[path.block];
      if (loop != kNone) {
        const Status status = on_header(loop, path, watch);
        if (status != Status::Finished)
          return status;
        if (paths_.empty())
          continue; // a loop without an end
      }
    }
    Path &current = paths_.back();
    if (machine_.symbols.symbolic)
      machine_.symbols.set_gates(current.gates);
    const BasicBlock &block = program_.blocks[current.block];
    while (current.next < block.instructions.size()) {
      if (++machine_.steps, machine_.out_of_steps())
        return Status::OutOfSteps;
      instruction(block.instructions[current.next++], current);
      if (scopes_.wished())
        return Status::Interrupted;
      if (barrier_pending_) {
        barrier_pending_ = false;
        return Status::AtBarrier;
      }
    }
    if (++machine_.steps, machine_.out_of_steps())
      return Status::OutOfSteps;
    if (const auto status = terminate(watch))
      return *status;
  }
  return watch.header == kNone ? Status::Finished : Status::Escaped;
}

void Warp::leave() { paths_.pop_back(); }

} // namespace smem
