; Of two branches in a row with one condition the second goes, though lanes diverge; not where something stands between them.
; RUN: %stage thread-jumps %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: @in_a_row(
; CHECK: br i1 %c
; CHECK-NOT: br i1
; CHECK: ret void
define ptx_kernel void @in_a_row(ptr %p, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %first, label %between
first:
  %x = load i32, ptr %p
  br label %between
between:
  %a = phi i32 [ %x, %first ], [ 0, %0 ]
  br i1 %c, label %second, label %end
second:
  %q = getelementptr i32, ptr %p, i64 1
  %y = load i32, ptr %q
  br label %end
end:
  %b = phi i32 [ %y, %second ], [ 0, %between ]
  %s = add i32 %a, %b
  store i32 %s, ptr %p
  ret void
}
; CHECK-LABEL: @store_between(
; CHECK: br i1 %c
; CHECK: store i32 1, ptr %q
; CHECK: br i1 %c
; CHECK: ret void
define ptx_kernel void @store_between(ptr %p, ptr %q, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %first, label %between
first:
  store i32 2, ptr %p
  br label %between
between:
  store i32 1, ptr %q
  br i1 %c, label %second, label %end
second:
  store i32 3, ptr %p
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
