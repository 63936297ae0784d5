; A structure that is handed over by value is read where it is, unless the kernel writes to it; pointers in parameters are global.
; RUN: %stage copy-written-parameters %s | FileCheck %s
; RUN: %stage mark-global-pointers %s | FileCheck %s --check-prefix=GLOBAL
target triple = "nvptx64-nvidia-cuda"
%pair = type { i32, i32 }

; CHECK-LABEL: @read(
; CHECK-NOT: alloca
; CHECK: ret void
; GLOBAL-LABEL: @read(
; GLOBAL: addrspacecast ptr %out to ptr addrspace(1)
define ptx_kernel void @read(ptr byval(%pair) align 4 %p, ptr %out) {
  %x = load i32, ptr %p
  store i32 %x, ptr %out
  ret void
}

; CHECK-LABEL: @written(
; CHECK: alloca %pair
; CHECK: call void @llvm.memcpy
; CHECK: ret void
define ptx_kernel void @written(ptr byval(%pair) align 4 %p, ptr %out) {
  store i32 1, ptr %p
  ret void
}

; Not of functions that no driver calls.
; GLOBAL-LABEL: @device(
; GLOBAL-NOT: addrspacecast
; GLOBAL: ret void
define void @device(ptr %out) {
  store i32 1, ptr %out
  ret void
}
