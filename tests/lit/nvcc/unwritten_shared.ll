; What is read of a shared array that nothing writes: nothing at a known place, but for the rest there is a reader; arrays that are written stay.
; RUN: %stage read-unwritten %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@never = internal addrspace(3) global [64 x i32] undef, align 4
@known = internal addrspace(3) global [64 x i32] undef, align 4
@written = internal addrspace(3) global [64 x i32] undef, align 4
; CHECK-LABEL: @kernel(
; CHECK: getelementptr i32, ptr addrspace(3) @never
; CHECK: load i32
; CHECK-NOT: load i32, ptr addrspace(3) @never
; CHECK: load i32, ptr addrspace(3) @known
; CHECK: load i32, ptr addrspace(3) @written
; CHECK: add i32 %a, undef
; CHECK-LABEL: define void @smem_lint.reader()
; CHECK-NEXT: load volatile i8, ptr addrspace(3) @never
; CHECK-NEXT: ret void
define ptx_kernel void @kernel(ptr addrspace(1) %out, i64 %i) {
  %p = getelementptr i32, ptr addrspace(3) @never, i64 %i
  %a = load i32, ptr addrspace(3) %p
  %b = load i32, ptr addrspace(3) @never
  %c = load i32, ptr addrspace(3) @known
  store i32 %c, ptr addrspace(3) @written
  %d = load i32, ptr addrspace(3) @written
  %s = add i32 %a, %b
  %t = add i32 %s, %d
  store i32 %t, ptr addrspace(1) %out
  ret void
}
