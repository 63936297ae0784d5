// What nvcc accepts and Clang does not.
#pragma once

#include <optional>
#include <vector>

#include "frontend/repairs/step.h"

namespace smem {

/// Rewrites what the errors of the last attempt are about (source_patches.h), as often as that may be; whether anything was.
bool rewrite_constructs(Progress &progress);

/// Tolerated errors, too, may be about what nvcc accepts; what comes of the rewritten source is taken unless it is refused.
class ToleratedConstructs : public RepairStep {
public:
  Next after(Progress &progress) override;
  void finish(Progress &progress) override;

private:
  std::optional<FrontendResult> before_; ///< as long as a patch is being tried
};

/// Constructs that are rewritten (source_patches.h).
class RefusedConstructs : public RepairStep {
public:
  Next after(Progress &progress) override;
  void reword(Diagnostic &diagnostic, const Progress &progress) const override;
};

/// `texture<float, 1> t;`, `syncthreads()` and what else CUDA has dropped.
class EarlierNames : public RepairStep {
public:
  Next after(Progress &progress) override;
  void finish(Progress &progress) override;

private:
  std::vector<Diagnostic> notes_;
};

/// What nvcc's headers bring along. Most sources include what they use; for the others the parts of the C++ library are parsed, which take time.
class FullPrelude : public RepairStep {
public:
  Next after(Progress &progress) override;

private:
  bool tried_ = false;
};

} // namespace smem
