; A loop of known length becomes straight-line code where that is asked for; one that is not to be, and one of unknown length, stay.
; RUN: %stage full-unroll-inner %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: @known(
; CHECK-COUNT-4: store i32
; CHECK-NOT: store
; CHECK-NOT: br i1
; CHECK: ret void
define ptx_kernel void @known(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %to = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %to
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
; CHECK-LABEL: @disabled(
; CHECK-COUNT-1: store i32
; CHECK-NOT: store
; CHECK: br i1
define ptx_kernel void @disabled(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %to = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %to
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, 4
  br i1 %c, label %loop, label %end, !llvm.loop !2
end:
  ret void
}
; CHECK-LABEL: @unknown(
; CHECK-COUNT-1: store i32
; CHECK-NOT: store
; CHECK: br i1
define ptx_kernel void @unknown(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %to = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %to
  %j = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %end, !llvm.loop !3
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
!2 = distinct !{!2, !4}
!3 = distinct !{!3, !1}
!4 = !{!"llvm.loop.unroll.disable"}
