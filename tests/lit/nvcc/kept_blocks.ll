; Costly blocks stay until calls are inlined, those that compute in floating point to the last if-conversion, and those that end with a store throughout.
; RUN: %stage keep-costly-blocks %s | FileCheck %s --check-prefix=KEPT
; RUN: %stage keep-costly-blocks,release-cheap-blocks %s | FileCheck %s --check-prefix=CHEAP
; RUN: %stage keep-costly-blocks,release-blocks %s | FileCheck %s --check-prefix=ALL
target triple = "nvptx64-nvidia-cuda"
; KEPT-LABEL: @integers(
; KEPT: call void @llvm.sideeffect
; KEPT-LABEL: @floats(
; KEPT: call void @llvm.sideeffect
; KEPT-LABEL: @stores(
; KEPT: call void @llvm.sideeffect
; CHEAP-LABEL: @integers(
; CHEAP-NOT: call void @llvm.sideeffect
; CHEAP-LABEL: @floats(
; CHEAP: call void @llvm.sideeffect
; CHEAP-LABEL: @stores(
; CHEAP: call void @llvm.sideeffect
; ALL-LABEL: @integers(
; ALL-NOT: call void @llvm.sideeffect
; ALL-LABEL: @floats(
; ALL-NOT: call void @llvm.sideeffect
; ALL-LABEL: @stores(
; ALL: call void @llvm.sideeffect
define i32 @integers(i32 %n, i32 %m, i1 %c) !dbg !0 {
entry:
  br i1 %c, label %then, label %end
then:
  %x = udiv i32 %n, %m
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
!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!3}
!0 = distinct !DISubprogram(name: "integers", file: !1, unit: !2, spFlags: DISPFlagDefinition)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "floats", file: !1, unit: !2, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "stores", file: !1, unit: !2, spFlags: DISPFlagDefinition)
