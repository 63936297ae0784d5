; A load that one block needs is done in that block; not one that both sides need, nor one with a store on its way.
; RUN: %stage sink-loads %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: @one_side(
; CHECK-NOT: load
; CHECK: needs:
; CHECK: load float
define ptx_kernel void @one_side(ptr addrspace(1) %p, ptr addrspace(1) %out, i1 %c) {
  %a = load float, ptr addrspace(1) %p
  br i1 %c, label %needs, label %end
needs:
  store float %a, ptr addrspace(1) %out
  br label %end
end:
  ret void
}
; CHECK-LABEL: @both_sides(
; CHECK: load float
; CHECK: needs:
; CHECK-NOT: load
; CHECK: ret void
define ptx_kernel void @both_sides(ptr addrspace(1) %p, ptr addrspace(1) %out, i1 %c) {
  %a = load float, ptr addrspace(1) %p
  br i1 %c, label %needs, label %end
needs:
  store float %a, ptr addrspace(1) %out
  br label %end
end:
  %b = fadd float %a, 1.0
  store float %b, ptr addrspace(1) %out
  ret void
}
; CHECK-LABEL: @over_store(
; CHECK: load float
; CHECK: store float 0.0
; CHECK: needs:
; CHECK-NOT: load
; CHECK: ret void
define ptx_kernel void @over_store(ptr addrspace(1) %p, ptr addrspace(1) %out, i1 %c) {
  %a = load float, ptr addrspace(1) %p
  store float 0.0, ptr addrspace(1) %out
  br i1 %c, label %needs, label %end
needs:
  store float %a, ptr addrspace(1) %out
  br label %end
end:
  ret void
}
