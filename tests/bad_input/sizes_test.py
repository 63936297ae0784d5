#!/usr/bin/env python3
"""Sources that are too large, too long or too deep."""
import json
import os
import unittest

from case import Case, GOOD

LONG = bool(os.environ.get("SMEM_LINT_LONG_TESTS"))


class Sizes(Case):
    def test_hundred_thousand_lines(self):
        lines = ["// smem-lint: launch block=(32) grid=(2)", "__global__ void first(float *out) { out[threadIdx.x * 8] = 1; }"]
        while len(lines) < 99_000:
            i = len(lines)
            lines += [f"// {i}: nothing to see", f"__device__ int step_{i}(int x) {{", f"  return x * {i} + {i % 7};", "}", *[""] * (1 if LONG else 16)]
        lines += [""] * (99_990 - len(lines) - GOOD.count("\n")) + GOOD.strip("\n").split("\n")
        lines += [""] * (100_000 - len(lines))
        result, report = self.report("\n".join(lines) + "\n")
        self.assertEqual(result.code, 1, str(result))
        self.assert_good_kernel(report)
        where = lines.index("  tile[threadIdx.x][0] = threadIdx.x;") + 1
        self.assert_finding(report, "smem-bank-conflict", where)
        self.assertEqual(len(self.sites(report, "first", 2)), 1)

    def test_many_kernels(self):
        source = "".join(f"// smem-lint: launch block=(32) grid=(1)\n__global__ void k{i}(float *o) {{ o[threadIdx.x * {i % 9 + 1}] = {i}; }}\n"
                         for i in range(500))
        result, report = self.report(source)
        self.assertEqual(len(report["launches"]), 500, str(result)[-500:])
        self.assertEqual({site["verdict"] for launch in report["launches"] for site in launch["sites"]}, {"exact"})

    def test_long_kernel(self):
        body = "".join(f"  tile[(threadIdx.x * {i % 64}) % 1024] = {i};\n" for i in range(3000))
        _, report = self.report_beside_good("// smem-lint: launch block=(32) grid=(1)\n__global__ void wide(int *out) {\n  __shared__ volatile int tile[1024];\n"
                                            + body + "  out[threadIdx.x] = tile[threadIdx.x];\n}\n")
        self.assertEqual(len({site["line"] for site in self.sites(report, "wide")}), 3001)

    def test_one_very_long_line(self):
        filler = " ".join(f"x += {i};" for i in range(50_000))
        result = self.lint("// smem-lint: launch block=(32) grid=(1)\n__global__ void line(int *o) { __shared__ int t[1024]; int x = 0; " + filler +
                           " t[threadIdx.x * 32] = x; __syncthreads(); o[threadIdx.x] = t[threadIdx.x]; }\n")
        self.assertEqual(result.code, 1, str(result))
        self.assertIn("[smem-bank-conflict]", result.out)
        self.assertLess(max(len(line) for line in result.out.splitlines()), 1000)

    def test_brackets_nested_too_deeply(self):
        self.assert_fails(self.lint("__global__ void deep(int *o) {\n  o[0] = " + "(" * 20_000 + "1" + ")" * 20_000 + ";\n}\n"), "kernel.cu:2:", "error:")
        self.assert_fails(self.lint("__global__ void deep(int *o) {\n" + "{" * 20_000 + "}" * 20_000 + "\n}\n"), "kernel.cu:2:", "error:")

    def test_deep_nesting_that_compiles(self):
        _, report = self.report_beside_good("// smem-lint: launch block=(32) grid=(1) n=5\n__global__ void deep(int *o, int n) {\n"
                                            + "".join(f"if (n > {i % 4}) {{\n" for i in range(200)) + "o[threadIdx.x] = 1;\n" + "}" * 200 + "\n}\n")
        self.assertEqual([(site["verdict"], site["requests"]) for site in self.sites(report, "deep")], [("exact", 1)])

    def test_long_expression(self):
        self.report_beside_good("// smem-lint: launch block=(32) grid=(1) n=1\n__global__ void sum(int *o, int n) {\n  o[threadIdx.x + "
                                + " + ".join(f"n * {i % 3}" for i in range(3000)) + "] = 1;\n}\n")

    def test_index_in_an_index(self):
        _, report = self.report_beside_good("// smem-lint: launch block=(32) grid=(1)\n__global__ void chain(int *o) {\n  __shared__ int t[32];\n  t[threadIdx.x] = 31 - threadIdx.x;\n"
                                            "  __syncthreads();\n  o[threadIdx.x] = " + "t[" * 100 + "threadIdx.x" + "]" * 100 + ";\n}\n")
        self.assertEqual({site["verdict"] for site in self.sites(report, "chain")}, {"exact"})

    def test_huge_macro_expansion(self):
        levels = "#define M0(i) tile[(threadIdx.x + i) % 1024] = i;\n"
        for level in range(1, 7):
            levels += f"#define M{level}(i) " + " ".join(f"M{level - 1}(4 * i + {j})" for j in range(4)) + "\n"
        _, report = self.report_beside_good(levels + "// smem-lint: launch block=(32) grid=(1)\n__global__ void macros(int *out) {\n  __shared__ volatile int tile[1024];\n"
                                            "  M6(0)\n  out[threadIdx.x] = tile[threadIdx.x];\n}\n")
        stores = [site for site in self.sites(report, "macros") if site["operation"] == "store" and site["space"] == "shared"]
        self.assertEqual(sum(site["requests"] for site in stores), 4 ** 6)

    def test_macro_and_include_recursion(self):
        self.lint("#define A B\n#define B A\n__global__ void k(int *o) { o[0] = sizeof(\"A\"); }\n" + GOOD)
        self.assert_fails(self.lint("#include __FILE__\n"), "kernel.cu:1:", "nested too deeply")

    def test_endless_templates(self):
        result = self.lint("template <int N> struct Down { static const int value = Down<N + 1>::value; };\n"
                           "__global__ void k(int *o) { o[0] = Down<0>::value; }\n")
        self.assert_fails(result, "kernel.cu:1:", "error:")

    def test_more_instantiations_than_the_budget(self):
        """Not deep, only many: each number instantiates two more."""
        self.write("good.cu", GOOD)
        self.write("kernel.cu", "template <int A, int B> struct F { static constexpr int v = F<A - 1, 2 * B>::v + F<A - 1, 2 * B + 1>::v; };\n"
                                "template <int B> struct F<0, B> { static constexpr int v = B; };\n"
                                "// smem-lint: launch block=(32) grid=(1)\n"
                                "__global__ void k(int *out) {\n  out[threadIdx.x] = F<13, 0>::v;\n}\n")
        result = self.run_lint("--format=json", "--max-instantiations=20000", "kernel.cu", "good.cu")
        self.assert_fails(result, "kernel.cu:5:", "error: given up after 20000 template instantiations", "--max-instantiations")
        self.assert_good_kernel(json.loads(result.out))
        self.assertEqual(self.run_lint("--max-instantiations=200000", "kernel.cu").code, 0)
        self.assert_fails(self.run_lint("--max-instantiations=0", "kernel.cu"), "--max-instantiations=0")

    def test_switch_of_thousands(self):
        """Ten thousand each week: what it takes grows with the square."""
        count, chosen = (10_000, 5032) if LONG else (2500, 1237)
        cases = "".join(f"  case {i}: tile[(threadIdx.x * {i % 33}) % 1024] = {i % 1000}; break;\n" for i in range(count))
        _, report = self.report_beside_good(f"// smem-lint: launch block=(32) grid=(1) n={chosen}\n__global__ void switches(int *out, int n) {{\n"
                                            "  __shared__ volatile int tile[1024];\n  switch (n) {\n" + cases + "  }\n  out[threadIdx.x] = tile[threadIdx.x];\n}\n")
        reached = [site for site in self.sites(report, "switches") if site["requests"] and site["operation"] == "store" and site["space"] == "shared"]
        self.assertEqual([(site["line"], site["requests"], site["conflict_degree"]) for site in reached], [(5 + chosen, 1, 16)])

    def test_large_tables(self):
        self.report_beside_good("""\
            __device__ int zeros[1 << 28];
            __constant__ int table[] = {""" + ",".join(str(31 - i % 32) for i in range(16_000)) + """};
            // smem-lint: launch block=(32) grid=(1)
            __global__ void tables(int *out) {
              __shared__ int tile[32];
              tile[table[threadIdx.x + 7 * 32]] = zeros[threadIdx.x];
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """)

    def test_many_parameters_and_arrays(self):
        parameters = ", ".join(f"int p{i}" for i in range(500))
        arrays = "".join(f"  __shared__ int a{i}[4];\n  a{i}[threadIdx.x % 4] = p{i};\n" for i in range(500))
        self.report_beside_good(f"// smem-lint: launch block=(32) grid=(1)\n__global__ void wide(int *out, {parameters}) {{\n{arrays}  __syncthreads();\n"
                                "  out[threadIdx.x] = " + " + ".join(f"a{i}[0]" for i in range(500)) + ";\n}\n")


if __name__ == "__main__":
    unittest.main()
