// An excess of wavefronts without a conflict is none: 16 bytes a lane are moved for eight lanes at a time, and every fourth lane is in every such group.
// RUN: %lint --fail-on=never %s 2>&1 | FileCheck %s --implicit-check-not=way
__global__ void every_fourth(float4 *out, const float4 *in) {
  __shared__ float4 tile[8];
  // CHECK: :[[#@LINE+3]]:{{.*}} warning: scattered lanes: store of tile[threadIdx.x / 4] takes 4 wavefronts instead of 1
  // CHECK: cause: no two lanes meet in a bank; 16 bytes a lane are moved for 8 lanes at a time, and the 8 active ones are in 4 such groups
  if (threadIdx.x % 4 == 0)
    tile[threadIdx.x / 4] = in[threadIdx.x];
  __syncwarp();
  if (threadIdx.x < 8)
    out[threadIdx.x] = tile[threadIdx.x];
}
int main() { every_fourth<<<1, 32>>>(nullptr, nullptr); }
