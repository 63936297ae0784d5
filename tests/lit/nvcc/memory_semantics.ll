; What Clang says of accesses that nvcc does not.
; RUN: %stage relax-atomics %s | FileCheck %s --check-prefix=RELAX
; RUN: %stage forget-types %s | FileCheck %s --check-prefix=TYPES
; RUN: %stage tell-fields-apart %s | FileCheck %s --check-prefix=FIELDS
; RUN: %stage free-computing-ptx %s | FileCheck %s --check-prefix=PTX
; RUN: %stage keep-vector-atomics %s | FileCheck %s --check-prefix=KEEP
; RUN: %stage align-dynamic-shared %s | FileCheck %s --check-prefix=ALIGN
target triple = "nvptx64-nvidia-cuda"

; Of dynamic shared memory 16 bytes at least; what has a size, and other memory, stays as it is.
; ALIGN: @bytes = external addrspace(3) global [0 x i8], align 16
; ALIGN: @lines = external addrspace(3) global [0 x float], align 128
; ALIGN: @fixed = internal addrspace(3) global [32 x float] undef, align 4
; ALIGN: @elsewhere = external addrspace(1) global [0 x float], align 4
@bytes = external addrspace(3) global [0 x i8], align 1
@lines = external addrspace(3) global [0 x float], align 128
@fixed = internal addrspace(3) global [32 x float] undef, align 4
@elsewhere = external addrspace(1) global [0 x float], align 4

; RELAX: atomicrmw add {{.*}} monotonic
; RELAX: cmpxchg {{.*}} monotonic monotonic
; RELAX: load float, {{.*}} !tbaa
; TYPES: atomicrmw add {{.*}} seq_cst
; TYPES: load float
; TYPES-NOT: !tbaa
define ptx_kernel void @accesses(ptr addrspace(1) %a) {
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 seq_cst
  %pair = cmpxchg ptr addrspace(1) %a, i32 1, i32 2 acq_rel acquire
  %x = load float, ptr addrspace(1) %a, !tbaa !0
  ret void
}

; Fields have notes by the innermost structure, what is no number itself has none.
; FIELDS-LABEL: define {{.*}}@fields
; FIELDS: %a = load float, ptr %x, {{.*}}!tbaa [[X:![0-9]+]]
; FIELDS: %b = load float, ptr %y, {{.*}}!tbaa [[Y:![0-9]+]]
; FIELDS: %c = load float, ptr %inner, {{.*}}!tbaa [[X]]
; FIELDS: %d = load float, ptr %element, align 4{{$}}
; FIELDS: %e = load float, ptr %p, align 4{{$}}
; FIELDS-DAG: [[X]] = !{[[PAIR:![0-9]+]], [[NUMBER:![0-9]+]], i64 0}
; FIELDS-DAG: [[Y]] = !{[[PAIR]], [[NUMBER]], i64 4}
%pair = type { float, float }
%nested = type { %pair, [2 x float] }
define float @fields(ptr %p) {
  %x = getelementptr inbounds %pair, ptr %p, i32 0, i32 0
  %y = getelementptr inbounds %pair, ptr %p, i32 0, i32 1
  %inner = getelementptr inbounds %nested, ptr %p, i32 0, i32 0, i32 0
  %element = getelementptr inbounds %nested, ptr %p, i32 0, i32 1, i32 1
  %a = load float, ptr %x, align 4
  %b = load float, ptr %y, align 4
  %c = load float, ptr %inner, align 4
  %d = load float, ptr %element, align 4
  %e = load float, ptr %p, align 4
  ret float %a
}

; Neither what has effects, nor what all lanes have to reach together.
; PTX: call i32 asm "popc.b32 $0, $1;", "=r,r"(i32 %x) [[FREE:#[0-9]+]]
; PTX: call i32 asm sideeffect "mov.u32 $0, $1;", "=r,r"(i32 %x) [[BOUND:#[0-9]+]]
; PTX: call i32 asm "shfl.sync.idx.b32 $0, $1, 0, 31, -1;", "=r,r"(i32 %x) [[BOUND]]
; KEEP: call i32 asm "popc.b32
define i32 @computing(i32 %x) {
  %a = call i32 asm "popc.b32 $0, $1;", "=r,r"(i32 %x) #0
  %b = call i32 asm sideeffect "mov.u32 $0, $1;", "=r,r"(i32 %x) #0
  %c = call i32 asm "shfl.sync.idx.b32 $0, $1, 0, 31, -1;", "=r,r"(i32 %x) #0
  %d = add i32 %a, %b
  %e = add i32 %d, %c
  ret i32 %e
}
; PTX-DAG: attributes [[BOUND]] = { convergent
; PTX-DAG: attributes [[FREE]] = { nounwind willreturn
attributes #0 = { convergent nounwind memory(none) }
!0 = !{!1, !1, i64 0}
!1 = !{!"float", !2}
!2 = !{!"root"}
