// What watches the passes of a pipeline, its own and LLVM's, and changes none of what they do.
#pragma once

#include <stop_token>

namespace llvm {
class PassInstrumentationCallbacks;
}

namespace smem {

class AccessHistory;

/// `history` outlives the pipeline. Asked for an end, LLVM skips the passes that are left.
void instrument_passes(llvm::PassInstrumentationCallbacks &callbacks, AccessHistory &history, std::stop_token stop);

} // namespace smem
