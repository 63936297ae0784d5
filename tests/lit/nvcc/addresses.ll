; Addresses are brought to a common base and a constant; where the index may wrap around before it is widened, the constant stays in it.
; RUN: %stage split-addresses %s | FileCheck %s
; RUN: %stage reassociate %s | FileCheck %s --check-prefix=SUM
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: @no_wrap(
; CHECK: [[BASE:%.*]] = getelementptr i32, ptr addrspace(1) %p, i64 %i
; CHECK: [[LATER:%.*]] = getelementptr i8, ptr addrspace(1) [[BASE]], i64 20
; CHECK: load i32, ptr addrspace(1) [[BASE]]
; CHECK: load i32, ptr addrspace(1) [[LATER]]
define ptx_kernel void @no_wrap(ptr addrspace(1) %p, i64 %i) {
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %j = add i64 %i, 5
  %b = getelementptr i32, ptr addrspace(1) %p, i64 %j
  %x = load i32, ptr addrspace(1) %a
  %y = load i32, ptr addrspace(1) %b
  %s = add i32 %x, %y
  store i32 %s, ptr addrspace(1) %p
  ret void
}
; CHECK-LABEL: @may_wrap(
; CHECK: add i32 %i, 5
; CHECK-NOT: i64 20
; CHECK: ret void
define ptx_kernel void @may_wrap(ptr addrspace(1) %p, i32 %i) {
  %wide = zext i32 %i to i64
  %a = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  %j = add i32 %i, 5
  %k = zext i32 %j to i64
  %b = getelementptr i32, ptr addrspace(1) %p, i64 %k
  %x = load i32, ptr addrspace(1) %a
  %y = load i32, ptr addrspace(1) %b
  %s = add i32 %x, %y
  store i32 %s, ptr addrspace(1) %p
  ret void
}

; Constants of a sum of integers become one; those of floats that must be rounded in their order do not.
; SUM-LABEL: @integers(
; SUM: add i32 %x, 7
; SUM-NEXT: add i32 {{.*}}%y
; SUM-NEXT: ret
define i32 @integers(i32 %x, i32 %y) {
  %a = add i32 %x, 3
  %b = add i32 %y, 4
  %c = add i32 %a, %b
  ret i32 %c
}
; SUM-LABEL: @floats(
; SUM: fadd float %x, 3.0
; SUM: fadd float %y, 4.0
; SUM: fadd float %a, %b
define float @floats(float %x, float %y) {
  %a = fadd float %x, 3.0
  %b = fadd float %y, 4.0
  %c = fadd float %a, %b
  ret float %c
}
