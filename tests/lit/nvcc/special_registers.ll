; A call of a function that only reads a special register is that read; two reads stay two, and a function that does more stays a call.
; RUN: %stage read-special-registers %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define i32 @only_reads() {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %x
}
define i32 @adds() {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = add i32 %x, 1
  ret i32 %y
}
; CHECK-LABEL: @kernel(
; CHECK-COUNT-2: call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK-NOT: @only_reads
; CHECK: call i32 @adds()
define ptx_kernel void @kernel(ptr addrspace(1) %p) {
  %a = call i32 @only_reads()
  %b = call i32 @only_reads()
  %c = call i32 @adds()
  %d = mul i32 %a, %b
  %e = mul i32 %d, %c
  store i32 %e, ptr addrspace(1) %p
  ret void
}
