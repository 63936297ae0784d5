; A truth value out of memory is compared with zero, so that it becomes one condition with another comparison; a truncation would not.
; RUN: %stage compare-booleans %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

@flag = internal addrspace(3) global i8 undef

; CHECK-LABEL: @loaded(
; CHECK: %[[BYTE:.*]] = load i8, ptr addrspace(3) @flag
; CHECK-NEXT: %bit = icmp ne i8 %[[BYTE]], 0
; CHECK-NEXT: ret i1 %bit
define i1 @loaded() {
  %byte = load i8, ptr addrspace(3) @flag, align 1, !range !0
  %bit = trunc i8 %byte to i1
  ret i1 %bit
}

; It may be 2: its lowest bit is another thing.
; CHECK-LABEL: @any_byte(
; CHECK: trunc i8
define i1 @any_byte() {
  %byte = load i8, ptr addrspace(3) @flag, align 1
  %bit = trunc i8 %byte to i1
  ret i1 %bit
}

; CHECK-LABEL: @computed(
; CHECK: trunc i8
define i1 @computed(i8 %byte) {
  %bit = trunc i8 %byte to i1
  ret i1 %bit
}

!0 = !{i8 0, i8 2}
