; A shared variable that is written with one constant is that constant; one that has two is not. Arrays that are read somewhere keep their stores.
; RUN: %stage replace-once-written-again %s | FileCheck %s
; RUN: %stage replace-once-written %s | FileCheck %s
; RUN: %stage add-readers %s | FileCheck %s --check-prefix=READ
; RUN: %stage add-readers,remove-readers %s | FileCheck %s --check-prefix=REMOVED
target triple = "nvptx64-nvidia-cuda"
@one = internal addrspace(3) global i32 undef
@two = internal addrspace(3) global i32 undef
@unread = internal addrspace(3) global i32 undef

; CHECK-LABEL: @kernel(
; CHECK-NOT: @one
; CHECK: store volatile i32 6, ptr addrspace(3) @two
; CHECK: load volatile i32, ptr addrspace(3) @two
; READ: define void @smem_lint.reader()
; READ: load volatile i8, ptr addrspace(3) @one
; READ: load volatile i8, ptr addrspace(3) @two
; READ-NOT: load volatile i8, ptr addrspace(3) @unread
; Nothing else goes with the reader.
; REMOVED: load volatile i32, ptr addrspace(3) @two
; REMOVED-NOT: smem_lint.reader
define ptx_kernel void @kernel(ptr addrspace(1) %out) {
  store volatile i32 5, ptr addrspace(3) @one
  store volatile i32 5, ptr addrspace(3) @unread
  store volatile i32 5, ptr addrspace(3) @two
  store volatile i32 6, ptr addrspace(3) @two
  %a = load volatile i32, ptr addrspace(3) @one
  %b = load volatile i32, ptr addrspace(3) @two
  %sum = add i32 %a, %b
  store i32 %sum, ptr addrspace(1) %out
  ret void
}
