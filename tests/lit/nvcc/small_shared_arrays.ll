; Shared arrays whose elements are all named are variables, each by itself; one with an index that is not known stays.
; RUN: %stage scalarise-shared %s | FileCheck %s
; CHECK-DAG: @small.0 = internal {{.*}}addrspace(3) global float
; CHECK-DAG: @small.1 = internal {{.*}}addrspace(3) global float
; CHECK-DAG: @large = internal {{.*}}addrspace(3) global [2 x float]
target triple = "nvptx64-nvidia-cuda"
@small = internal addrspace(3) global [2 x float] undef, align 4
@large = internal addrspace(3) global [2 x float] undef, align 4
; CHECK-LABEL: @constant(
; CHECK: store float %x, ptr addrspace(3) @small.0
; CHECK: load float, ptr addrspace(3) @small.1
define ptx_kernel void @constant(ptr addrspace(1) %out, float %x) {
  store float %x, ptr addrspace(3) @small
  store float %x, ptr addrspace(3) getelementptr (float, ptr addrspace(3) @small, i64 1)
  call void @llvm.nvvm.barrier0()
  %a = load float, ptr addrspace(3) @small
  %b = load float, ptr addrspace(3) getelementptr (float, ptr addrspace(3) @small, i64 1)
  %s = fadd float %a, %b
  store float %s, ptr addrspace(1) %out
  ret void
}
; CHECK-LABEL: @variable(
; CHECK: load float, ptr addrspace(3) @large
define ptx_kernel void @variable(ptr addrspace(1) %out, float %x, i64 %i) {
  %p = getelementptr float, ptr addrspace(3) @large, i64 %i
  store float %x, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier0()
  %a = load float, ptr addrspace(3) @large
  store float %a, ptr addrspace(1) %out
  ret void
}
declare void @llvm.nvvm.barrier0() convergent
