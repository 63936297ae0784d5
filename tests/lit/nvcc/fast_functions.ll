; Fast functions are the one to three instructions that libdevice has for each: nothing of the exact ones, and loops over them unroll further.
; RUN: %stage describe-libdevice %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: @fast(
; CHECK: %[[#L:]] = call contract float @llvm.nvvm.lg2.approx.f(float %x)
; CHECK: %[[#M:]] = fmul contract float %y, %[[#L]]
; CHECK: call contract float @llvm.nvvm.ex2.approx.f(float %[[#M]])
; CHECK: %[[#E:]] = fmul float %x, 0x3FF7154760000000
; CHECK: call float @llvm.nvvm.ex2.approx.f(float %[[#E]])
; CHECK: call float @llvm.nvvm.sin.approx.f(float %x)
; CHECK: call float @llvm.nvvm.cos.approx.f(float %x)
; CHECK: call float @llvm.nvvm.div.approx.f(
; CHECK: call float @llvm.exp.f32(float %x)
; CHECK-NOT: @__nv_fast
; CHECK: ret void
define ptx_kernel void @fast(ptr addrspace(1) %out, float %x, float %y) {
  %a = call contract float @__nv_fast_powf(float %x, float %y)
  store float %a, ptr addrspace(1) %out
  %b = call float @__nv_fast_expf(float %x)
  store float %b, ptr addrspace(1) %out
  %c = call float @__nv_fast_tanf(float %x)
  store float %c, ptr addrspace(1) %out
  %d = call float @__nv_expf(float %x)
  store float %d, ptr addrspace(1) %out
  ret void
}
declare float @__nv_fast_powf(float, float)
declare float @__nv_fast_expf(float)
declare float @__nv_fast_tanf(float)
declare float @__nv_expf(float)
; CHECK-LABEL: @fast_pair(
; CHECK: %[[#S:]] = call float @llvm.nvvm.sin.approx.f(float %x)
; CHECK: store float %[[#S]], ptr %sine
; CHECK: %[[#C:]] = call float @llvm.nvvm.cos.approx.f(float %x)
; CHECK: store float %[[#C]], ptr %cosine
; CHECK-NEXT: ret void
define ptx_kernel void @fast_pair(ptr %sine, ptr %cosine, float %x) {
  call void @__nv_fast_sincosf(float %x, ptr %sine, ptr %cosine)
  ret void
}
declare void @__nv_fast_sincosf(float, ptr, ptr)
