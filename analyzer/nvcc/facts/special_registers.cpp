#include "nvcc/facts/special_registers.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace smem {

namespace I = llvm::Intrinsic;

std::optional<SpecialRegister> special_register_of(I::ID id) {
  switch (id) {
  case I::nvvm_read_ptx_sreg_tid_x: return SpecialRegister::ThreadX;
  case I::nvvm_read_ptx_sreg_tid_y: return SpecialRegister::ThreadY;
  case I::nvvm_read_ptx_sreg_tid_z: return SpecialRegister::ThreadZ;
  case I::nvvm_read_ptx_sreg_ctaid_x: return SpecialRegister::BlockX;
  case I::nvvm_read_ptx_sreg_ctaid_y: return SpecialRegister::BlockY;
  case I::nvvm_read_ptx_sreg_ctaid_z: return SpecialRegister::BlockZ;
  case I::nvvm_read_ptx_sreg_ntid_x: return SpecialRegister::BlockDimX;
  case I::nvvm_read_ptx_sreg_ntid_y: return SpecialRegister::BlockDimY;
  case I::nvvm_read_ptx_sreg_ntid_z: return SpecialRegister::BlockDimZ;
  case I::nvvm_read_ptx_sreg_nctaid_x: return SpecialRegister::GridDimX;
  case I::nvvm_read_ptx_sreg_nctaid_y: return SpecialRegister::GridDimY;
  case I::nvvm_read_ptx_sreg_nctaid_z: return SpecialRegister::GridDimZ;
  case I::nvvm_read_ptx_sreg_laneid: return SpecialRegister::Lane;
  case I::nvvm_read_ptx_sreg_warpsize: return SpecialRegister::WarpSize;
  case I::nvvm_read_ptx_sreg_lanemask_lt: return SpecialRegister::LaneMaskLt;
  case I::nvvm_read_ptx_sreg_lanemask_le: return SpecialRegister::LaneMaskLe;
  case I::nvvm_read_ptx_sreg_lanemask_eq: return SpecialRegister::LaneMaskEq;
  case I::nvvm_read_ptx_sreg_lanemask_ge: return SpecialRegister::LaneMaskGe;
  case I::nvvm_read_ptx_sreg_lanemask_gt: return SpecialRegister::LaneMaskGt;
  default: return std::nullopt;
  }
}

llvm::Function *register_read_by(const llvm::Function &getter) {
  const auto *read = getter.isDeclaration()
                         ? nullptr
                         : llvm::dyn_cast<llvm::IntrinsicInst>(getter.getEntryBlock().getFirstNonPHIOrDbg());
  const auto *end = read ? llvm::dyn_cast_or_null<llvm::ReturnInst>(read->getNextNonDebugInstruction()) : nullptr;
  const bool only_reads = end && end->getReturnValue() == read && read->arg_empty() &&
                          read->getCalledFunction()->getName().starts_with("llvm.nvvm.read.ptx.sreg.");
  return only_reads ? read->getCalledFunction() : nullptr;
}

} // namespace smem
