; Exchanges between lanes whose result is not used go, and what is loaded for them.
; RUN: %stage drop-dead-exchanges %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

@s = internal addrspace(3) global [32 x i32] undef

declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare void @llvm.nvvm.barrier0()

; CHECK-LABEL: @chain(
; CHECK-NEXT: call void @llvm.nvvm.barrier0()
; CHECK-NEXT: ret void
define ptx_kernel void @chain() {
  call void @llvm.nvvm.barrier0()
  %a = load i32, ptr addrspace(3) @s
  %b = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %a, i32 16, i32 31)
  %c = add i32 %a, %b
  %d = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %c, i32 8, i32 31)
  %e = icmp ne i32 %d, 0
  %f = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %e)
  ret void
}

; A circle through a loop is as dead; the loop stays.
; CHECK-LABEL: @circle(
; CHECK-NOT: shfl
; CHECK: ret void
define ptx_kernel void @circle() {
entry:
  %first = load i32, ptr addrspace(3) @s
  br label %loop
loop:
  %k = phi i32 [ 16, %entry ], [ %half, %loop ]
  %v = phi i32 [ %first, %entry ], [ %sum, %loop ]
  %other = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v, i32 %k, i32 31)
  %sum = add i32 %v, %other
  %half = lshr i32 %k, 1
  %more = icmp ugt i32 %k, 1
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @used(
; CHECK: load volatile
; CHECK: load i32
; CHECK: shfl
define ptx_kernel void @used(ptr addrspace(1) %out) {
  %watched = load volatile i32, ptr addrspace(3) @s
  %lost = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %watched, i32 16, i32 31)
  %a = load i32, ptr addrspace(3) @s
  %b = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %a, i32 16, i32 31)
  store i32 %b, ptr addrspace(1) %out
  ret void
}
