; What asks whether a pointer leads to shared memory is answered where its variable is known, and the code for other memory goes; of an argument it stays.
; RUN: %stage answer-space-tests %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

@bar = internal addrspace(3) global i64 undef, align 8
declare i1 @llvm.nvvm.isspacep.shared(ptr)
declare i1 @llvm.nvvm.isspacep.global(ptr)

; CHECK-LABEL: define void @known(
; CHECK-NOT: isspacep
; CHECK: store i32 1, ptr %out
; CHECK-NOT: store i32 2
define void @known(ptr %out) {
  %is = call i1 @llvm.nvvm.isspacep.shared(ptr addrspacecast (ptr addrspace(3) @bar to ptr))
  %not = xor i1 %is, true
  br i1 %not, label %elsewhere, label %here
here:
  store i32 1, ptr %out
  ret void
elsewhere:
  store i32 2, ptr %out
  ret void
}

; CHECK-LABEL: define void @global(
; CHECK-NOT: isspacep
; CHECK: store i32 2, ptr %out
define void @global(ptr %out) {
  %is = call i1 @llvm.nvvm.isspacep.global(ptr addrspacecast (ptr addrspace(3) @bar to ptr))
  br i1 %is, label %elsewhere, label %here
here:
  store i32 2, ptr %out
  ret void
elsewhere:
  store i32 1, ptr %out
  ret void
}

; CHECK-LABEL: define void @not_known(
; CHECK: isspacep
; CHECK: store i32 1
; CHECK: store i32 2
define void @not_known(ptr %out) {
  %is = call i1 @llvm.nvvm.isspacep.shared(ptr %out)
  br i1 %is, label %here, label %elsewhere
here:
  store i32 1, ptr %out
  ret void
elsewhere:
  store i32 2, ptr %out
  ret void
}

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @known, !"kernel", i32 1}
!1 = !{ptr @global, !"kernel", i32 1}
!2 = !{ptr @not_known, !"kernel", i32 1}
