// Clusters of blocks: the block's place in its cluster, and addresses in the shared memory of other blocks.
#include "ir/kernel_lowering.h"

#include <array>
#include <utility>

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace smem::lower {

RegisterId KernelLowering::cluster_register(llvm::StringRef name) {
  constexpr std::array kBlock{SpecialRegister::BlockX, SpecialRegister::BlockY, SpecialRegister::BlockZ};
  constexpr std::array kGrid{SpecialRegister::GridDimX, SpecialRegister::GridDimY, SpecialRegister::GridDimZ};
  if (!name.contains("cluster"))
    return kNone;
  const auto source = index_.kernels.find(program_.mangled);
  if (source == index_.kernels.end() || !source->second.cluster)
    // The same in all lanes, whatever it is.
    return builder_.opaque(32,
                           "%" + name.str() + " depends on the size of the cluster, which no __cluster_dims__ gives",
                           {builder_.constant(32, 0)});
  const Dim3 &cluster = *source->second.cluster;
  const std::array<std::uint32_t, 3> sizes{cluster.x, cluster.y, cluster.z};
  const auto in_cluster = [&](std::size_t axis) {
    return sizes[axis] == 1
               ? builder_.constant(32, 0)
               : builder_.emit(Opcode::URem, 32, {builder_.special(kBlock[axis]), builder_.constant(32, sizes[axis])});
  };
  if (name == "cluster_ctarank")
    return builder_.add(builder_.add(in_cluster(0), builder_.mul(in_cluster(1), sizes[0])),
                        builder_.mul(in_cluster(2), std::int64_t{sizes[0]} * sizes[1]));
  if (name == "cluster_nctarank")
    return builder_.constant(32, std::int64_t{sizes[0]} * sizes[1] * sizes[2]);
  if (name == "is_explicit_cluster")
    return builder_.constant(1, 1);
  const std::size_t axis = name.ends_with(".x") ? 0 : name.ends_with(".y") ? 1 : name.ends_with(".z") ? 2 : 3;
  if (axis == 3)
    return kNone;
  const auto quotient = [&](SpecialRegister of) {
    return builder_.emit(Opcode::UDiv, 32, {builder_.special(of), builder_.constant(32, sizes[axis])});
  };
  name = name.drop_back(2);
  return name == "cluster_ctaid"    ? in_cluster(axis)
         : name == "cluster_nctaid" ? builder_.constant(32, sizes[axis])
         : name == "clusterid"      ? quotient(kBlock[axis])
         : name == "nclusterid"     ? quotient(kGrid[axis])
                                    : kNone;
}

RegisterId KernelLowering::map_to_block(RegisterId address, RegisterId rank) {
  // What can be addressed can be written, by any block of the cluster.
  program_.shared_used_elsewhere = true;
  program_.untimed = "other blocks of the cluster";
  const RegisterId other = builder_.compare(Opcode::Ne, rank, cluster_register("cluster_ctarank"));
  return builder_.emit(Opcode::MapToOtherBlock, builder_.width(address), {address, other});
}

bool KernelLowering::lower_cluster_intrinsic(const llvm::IntrinsicInst &call) {
  namespace I = llvm::Intrinsic;
  switch (call.getIntrinsicID()) {
  case I::nvvm_mapa:
  case I::nvvm_mapa_shared_cluster:
    define(call, {map_to_block(address(call.getArgOperand(0)), scalar(call.getArgOperand(1)))});
    return true;
  default: break;
  }
  llvm::StringRef name = call.getCalledFunction()->getName();
  if (name.consume_front("llvm.nvvm.is_explicit_cluster")) {
    define(call, {cluster_register("is_explicit_cluster")});
    return true;
  }
  if (!name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return false;
  // cluster.ctaid.x, of PTX's %cluster_ctaid.x
  std::string spelled = name.str();
  if (name.starts_with("cluster."))
    spelled[7] = '_';
  const RegisterId value = cluster_register(spelled);
  if (value == kNone)
    return false;
  define(call, {value});
  return true;
}

} // namespace smem::lower
