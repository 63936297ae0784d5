; What libdevice inlines, divisions and minima count as more than one instruction when loops are unrolled: a loop is unrolled at the size that the table of rules has, and not at
; a larger one. What is in no table counts as one, and what has loops of its own keeps the loop as it is.
; RUN: %stage unroll %s | FileCheck %s
; RUN: %stage --rule=division_size=1000 unroll %s | FileCheck %s --check-prefix=DIVISION
; RUN: %stage --rule=minimum_size=1000 unroll %s | FileCheck %s --check-prefix=MINIMUM
; RUN: %stage --rule=exp_size=1000 unroll %s | FileCheck %s --check-prefix=EXP
; RUN: %stage --rule=exp_double_size=1000 unroll %s | FileCheck %s --check-prefix=EXP-DOUBLE
; RUN: %stage --rule=log_size=1000 unroll %s | FileCheck %s --check-prefix=LOG
; RUN: %stage --rule=log_double_size=1000 unroll %s | FileCheck %s --check-prefix=LOG-DOUBLE
; RUN: %stage --rule=log1p_size=1000 unroll %s | FileCheck %s --check-prefix=LOG1P
; RUN: %stage --rule=tanh_size=1000 unroll %s | FileCheck %s --check-prefix=TANH
; RUN: %stage --rule=tanh_double_size=1000 unroll %s | FileCheck %s --check-prefix=TANH-DOUBLE
; RUN: %stage --rule=erf_size=1000 unroll %s | FileCheck %s --check-prefix=ERF
; RUN: %stage --rule=cbrt_size=1000 unroll %s | FileCheck %s --check-prefix=CBRT
; RUN: %stage --rule=pow_size=1000 unroll %s | FileCheck %s --check-prefix=POW
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @loop_division(
; CHECK-COUNT-3: load volatile
; CHECK: ret void
; DIVISION-LABEL: @loop_division(
; DIVISION-COUNT-1: load volatile
; DIVISION-NOT: load volatile
; DIVISION: ret void
define ptx_kernel void @loop_division(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %end
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = load volatile i32, ptr addrspace(1) %a
  %v = sdiv i32 %x, %m
  store volatile i32 %v, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: @loop_minimum(
; CHECK-COUNT-3: load volatile
; CHECK: ret void
; MINIMUM-LABEL: @loop_minimum(
; MINIMUM-COUNT-1: load volatile
; MINIMUM-NOT: load volatile
; MINIMUM: ret void
define ptx_kernel void @loop_minimum(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %end
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = load volatile i32, ptr addrspace(1) %a
  %v = call i32 @llvm.smin.i32(i32 %x, i32 %m)
  store volatile i32 %v, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: @loop_exp(
; CHECK-COUNT-3: load volatile
; CHECK: ret void
; EXP-LABEL: @loop_exp(
; EXP-COUNT-1: load volatile
; EXP-NOT: load volatile
; EXP: ret void
define ptx_kernel void @loop_exp(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %end
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = load volatile float, ptr addrspace(1) %a
  %v = call float @__nv_expf(float %x)
  store volatile float %v, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: @loop_exp_double(
; CHECK-COUNT-3: load volatile
; CHECK: ret void
; EXP-DOUBLE-LABEL: @loop_exp_double(
; EXP-DOUBLE-COUNT-1: load volatile
; EXP-DOUBLE-NOT: load volatile
; EXP-DOUBLE: ret void
define ptx_kernel void @loop_exp_double(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %end
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = load volatile double, ptr addrspace(1) %a
  %v = call double @__nv_exp(double %x)
  store volatile double %v, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: @loop_log(
; CHECK-COUNT-3: load volatile
; CHECK: ret void
; LOG-LABEL: @loop_log(
; LOG-COUNT-1: load volatile
; LOG-NOT: load volatile
; LOG: ret void
define ptx_kernel void @loop_log(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %end
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = load volatile float, ptr addrspace(1) %a
  %v = call float @__nv_logf(float %x)
  store volatile float %v, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: @loop_log_double(
; CHECK-COUNT-3: load volatile
; CHECK: ret void
; LOG-DOUBLE-LABEL: @loop_log_double(
; LOG-DOUBLE-COUNT-1: load volatile
; LOG-DOUBLE-NOT: load volatile
; LOG-DOUBLE: ret void
define ptx_kernel void @loop_log_double(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %end
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = load volatile double, ptr addrspace(1) %a
  %v = call double @__nv_log(double %x)
  store volatile double %v, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: @loop_log1p(
; CHECK-COUNT-3: load volatile
; CHECK: ret void
; LOG1P-LABEL: @loop_log1p(
; LOG1P-COUNT-1: load volatile
; LOG1P-NOT: load volatile
; LOG1P: ret void
define ptx_kernel void @loop_log1p(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %end
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = load volatile float, ptr addrspace(1) %a
  %v = call float @__nv_log1pf(float %x)
  store volatile float %v, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: @loop_tanh(
; CHECK-COUNT-3: load volatile
; CHECK: ret void
; TANH-LABEL: @loop_tanh(
; TANH-COUNT-1: load volatile
; TANH-NOT: load volatile
; TANH: ret void
define ptx_kernel void @loop_tanh(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %end
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = load volatile float, ptr addrspace(1) %a
  %v = call float @__nv_tanhf(float %x)
  store volatile float %v, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: @loop_tanh_double(
; CHECK-COUNT-3: load volatile
; CHECK: ret void
; TANH-DOUBLE-LABEL: @loop_tanh_double(
; TANH-DOUBLE-COUNT-1: load volatile
; TANH-DOUBLE-NOT: load volatile
; TANH-DOUBLE: ret void
define ptx_kernel void @loop_tanh_double(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %end
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = load volatile double, ptr addrspace(1) %a
  %v = call double @__nv_tanh(double %x)
  store volatile double %v, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: @loop_erf(
; CHECK-COUNT-3: load volatile
; CHECK: ret void
; ERF-LABEL: @loop_erf(
; ERF-COUNT-1: load volatile
; ERF-NOT: load volatile
; ERF: ret void
define ptx_kernel void @loop_erf(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %end
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = load volatile float, ptr addrspace(1) %a
  %v = call float @__nv_erff(float %x)
  store volatile float %v, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: @loop_cbrt(
; CHECK-COUNT-3: load volatile
; CHECK: ret void
; CBRT-LABEL: @loop_cbrt(
; CBRT-COUNT-1: load volatile
; CBRT-NOT: load volatile
; CBRT: ret void
define ptx_kernel void @loop_cbrt(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %end
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = load volatile float, ptr addrspace(1) %a
  %v = call float @__nv_cbrtf(float %x)
  store volatile float %v, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: @loop_pow(
; CHECK-COUNT-3: load volatile
; CHECK: ret void
; POW-LABEL: @loop_pow(
; POW-COUNT-1: load volatile
; POW-NOT: load volatile
; POW: ret void
define ptx_kernel void @loop_pow(ptr addrspace(1) %a, i32 %n, i32 %m) {
entry:
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %end
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = load volatile float, ptr addrspace(1) %a
  %v = call float @__nv_powf(float %x, float %x)
  store volatile float %v, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: @loop_sine(
; CHECK-COUNT-1: load volatile
; CHECK-NOT: load volatile
; CHECK: ret void
define ptx_kernel void @loop_sine(ptr addrspace(1) %a, i32 %n) {
entry:
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %end
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = load volatile float, ptr addrspace(1) %a
  %v = call float @__nv_sinf(float %x)
  store volatile float %v, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: @loop_other(
; CHECK-COUNT-5: load volatile
; CHECK-NOT: load volatile
; CHECK: ret void
define ptx_kernel void @loop_other(ptr addrspace(1) %a, i32 %n) {
entry:
  %enters = icmp sgt i32 %n, 0
  br i1 %enters, label %body, label %end
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %x = load volatile float, ptr addrspace(1) %a
  %v = call float @__nv_fabsf(float %x)
  store volatile float %v, ptr addrspace(1) %a
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}

declare double @__nv_exp(double) memory(none)
declare double @__nv_log(double) memory(none)
declare double @__nv_tanh(double) memory(none)
declare float @__nv_cbrtf(float) memory(none)
declare float @__nv_erff(float) memory(none)
declare float @__nv_expf(float) memory(none)
declare float @__nv_fabsf(float) memory(none)
declare float @__nv_log1pf(float) memory(none)
declare float @__nv_logf(float) memory(none)
declare float @__nv_powf(float, float) memory(none)
declare float @__nv_sinf(float) memory(none)
declare float @__nv_tanhf(float) memory(none)
declare i32 @llvm.smin.i32(i32, i32)
