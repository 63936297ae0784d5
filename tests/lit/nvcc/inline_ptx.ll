; Plain loads that are written as inline PTX are loads; guarded and volatile ones stay. Statements whose results nothing uses go, but those with effects.
; RUN: %stage read-inline-ptx %s | FileCheck %s
; RUN: %stage drop-dead-ptx %s | FileCheck %s --check-prefix=DEAD
; RUN: %stage simplify %s | FileCheck %s --check-prefix=EMPTY
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @statements(
; CHECK: load {{.*}} ptr addrspace(1)
; CHECK: asm sideeffect "ld.volatile.global.f32
; CHECK: asm sideeffect "st.async
; DEAD-LABEL: @statements(
; DEAD: ld.global.f32
; DEAD-NOT: ldmatrix
; DEAD: st.async
; EMPTY-LABEL: @statements(
; EMPTY-NOT: asm sideeffect ""
; EMPTY: ret void
define ptx_kernel void @statements(ptr addrspace(1) %a) {
  %address = ptrtoint ptr addrspace(1) %a to i64
  %x = call float asm sideeffect "ld.global.f32 $0, [$1];", "=f,l"(i64 %address)
  %y = call float asm sideeffect "ld.volatile.global.f32 $0, [$1];", "=f,l"(i64 %address)
  %z = call i32 asm sideeffect "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {$0}, [$1];", "=r,l"(i64 %address)
  call void asm sideeffect "", "~{memory}"()
  call void asm sideeffect "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [$0], $1, [$0];", "r,r"(i32 0, i32 1)
  %sum = fadd float %x, %y
  store float %sum, ptr addrspace(1) %a
  ret void
}

; An address in shared memory that another statement has made: what the number has of constants is not added again.
; CHECK-LABEL: @address_of_statement(
; CHECK: %[[SUM:.*]] = add i32 %{{.*}}, 384
; CHECK: %[[AT:.*]] = inttoptr i64 %{{.*}} to ptr addrspace(3)
; CHECK: getelementptr i8, ptr addrspace(3) %[[AT]], i64 16
; CHECK-NEXT: store i32 7, ptr addrspace(3)
define ptx_kernel void @address_of_statement(ptr %array) {
  %base = call i32 asm "{ .reg .u64 t; cvta.to.shared.u64 t, $1; cvt.u32.u64 $0, t; }", "=r,l"(ptr %array)
  %address = add i32 %base, 384
  call void asm sideeffect "st.shared.u32 [$0+16], $1;", "r,r"(i32 %address, i32 7)
  ret void
}
