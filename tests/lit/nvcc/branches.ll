; Stores that both blocks of a divergent branch end with become one after it; not those of a branch that all lanes of a warp take together.
; RUN: %stage note-equal-tails,release-all-blocks,sink-stores %s | FileCheck %s
; RUN: %stage drop-aborts %s | FileCheck %s --check-prefix=ABORT
; RUN: %stage keep-costly-blocks %s | FileCheck %s --check-prefix=COSTLY
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @divergent(
; CHECK-COUNT-1: store i32
; CHECK-NOT: store
; CHECK: ret void
define ptx_kernel void @divergent(ptr addrspace(1) %a) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr addrspace(1) %a, i32 %lane
  %low = icmp ult i32 %lane, 7
  br i1 %low, label %then, label %else
then:
  store i32 1, ptr addrspace(1) %at
  br label %end
else:
  store i32 %lane, ptr addrspace(1) %at
  br label %end
end:
  ret void
}

; CHECK-LABEL: @uniform(
; CHECK-COUNT-2: store i32
; CHECK: ret void
define ptx_kernel void @uniform(ptr addrspace(1) %a, i32 %n) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %n, 7
  br i1 %low, label %then, label %else
then:
  %x = add i32 %lane, 5
  %there = getelementptr i32, ptr addrspace(1) %a, i32 %lane
  store i32 %x, ptr addrspace(1) %there
  br label %end
else:
  %here = getelementptr i32, ptr addrspace(1) %a, i32 %lane
  store i32 %lane, ptr addrspace(1) %here
  br label %end
end:
  ret void
}

; What leads to a trap only is not taken.
; ABORT-LABEL: @aborts(
; ABORT: call void @llvm.assume
; ABORT-NOT: @llvm.trap()
; ABORT: ret void
; A division is not if-converted, an addition is.
; COSTLY-LABEL: @divides(
; COSTLY: udiv
; COSTLY: @llvm.sideeffect
; COSTLY: ret i32
; COSTLY-LABEL: @adds(
; COSTLY-NOT: @llvm.sideeffect
; COSTLY: ret i32
define ptx_kernel void @aborts(i32 %n) {
  call void @llvm.assume(i1 true)
  %low = icmp ult i32 %n, 7
  br i1 %low, label %then, label %end
then:
  call void @llvm.trap()
  unreachable
end:
  ret void
}
declare void @llvm.trap()
declare void @llvm.assume(i1)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!0 = distinct !DISubprogram(name: "f", file: !1, unit: !2, spFlags: DISPFlagDefinition)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!3}
!3 = !{i32 2, !"Debug Info Version", i32 3}
define i32 @divides(i32 %n, i32 %m, i1 %c) !dbg !0 {
entry:
  br i1 %c, label %then, label %end
then:
  %x = udiv i32 %n, %m
  br label %end
end:
  %r = phi i32 [ %x, %then ], [ 0, %entry ]
  ret i32 %r
}
define i32 @adds(i32 %n, i32 %m, i1 %c) !dbg !4 {
entry:
  br i1 %c, label %then, label %end
then:
  %x = add i32 %n, %m
  br label %end
end:
  %r = phi i32 [ %x, %then ], [ 0, %entry ]
  ret i32 %r
}
!4 = distinct !DISubprogram(name: "g", file: !1, unit: !2, spFlags: DISPFlagDefinition)
