; Loads and stores carry a note of where they came from while LLVM's passes run, and nothing of it afterwards; what has no location gets no note, and
; other annotations are kept.
; RUN: %stage note-locations %s | FileCheck %s --check-prefix=NOTE
; RUN: %stage note-locations,forget-locations %s | FileCheck %s --check-prefix=FORGET
target triple = "nvptx64-nvidia-cuda"
; NOTE: load i32, {{.*}} !annotation [[FIRST:![0-9]+]]
; NOTE: load i32, {{.*}} !annotation [[SECOND:![0-9]+]]
; NOTE: mul
; NOTE-NOT: annotation
; NOTE: store i32 {{.*}} !dbg {{![0-9]+}}, !annotation [[FIRST]]
; NOTE: store i32 8, {{.*}} !annotation [[BOTH:![0-9]+]]
; NOTE: store i32 7, ptr addrspace(1) %p, align 4, !annotation [[OTHER:![0-9]+]]
; NOTE: ret void
; NOTE: !smem_lint.locations = !{
; NOTE-DAG: [[FIRST]] = !{[[FIRST_RECORD:![0-9]+]]}
; NOTE-DAG: [[FIRST_RECORD]] = !{!"smem-lint", !"location 0"}
; NOTE-DAG: [[SECOND]] = !{[[SECOND_RECORD:![0-9]+]]}
; NOTE-DAG: [[SECOND_RECORD]] = !{!"smem-lint", !"location 1"}
; NOTE-DAG: [[OTHER]] = !{!"another"}
; NOTE-DAG: [[BOTH]] = !{!"another", [[SECOND_RECORD]]}
; FORGET: load i32
; FORGET-NOT: annotation
; FORGET: store i32 8, {{.*}} !annotation [[OTHER:![0-9]+]]
; FORGET: store i32 7, ptr addrspace(1) %p, align 4, !annotation
; FORGET-NOT: smem_lint.locations
; FORGET-NOT: "smem-lint"
define ptx_kernel void @kernel(ptr addrspace(1) %p) !dbg !4 {
  %a = load i32, ptr addrspace(1) %p, align 4, !dbg !6
  %b = load i32, ptr addrspace(1) %p, align 4, !dbg !7
  %c = mul i32 %a, %b, !dbg !6
  store i32 %c, ptr addrspace(1) %p, align 4, !dbg !6
  store i32 8, ptr addrspace(1) %p, align 4, !dbg !7, !annotation !8
  store i32 7, ptr addrspace(1) %p, align 4, !annotation !8
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "kernel", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !9)
!6 = !DILocation(line: 2, column: 3, scope: !4)
!7 = !DILocation(line: 3, column: 3, scope: !4)
!8 = !{!"another"}
!9 = !{null}
