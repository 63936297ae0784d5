; A load of which one byte is used is a load of that byte, and of a vector of words only those that are used.
; RUN: %stage demand-bytes %s | FileCheck %s
; RUN: %stage split-vectors %s | FileCheck %s --check-prefix=VECTOR
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @byte(
; CHECK: load i8
; CHECK: ret void
define ptx_kernel void @byte(ptr addrspace(1) %a, ptr addrspace(1) %out) {
  %x = load i32, ptr addrspace(1) %a
  %low = and i32 %x, 255
  %more = add i32 %low, 1
  store i32 %more, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: @all(
; CHECK: load i32
; CHECK: ret void
define ptx_kernel void @all(ptr addrspace(1) %a, ptr addrspace(1) %out) {
  %x = load i32, ptr addrspace(1) %a
  %low = and i32 %x, 255
  %more = add i32 %low, %x
  store i32 %more, ptr addrspace(1) %out
  ret void
}

; VECTOR-LABEL: @vector(
; VECTOR-COUNT-2: load i32
; VECTOR-NOT: load i32
; VECTOR: ret void
define ptx_kernel void @vector(ptr addrspace(1) %a, ptr addrspace(1) %out) {
  %x = load <4 x float>, ptr addrspace(1) %a
  %first = extractelement <4 x float> %x, i32 0
  %last = extractelement <4 x float> %x, i32 3
  %sum = fadd float %first, %last
  store float %sum, ptr addrspace(1) %out
  ret void
}

; VECTOR-LABEL: @whole(
; VECTOR: store <4 x float>
; VECTOR: ret void
define ptx_kernel void @whole(ptr addrspace(1) %a, ptr addrspace(1) %out) {
  %x = load <4 x float>, ptr addrspace(1) %a
  store <4 x float> %x, ptr addrspace(1) %out
  ret void
}
