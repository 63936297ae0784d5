// Where lanes that went separate ways reconverge.
#pragma once

namespace llvm {
class Function;
class PreservedAnalyses;
} // namespace llvm

namespace smem {

/// `if (x != 3) a(); if (x != 5) b();`: LLVM sends the lanes that skip a() straight to b(), which then runs twice in the warps that have
/// both kinds; likewise, `if (c) a(); b(); if (c) d();` gets a b() for each side. In nvcc's PTX all lanes reconverge before the second
/// comparison, unless nothing stands between two branches on one condition; a comparison that is made again is another condition, as in
/// `if (a) { if (x == 3) b(); } if (x == 3) c();`. Around SimplifyCFG, whichever pipeline has it.
struct KeepConvergencePoints {
  void before(llvm::Function &function);
  void after(llvm::Function &function, const llvm::PreservedAnalyses &);
};

} // namespace smem
