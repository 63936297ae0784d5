; What Clang copies to a local variable as it begins is stored element by element; other copies stay.
; RUN: %stage write-initial-values %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@__const.k.table = private unnamed_addr addrspace(4) constant [3 x { i16, float }] [{ i16, float } { i16 1, float 2.0 }, { i16, float } { i16 3, float undef }, { i16, float } zeroinitializer], align 4
@other = private addrspace(1) constant [2 x i32] [i32 1, i32 2], align 4
@__const.k.long = private unnamed_addr addrspace(1) constant [1025 x i32] zeroinitializer, align 4
; CHECK: @[[LONG:__const.k.long.+]] = private addrspace(4) constant [1025 x i32] zeroinitializer, align 4
; CHECK-LABEL: @k(
; CHECK-NOT: memcpy
; CHECK: store i16 1, ptr {{.*}}, align 8
; CHECK: store float 2.000000e+00, ptr {{.*}}, align 4
; CHECK: store i16 3, ptr {{.*}}, align 8
; CHECK-NEXT: getelementptr
; CHECK-NEXT: store i16 0, ptr {{.*}}, align 8
; CHECK: store float 0.000000e+00, ptr {{.*}}, align 4
; CHECK: call void @llvm.memcpy.p0.p1.i64(ptr align 4 %copy,
; CHECK: call void @llvm.memcpy.p0.p4.i64(ptr align 4 %long, ptr addrspace(4) align 4 @[[LONG]], i64 4100, i1 false)
define void @k() {
  %table = alloca [3 x { i16, float }], align 8
  %copy = alloca [2 x i32], align 4
  %long = alloca [1025 x i32], align 4
  call void @llvm.memcpy.p0.p4.i64(ptr align 8 %table, ptr addrspace(4) align 4 @__const.k.table, i64 24, i1 false)
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %copy, ptr addrspace(1) align 4 @other, i64 8, i1 false)
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %long, ptr addrspace(1) align 4 @__const.k.long, i64 4100, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p4.i64(ptr, ptr addrspace(4), i64, i1)
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
