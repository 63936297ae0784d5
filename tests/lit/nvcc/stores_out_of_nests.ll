; A store that the loops had two of around it when it was met, and that has none any more.
; RUN: %stage note-stores-out-of-nests %s | FileCheck %s
; RUN: %stage remember-nests %s | FileCheck %s --check-prefix=NESTS
target triple = "nvptx64-nvidia-cuda"

; CHECK: !smem_lint.uncertainties.left = !{![[AT:[0-9]+]]}
; CHECK-DAG: ![[AT]] = !{![[LINE:[0-9]+]], !"assumed-redundant-access"}
; CHECK-DAG: ![[LINE]] = !{!"store", !{{[0-9]+}}, i64 7}
define ptx_kernel void @left(ptr addrspace(1) %to, i32 %value) !dbg !4 {
  store i32 %value, ptr addrspace(1) %to, align 4, !dbg !5
  store i32 %value, ptr addrspace(1) %to, align 4, !dbg !6
  ret void
}

; NESTS: !smem_lint.stores_in_nests = !{!{{[0-9]+}}, !{{[0-9]+}}, ![[NEW:[0-9]+]]}
; NESTS: ![[NEW]] = !{![[PLACE:[0-9]+]], i32 2}
; NESTS: ![[PLACE]] = !{!{{[0-9]+}}, i32 13, i32 5}
define ptx_kernel void @nest(ptr addrspace(1) %to, i1 %more) !dbg !10 {
  br label %outer
outer:
  br label %inner
inner:
  store i32 1, ptr addrspace(1) %to, align 4, !dbg !11
  br i1 %more, label %inner, label %latch
latch:
  store i32 2, ptr addrspace(1) %to, align 4, !dbg !12
  br i1 %more, label %outer, label %done
done:
  ret void
}

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!7}
!smem_lint.stores_in_nests = !{!0, !1}
!0 = !{!8, i32 2}
!1 = !{!9, i32 1}
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !3, emissionKind: LineTablesOnly)
!3 = !DIFile(filename: "left.cu", directory: "/")
!4 = distinct !DISubprogram(name: "left", scope: !3, file: !3, line: 1, unit: !2, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 7, column: 5, scope: !4)
!6 = !DILocation(line: 9, column: 5, scope: !4)
!7 = !{i32 2, !"Debug Info Version", i32 3}
!10 = distinct !DISubprogram(name: "nest", scope: !3, file: !3, line: 11, unit: !2, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 13, column: 5, scope: !10)
!12 = !DILocation(line: 15, column: 5, scope: !10)
!8 = !{!4, i32 7, i32 5}
!9 = !{!4, i32 9, i32 5}
