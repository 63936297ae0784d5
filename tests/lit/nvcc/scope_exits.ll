; Ways out of a scope that has variables: blocks that only end the variables' lives and switch on where to are passed by, so that the condition of `break` leaves the loop.
; RUN: %stage keep-source-accesses %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define {{.*}}@walk(
; CHECK: body:
; CHECK: %done = icmp sge i32 %k, %n
; CHECK-NEXT: br i1 %done, label %leave, label %more
; CHECK: leave:
; CHECK-NOT: switch
; CHECK: store i32 %k, ptr %p
; CHECK: more:
; CHECK: store i32
; CHECK: br label %body
define ptx_kernel void @walk(ptr %p, i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %onwards ]
  %from = getelementptr i32, ptr %p, i32 %i
  %k = load volatile i32, ptr %from, align 4
  %done = icmp sge i32 %k, %n
  br i1 %done, label %leave, label %more
leave:
  br label %cleanup
more:
  store i32 %i, ptr %from, align 4
  br label %cleanup
cleanup:
  %where = phi i32 [ 3, %leave ], [ 0, %more ]
  %seen = phi i32 [ %k, %leave ], [ 0, %more ]
  switch i32 %where, label %unreachable [
    i32 0, label %onwards
    i32 3, label %out
  ]
onwards:
  %next = add i32 %i, 1
  br label %body
out:
  %last = phi i32 [ %seen, %cleanup ]
  store i32 %last, ptr %p, align 4
  ret void
unreachable:
  unreachable
}

; A block that does something else, too, is not passed by.
; CHECK-LABEL: define {{.*}}@computes(
; CHECK: cleanup: ; preds = %b, %a
; CHECK: store i32 7
; CHECK: br i1 %cond, label %two, label %one
define ptx_kernel void @computes(ptr %p, i32 %n) {
entry:
  %some = icmp sge i32 %n, 3
  br i1 %some, label %a, label %b
a:
  br label %cleanup
b:
  br label %cleanup
cleanup:
  %where = phi i32 [ 3, %a ], [ 0, %b ]
  store i32 7, ptr %p, align 4
  switch i32 %where, label %one [
    i32 0, label %two
  ]
one:
  store i32 1, ptr %p, align 4
  br label %two
two:
  ret void
}

; Nor is the header of a loop, which would be entered in two places.
; CHECK-LABEL: define {{.*}}@states(
; CHECK: head: ; preds = %one, %zero, %entry
; CHECK: switch i32 %state
define ptx_kernel void @states(ptr %p, i32 %start) {
entry:
  br label %head
head:
  %state = phi i32 [ %start, %entry ], [ 1, %zero ], [ 0, %one ]
  switch i32 %state, label %out [
    i32 0, label %zero
    i32 1, label %one
  ]
zero:
  store volatile i32 0, ptr %p, align 4
  br label %head
one:
  store volatile i32 1, ptr %p, align 4
  br label %head
out:
  ret void
}
