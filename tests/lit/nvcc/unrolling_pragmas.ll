; LLVM makes eight iterations one where a pragma asks for unrolling and the length is not known; nvcc has a count of its own, which comes later.
; RUN: %stage forget-unknown-unrolling %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: @any_length(
; CHECK: !llvm.loop ![[ANY:[0-9]+]]
define ptx_kernel void @any_length(ptr addrspace(1) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %at
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
; CHECK-LABEL: @known_length(
; CHECK: !llvm.loop ![[KNOWN:[0-9]+]]
; CHECK-DAG: ![[ANY]] = distinct !{![[ANY]], ![[NOTE:[0-9]+]]}
; CHECK-DAG: ![[NOTE]] = !{!"smem_lint.unroll", i32 0}
; CHECK-DAG: ![[KNOWN]] = distinct !{![[KNOWN]], ![[ENABLE:[0-9]+]]}
; CHECK-DAG: ![[ENABLE]] = !{!"llvm.loop.unroll.enable"}
define ptx_kernel void @known_length(ptr addrspace(1) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %at
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, 64
  br i1 %more, label %loop, label %end, !llvm.loop !2
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.enable"}
!2 = distinct !{!2, !1}
