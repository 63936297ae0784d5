; Adjacent words of a shared array: 128 bits where ptxas knows the alignment, by where it places the array.
; RUN: %stage vectorise-placed %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@array = internal addrspace(3) global [64 x float] undef, align 4

; CHECK-LABEL: @four(
; CHECK: load <4 x i32>, {{.*}} align 16
; CHECK-NOT: load float
; CHECK: ret void
define ptx_kernel void @four(ptr addrspace(1) %out) {
  %a = load float, ptr addrspace(3) @array
  %b = load float, ptr addrspace(3) getelementptr (float, ptr addrspace(3) @array, i64 1)
  %c = load float, ptr addrspace(3) getelementptr (float, ptr addrspace(3) @array, i64 2)
  %d = load float, ptr addrspace(3) getelementptr (float, ptr addrspace(3) @array, i64 3)
  %ab = fadd float %a, %b
  %cd = fadd float %c, %d
  %sum = fadd float %ab, %cd
  store float %sum, ptr addrspace(1) %out
  ret void
}

; A barrier ends a region.
; CHECK-LABEL: @barrier(
; CHECK-COUNT-2: load float
; CHECK: ret void
define ptx_kernel void @barrier(ptr addrspace(1) %out) {
  %a = load float, ptr addrspace(3) @array
  call void @llvm.nvvm.barrier0()
  %b = load float, ptr addrspace(3) getelementptr (float, ptr addrspace(3) @array, i64 1)
  %sum = fadd float %a, %b
  store float %sum, ptr addrspace(1) %out
  ret void
}

; Words 1 and 2 are in two aligned halves.
; CHECK-LABEL: @unaligned(
; CHECK-COUNT-2: load float
; CHECK: ret void
define ptx_kernel void @unaligned(ptr addrspace(1) %out) {
  %a = load float, ptr addrspace(3) getelementptr (float, ptr addrspace(3) @array, i64 1)
  %b = load float, ptr addrspace(3) getelementptr (float, ptr addrspace(3) @array, i64 2)
  %sum = fadd float %a, %b
  store float %sum, ptr addrspace(1) %out
  ret void
}
declare void @llvm.nvvm.barrier0() convergent
