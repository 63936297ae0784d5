// Loads of one address that go through the caches in different ways.
#pragma once

#include <vector>

namespace llvm {
class Function;
}

namespace smem::lower {

/// To nvcc `__ldg(&p[i])`, `__ldcg(&p[i])` and `p[i]` are three instructions, whatever is between them; LLVM makes one of equal loads. While there is one of these objects, loads by
/// inline PTX are calls to LLVM where the same memory is loaded in other ways as well.
class DistinctLoads {
public:
  explicit DistinctLoads(llvm::Function &kernel);
  ~DistinctLoads();
  DistinctLoads(const DistinctLoads &) = delete;
  DistinctLoads &operator=(const DistinctLoads &) = delete;

private:
  std::vector<llvm::Function *> readers_;
};

} // namespace smem::lower
