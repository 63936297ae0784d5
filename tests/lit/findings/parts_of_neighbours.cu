// nvcc loads the byte of each number that is used: lanes load side by side all the same. Of every other number half the sectors are for nothing.
// RUN: %lint-short --fail-on=never %s | FileCheck --implicit-check-not=uncoalesced --implicit-check-not=narrow %s
__global__ void low_bits(const int *in, unsigned char *out) { out[threadIdx.x] = in[threadIdx.x] & 15; }
__global__ void low_words(const long long *in, int *out) { out[threadIdx.x] = in[threadIdx.x]; }
// CHECK: [[#@LINE+1]]:85: warning: uncoalesced load of in[2 * threadIdx.x] moves 8 sectors instead of 1 [gmem-uncoalesced]
__global__ void every_other(const int *in, unsigned char *out) { out[threadIdx.x] = in[2 * threadIdx.x] & 15; }
void run(int *in, unsigned char *out) {
  low_bits<<<8, 256>>>(in, out);
  low_words<<<8, 256>>>((long long *)in, (int *)out);
  every_other<<<8, 256>>>(in, out);
}
