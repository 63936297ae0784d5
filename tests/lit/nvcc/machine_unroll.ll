; ptxas unrolls once more what steps by a constant and is small: where lanes leave a loop at different iterations that decides which of them share a request. How large a body and how
; many loads of global memory it may have are rules; what divisions count as there, too. Up to the likely sizes a loop is four and two iterations long and one; beyond them the loop is
; left as it is, and beyond the others known to stay so.
; RUN: %stage --rule=runtime_unroll_count=1 unroll %s | FileCheck %s --check-prefixes=CHECK,AGAIN
; RUN: %stage --rule=runtime_unroll_count=1 --rule=unroll_likely_size=0 unroll %s | FileCheck %s --check-prefixes=CHECK,ONCE,OPEN
; RUN: %stage --rule=runtime_unroll_count=1 --rule=unroll_likely_loads=0 unroll %s | FileCheck %s --check-prefixes=CHECK,ONCE,OPEN
; RUN: %stage --rule=runtime_unroll_count=1 --rule=unroll_never_size=0 unroll %s | FileCheck %s --check-prefixes=CHECK,ONCE,NEVER
; RUN: %stage --rule=runtime_unroll_count=1 --rule=unroll_never_loads=1 unroll %s | FileCheck %s --check-prefixes=CHECK,ONCE,NEVER
; RUN: %stage --rule=runtime_unroll_count=1 --rule=exact_division_size=65 unroll %s | FileCheck %s --check-prefixes=CHECK,DIVISION
; RUN: %stage --rule=runtime_unroll_count=1 --rule=constant_division_size=65 unroll %s | FileCheck %s --check-prefixes=CHECK,CONSTANT
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @plain(
; AGAIN-COUNT-7: load volatile
; AGAIN-NOT: load volatile
; ONCE-COUNT-1: load volatile
; ONCE-NOT: load volatile
; DIVISION-COUNT-7: load volatile
; DIVISION-NOT: load volatile
; CONSTANT-COUNT-7: load volatile
; CONSTANT-NOT: load volatile
; CHECK: ret void
define ptx_kernel void @plain(ptr addrspace(1) %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %enters = icmp slt i32 %t, %n
  br i1 %enters, label %body, label %end
body:
  %k = phi i32 [ %t, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %body ]
  %at = getelementptr float, ptr addrspace(1) %a, i32 %k
  %x = load volatile float, ptr addrspace(1) %at
  %more = fadd float %sum, %x
  %next = add nuw nsw i32 %k, 40
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  %all = phi float [ 0.0, %entry ], [ %more, %body ]
  store float %all, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: @division(
; AGAIN-COUNT-7: load volatile
; AGAIN-NOT: load volatile
; ONCE-COUNT-1: load volatile
; ONCE-NOT: load volatile
; DIVISION-COUNT-1: load volatile
; DIVISION-NOT: load volatile
; CONSTANT-COUNT-7: load volatile
; CONSTANT-NOT: load volatile
; CHECK: ret void
define ptx_kernel void @division(ptr addrspace(1) %a, i32 %n, float %y) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %enters = icmp slt i32 %t, %n
  br i1 %enters, label %body, label %end
body:
  %k = phi i32 [ %t, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %body ]
  %at = getelementptr float, ptr addrspace(1) %a, i32 %k
  %x = load volatile float, ptr addrspace(1) %at
  %q = fdiv float %x, %y
  %more = fadd float %sum, %q
  %next = add nuw nsw i32 %k, 40
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  %all = phi float [ 0.0, %entry ], [ %more, %body ]
  store float %all, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: @by_constant(
; AGAIN-COUNT-7: load volatile
; AGAIN-NOT: load volatile
; ONCE-COUNT-1: load volatile
; ONCE-NOT: load volatile
; DIVISION-COUNT-7: load volatile
; DIVISION-NOT: load volatile
; CONSTANT-COUNT-1: load volatile
; CONSTANT-NOT: load volatile
; CHECK: ret void
define ptx_kernel void @by_constant(ptr addrspace(1) %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %enters = icmp slt i32 %t, %n
  br i1 %enters, label %body, label %end
body:
  %k = phi i32 [ %t, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %at = getelementptr i32, ptr addrspace(1) %a, i32 %k
  %x = load volatile i32, ptr addrspace(1) %at
  %q = udiv i32 %x, 7
  %more = add i32 %sum, %q
  %next = add nuw nsw i32 %k, 40
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  %all = phi i32 [ 0, %entry ], [ %more, %body ]
  store i32 %all, ptr addrspace(1) %a
  ret void
}

; NEVER: !"smem_lint.settled"
; OPEN-NOT: !"smem_lint.settled"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
