// A kernel interpreted once, for a shape of blocks and with what is supposed of some quantities.
#pragma once

#include <vector>

#include "../cfg.h"
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
};

Interpretation interpret(const Subject &subject, BlockShape shape, const Suppositions &supposed, Arithmetic &constants);

/// "`x[i]` is loaded from memory at line 3".
Why loaded_value(const Program &program, const MemoryOperation &operation);

} // namespace smem::pattern
