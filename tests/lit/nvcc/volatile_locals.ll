; Volatile variables of a thread become registers, and what is loaded for one that nothing reads goes. What an index finds stays in memory.
; RUN: %stage release-volatile-locals %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

@s = internal addrspace(3) global [32 x i32] undef

declare void @use(ptr)
declare void @llvm.nvvm.barrier0()

; CHECK-LABEL: @sink(
; CHECK-NEXT: ret void
define ptx_kernel void @sink() {
  %x = alloca i32
  %a = load i32, ptr addrspace(3) @s
  store volatile i32 %a, ptr %x
  ret void
}

; CHECK-LABEL: @read(
; CHECK-NEXT: %a = load i32, ptr addrspace(3) @s
; CHECK-NEXT: store i32 %a, ptr addrspace(1) %out
; CHECK-NEXT: ret void
define ptx_kernel void @read(ptr addrspace(1) %out) {
  %x = alloca { i32, i32 }
  %second = getelementptr i8, ptr %x, i64 4
  %a = load i32, ptr addrspace(3) @s
  %b = load i32, ptr addrspace(3) getelementptr (i32, ptr addrspace(3) @s, i64 1)
  store volatile i32 %a, ptr %x
  store volatile i32 %b, ptr %second
  %c = load volatile i32, ptr %x
  store i32 %c, ptr addrspace(1) %out
  ret void
}

; The sum of a loop, which goes round in a circle.
; CHECK-LABEL: @sum(
; CHECK-NOT: addrspace(3)
; CHECK: call void @llvm.nvvm.barrier0()
; CHECK-NOT: addrspace(3)
; CHECK: ret void
define ptx_kernel void @sum(i32 %n) {
entry:
  %x = alloca i32
  store volatile i32 0, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier0()
  %a = load i32, ptr addrspace(3) @s
  %b = load volatile i32, ptr %x
  %c = add i32 %a, %b
  store volatile i32 %c, ptr %x
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @indexed(
; CHECK: store volatile i32 %a
define ptx_kernel void @indexed(i64 %k) {
  %x = alloca [4 x i32]
  %place = getelementptr i32, ptr %x, i64 %k
  %a = load i32, ptr addrspace(3) @s
  store volatile i32 %a, ptr %place
  ret void
}

; CHECK-LABEL: @escapes(
; CHECK: store volatile i32 %a
define ptx_kernel void @escapes() {
  %x = alloca i32
  %a = load i32, ptr addrspace(3) @s
  store volatile i32 %a, ptr %x
  call void @use(ptr %x)
  ret void
}

; What other threads see is another matter.
; CHECK-LABEL: @shared(
; CHECK: store volatile i32 7
define ptx_kernel void @shared() {
  store volatile i32 7, ptr addrspace(3) @s
  ret void
}
