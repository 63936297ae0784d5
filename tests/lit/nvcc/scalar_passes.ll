; Stages that are passes of LLVM: what each changes, and what it must leave.
; RUN: %stage scalarise-locals %s | FileCheck %s --check-prefix=LOCALS
; RUN: %stage early-cse %s | FileCheck %s --check-prefix=EARLY
; RUN: %stage late-cse %s | FileCheck %s --check-prefix=LATE
; RUN: %stage hoist-common-code %s | FileCheck %s --check-prefix=HOIST
; RUN: %stage combine %s | FileCheck %s --check-prefix=COMBINE
; RUN: %stage late-licm %s | FileCheck %s --check-prefix=LICM
; RUN: %stage late-simplify-cfg %s | FileCheck %s --check-prefix=CFG
target triple = "nvptx64-nvidia-cuda"

; A local array that constants index becomes values; one that a variable indexes stays in memory.
; LOCALS-LABEL: @constant_index(
; LOCALS-NOT: alloca
; LOCALS: ret i32 %x
define i32 @constant_index(i32 %x) {
  %a = alloca [2 x i32]
  %p = getelementptr i32, ptr %a, i64 1
  store i32 %x, ptr %p
  %v = load i32, ptr %p
  ret i32 %v
}
; LOCALS-LABEL: @variable_index(
; LOCALS: alloca [2 x i32]
; LOCALS: load i32
define i32 @variable_index(i32 %x, i64 %i) {
  %a = alloca [2 x i32]
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 %x, ptr %p
  %v = load i32, ptr %p
  ret i32 %v
}

; A second load of what nothing has written in between is the first one; a store in between, or a volatile load, keeps both.
; EARLY-LABEL: @loads_twice(
; EARLY-COUNT-1: load i32
; EARLY-NOT: load
; EARLY: ret i32
; LATE-LABEL: @loads_twice(
; LATE-COUNT-1: load i32
; LATE-NOT: load
; LATE: ret i32
define i32 @loads_twice(ptr addrspace(1) %p) {
  %a = load i32, ptr addrspace(1) %p
  %b = load i32, ptr addrspace(1) %p
  %s = mul i32 %a, %b
  ret i32 %s
}
; EARLY-LABEL: @written_between(
; EARLY-COUNT-2: load i32
; EARLY: ret i32
; LATE-LABEL: @written_between(
; LATE-COUNT-2: load i32
; LATE: ret i32
define i32 @written_between(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %a = load i32, ptr addrspace(1) %p
  store i32 1, ptr addrspace(1) %q
  %b = load i32, ptr addrspace(1) %p
  %s = mul i32 %a, %b
  ret i32 %s
}
; Only what asks which store wrote what sees that a store to an array that no other pointer leads to is none to the loaded one.
; EARLY-LABEL: @written_elsewhere(
; EARLY-COUNT-2: load i32
; LATE-LABEL: @written_elsewhere(
; LATE-COUNT-1: load i32
; LATE-NOT: load
; LATE: ret i32
define i32 @written_elsewhere(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q) {
  %a = load i32, ptr addrspace(1) %p
  store i32 1, ptr addrspace(1) %q
  %b = load i32, ptr addrspace(1) %p
  %s = mul i32 %a, %b
  ret i32 %s
}

; The same load at the head of both blocks is one before the branch; different ones stay where they are.
; HOIST-LABEL: @same_load(
; HOIST: load i32, ptr addrspace(1) %p
; HOIST-NOT: load
; HOIST: ret void
define void @same_load(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
  br i1 %c, label %then, label %else
then:
  %a = load i32, ptr addrspace(1) %p
  store i32 %a, ptr addrspace(1) %q
  call void @f()
  br label %end
else:
  %b = load i32, ptr addrspace(1) %p
  store i32 %b, ptr addrspace(1) %p
  call void @g()
  br label %end
end:
  ret void
}
; HOIST-LABEL: @different_loads(
; HOIST: br i1 %c
; HOIST: load i32, ptr addrspace(1) %p
; HOIST: load i32, ptr addrspace(1) %q
define void @different_loads(ptr addrspace(1) %p, ptr addrspace(1) %q, i1 %c) {
  br i1 %c, label %then, label %else
then:
  %a = load i32, ptr addrspace(1) %p
  store i32 %a, ptr addrspace(1) %q
  call void @f()
  br label %end
else:
  %b = load i32, ptr addrspace(1) %q
  store i32 %b, ptr addrspace(1) %p
  call void @g()
  br label %end
end:
  ret void
}

; COMBINE-LABEL: @adds_constants(
; COMBINE: add i32 %x, 7
; COMBINE-NEXT: ret
define i32 @adds_constants(i32 %x) {
  %a = add i32 %x, 3
  %b = add i32 %a, 4
  ret i32 %b
}
; COMBINE-LABEL: @adds_variables(
; COMBINE-COUNT-2: add i32
define i32 @adds_variables(i32 %x, i32 %y) {
  %a = add i32 %x, %y
  %b = add i32 %a, 4
  ret i32 %b
}

; A load of what the loop does not write leaves it; one that the loop may write stays.
; LICM-LABEL: @invariant(
; LICM: load i32, ptr addrspace(1) %p
; LICM: loop:
; LICM-NOT: load
; LICM: ret void
define void @invariant(ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %v = load i32, ptr addrspace(1) %p
  %to = getelementptr i32, ptr addrspace(1) %q, i32 %i
  store i32 %v, ptr addrspace(1) %to
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}
; LICM-LABEL: @may_be_written(
; LICM: loop:
; LICM: load i32, ptr addrspace(1) %p
define void @may_be_written(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %v = load i32, ptr addrspace(1) %p
  %to = getelementptr i32, ptr addrspace(1) %q, i32 %i
  store i32 %v, ptr addrspace(1) %to
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CFG-LABEL: @constant_branch(
; CFG-NOT: br
; CFG: ret void
define void @constant_branch(ptr addrspace(1) %p) {
  br i1 true, label %then, label %end
then:
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
; CFG-LABEL: @variable_branch(
; CFG: br i1 %c
; CFG: store i32 1
define void @variable_branch(ptr addrspace(1) %p, i1 %c) {
  br i1 %c, label %then, label %end
then:
  store i32 1, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
declare void @f()
declare void @g()

; A comparison that a nested branch has made is made again before the second branch: no lane goes past it.
; CFG-LABEL: @compared_again(
; CFG: store i32 1
; CFG: br i1 %inner, label %both, label %second
; CFG: second:
; CFG-NEXT: icmp eq i32 %x, 3
; CFG: ret void
define void @compared_again(ptr addrspace(1) %p, i32 %x, i1 %a) {
  br i1 %a, label %first, label %second
first:
  store i32 1, ptr addrspace(1) %p
  %inner = icmp eq i32 %x, 3
  br i1 %inner, label %both, label %second
both:
  %q = getelementptr i32, ptr addrspace(1) %p, i64 8
  store i32 2, ptr addrspace(1) %q
  br label %second
second:
  %again = icmp eq i32 %x, 3
  br i1 %again, label %third, label %end
third:
  %r = getelementptr i32, ptr addrspace(1) %p, i64 16
  store i32 3, ptr addrspace(1) %r
  br label %end
end:
  ret void
}
