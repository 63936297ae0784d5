; A structure that was taken apart in one block and put together in another is stored whole until nothing drops stores any more; in the same block, and of other values, it is split before.
; RUN: %stage split-structures %s | FileCheck %s
; RUN: %stage split-structures,split-structures-of-other-blocks %s | FileCheck %s --check-prefix=LATER
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @elsewhere(
; CHECK: store { i32, double }
; LATER-LABEL: @elsewhere(
; LATER-NOT: store { i32, double }
; LATER: store i32 %a, ptr {{.*}}, align 8
; LATER: store double %d, ptr {{.*}}, align 8
; LATER: ret void
define ptx_kernel void @elsewhere(ptr %at, i1 %c, double %d) {
  %a = load i32, ptr %at, align 8
  br i1 %c, label %then, label %end
then:
  %part = insertvalue { i32, double } poison, i32 %a, 0
  %all = insertvalue { i32, double } %part, double %d, 1
  store { i32, double } %all, ptr %at, align 8
  br label %end
end:
  ret void
}

; CHECK-LABEL: @same(
; CHECK: store i32 %a, ptr {{.*}}, align 8
; CHECK: store double %d, ptr {{.*}}, align 8
define void @same(ptr %at, double %d) {
  %a = load i32, ptr %at, align 8
  %1 = insertvalue { i32, double } poison, i32 %a, 0
  %2 = insertvalue { i32, double } %1, double %d, 1
  store { i32, double } %2, ptr %at, align 8
  ret void
}

; What has no value is not stored.
; CHECK-LABEL: @in_part(
; CHECK-NOT: store i32
; CHECK: store double %d
; CHECK-NOT: store i32
; CHECK: ret void
define void @in_part(ptr %at, double %d) {
  %1 = insertvalue { i32, double } poison, double %d, 1
  store { i32, double } %1, ptr %at, align 8
  ret void
}
