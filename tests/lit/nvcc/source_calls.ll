; What calls mean where the source itself is executed: atomics of a block keep their scope, a barrier of the grid is a marked fence between barriers of the block, cuRAND's functions touch the state that they are given, and a call through a
; pointer becomes direct ones of those functions that may be meant, and stays where another file's may be.
; RUN: %stage scope-block-atomics %s | FileCheck %s --check-prefix=SCOPE
; RUN: %stage expand-grid-barriers %s | FileCheck %s --check-prefix=GRID
; RUN: %stage expand-random-numbers %s | FileCheck %s --check-prefix=RANDOM
; RUN: %stage resolve-indirect-calls %s | FileCheck %s --check-prefix=CALLS
target triple = "nvptx64-nvidia-cuda"

; SCOPE-LABEL: @_Z15atomicAdd_blockPii(
; SCOPE: atomicrmw add ptr %p, i32 %v syncscope("block") seq_cst
; SCOPE-LABEL: @_Z9atomicAddPii(
; SCOPE: atomicrmw add ptr %p, i32 %v seq_cst
define i32 @_Z15atomicAdd_blockPii(ptr %p, i32 %v) {
  %old = atomicrmw add ptr %p, i32 %v seq_cst
  ret i32 %old
}
define i32 @_Z9atomicAddPii(ptr %p, i32 %v) {
  %old = atomicrmw add ptr %p, i32 %v seq_cst
  ret i32 %old
}

; GRID-LABEL: @_ZNK18cooperative_groups10grid_group4syncEv(
; GRID: call void @llvm.nvvm.barrier0()
; GRID: call void @llvm.nvvm.membar.gl(), !smem-lint.grid-barrier
; GRID: call void @llvm.nvvm.barrier0()
; GRID-NOT: load
; GRID: ret void
; GRID-LABEL: @_ZNK14sub_grid_group4syncEv(
; GRID: load volatile i32
; GRID-LABEL: @_ZNK18cooperative_groups12thread_block4syncEv(
; GRID: load volatile i32
define void @_ZNK18cooperative_groups10grid_group4syncEv(ptr %this) {
  %old = load volatile i32, ptr %this
  ret void
}
define void @_ZNK14sub_grid_group4syncEv(ptr %this) {
  %old = load volatile i32, ptr %this
  ret void
}
define void @_ZNK18cooperative_groups12thread_block4syncEv(ptr %this) {
  %old = load volatile i32, ptr %this
  ret void
}

; Six words of 64 bits, read and written.
; RANDOM-LABEL: @draw(
; RANDOM-COUNT-6: store i64
; RANDOM-NOT: store i64
; RANDOM: call i32 @_Z6curandP16curandStateMtgp32
define ptx_kernel void @draw(ptr %state, ptr %twister, ptr %out) {
  %a = call i32 @_Z6curandP17curandStateXORWOW(ptr %state)
  %b = call i32 @_Z6curandP16curandStateMtgp32(ptr %twister)
  %sum = add i32 %a, %b
  store i32 %sum, ptr %out
  ret void
}
declare i32 @_Z6curandP17curandStateXORWOW(ptr)
declare i32 @_Z6curandP16curandStateMtgp32(ptr)

; CALLS-LABEL: @chosen(
; CALLS: select i1 %way, i32
; CALLS-NOT: call void %
; CALLS: ret void
define ptx_kernel void @chosen(ptr %p, i1 %way) {
  %work = select i1 %way, ptr @one, ptr @two
  call void %work(ptr %p)
  ret void
}
; CALLS-LABEL: @given(
; CALLS: call void %work(ptr %p), !smem-lint.unresolved-call
define ptx_kernel void @given(ptr %p, ptr %work) {
  call void %work(ptr %p)
  ret void
}
define internal void @one(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define internal void @two(ptr %p) {
  store i32 2, ptr %p
  ret void
}
