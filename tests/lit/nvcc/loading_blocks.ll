; A then block stays that a load is sunk into; not one whose load something else uses too, nor one that loads itself.
; RUN: %stage keep-loading-blocks %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: @used_there(
; CHECK: then:
; CHECK: call void @llvm.sideeffect
; CHECK-LABEL: @used_after(
; CHECK-NOT: call void @llvm.sideeffect
; CHECK-LABEL: @written_between(
; CHECK-NOT: call void @llvm.sideeffect
define i32 @used_there(ptr addrspace(1) %p, i1 %c) {
entry:
  %x = load i32, ptr addrspace(1) %p, align 4
  br i1 %c, label %then, label %end
then:
  %y = mul i32 %x, 3
  br label %end
end:
  %r = phi i32 [ %y, %then ], [ 0, %entry ]
  ret i32 %r
}
define i32 @used_after(ptr addrspace(1) %p, i1 %c) {
entry:
  %x = load i32, ptr addrspace(1) %p, align 4
  br i1 %c, label %then, label %end
then:
  %y = mul i32 %x, 3
  br label %end
end:
  %r = phi i32 [ %y, %then ], [ %x, %entry ]
  ret i32 %r
}
define i32 @written_between(ptr addrspace(1) %p, i1 %c) {
entry:
  %x = load i32, ptr addrspace(1) %p, align 4
  store i32 0, ptr addrspace(1) %p, align 4
  br i1 %c, label %then, label %end
then:
  %y = mul i32 %x, 3
  br label %end
end:
  %r = phi i32 [ %y, %then ], [ 0, %entry ]
  ret i32 %r
}
