// Which pass instrumentation is told of.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace smem {

/// Is `pass`, a class's name, one of `Passes`? A class that LLVM drops does not compile here.
template <class... Passes> bool is_pass(llvm::StringRef pass) { return ((pass == Passes::name()) || ...); }

} // namespace smem
