; Copies of known size become pieces as wide as their alignment allows, at most eight bytes; long ones become loops of the widest accesses, which are straightened up to 16
; iterations, and only those of locals become anything early.
; RUN: %stage expand-copies %s | FileCheck %s
; RUN: %stage expand-copies-of-locals %s | FileCheck %s --check-prefix=EARLY
; RUN: %stage --rule=copy_piece_size=4 expand-copies %s | FileCheck %s --check-prefix=WORDS
; RUN: %stage --rule=straight_copy_size=15 expand-copies %s | FileCheck %s --check-prefix=SHORT
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @two_pieces(
; CHECK: load i64, {{.*}} align 8
; CHECK: load i64, {{.*}} align 8
; CHECK-NOT: load
; CHECK: ret void
; EARLY-LABEL: @two_pieces(
; EARLY: call void @llvm.memcpy
; WORDS-LABEL: @two_pieces(
; WORDS-COUNT-4: load i32
; WORDS-NOT: load
; WORDS: ret void
; SHORT-LABEL: @two_pieces(
; SHORT: br i1
define ptx_kernel void @two_pieces(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 8 %to, ptr addrspace(1) align 8 %from, i64 16, i1 false)
  ret void
}

; CHECK-LABEL: @as_aligned(
; CHECK-COUNT-2: load volatile i16, {{.*}} align 2
; CHECK-NOT: load
; CHECK: ret void
define ptx_kernel void @as_aligned(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 8 %to, ptr addrspace(1) align 2 %from, i64 4, i1 false)
  ret void
}

; CHECK-LABEL: @straightened(
; CHECK-COUNT-9: load <4 x i32>, {{.*}} align 16
; CHECK-NOT: load
; CHECK: ret void
; EARLY-LABEL: @straightened(
; EARLY: call void @llvm.memcpy
define ptx_kernel void @straightened(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 16 %to, ptr addrspace(1) align 16 %from, i64 144, i1 false)
  ret void
}

; CHECK-LABEL: @loop(
; CHECK: load i64, {{.*}} align 8
; CHECK-NOT: load
; CHECK: br i1
; CHECK: ret void
define ptx_kernel void @loop(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) align 8 %to, ptr addrspace(1) align 8 %from, i64 136, i1 false)
  ret void
}

declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
