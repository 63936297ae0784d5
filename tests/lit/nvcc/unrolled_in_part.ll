; A loop of known length that was unrolled in part, of which a few iterations are left, may yet go as a whole: places that its iterations may have in common are
; uncertain, and others are not. 48 iterations become six of eight.
; RUN: %stage --rule=partial_unroll_size=60 name-functions,unroll %s | FileCheck %s
; RUN: %stage --rule=partial_unroll_size=60 --rule=full_unroll_analysed_trips=2 name-functions,unroll %s | FileCheck %s --check-prefix=STAYS --implicit-check-not=assumed
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @loads(
; CHECK: !smem_lint.uncertainties.loads = !{[[ONE:![0-9]+]]}
; CHECK: [[ONE]] = !{[[LINE:![0-9]+]], !"assumed-redundant-access"}
; CHECK: [[LINE]] = !{!"load", !{{[0-9]+}}, i64 3}
; STAYS-LABEL: @loads(
define ptx_kernel void @loads(ptr addrspace(1) %a) !dbg !4 {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %step = getelementptr float, ptr addrspace(1) %a, i32 %i
  %x = load volatile float, ptr addrspace(1) %step, !dbg !6
  %low = and i32 %i, 15
  %again = getelementptr float, ptr addrspace(1) %a, i32 %low
  %y = load volatile float, ptr addrspace(1) %again, !dbg !7
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 48
  br i1 %more, label %body, label %end
end:
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "loads", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 2, scope: !4)
!7 = !DILocation(line: 3, scope: !4)
