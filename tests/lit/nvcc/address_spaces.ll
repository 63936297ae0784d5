; Pointers of kernels are global, and generic pointers are in the space that they come from, where that is one.
; RUN: %stage mark-global-pointers,infer-address-spaces %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x float] undef, align 4
; CHECK-LABEL: @through_generic(
; CHECK: load float, ptr addrspace(3)
; CHECK: store float %a, ptr addrspace(1)
define ptx_kernel void @through_generic(ptr %out, i64 %i) {
  %p = getelementptr float, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %i
  %a = load float, ptr %p
  store float %a, ptr %out
  ret void
}
; CHECK-LABEL: @either(
; CHECK: load float, ptr %p
; CHECK: store float %a, ptr addrspace(1)
define ptx_kernel void @either(ptr %out, i64 %i, i1 %c) {
  %p = select i1 %c, ptr addrspacecast (ptr addrspace(3) @tile to ptr), ptr %out
  %a = load float, ptr %p
  store float %a, ptr %out
  ret void
}
