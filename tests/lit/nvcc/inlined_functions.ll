; Functions that nvcc calls are inlined, as the analysis needs all code inside of kernels; their blocks are the kernel's then, whose analyses are made
; anew, and their locals dissolve. Where the source itself is executed no access goes for it, and blocks that follow each other are one.
; RUN: %stage inline-functions %s | FileCheck %s --check-prefix=INLINED
; RUN: %stage inline-functions,simplify-inlined %s | FileCheck %s
; RUN: %stage simplify-inlined %s | FileCheck %s --check-prefix=ALONE
; RUN: %stage inline-functions,keep-source-accesses %s | FileCheck %s --check-prefix=SOURCE
target triple = "nvptx64-nvidia-cuda"

; INLINED-LABEL: define {{.*}}@walk(
; INLINED-NOT: call void @step
; INLINED: alloca
; ALONE-LABEL: define {{.*}}@walk(
; ALONE: alloca
; ALONE: call void @step
; SOURCE-LABEL: define {{.*}}@walk(
; SOURCE-NOT: call
; SOURCE: store i32
; SOURCE: ret void
; CHECK-LABEL: define {{.*}}@walk(
; CHECK-NOT: call
; CHECK-NOT: alloca
; CHECK: phi
; CHECK: store i32
define ptx_kernel void @walk(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %slot = alloca i32, align 4
  store i32 %i, ptr %slot, align 4
  %some = icmp sgt i32 %n, 3
  br i1 %some, label %then, label %latch
then:
  call void @step(ptr %slot, i32 %n)
  %value = load i32, ptr %slot, align 4
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %value, ptr %at, align 4
  br label %latch
latch:
  call void @step(ptr %p, i32 %i)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

define internal void @step(ptr %s, i32 %k) noinline {
entry:
  %v = load i32, ptr %s, align 4
  %odd = icmp eq i32 %v, %k
  br i1 %odd, label %yes, label %no
yes:
  store i32 7, ptr %s, align 4
  br label %out
no:
  %w = mul i32 %v, 3
  store i32 %w, ptr %s, align 4
  br label %out
out:
  ret void
}

; A kernel without calls stays as it is.
; CHECK-LABEL: define {{.*}}@alone(
; CHECK: store i32 1
define ptx_kernel void @alone(ptr %p) {
  store i32 1, ptr %p, align 4
  ret void
}

; What is loaded twice is loaded twice by the source.
; CHECK-LABEL: define {{.*}}@twice(
; CHECK-COUNT-1: load i32
; CHECK-NOT: load
; SOURCE-LABEL: define {{.*}}@twice(
; SOURCE-COUNT-2: load i32
define ptx_kernel void @twice(ptr %p, ptr %q) {
  %a = load i32, ptr %p, align 4
  br label %next
next:
  %b = load i32, ptr %p, align 4
  %sum = add i32 %a, %b
  store i32 %sum, ptr %q, align 4
  ret void
}
