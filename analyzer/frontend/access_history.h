// What becomes of loads, stores and atomics from pass to pass: where LLVM does what nvcc need not do, that is in doubt.
#pragma once

#include <map>
#include <set>
#include <tuple>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/PassManager.h>

#include "source/doubts.h"

namespace llvm {
class DIFile;
class Instruction;
class Module;
} // namespace llvm

namespace smem {

class AccessHistory {
public:
  /// `function` is as it is handed to the first pass that is told of, or to the first after others were inlined into it.
  void look_at(llvm::Function &function);
  /// `pass` has changed `function`.
  void changed(llvm::Function &function, llvm::StringRef pass);
  /// `pass` has changed nobody knows which function.
  void changed(llvm::StringRef pass);
  void forget() { states_.clear(); }

  /// Before any loop is unrolled.
  void note_loops(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
  /// After optimisation.
  void conclude(llvm::Module &module) const;

private:
  using Line = std::tuple<AccessPlace::Kind, const llvm::DIFile *, unsigned>;
  using State = std::map<std::pair<const llvm::Instruction *, AccessPlace::Kind>, AccessPlace>;
  static Line line_of(const llvm::Function &function, AccessPlace place);
  /// Accesses that have lost their place are where they were `before`.
  static State state_of(llvm::Function &function, const State *before);
  static void changed(llvm::Function &function, State &state, llvm::StringRef pass);

  llvm::DenseMap<llvm::Function *, State> states_;
  std::set<Line> ragged_; ///< in loops that lanes leave at different iterations
  std::set<Line> told_;   ///< in loops that a pragma says to unroll so many times
};

} // namespace smem
