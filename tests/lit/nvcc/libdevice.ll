; What libdevice computes is an intrinsic where LLVM has one with the same meaning, else a function without effects. Others stay as they are.
; RUN: %stage describe-libdevice %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: @known(
; CHECK: call float @llvm.fabs.f32(
; CHECK: call i32 @llvm.smin.i32(
; CHECK: call float @__nv_erfcxf(
; CHECK: declare float @__nv_erfcxf(float) #[[PURE:[0-9]+]]
define ptx_kernel void @known(ptr addrspace(1) %out, float %x, i32 %n) {
  %a = call float @__nv_fabsf(float %x)
  store float %a, ptr addrspace(1) %out
  %b = call i32 @__nv_min(i32 %n, i32 8)
  store i32 %b, ptr addrspace(1) %out
  %c = call float @__nv_erfcxf(float %x)
  store float %c, ptr addrspace(1) %out
  ret void
}
declare float @__nv_fabsf(float)
declare i32 @__nv_min(i32, i32)
declare float @__nv_erfcxf(float)
; CHECK-LABEL: @defined(
; CHECK: call float @mine(
; CHECK: declare float @mine(float){{$}}
; CHECK: attributes #[[PURE]] = { {{.*}}speculatable willreturn memory(none) }
define ptx_kernel void @defined(ptr addrspace(1) %out, float %x) {
  %a = call float @mine(float %x)
  store float %a, ptr addrspace(1) %out
  ret void
}
declare float @mine(float)
