#include "inputs.h"

#include <algorithm>
#include <cstdint>

namespace smem::pattern {
namespace {

constexpr std::uint64_t kGrid = 1;  ///< the bit of blocks' indices and their number
constexpr std::uint64_t kBlock = 2; ///< that of the block's size; those of arguments follow
constexpr unsigned kFirstPiece = 2;
constexpr std::size_t kMostPieces = 62;

bool is_of_grid(std::int64_t special) {
  const auto which = static_cast<SpecialRegister>(special);
  return (which >= SpecialRegister::BlockX && which <= SpecialRegister::BlockZ) ||
         (which >= SpecialRegister::GridDimX && which <= SpecialRegister::GridDimZ);
}

bool is_of_block(std::int64_t special) {
  const auto which = static_cast<SpecialRegister>(special);
  return which >= SpecialRegister::BlockDimX && which <= SpecialRegister::BlockDimZ;
}

/// Sets of inputs, a bit each, that registers and the execution of blocks rest on: the least fixed point over the program.
class Flow {
public:
  Flow(const Program &program, const ControlFlow &flow)
      : program_(program), values_(program.register_count), chosen_(program.register_count),
        guards_(program.blocks.size()), controlled_by_(program.blocks.size()) {
    find_controlling_branches(flow);
    for (bool changed = true; changed;) {
      changed = false;
      for (BlockId b = 0; b < program.blocks.size(); ++b)
        changed |= pass(b);
    }
  }

  std::vector<PatternInputs> by_site() const {
    std::vector<std::uint64_t> address(program_.sites.size()), guards(program_.sites.size());
    for (BlockId b = 0; b < program_.blocks.size(); ++b)
      for (const Instruction &i : program_.blocks[b].instructions) {
        if (i.opcode != Opcode::Memory)
          continue;
        const MemoryOperation &operation = program_.memory_operations[i.index];
        if (operation.site == kNone)
          continue;
        for (const RegisterId r : {operation.address, operation.source})
          if (r != kNone) {
            address[operation.site] |= values_[r];
            guards[operation.site] |= chosen_[r];
          }
        guards[operation.site] |= guards_[b];
        if (operation.predicate != kNone)
          guards[operation.site] |= values_[operation.predicate] | chosen_[operation.predicate];
      }
    std::vector<PatternInputs> out(program_.sites.size());
    for (std::size_t site = 0; site < out.size(); ++site) {
      out[site].address = pieces_of(address[site]);
      out[site].guards = pieces_of(guards[site] & ~address[site]);
      out[site].grid_in_address = address[site] & kGrid;
      out[site].grid_in_guards = guards[site] & kGrid;
      out[site].block_in_guards = guards[site] & kBlock;
    }
    return out;
  }

private:
  /// Of each block the branches that decide whether it is executed.
  void find_controlling_branches(const ControlFlow &flow) {
    for (BlockId b = 0; b < program_.blocks.size(); ++b) {
      const Terminator &end = program_.blocks[b].terminator;
      if (end.condition == kNone)
        continue;
      for (const BlockId target : end.targets) {
        std::size_t steps = 0;
        for (BlockId at = target;
             at != kNone && at != flow.immediate_post_dominator[b] && steps++ < program_.blocks.size();
             at = flow.immediate_post_dominator[at])
          if (controlled_by_[at].empty() || controlled_by_[at].back() != b)
            controlled_by_[at].push_back(b);
      }
    }
  }

  static bool add(std::uint64_t &to, std::uint64_t more) {
    const std::uint64_t before = to;
    to |= more;
    return to != before;
  }

  bool pass(BlockId b) {
    const BasicBlock &block = program_.blocks[b];
    bool changed = false;
    for (const BlockId from : controlled_by_[b]) {
      const RegisterId condition = program_.blocks[from].terminator.condition;
      changed |= add(guards_[b], values_[condition] | chosen_[condition] | guards_[from]);
    }
    for (const Phi &phi : block.phis)
      for (const Phi::Incoming &incoming : phi.incoming) {
        changed |= add(values_[phi.result], values_[incoming.value]);
        changed |= add(chosen_[phi.result], chosen_[incoming.value] | guards_[incoming.from]);
      }
    for (const Instruction &i : block.instructions) {
      if (i.opcode == Opcode::Memory) {
        const MemoryOperation &operation = program_.memory_operations[i.index];
        // What a table of the kernel's own holds is decided by the index; what global memory holds, by whoever wrote it.
        if (operation.address != kNone && operation.access.operation == Operation::Load)
          for (const ValuePart &part : operation.parts)
            if (part.reg != kNone) {
              changed |= add(values_[part.reg], operation.site == kNone ? values_[operation.address] : 0);
              changed |= add(chosen_[part.reg], chosen_[operation.address]);
            }
        continue;
      }
      if (i.result == kNone)
        continue;
      std::uint64_t value = 0, chosen = 0;
      if (i.opcode == Opcode::Argument)
        value = bit_of({i.index, static_cast<std::uint64_t>(i.immediate), i.width});
      else if (i.opcode == Opcode::Special)
        value = is_of_grid(i.immediate) ? kGrid : is_of_block(i.immediate) ? kBlock : 0;
      for (const RegisterId operand : i.operands) {
        value |= values_[operand];
        chosen |= chosen_[operand];
      }
      changed |= add(values_[i.result], value);
      changed |= add(chosen_[i.result], chosen);
    }
    return changed;
  }

  std::uint64_t bit_of(const PatternInputs::Piece &piece) {
    auto found = std::find(pieces_.begin(), pieces_.end(), piece);
    if (found == pieces_.end()) {
      if (pieces_.size() == kMostPieces)
        return 0;
      found = pieces_.insert(pieces_.end(), piece);
    }
    return std::uint64_t{1} << (kFirstPiece + (found - pieces_.begin()));
  }

  std::vector<PatternInputs::Piece> pieces_of(std::uint64_t bits) const {
    std::vector<PatternInputs::Piece> out;
    for (std::size_t i = 0; i < pieces_.size(); ++i)
      if (bits >> (kFirstPiece + i) & 1)
        out.push_back(pieces_[i]);
    return out;
  }

  const Program &program_;
  std::vector<PatternInputs::Piece> pieces_;
  std::vector<std::uint64_t> values_; ///< by register: what it is computed from
  std::vector<std::uint64_t> chosen_; ///< by register: what branches decide which value it has
  std::vector<std::uint64_t> guards_; ///< by block: what decides whether lanes come there
  std::vector<std::vector<BlockId>> controlled_by_;
};

} // namespace

std::vector<PatternInputs> inputs_of(const Program &program, const ControlFlow &flow) {
  return Flow(program, flow).by_site();
}

} // namespace smem::pattern
