#include "ir/atomic_kinds.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace smem::lower {

AtomicKind atomic_kind(const llvm::AtomicRMWInst &atomic) {
  using Rmw = llvm::AtomicRMWInst;
  switch (atomic.getOperation()) {
  case Rmw::Add:
  case Rmw::Sub: return AtomicKind::Add;
  case Rmw::Xchg: return AtomicKind::Exchange;
  case Rmw::And: return AtomicKind::And;
  case Rmw::Or: return AtomicKind::Or;
  case Rmw::Xor: return AtomicKind::Xor;
  case Rmw::Max:
  case Rmw::UMax: return AtomicKind::Max;
  case Rmw::Min:
  case Rmw::UMin: return AtomicKind::Min;
  case Rmw::FAdd:
  case Rmw::FSub: return AtomicKind::FloatAdd;
  case Rmw::FMax:
  case Rmw::FMin: return AtomicKind::FloatMinMax;
  case Rmw::UIncWrap: return AtomicKind::IncrementWrap;
  case Rmw::UDecWrap: return AtomicKind::DecrementWrap;
  default: return AtomicKind::CompareAndSwap; // the loop that it expands to
  }
}

AtomicKind atomic_kind(llvm::StringRef name, const llvm::Value *operand) {
  const auto *number = llvm::dyn_cast<llvm::ConstantInt>(operand);
  if (name.starts_with("add"))
    return name.contains(".f.")        ? AtomicKind::FloatAdd
           : number && number->isOne() ? AtomicKind::Increment
                                       : AtomicKind::Add;
  if (name.starts_with("and"))
    return AtomicKind::And;
  if (name.starts_with("or"))
    return AtomicKind::Or;
  if (name.starts_with("xor"))
    return AtomicKind::Xor;
  if (name.starts_with("exch"))
    return AtomicKind::Exchange;
  if (name.starts_with("max"))
    return AtomicKind::Max;
  if (name.starts_with("min"))
    return AtomicKind::Min;
  if (name.starts_with("inc") || name.starts_with("load.inc"))
    return AtomicKind::IncrementWrap;
  if (name.starts_with("dec") || name.starts_with("load.dec"))
    return AtomicKind::DecrementWrap;
  return AtomicKind::CompareAndSwap;
}

} // namespace smem::lower
