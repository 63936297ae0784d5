; Loads in a loop that a pragma makes too large for full unrolling keep their locations when they leave it; not those in a shorter one, or without the pragma.
; RUN: %stage note-locations,note-loops %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: @long(
; CHECK: load float, {{.*}} !annotation [[EARLY:![0-9]+]]
; CHECK-LABEL: @short(
; CHECK: load float, {{.*}} !annotation [[PLACE:![0-9]+]]
; CHECK-LABEL: @without(
; CHECK: load float, {{.*}} !annotation [[OTHER:![0-9]+]]
; CHECK-DAG: [[EARLY]] = !{[[EARLY_RECORD:![0-9]+]]}
; CHECK-DAG: [[EARLY_RECORD]] = !{!"smem-lint", !"location 0", !"hoisted with its location"}
; CHECK-DAG: [[PLACE]] = !{[[PLACE_RECORD:![0-9]+]]}
; CHECK-DAG: [[PLACE_RECORD]] = !{!"smem-lint", !"location 1"}
; CHECK-DAG: [[OTHER]] = !{[[OTHER_RECORD:![0-9]+]]}
; CHECK-DAG: [[OTHER_RECORD]] = !{!"smem-lint", !"location 2"}
define float @long(ptr addrspace(1) %p) !dbg !4 {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %v = phi float [ 0.0, %entry ], [ %sum, %body ]
  %more = icmp ult i32 %i, 64
  br i1 %more, label %body, label %end
body:
  %square = fmul float %v, %v
  %x = load float, ptr addrspace(1) %p, align 4, !dbg !6
  %twice = fadd float %x, %x
  %sum = fadd float %square, %twice
  %next = add i32 %i, 1
  br label %head, !llvm.loop !7
end:
  ret float %v
}
define float @short(ptr addrspace(1) %p) !dbg !10 {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %v = phi float [ 0.0, %entry ], [ %sum, %body ]
  %more = icmp ult i32 %i, 8
  br i1 %more, label %body, label %end
body:
  %square = fmul float %v, %v
  %x = load float, ptr addrspace(1) %p, align 4, !dbg !11
  %twice = fadd float %x, %x
  %sum = fadd float %square, %twice
  %next = add i32 %i, 1
  br label %head, !llvm.loop !8
end:
  ret float %v
}
define float @without(ptr addrspace(1) %p) !dbg !12 {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %v = phi float [ 0.0, %entry ], [ %sum, %body ]
  %more = icmp ult i32 %i, 64
  br i1 %more, label %body, label %end
body:
  %square = fmul float %v, %v
  %x = load float, ptr addrspace(1) %p, align 4, !dbg !13
  %twice = fadd float %x, %x
  %sum = fadd float %square, %twice
  %next = add i32 %i, 1
  br label %head
end:
  ret float %v
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{null}
!4 = distinct !DISubprogram(name: "long", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !3)
!6 = !DILocation(line: 2, column: 3, scope: !4)
!7 = distinct !{!7, !9}
!8 = distinct !{!8, !9}
!9 = !{!"llvm.loop.unroll.enable"}
!10 = distinct !DISubprogram(name: "short", file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 6, column: 3, scope: !10)
!12 = distinct !DISubprogram(name: "without", file: !1, line: 9, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!13 = !DILocation(line: 10, column: 3, scope: !12)
