; A vector that is copied to a local variable and used as something smaller is loaded where nvcc casts it; as what it was copied as, where it was copied.
; RUN: %stage copy-vectors,retype-vector-copies %s | FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @bytes(
; CHECK: %all = load <4 x i32>, ptr %from, align 16, !dbg [[CAST:![0-9]+]]
; CHECK-LABEL: @floats(
; CHECK: %all = load <4 x i32>, ptr %from, align 16, !dbg [[COPY:![0-9]+]]
; CHECK-DAG: [[CAST]] = !DILocation(line: 3,
; CHECK-DAG: [[COPY]] = !DILocation(line: 5,
define i8 @bytes(ptr %from) !dbg !10 {
  %v = alloca [4 x float], align 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %v, ptr align 16 %from, i64 16, i1 false), !tbaa.struct !0, !dbg !12
  %all = load <4 x i32>, ptr %from, align 16, !dbg !12
  %narrow = bitcast <4 x i32> %all to <16 x i8>, !dbg !13
  %a = extractelement <16 x i8> %narrow, i64 1, !dbg !13
  %b = extractelement <16 x i8> %narrow, i64 9, !dbg !13
  %c = add i8 %a, %b, !dbg !13
  ret i8 %c
}
define float @floats(ptr %from) !dbg !11 {
  %v = alloca [4 x float], align 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %v, ptr align 16 %from, i64 16, i1 false), !tbaa.struct !0, !dbg !14
  %all = load <4 x i32>, ptr %from, align 16, !dbg !14
  %wide = bitcast <4 x i32> %all to <4 x float>, !dbg !15
  %a = extractelement <4 x float> %wide, i64 1, !dbg !15
  %b = extractelement <4 x float> %wide, i64 3, !dbg !15
  %c = fadd float %a, %b, !dbg !15
  ret float %c
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
!llvm.dbg.cu = !{!6}
!llvm.module.flags = !{!8}
!0 = !{i64 0, i64 4, !1, i64 4, i64 4, !1, i64 8, i64 4, !1, i64 12, i64 4, !1}
!1 = !{!2, !2, i64 0}
!2 = !{!"float", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C++ TBAA"}
!6 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !7, isOptimized: false, runtimeVersion: 0, emissionKind: LineTablesOnly)
!7 = !DIFile(filename: "a.cu", directory: "/")
!8 = !{i32 2, !"Debug Info Version", i32 3}
!9 = !DISubroutineType(types: !16)
!10 = distinct !DISubprogram(name: "bytes", file: !7, line: 1, type: !9, unit: !6, spFlags: DISPFlagDefinition)
!11 = distinct !DISubprogram(name: "floats", file: !7, line: 4, type: !9, unit: !6, spFlags: DISPFlagDefinition)
!12 = !DILocation(line: 2, column: 3, scope: !10)
!13 = !DILocation(line: 3, column: 3, scope: !10)
!14 = !DILocation(line: 5, column: 3, scope: !11)
!15 = !DILocation(line: 6, column: 3, scope: !11)
!16 = !{null}
