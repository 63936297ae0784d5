; Functions that nvcc calls are inlined, as the analysis needs all code inside of kernels; their blocks are the kernel's then, whose analyses are made
; anew, and their locals dissolve.
; RUN: %stage inline-functions %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

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
