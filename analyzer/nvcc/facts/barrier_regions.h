// Which parts of a function barriers divide it into.
#pragma once

#include <utility>
#include <vector>

#include <llvm/ADT/DenseMap.h>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Loop;
} // namespace llvm

namespace smem {

/// Whatever threads execute together: no access moves past it. Not inline PTX that is about registers, `asm volatile` or not.
bool is_barrier(const llvm::Instruction &instruction);
/// The same but for calls of functions, which may turn out to have none.
bool is_barrier_itself(const llvm::Instruction &instruction);
bool has_barrier(const llvm::Loop &loop);

/// Numbers of the parts: two instructions have the same one if a path between them passes no barrier, or none of what `is_border` takes for one. Of a function that stays as it is.
class BarrierRegions {
public:
  using IsBorder = bool (*)(const llvm::Instruction &);
  explicit BarrierRegions(const llvm::Function &function, IsBorder is_border = is_barrier);
  unsigned of(const llvm::Instruction &instruction) const;
  /// May a thread come from `first` to `again` without passing a border? Searched in so many parts at most; if there are more, it may.
  bool may_follow(const llvm::Instruction &first, const llvm::Instruction &again) const;

private:
  using Part = std::pair<const llvm::BasicBlock *, unsigned>;
  Part part_of(const llvm::Instruction &instruction) const;
  void spread(Part from, unsigned number);

  unsigned last_of(const llvm::BasicBlock &block) const;

  llvm::DenseMap<const llvm::BasicBlock *, std::vector<const llvm::Instruction *>> borders_; ///< in their order
  llvm::DenseMap<Part, unsigned> numbers_;
};

} // namespace smem
