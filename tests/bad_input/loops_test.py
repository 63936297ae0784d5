#!/usr/bin/env python3
"""Loops and recursion that do not end, or not soon."""
import unittest

from case import Case, GOOD


class Loops(Case):
    def test_loop_without_end(self):
        result, report = self.report_beside_good("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void endless(volatile int *flag) {
              __shared__ volatile int tile[32];
              while (true)
                tile[threadIdx.x] = 1;
            }
            """)
        self.assertEqual(result.code, 1, str(result))
        rules = {finding["rule"]: finding for finding in report["findings"]}
        self.assertTrue({"unbounded-loop", "analysis-budget"} & rules.keys(), rules.keys())
        self.assert_unknown(report, "endless", 5)

    def test_spinning_on_memory(self):
        result, report = self.report_beside_good("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void spins(volatile int *flag, int *out) {
              __shared__ int tile[32];
              while (flag[0] == 0) {
              }
              tile[threadIdx.x] = 1;
              __syncthreads();
              out[threadIdx.x] = tile[31 - threadIdx.x];
            }
            """)
        self.assertIn(result.code, (0, 1), str(result))
        self.assert_unknown(report, "spins", 4)

    def test_data_dependent_loop(self):
        result, report = self.report_beside_good("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void list(const int *next, int *out) {
              __shared__ int tile[32];
              int at = threadIdx.x;
              while (at != 0) {
                tile[at % 32] = at;
                at = next[at];
              }
              __syncthreads();
              out[threadIdx.x] = tile[31 - threadIdx.x];
            }
            """)
        self.assertIn(result.code, (0, 1), str(result))
        self.assert_unknown(report, "list", 6)
        self.assert_unknown(report, "list", 7)
        reasons = [site["reason_location"] for site in self.sites(report, "list", 6)]
        self.assertTrue(all(place and place["line"] == 7 for place in reasons), reasons)

    def test_million_iterations(self):
        result, report = self.report("""\
            // smem-lint: launch block=(256) grid=(1000) n=1000000
            __global__ void walks(float *out, int n) {
              __shared__ volatile float tile[1024];
              for (int i = 0; i < n; ++i)
                tile[(threadIdx.x * 2 + i) % 1024] = 1;
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """)
        self.assertEqual(result.code, 1, str(result))
        store = self.sites(report, "walks", 5)
        self.assertEqual([(s["verdict"], s["requests"], s["wavefronts"], s["ideal_wavefronts"], s["conflict_degree"]) for s in store],
                         [("exact", 8 * 10**9, 16 * 10**9, 8 * 10**9, 2)])

    def test_loops_that_never_repeat_end_at_the_budget(self):
        source = """\
            // smem-lint: launch block=(1024) grid=(100000) n=2000000000
            __global__ void random(float *out, unsigned n) {
              __shared__ volatile float tile[1024];
              unsigned state = threadIdx.x + blockIdx.x * 7919u;
              for (unsigned i = 0; i < n; ++i) {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                tile[state % 1024] = 1;
              }
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """ + GOOD
        result, report = self.report(source, "--max-steps=100000")
        self.assertEqual(result.code, 1, str(result))
        self.assertIn("analysis-budget", [finding["rule"] for finding in report["findings"]])
        self.assert_unknown(report, "random", 9, "budget")
        self.assert_good_kernel(report)
        self.assertIn("--max-steps", self.run_lint("--explain=analysis-budget").out)

    def test_nested_loops(self):
        _, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1000) n=1000
            __global__ void nested(float *out, int n) {
              __shared__ volatile float tile[32][33];
              for (int a = 0; a < n; ++a)
                for (int b = 0; b < n; ++b)
                  for (int c = 0; c < n; ++c)
                    tile[threadIdx.x][c % 32] = a + b;
              out[threadIdx.x] = tile[threadIdx.x][0];
            }
            """)
        store = self.sites(report, "nested", 7)
        self.assertEqual([(s["verdict"], s["requests"], s["conflict_degree"]) for s in store], [("exact", 10**12, 1)])

    def test_recursion(self):
        result, report = self.report_beside_good("""\
            __device__ int fall(int *tile, int n) {
              if (n <= 1) return n;
              tile[n % 32] += 1;
              return fall(tile, n - 1) + fall(tile, n - 2);
            }
            // smem-lint: launch block=(32) grid=(1) n=40
            __global__ void recursive(int *out, int n) {
              __shared__ int tile[32];
              tile[threadIdx.x] = 0;
              __syncthreads();
              const int x = fall(tile, n);
              out[x % 32] = tile[threadIdx.x];
            }
            """)
        self.assertIn(result.code, (0, 1), str(result))
        self.assertIn("unknown", {site["verdict"] for site in self.sites(report, "recursive")})
        self.assertTrue(any("recurs" in (site["reason"] or "") for site in self.sites(report, "recursive")),
                        [site["reason"] for site in self.sites(report, "recursive")])

    def test_mutual_and_endless_recursion(self):
        self.report_beside_good("""\
            __device__ void pong(int *tile, int n);
            __device__ __noinline__ void ping(int *tile, int n) { tile[n & 31] = n; pong(tile, n + 1); }
            __device__ __noinline__ void pong(int *tile, int n) { tile[n & 31] = n; ping(tile, n + 2); }
            // smem-lint: launch block=(32) grid=(1)
            __global__ void endless(int *out) {
              __shared__ int tile[32];
              ping(tile, threadIdx.x);
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """)

    def test_kernel_of_nothing_but_an_endless_loop(self):
        for loop in ("for (;;) {}", "while (true) {}", "do {} while (true);"):
            self.report_beside_good("// smem-lint: launch block=(32) grid=(1)\n__global__ void endless(volatile int *out) {\n"
                                    f"  out[threadIdx.x] = 1;\n  {loop}\n  out[threadIdx.x] = 2;\n}}\n")

    def test_host_code_that_waits_for_ever(self):
        for loop in ("for (;;) {}", "while (true) {}", "do {} while (true);", "for (int i = 0; i < 1; i = i) {}"):
            _, report = self.report_beside_good(f"__global__ void k(float *out) {{ out[threadIdx.x] = 0; }}\nint main() {{ k<<<1, 32>>>(nullptr); {loop} }}\n")
            self.assertEqual([launch["block"] for launch in report["launches"] if launch["kernel"] == "k"], [[32, 1, 1]])

    def test_host_code_without_end(self):
        # Looking for launches must not run what does not stop.
        self.report_beside_good("""\
            __global__ void k(float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0; }
            int loops(int n) { while (true) ++n; return n; }
            int falls(int n) { return falls(n + 1) + 1; }
            void run(float *out) {
              for (;;) k<<<1, 32>>>(out, loops(1));
            }
            void other(float *out) { k<<<1, 64>>>(out, falls(1)); }
            void many(float *out) { for (long long i = 0; i < 1000000000000; ++i) k<<<1, 96>>>(out, i % 1000); }
            """)


if __name__ == "__main__":
    unittest.main()
