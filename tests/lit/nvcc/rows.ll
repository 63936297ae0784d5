; A structure of float[3] and float[5] that is aligned to 16 bytes is copied as vectors, through a variable on the line of the second copy; one of float[4] twice is left, and so is
; one of which a field is read.
; RUN: %stage copy-rows %s | FileCheck %s
; RUN: %stage copy-rows,forward-rows %s | FileCheck %s --check-prefix=LINES
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%beyond = type { [3 x float], [5 x float] }
%within = type { [4 x float], [4 x float] }

; CHECK-LABEL: @through(
; CHECK: %[[ROW:.*]] = load [2 x <4 x i32>], ptr %from, align 16, !dbg
; CHECK: store [2 x <4 x i32>] %[[ROW]], ptr %v, align 16
; CHECK: load [2 x <4 x i32>], ptr %v, align 16
; CHECK: ret void
define void @through(ptr %to, ptr %from) !dbg !4 {
  %v = alloca %beyond, align 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %v, ptr align 16 %from, i64 32, i1 false), !tbaa.struct !0, !dbg !6
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %v, i64 32, i1 false), !tbaa.struct !0, !dbg !7
  ret void
}

; CHECK-LABEL: @read(
; CHECK-COUNT-2: call void @llvm.memcpy
define float @read(ptr %to, ptr %from) {
  %v = alloca %beyond, align 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %v, ptr align 16 %from, i64 32, i1 false), !tbaa.struct !0
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %v, i64 32, i1 false), !tbaa.struct !0
  %x = load float, ptr %v, align 16
  ret float %x
}

; CHECK-LABEL: @members(
; CHECK-COUNT-2: call void @llvm.memcpy
define void @members(ptr %to, ptr %from) {
  %v = alloca %within, align 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %v, ptr align 16 %from, i64 32, i1 false), !tbaa.struct !0
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %v, i64 32, i1 false), !tbaa.struct !0
  ret void
}

; As the optimiser leaves it: the load moves to the line of its store.
; LINES-LABEL: @optimised(
; LINES: load <4 x i32>, ptr %from, align 16, !dbg ![[SECOND:[0-9]+]]
; LINES: store <4 x i32> {{.*}}, ptr addrspace(3) %shared, align 16, !dbg ![[SECOND]]
; LINES: load <4 x i32>, ptr %from, align 16, !dbg ![[FIRST:[0-9]+]]
; LINES: store <4 x i32> {{.*}}, ptr %to, align 16, !dbg ![[SECOND]]
; LINES-DAG: ![[SECOND]] = !DILocation(line: 3
; LINES-DAG: ![[FIRST]] = !DILocation(line: 2
define void @optimised(ptr %to, ptr %from, ptr addrspace(3) %shared) !dbg !5 {
  %row = load <4 x i32>, ptr %from, align 16, !dbg !8
  store <4 x i32> %row, ptr addrspace(3) %shared, align 16, !dbg !9
  %other = load <4 x i32>, ptr %from, align 16, !dbg !8
  store i32 1, ptr %to, align 4, !dbg !10
  store <4 x i32> %other, ptr %to, align 16, !dbg !9
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!11}
!smem_lint.row_copies = !{!12}
!0 = !{i64 0, i64 12, !1, i64 12, i64 20, !1}
!1 = !{!13, !13, i64 0}
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !3, emissionKind: LineTablesOnly)
!3 = !DIFile(filename: "rows.cu", directory: "/")
!4 = distinct !DISubprogram(name: "through", scope: !3, file: !3, line: 1, unit: !2, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "optimised", scope: !3, file: !3, line: 1, unit: !2, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 2, column: 1, scope: !4)
!7 = !DILocation(line: 3, column: 1, scope: !4)
!8 = !DILocation(line: 2, column: 1, scope: !5)
!9 = !DILocation(line: 3, column: 1, scope: !5)
!10 = !DILocation(line: 4, column: 1, scope: !5)
!11 = !{i32 2, !"Debug Info Version", i32 3}
!12 = !{!5, i32 2, i32 1}
!13 = !{!"omnipotent char", !14, i64 0}
!14 = !{!"Simple C++ TBAA"}
