; Loops of known length that stay: the largest power of two that divides the length and is small enough; of an odd length four.
; RUN: %stage unroll %s | FileCheck %s
; RUN: %stage --rule=partial_unroll_size=16 unroll %s | FileCheck %s --check-prefix=SMALL
target triple = "nvptx64-nvidia-cuda"

; 1000 is 8 * 125.
; CHECK-LABEL: @even(
; CHECK-COUNT-8: load volatile float
; CHECK-NOT: load volatile
; CHECK: ret void
; Three instructions an iteration, the bookkeeping of two left out: four make 12.
; SMALL-LABEL: @even(
; SMALL-COUNT-4: load volatile float
; SMALL-NOT: load volatile
; SMALL: ret void
define ptx_kernel void @even(ptr addrspace(1) %a) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr float, ptr addrspace(1) %a, i32 %i
  %x = load volatile float, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 1000
  br i1 %again, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: @odd(
; CHECK-COUNT-4: load volatile float
; CHECK-NOT: load volatile
; CHECK: ret void
define ptx_kernel void @odd(ptr addrspace(1) %a) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr float, ptr addrspace(1) %a, i32 %i
  %x = load volatile float, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 1001
  br i1 %again, label %body, label %end
end:
  ret void
}

; A pragma has been obeyed already.
; CHECK-LABEL: @told(
; CHECK-COUNT-1: load volatile float
; CHECK-NOT: load volatile
; CHECK: ret void
define ptx_kernel void @told(ptr addrspace(1) %a) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr float, ptr addrspace(1) %a, i32 %i
  %x = load volatile float, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 1000
  br i1 %again, label %body, label %end, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
