// What becomes of loads, stores and atomics from pass to pass: where LLVM does what nvcc need not do, that is uncertain.
#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/PassManager.h>

#include "nvcc/rules/rules.h"
#include "nvcc/uncertainty.h"

namespace llvm {
class DIFile;
class Instruction;
class Module;
} // namespace llvm

namespace smem {

class AccessHistory {
public:
  /// Instructions of a function, beyond which it is given up: all that it accesses is uncertain then.
  struct Most {
    std::uint64_t looked_at = 40'000'000; ///< once for each pass that changes it: several seconds' worth
    unsigned size = 40'000;               ///< where a pass would make it larger
  };

  /// `pass` of `function` begins, which is as it is handed to the first pass that is told of, or to the first after others were inlined into it.
  void look_at(llvm::Function &function, llvm::StringRef pass);
  /// A pass of several functions begins.
  void look_at_all() { at_ = nullptr; }
  /// `pass` has changed `function`.
  void changed(llvm::Function &function, llvm::StringRef pass);
  /// `pass` has changed what it was begun for, which is there no more.
  void changed(llvm::StringRef pass);
  /// Passes of `function` end, or the next one is of those whose own changes matter.
  void settle(llvm::Function &function);
  /// Passes of `function` end: others that it is inlined into may be followed.
  void leave(llvm::Function &function);
  void forget() { states_.clear(); }
  /// Whether `function` has grown so large that nothing may make it larger: nests that are unrolled, or doubled for each condition, become millions of
  /// instructions. It is given up then.
  bool is_too_large(llvm::Function &function);

  /// Before any loop is unrolled.
  void note_loops(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, const CompilerRules &rules);
  /// After optimisation.
  void conclude(llvm::Module &module);

private:
  using Line = std::tuple<AccessLocation::Kind, const llvm::DIFile *, unsigned>;
  struct Access {
    const llvm::Instruction *instruction;
    AccessLocation::Kind kind;
    const llvm::DILocation *location;
    bool repeats = false; ///< what every compiler loads once
    auto key() const { return std::pair(instruction, kind); }
    bool operator==(const Access &other) const {
      return instruction == other.instruction && kind == other.kind && location == other.location;
    }
  };
  using State = std::vector<Access>; ///< sorted by their keys
  struct Known {
    State state;
    bool changed = false;           ///< since, by passes of which it does not matter what each of them did
    std::uint64_t instructions = 0; ///< that were looked at so far
  };
  Line line_of(const llvm::Function &function, AccessLocation location);
  Line line_of(const llvm::Function &function, const Access &access) {
    return line_of(function, AccessLocation{access.kind, access.location});
  }
  /// Accesses that have lost their debug location are where they were `before`.
  static State state_of(llvm::Function &function, const State *before);
  void changed(llvm::Function &function, Known &known, llvm::StringRef pass);
  void give_up(llvm::Function &function, const State &accesses);

  const Most most_;
  llvm::DenseMap<llvm::Function *, Known> states_;
  llvm::Function *at_ = nullptr;
  llvm::DenseMap<const llvm::DILocation *, const llvm::DILocation *>
      users_locations_;   ///< which thousands of passes ask for
  std::set<Line> ragged_; ///< in loops that lanes leave at different iterations
  std::set<Line> told_;   ///< in loops that a pragma says to unroll so many times
  llvm::DenseSet<const llvm::Function *> given_up_;
};

} // namespace smem
