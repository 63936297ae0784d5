; Costly blocks stay: until calls are inlined those of what cicc knows by then, and to the end those of other calls, of divisions, of what the model has written out where cicc has a call, and those that
; end with a store.
; RUN: %stage keep-costly-blocks %s | FileCheck %s --check-prefix=KEPT
; RUN: %stage keep-costly-blocks,release-cheap-blocks %s | FileCheck %s --check-prefix=RELEASED
; RUN: %stage keep-costly-blocks,release-blocks %s | FileCheck %s --check-prefix=RELEASED
target triple = "nvptx64-nvidia-cuda"
; KEPT-LABEL: @minimum(
; KEPT: call void @llvm.sideeffect
; KEPT-LABEL: @floats(
; KEPT: call void @llvm.sideeffect
; KEPT-LABEL: @eighths(
; KEPT: call void @llvm.sideeffect
; KEPT-LABEL: @absolute(
; KEPT: call void @llvm.sideeffect
; KEPT-LABEL: @upper_half(
; KEPT: call void @llvm.sideeffect
; KEPT-LABEL: @stores(
; KEPT: call void @llvm.sideeffect
; RELEASED-LABEL: @minimum(
; RELEASED-NOT: call void @llvm.sideeffect
; RELEASED-LABEL: @floats(
; RELEASED: call void @llvm.sideeffect
; RELEASED-LABEL: @eighths(
; RELEASED: call void @llvm.sideeffect
; RELEASED-LABEL: @absolute(
; RELEASED: call void @llvm.sideeffect
; RELEASED-LABEL: @upper_half(
; RELEASED: call void @llvm.sideeffect
; RELEASED-LABEL: @stores(
; RELEASED: call void @llvm.sideeffect
define i32 @minimum(i32 %n, i32 %m, i1 %c) !dbg !0 {
entry:
  br i1 %c, label %then, label %end
then:
  %x = call i32 @llvm.smin.i32(i32 %n, i32 %m)
  br label %end
end:
  %y = phi i32 [ %x, %then ], [ 0, %entry ]
  ret i32 %y
}
define float @floats(float %n, float %m, i1 %c) !dbg !4 {
entry:
  br i1 %c, label %then, label %end
then:
  %x = fdiv float %n, %m
  br label %end
end:
  %y = phi float [ %x, %then ], [ 0.0, %entry ]
  ret float %y
}
define i32 @eighths(i32 %n, i1 %c) !dbg !6 {
entry:
  br i1 %c, label %then, label %end
then:
  %x = sdiv i32 %n, 8
  br label %end
end:
  %y = phi i32 [ %x, %then ], [ 0, %entry ]
  ret i32 %y
}
define float @absolute(float %n, i1 %c) !dbg !7 {
entry:
  br i1 %c, label %then, label %end
then:
  %x = call float @llvm.fabs.f32(float %n)
  br label %end
end:
  %y = phi float [ %x, %then ], [ 0.0, %entry ]
  ret float %y
}
define i32 @upper_half(i64 %n, i1 %c) !dbg !8 {
entry:
  br i1 %c, label %then, label %end
then:
  %h = lshr i64 %n, 32
  %x = trunc i64 %h to i32, !smem_lint.call_of_cicc !9
  br label %end
end:
  %y = phi i32 [ %x, %then ], [ 0, %entry ]
  ret i32 %y
}
define void @stores(i32 %n, i32 %m, i1 %c, ptr addrspace(1) %p) !dbg !5 {
entry:
  br i1 %c, label %then, label %end
then:
  %x = udiv i32 %n, %m
  store i32 %x, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
declare i32 @llvm.smin.i32(i32, i32)
declare float @llvm.fabs.f32(float)
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!3}
!0 = distinct !DISubprogram(name: "minimum", file: !1, unit: !2, spFlags: DISPFlagDefinition)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "floats", file: !1, unit: !2, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "stores", file: !1, unit: !2, spFlags: DISPFlagDefinition)
!6 = distinct !DISubprogram(name: "eighths", file: !1, unit: !2, spFlags: DISPFlagDefinition)
!7 = distinct !DISubprogram(name: "absolute", file: !1, unit: !2, spFlags: DISPFlagDefinition)
!8 = distinct !DISubprogram(name: "upper_half", file: !1, unit: !2, spFlags: DISPFlagDefinition)
!9 = !{}
