; A copy of a structure that is aligned to its size is one vector, of another the value of its type; what the model does not know the fields of stays a call. Then what
; is left whole is loaded by the fields that are used.
; RUN: %stage copy-vectors,copy-structures %s | FileCheck %s
; RUN: %stage copy-vectors,copy-structures,split-structures %s | FileCheck %s --check-prefix=SPLIT
; RUN: %stage --rule=straight_copy_size=4 copy-structures %s | FileCheck %s --check-prefix=LONG
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @aligned(
; CHECK: load <4 x i32>, ptr %from, align 16
; CHECK-NEXT: store <4 x i32> {{.*}}, ptr %to, align 16
; CHECK-NOT: memcpy
; CHECK: ret void
define void @aligned(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %from, i64 16, i1 false), !tbaa.struct !0
  ret void
}

; The alignment of its elements is that of nothing wider.
; CHECK-LABEL: @loose(
; CHECK: load { float, float, float, float }, ptr %from, align 4
; CHECK: ret void
; LONG-LABEL: @loose(
; LONG: call void @llvm.memcpy
define void @loose(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %to, ptr align 4 %from, i64 16, i1 false), !tbaa.struct !0
  ret void
}

; CHECK-LABEL: @without_fields(
; CHECK: call void @llvm.memcpy
; CHECK-LABEL: @kept(
; CHECK: call void @llvm.memcpy
define void @without_fields(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %from, i64 16, i1 false)
  ret void
}
define void @kept(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %from, i64 16, i1 true), !tbaa.struct !0
  ret void
}

; SPLIT-LABEL: @fields(
; SPLIT-NOT: load {
; SPLIT: load i32, ptr {{.*}}, align 8
; SPLIT-NOT: load double
; SPLIT: ret i32
define i32 @fields(ptr %from) {
  %all = load { double, i32 }, ptr %from, align 8
  %id = extractvalue { double, i32 } %all, 1
  ret i32 %id
}

; SPLIT-LABEL: @whole(
; SPLIT: load { double, i32 }
define void @whole(ptr %to, ptr %from) {
  %all = load { double, i32 }, ptr %from, align 8
  store { double, i32 } %all, ptr %to, align 8
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
!0 = !{i64 0, i64 4, !1, i64 4, i64 4, !1, i64 8, i64 4, !1, i64 12, i64 4, !1}
!1 = !{!2, !2, i64 0}
!2 = !{!"float", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C++ TBAA"}
