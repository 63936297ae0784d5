// A kernel interpreted once, for a shape of blocks and with what is supposed of some quantities.
#pragma once

#include <vector>

#include "../conditional_operations.h"
#include "smem/control_flow.h"
#include "activity.h"
#include "domain.h"
#include "smem/architecture.h"
#include "smem/pattern.h"
#include "smem/shared_layout.h"

namespace smem::pattern {

/// What is known of the requests of one memory operation.
struct Seen {
  bool reached = false;
  Activity activity;
  Value address;
  Value source;     ///< AsyncCopy
  Activity reading; ///< AsyncCopy: the lanes that read
};

struct Interpretation {
  Domain domain;
  std::vector<Seen> operations; ///< by Program::memory_operations
  bool settled = true;          ///< false: it did not come to an end, and nothing is known

  Interpretation(Arithmetic &constants, const Suppositions &supposed) : domain(constants, supposed) {}
};

/// What all interpretations of a program share.
struct Subject {
  const Program &program;
  const Architecture &architecture;
  ControlFlow flow;
  SharedLayout layout;
  ConditionalOperations operations;
};

/// What is supposed of the value that a loop's header takes over from the iteration before; each stage says less than the one before.
struct Carried {
  enum class Stage : std::uint8_t { Unchanged, Stepping, Doubling, SameInAllLanes, Unknown } stage = Stage::Unchanged;
  unsigned grain = 63; ///< SameInAllLanes: it has changed by multiples of 2^grain, by as much in all lanes
  unsigned failures = 0;
  Why why; ///< Unknown
};

/// What an interpretation of many rounds has found out, for the next one to start from: to suppose less is right, too.
struct Experience {
  std::vector<Carried> carried; ///< by register; empty: none
};

/// `facts` hold of arguments wherever the operations that are asked for are executed.
Interpretation interpret(const Subject &subject, BlockShape shape, const Suppositions &supposed,
                         const std::vector<ParameterFact> &facts, Arithmetic &constants, Experience &experience);

/// "`x[i]` is loaded from memory at line 3".
Why loaded_value(const Program &program, const MemoryOperation &operation);

} // namespace smem::pattern
