// What a kernel does with addresses of memory that a block or a thread has to itself.
#pragma once

#include <set>

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace smem {

/// The values of a kernel that are made of an address of shared, of local or of parameter memory.
class BlockAddresses {
public:
  explicit BlockAddresses(const llvm::Function &kernel);

  /// Whether a generic pointer can lead to none of these memories. All others stem from the host, from memory or from an allocation; the host has no such
  /// address, and if the kernel writes none to memory, it finds none there, as another kernel's is none of this one's.
  bool leads_elsewhere(const llvm::Value &pointer) const;

private:
  void add(const llvm::Value &value);
  void use(const llvm::Value &address, const llvm::Value &in);

  std::set<const llvm::Value *> known_;
  bool stored_ = false; ///< the kernel may write one to memory, or hand it to a function that might
};

} // namespace smem
