// Places in the source, to know again what passes have changed.
#pragma once

namespace llvm {
class DILocation;
class MDNode;
} // namespace llvm

namespace smem {

/// The same however often functions or loops multiply what stands there: scopes of their own, and discriminators, are left out.
llvm::MDNode *place_of(const llvm::DILocation &location);

} // namespace smem
