; ptxas places a small array that only constants index after all others, for it falls apart into variables: the array declared after it begins at an address of its own alignment, and
; its words merge. A longer one stays where it is declared.
; RUN: %stage vectorise-placed %s | FileCheck %s
; RUN: %stage --rule=scalarised_elements=2 vectorise-placed %s | FileCheck %s --check-prefix=STAYS
target triple = "nvptx64-nvidia-cuda"
@small = internal addrspace(3) global [3 x float] undef, align 4
@array = internal addrspace(3) global [64 x float] undef, align 4

; CHECK-LABEL: @kernel(
; CHECK: load <2 x i32>
; STAYS-LABEL: @kernel(
; STAYS-NOT: load <2 x i32>
; STAYS: ret void
define ptx_kernel void @kernel(ptr addrspace(1) %out, i32 %i) {
  store float 1.0, ptr addrspace(3) @small
  %even = shl i32 %i, 1
  %p = getelementptr float, ptr addrspace(3) @array, i32 %even
  %q = getelementptr float, ptr addrspace(3) %p, i32 1
  %a = load float, ptr addrspace(3) %p, align 4
  %b = load float, ptr addrspace(3) %q, align 4
  %c = load float, ptr addrspace(3) @small
  %ab = fadd float %a, %b
  %abc = fadd float %ab, %c
  store float %abc, ptr addrspace(1) %out
  ret void
}
