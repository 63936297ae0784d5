// What is done around passes of LLVM's own pipeline, which tell of themselves by their class.
#pragma once

#include <stop_token>

namespace llvm {
class PassInstrumentationCallbacks;
}

namespace smem {

class AccessHistory;

/// Before the pipeline is built. `history` outlives it. Asked for an end, LLVM skips the passes that are left.
void instrument_passes(llvm::PassInstrumentationCallbacks &callbacks, AccessHistory &history, std::stop_token stop);

} // namespace smem
