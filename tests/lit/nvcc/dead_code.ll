; Blocks that nothing leads to and values that are computed twice are not lowered; a branch that may be taken stays.
; RUN: %stage tidy %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: @dead(
; CHECK-NOT: br
; CHECK-COUNT-1: mul i32
; CHECK-NOT: mul
; CHECK-COUNT-1: store i32
; CHECK-NOT: store
; CHECK: ret void
define ptx_kernel void @dead(ptr addrspace(1) %out, i32 %n) {
  br i1 false, label %never, label %on
never:
  store i32 1, ptr addrspace(1) %out
  br label %on
on:
  %a = mul i32 %n, 3
  %b = mul i32 %n, 3
  %s = add i32 %a, %b
  store i32 %s, ptr addrspace(1) %out
  ret void
}
; CHECK-LABEL: @alive(
; CHECK: br i1 %c
; CHECK: store i32 1
define ptx_kernel void @alive(ptr addrspace(1) %out, i1 %c) {
  br i1 %c, label %sometimes, label %on
sometimes:
  store i32 1, ptr addrspace(1) %out
  br label %on
on:
  ret void
}
