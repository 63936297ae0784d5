; Adjacent accesses become a vector where the source declares the alignment; ptxas does it elsewhere, where it knows more.
; RUN: %stage vectorise-declared %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: @declared(
; CHECK: load <4 x float>, ptr addrspace(1) %p, align 16
; CHECK-NOT: load float
; CHECK: ret void
define ptx_kernel void @declared(ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %a = load float, ptr addrspace(1) %p, align 16
  %q = getelementptr i8, ptr addrspace(1) %p, i64 4
  %b = load float, ptr addrspace(1) %q, align 4
  %r = getelementptr i8, ptr addrspace(1) %p, i64 8
  %c = load float, ptr addrspace(1) %r, align 4
  %s = getelementptr i8, ptr addrspace(1) %p, i64 12
  %d = load float, ptr addrspace(1) %s, align 4
  %ab = fadd float %a, %b
  %cd = fadd float %c, %d
  %sum = fadd float %ab, %cd
  store float %sum, ptr addrspace(1) %out
  ret void
}
; CHECK-LABEL: @not_declared(
; CHECK-COUNT-2: load float
; CHECK: ret void
define ptx_kernel void @not_declared(ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %a = load float, ptr addrspace(1) %p, align 4
  %q = getelementptr i8, ptr addrspace(1) %p, i64 4
  %b = load float, ptr addrspace(1) %q, align 4
  %ab = fadd float %a, %b
  store float %ab, ptr addrspace(1) %out
  ret void
}
