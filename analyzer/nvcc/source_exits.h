// Ways out of scopes in a program that is not optimised, where races are looked for.
#pragma once

namespace llvm {
class Function;
}

namespace smem {

/// Where a scope has variables, Clang leads `break`, `continue` and `return` through a block that ends their lives and then switches on where to. Each such way becomes
/// a branch of its own, so that a condition that leaves a loop is one that leaves it. Headers of loops stay. Whether anything was changed; blocks may be unreachable then.
bool leave_scopes_directly(llvm::Function &function);

} // namespace smem
