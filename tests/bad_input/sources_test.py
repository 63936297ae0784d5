#!/usr/bin/env python3
"""Sources that do not compile, or hardly."""
import json
import os
import unittest

from case import Case, GOOD, SMEM_LINT


class Sources(Case):
    def test_syntax_error(self):
        result = self.lint("""\
            __global__ void bad(float *out) {
              out[threadIdx.x = 1;
            }
            """ + GOOD)
        self.assert_fails(result, "kernel.cu:2:", "error:")

    def test_broken_file_is_not_called_clean(self):
        self.assertNotIn("no findings", self.lint("__global__ void bad( {\n").out)

    def test_semantic_errors(self):
        for source, line, needle in (("__global__ void bad(float *out) {\n  out[0] = missing;\n}\n", 2, "missing"),
                                     ("__global__ int bad() { return 1; }\n", 1, "void"),
                                     ("void host();\n__global__ void bad() {\n  host();\n}\n", 3, "host"),
                                     ("#include \"missing.h\"\n", 1, "missing.h"),
                                     ("#error stop here\n", 1, "stop here"),
                                     ("__global__ void bad(float *o) {\n  static_assert(sizeof(o) == 1, \"why\");\n}\n", 2, "why")):
            self.assert_fails(self.lint(source), f"kernel.cu:{line}:", needle)

    def test_error_in_a_header_names_the_header(self):
        self.write("broken.h", "\n\nint x = ;\n")
        self.assert_fails(self.lint("#include \"broken.h\"\n" + GOOD), "broken.h:3:", "error:")

    def test_one_of_two_files_is_broken(self):
        self.write("broken.cu", "__global__ void bad( {\n")
        self.write("good.cu", GOOD)
        for files in (("broken.cu", "good.cu"), ("good.cu", "broken.cu")):
            result = self.run_lint("--format=json", *files)
            self.assert_fails(result, "broken.cu:1:", "error:")
            report = json.loads(result.out)
            self.assert_good_kernel(report)
            self.assertEqual({file["file"]: file["parsed"] for file in report["files"]}, {"broken.cu": False, "good.cu": True})

    def test_many_errors_are_cut_short(self):
        result = self.lint("".join(f"int x{i} = missing;\n" for i in range(5000)))
        self.assert_fails(result, "kernel.cu:1:", "error:")
        self.assertLess(len(result.err.splitlines()), 500)

    def test_no_kernel(self):
        result = self.lint("__device__ float twice(float x) { return 2 * x; }\n")
        self.assertEqual(result.code, 0, str(result))
        self.assertIn("kernel.cu: note: no kernel in this file", result.err)

    def test_host_only_file(self):
        result = self.lint("""\
            #include <cstdio>
            #include <string>
            #include <vector>
            int main(int argc, char **argv) {
              std::vector<std::string> words(argv, argv + argc);
              for (const std::string &word : words) std::printf("%s\\n", word.c_str());
              return 0;
            }
            """)
        self.assertEqual(result.code, 0, str(result))
        self.assertIn("no kernel in this file", result.err)

    def test_template_that_nobody_instantiates(self):
        result = self.lint("template <int N> __global__ void never(float *out) { out[N] = 0; }\n")
        self.assertEqual(result.code, 0, str(result))
        self.assertIn("template never<N> is not instantiated in this file; analysed as never<32> (assumed)", result.err)

    def test_kernel_that_is_only_declared(self):
        result, _ = self.report_beside_good("__global__ void elsewhere(float *);\nvoid f(float *p) { elsewhere<<<1, 32>>>(p); }\n")
        self.assertEqual(result.code, 1, str(result))

    def test_empty_kernel(self):
        self.report_beside_good("__global__ void nothing() {}\n")

    def test_bytes_that_are_not_utf8(self):
        result, _ = self.report_beside_good(b"// caf\xe9 \xff\xfe\n__constant__ char text[] = \"\xc3\x28\";\n")
        self.assertEqual(result.code, 1, str(result))

    def test_excerpts_are_utf8(self):
        text = self.lint(GOOD.replace("[0];", "[0];  // caf\xe9").encode("latin-1"))
        self.assertIn("[smem-bank-conflict]", text.out)

    def test_nul_bytes(self):
        self.report_beside_good(b"// a\0b\n")
        self.lint(GOOD.encode().replace(b"{\n", b"{\0\n"))
        self.lint(b"\0" * 1000)
        self.lint(b"__global__ void k() {}\n\0\0__global__ void l() { \0")

    def test_binary_file(self):
        with open(os.path.realpath(SMEM_LINT), "rb") as file:
            self.assertEqual(self.lint(file.read(200000)).code, 2)

    def test_line_endings_and_byte_order_mark(self):
        for contents in (GOOD.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + GOOD.encode(), GOOD.rstrip("\n").encode()):
            _, report = self.report(contents)
            self.assert_good_kernel(report)
            self.assertEqual(sorted(site["line"] for site in self.sites(report, "good")), [5, 7, 7])

    def test_unfinished_text(self):
        for end in ("/* no end", "\"no end", "R\"(no end", "#if 1\n", "\\", "'", "#define X(", "__global__ void k() {"):
            self.lint(GOOD + end)  # the verdict is Clang's; it has to come without a crash

    def test_wrong_comments(self):
        self.assert_fails(self.lint("// smem-lint: lunch block=(32)\n" + GOOD), "kernel.cu:1:", "launch")
        self.assert_fails(self.lint(GOOD.replace("block=(32)", "block=(0)")), "kernel.cu:2:", "block")
        self.assert_fails(self.lint(GOOD.replace("grid=(2)", "grid=(2) wdth=3")), "kernel.cu:2:", "wdth")


if __name__ == "__main__":
    unittest.main()
