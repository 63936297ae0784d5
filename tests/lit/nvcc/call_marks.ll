; What marks where a call was inlined goes when nothing moves any more; the source's inline PTX stays, comments included.
; RUN: %stage forget-calls %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: @kernel(
; CHECK-NOT: smem-lint: call
; CHECK: asm sideeffect "// a comment"
; CHECK-NOT: smem-lint: call
; CHECK: store i32 1
; CHECK-NOT: smem-lint: call
; CHECK: ret void
define ptx_kernel void @kernel(ptr addrspace(1) %p) {
  call void asm sideeffect "// smem-lint: call", ""()
  call void asm sideeffect "// a comment", ""()
  store i32 1, ptr addrspace(1) %p
  call void asm sideeffect "// smem-lint: call", ""()
  ret void
}
