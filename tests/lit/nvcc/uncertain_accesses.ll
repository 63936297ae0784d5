; Accesses of which nvcc may make something else get an uncertainty of their line: here stores to an array that nothing reads, what is written in a loop that a pragma tells to
; unroll, and what a structure with padding is cleared by. Accesses beside them, and the same without the cause, get none.
; RUN: %stage name-functions,note-uncertain-accesses %s | FileCheck %s --check-prefix=DEAD
; RUN: %stage --rule=certain_address_steps=3 name-functions,note-uncertain-accesses %s | FileCheck %s --check-prefix=STEPS
; RUN: %stage name-functions,note-loops,conclude-history %s | FileCheck %s --check-prefix=TOLD
; RUN: %stage name-functions,note-copied-fields %s | FileCheck %s --check-prefix=COPIED
; RUN: %stage name-functions %s | FileCheck %s --check-prefix=NAMED --implicit-check-not=smem_lint
target triple = "nvptx64-nvidia-cuda"

@unread = internal addrspace(3) global [32 x float] undef
@read = internal addrspace(3) global [32 x float] undef

; NAMED: DISubprogram(name: "stores", linkageName: "stores_of_the_module"
; NAMED: DISubprogram(name: "told", linkageName: "told"
; NAMED-NOT: linkageName: "declared"

; DEAD: !smem_lint.uncertainties.stores_of_the_module = !{[[DEAD:![0-9]+]]}
; DEAD: !smem_lint.uncertainties.in_steps = !{[[NEXT:![0-9]+]]}
; DEAD-NOT: smem_lint.uncertainties
; DEAD: [[DEAD]] = !{[[LINE:![0-9]+]], !"assumed-dead-store"}
; DEAD: [[LINE]] = !{!"store", !{{[0-9]+}}, i64 2}
; DEAD: [[NEXT]] = !{[[LOADS:![0-9]+]], !"assumed-vectorisation"}
; DEAD: [[LOADS]] = !{!"load", !{{[0-9]+}}, i64 51}
; STEPS: !smem_lint.uncertainties.stores_of_the_module
; STEPS-NOT: smem_lint.uncertainties
define ptx_kernel void @stores_of_the_module(ptr addrspace(1) %p) !dbg !4 {
  store float 1.0, ptr addrspace(3) @unread, align 4, !dbg !6
  store float 2.0, ptr addrspace(3) @read, align 4, !dbg !7
  %x = load float, ptr addrspace(3) @read, align 4, !dbg !8
  store float %x, ptr addrspace(1) %p, align 4, !dbg !8
  ret void
}

; TOLD: !smem_lint.uncertainties.told = !{[[TOLD:![0-9]+]]}
; TOLD-NOT: smem_lint.uncertainties
; TOLD: [[TOLD]] = !{[[LINE:![0-9]+]], !"assumed-unroll"}
; TOLD: [[LINE]] = !{!"store", !{{[0-9]+}}, i64 12}
define void @told(ptr addrspace(1) %p, i32 %n) !dbg !10 {
entry:
  store float 0.0, ptr addrspace(1) %p, align 4, !dbg !11
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr float, ptr addrspace(1) %p, i32 %i
  store float 1.0, ptr addrspace(1) %q, align 4, !dbg !12
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !13
end:
  ret void
}
define void @not_told(ptr addrspace(1) %p, i32 %n) !dbg !20 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr float, ptr addrspace(1) %p, i32 %i
  store float 1.0, ptr addrspace(1) %q, align 4, !dbg !21
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; COPIED: !smem_lint.uncertainties.clears = !{[[COPIED:![0-9]+]]}
; COPIED-NOT: smem_lint.uncertainties
; COPIED: [[COPIED]] = !{[[LINE:![0-9]+]], !"assumed-structure-copy"}
; COPIED: [[LINE]] = !{!"store", !{{[0-9]+}}, i64 31}
define ptx_kernel void @clears(ptr addrspace(1) %p, ptr addrspace(1) %q) !dbg !30 {
  call void @llvm.memset.p1.i64(ptr addrspace(1) %p, i8 0, i64 16, i1 false), !dbg !31
  store float 1.0, ptr addrspace(1) %q, align 4, !dbg !32
  ret void
}

; Adjacent words, of an address that three steps lead to, one of them masked.
define ptx_kernel void @in_steps(ptr addrspace(1) %p, ptr addrspace(1) %out, i32 %i, i32 %j, i32 %k) !dbg !50 {
  %low = and i32 %k, 28
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  %b = getelementptr float, ptr addrspace(1) %a, i32 %j
  %c = getelementptr float, ptr addrspace(1) %b, i32 %low
  %d = getelementptr float, ptr addrspace(1) %c, i32 1
  %x = load float, ptr addrspace(1) %c, align 4, !dbg !51
  %y = load float, ptr addrspace(1) %d, align 4, !dbg !51
  %z = fadd float %x, %y
  store float %z, ptr addrspace(1) %out, align 4, !dbg !52
  ret void
}
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
declare !dbg !33 void @declared()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "stores", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !9)
!6 = !DILocation(line: 2, column: 3, scope: !4)
!7 = !DILocation(line: 3, column: 3, scope: !4)
!8 = !DILocation(line: 4, column: 3, scope: !4)
!9 = !{null}
!10 = distinct !DISubprogram(name: "told", file: !1, line: 10, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 11, column: 3, scope: !10)
!12 = !DILocation(line: 12, column: 3, scope: !10)
!13 = distinct !{!13, !14}
!14 = !{!"llvm.loop.unroll.count", i32 4}
!20 = distinct !DISubprogram(name: "not_told", file: !1, line: 20, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!21 = !DILocation(line: 21, column: 3, scope: !20)
!30 = distinct !DISubprogram(name: "clears", file: !1, line: 30, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!31 = !DILocation(line: 31, column: 3, scope: !30)
!32 = !DILocation(line: 32, column: 3, scope: !30)
!33 = !DISubprogram(name: "declared", file: !1, line: 40, type: !5, isDefinition: false)
!50 = distinct !DISubprogram(name: "in_steps", file: !1, line: 50, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!51 = !DILocation(line: 51, column: 3, scope: !50)
!52 = !DILocation(line: 52, column: 3, scope: !50)
