; sin() of a double loads three pairs of coefficients by what its argument is, y0() six; exp() loads none, nor does sinf().
; RUN: %stage load-coefficients %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK: @__cudart_sin_cos_coeffs = external addrspace(1) constant [16 x double], align 16
; CHECK-LABEL: @k(
; CHECK: call double @llvm.sin.f64
; CHECK-COUNT-3: load <2 x double>, ptr addrspace(1) {{.*}}, align 16
; CHECK-NOT: load
; CHECK: call double @__nv_y0
; CHECK-COUNT-6: load <2 x double>, ptr addrspace(1) {{.*}}, align 16
; CHECK-NOT: load
define void @k(double %x, float %y, ptr addrspace(1) %p) {
  %a = call double @llvm.sin.f64(double %x)
  %b = call double @__nv_y0(double %a)
  %c = call double @__nv_exp(double %b)
  %d = call float @__nv_sinf(float %y)
  %e = fpext float %d to double
  %f = fadd double %c, %e
  store double %f, ptr addrspace(1) %p
  ret void
}
declare double @llvm.sin.f64(double)
declare double @__nv_y0(double)
declare double @__nv_exp(double)
declare float @__nv_sinf(float)
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
