; LLVM's full unrolling is told what it does not know: loops over a local array that nvcc unrolls all the same, and loops with libdevice's functions that it does not.
; RUN: %stage choose-full-unrolling %s | FileCheck %s
; RUN: %stage --rule=full_unroll_size=3 choose-full-unrolling %s | FileCheck %s --check-prefix=LARGE
; RUN: %stage --rule=full_unroll_local_array_size=20 choose-full-unrolling %s | FileCheck %s --check-prefix=ARRAY
; RUN: %stage --rule=full_unroll_size=400 --rule=pow_size=100 choose-full-unrolling %s | FileCheck %s --check-prefix=POW
; RUN: %stage --rule=full_unroll_size=400 --rule=shuffle_size=100 choose-full-unrolling %s | FileCheck %s --check-prefix=SHUFFLE
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @local_array(
; CHECK: !llvm.loop [[FULL:![0-9]+]]
; LARGE-LABEL: @local_array(
; LARGE: !llvm.loop [[NOT:![0-9]+]]
; ARRAY-LABEL: @local_array(
; ARRAY-NOT: !llvm.loop
; ARRAY-LABEL: @shared_array(
define ptx_kernel void @local_array(ptr addrspace(1) %a) {
entry:
  %array = alloca [64 x i32]
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr [64 x i32], ptr %array, i32 0, i32 %i
  store i32 %i, ptr %at
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 64
  br i1 %again, label %body, label %end
end:
  ret void
}

@shared = internal addrspace(3) global [64 x i32] undef
; CHECK-LABEL: @shared_array(
; CHECK-NOT: !llvm.loop
; CHECK-LABEL: @mathematics(
define ptx_kernel void @shared_array() {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr [64 x i32], ptr addrspace(3) @shared, i32 0, i32 %i
  store i32 %i, ptr addrspace(3) %at
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 64
  br i1 %again, label %body, label %end
end:
  ret void
}

; CHECK-NOT: !llvm.loop
; CHECK: ret void
; POW-LABEL: @mathematics(
; POW: !llvm.loop [[WHOLE:![0-9]+]]
define ptx_kernel void @mathematics(ptr addrspace(1) %a) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %at = getelementptr float, ptr addrspace(1) %a, i32 %i
  %x = load float, ptr addrspace(1) %at
  %y = call float @llvm.pow.f32(float %x, float %x)
  store float %y, ptr addrspace(1) %at
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 4
  br i1 %again, label %body, label %end
end:
  ret void
}

; An exchange between lanes is several instructions.
; CHECK-LABEL: @exchange(
; CHECK-NOT: !llvm.loop
; CHECK: ret void
; SHUFFLE-LABEL: @exchange(
; SHUFFLE: !llvm.loop
define ptx_kernel void @exchange(ptr addrspace(1) %a) {
entry:
  br label %body
body:
  %i = phi i32 [ 1, %entry ], [ %next, %body ]
  %x = phi i32 [ 0, %entry ], [ %y, %body ]
  %y = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %x, i32 %i, i32 31)
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 6
  br i1 %again, label %body, label %end
end:
  store i32 %y, ptr addrspace(1) %a
  ret void
}
declare float @llvm.pow.f32(float, float)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
; CHECK: !{!"llvm.loop.unroll.full", i32 0}
; POW: !{!"smem_lint.not_whole", i32 0}
