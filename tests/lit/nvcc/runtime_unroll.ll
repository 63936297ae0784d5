; Loops whose length is known where they begin: four iterations become one, or two where four would be too large; none where they run a few times only, or where
; nothing computes the length.
; RUN: %stage unroll %s | FileCheck %s
; RUN: %stage --rule=runtime_unroll_count=2 unroll %s | FileCheck %s --check-prefix=TWO
; RUN: %stage --rule=runtime_unroll_fewest_trips=15 unroll %s | FileCheck %s --check-prefix=FEW
; RUN: %stage --rule=runtime_unroll_bookkeeping=0 --rule=runtime_unroll_size=19 unroll %s | FileCheck %s --check-prefix=SMALL
; RUN: %stage --rule=runtime_unroll_bookkeeping=4 --rule=runtime_unroll_size=3 unroll %s | FileCheck %s --check-prefix=FOUR
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @loop(
; CHECK-COUNT-5: load volatile float
; CHECK-NOT: load volatile
; CHECK: ret void
; TWO-LABEL: @loop(
; TWO-COUNT-3: load volatile float
; TWO-NOT: load volatile
; TWO: ret void
; SMALL-LABEL: @loop(
; SMALL-COUNT-3: load volatile float
; SMALL-NOT: load volatile
; SMALL: ret void
; FOUR-LABEL: @loop(
; FOUR-COUNT-3: load volatile float
; FOUR-NOT: load volatile
; FOUR: ret void
define ptx_kernel void @loop(ptr addrspace(1) %a, i32 %n) {
entry:
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %end
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr float, ptr addrspace(1) %a, i32 %i
  %x = load volatile float, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

; At most 16 times.
; CHECK-LABEL: @short(
; CHECK-COUNT-1: load volatile float
; CHECK-NOT: load volatile
; CHECK: ret void
; FEW-LABEL: @short(
; FEW-COUNT-5: load volatile float
; FEW: ret void
define ptx_kernel void @short(ptr addrspace(1) %a, i32 %m) {
entry:
  %low = and i32 %m, 15
  %n = add nuw nsw i32 %low, 1
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr float, ptr addrspace(1) %a, i32 %i
  %x = load volatile float, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

; Data decides when it ends.
; CHECK-LABEL: @unknown(
; CHECK-COUNT-1: load volatile float
; CHECK-NOT: load volatile
; CHECK: ret void
define ptx_kernel void @unknown(ptr addrspace(1) %a) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr float, ptr addrspace(1) %a, i32 %i
  %x = load volatile float, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 1
  %again = fcmp olt float %x, 0.0
  br i1 %again, label %body, label %end
end:
  ret void
}

; What is left over of a loop within another is straight code, where a load of shared memory may meet the next in one window: three loads beside the four.
; CHECK-LABEL: @inner(
; CHECK-COUNT-7: load float
; CHECK-NOT: load float
; CHECK: ret void
; Steps of two words meet none: a loop of one iteration.
; CHECK-LABEL: @inner_apart(
; CHECK-COUNT-5: load float
; CHECK-NOT: load float
; CHECK: ret void
@tile = internal addrspace(3) global [1024 x float] undef, align 16
define ptx_kernel void @inner(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k.next, %outer.end ]
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %outer.end
body:
  %i = phi i32 [ 0, %outer ], [ %next, %body ]
  %at = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %x = load float, ptr addrspace(3) %at
  %to = getelementptr float, ptr addrspace(1) %a, i32 %i
  store volatile float %x, ptr addrspace(1) %to
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %outer.end
outer.end:
  %k.next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k.next, %m
  br i1 %more, label %outer, label %end
end:
  ret void
}
define ptx_kernel void @inner_apart(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k.next, %outer.end ]
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %outer.end
body:
  %i = phi i32 [ 0, %outer ], [ %next, %body ]
  %at = getelementptr <2 x float>, ptr addrspace(3) @tile, i32 %i
  %x = load float, ptr addrspace(3) %at
  %to = getelementptr float, ptr addrspace(1) %a, i32 %i
  store volatile float %x, ptr addrspace(1) %to
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %outer.end
outer.end:
  %k.next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k.next, %m
  br i1 %more, label %outer, label %end
end:
  ret void
}
