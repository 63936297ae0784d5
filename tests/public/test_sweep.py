#!/usr/bin/env python3
"""The sweep and its checkers on files of their own: test_sweep.py SMEM_LINT."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SMEM_LINT = os.path.abspath(sys.argv.pop(1))
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import contradictions  # noqa: E402
import host_expressions  # noqa: E402
import include_folders  # noqa: E402
import kernels_of_text  # noqa: E402


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


class Expressions(unittest.TestCase):
    def value(self, text, **names):
        def lookup(name):
            if name not in names:
                raise host_expressions.Unknown(name)
            return names[name]
        return host_expressions.evaluate(text, lookup)

    def test_as_the_language_has_it(self):
        for text, value in (("(n + 127) / 128", 8), ("-7 / 2", -3), ("-7 % 3", -1), ("1 << 4 | 3", 19), ("n > 3 && !(n == 4)", 1), ("n ? 2 : m", 2), ("std::min(n, 32u)", 32),
                            ("(int)ceil(n / 300.0)", 4), ("static_cast<int>(n) * sizeof(float)", 4096), ("0x10 + 010", 24), ("2 + 3 * 4 - 1", 13), ("n == 0 ? m : 5", 5)):
            self.assertEqual(self.value(text, n=1024), value, text)

    def test_what_is_not_known_stays_so(self):
        for text in ("m", "n / 0", "n * n * n * n", "f(n)", "a.b", "n +", "p[0]", "(float3)n"):
            with self.assertRaises(host_expressions.Unknown, msg=text):
                self.value(text, n=1024)


class Kernels(unittest.TestCase):
    def test_names(self):
        text = """__global__ void __launch_bounds__(256, 2) a(float *x) {}
            template <class T> __global__ static void
            b(T) {} // __global__ void not_this() {}
            __global__ void declared(int); extern "C" __global__ void c() {} const char *s = "__global__ void nor_this() {}";
            template <> __global__ void d<float, 3>(int) {}
            static __global__ typename std::enable_if<(N > 3), void>::type e(int x) {}
            static __attribute__((global)) void __attribute__((launch_bounds(256))) f(int x) {}"""
        self.assertEqual(kernels_of_text.names_in(kernels_of_text.without_comments(text)), ["a", "b", "c", "d", "e", "f"])

    def test_text_of_kernels_is_none(self):
        text = 'auto s = R"(__global__ void a(int *p) { "x" })"; auto t = R"cu(__global__ void b() {})" })cu"; // "c"\n__global__ void d() {}\n'
        self.assertEqual(kernels_of_text.names_in(kernels_of_text.without_comments(text)), ["d"])

    def test_unmentioned(self):
        report = {"launches": [{"kernel": "ns::a<int>", "mangled": "_Z1a"}], "diagnostics": [{"message": "kernel b is not instantiated"}], "findings": []}
        self.assertEqual(kernels_of_text.unmentioned(["a", "b", "aa"], report), ["aa"])

    def test_only_the_file_itself_counts(self):
        text = '# 1 "k.cu"\n# 1 "other.h" 1\n__global__ void other() {}\n# 2 "k.cu" 2\n__global__ void own() {}\n'
        self.assertEqual(kernels_of_text.names_in(kernels_of_text.of_preprocessed(text, "k.cu")), ["own"])


class Includes(Folder):
    def test_nearest_and_their_own(self):
        self.write("lib/include/lib/a.h", '#include "lib/b.h"\n#include <cuda_runtime.h>\n')
        self.write("lib/include/lib/b.h", "#include <deep.h>\n")
        self.write("lib/src/deep.h", "")
        self.write("other/deep.h", "")
        self.write("lib/test/k.cu", '#include "beside.h"\n#include <lib/a.h>\n#include <nowhere.h>\n')
        self.write("lib/test/beside.h", "")
        self.assertEqual(include_folders.include_folders(include_folders.Repository(self.folder), "lib/test/k.cu", ()), ["lib/include", "lib/src"])

    def test_standard(self):
        for text, flags in (("", []), ("set(CMAKE_CUDA_STANDARD 14)", []), ("set(CMAKE_CUDA_STANDARD 14)\n-std=c++20", ["-std=c++20"]), ("CXX_STANDARD 98", [])):
            self.write("CMakeLists.txt", text)
            self.assertEqual(include_folders.standard(self.folder), flags, text)

    def test_what_hides_the_toolkit_is_not_taken(self):
        self.write("toolkit/cuda.h", "")
        self.write("repository/vendors/cuda.h", "")
        self.write("repository/vendors/own.h", "")
        self.write("repository/k.cu", "#include <own.h>\n#include <cuda.h>\n")
        self.assertEqual(include_folders.include_folders(include_folders.Repository(self.folder / "repository"), "k.cu", (), (str(self.folder / "toolkit"),)), [])


class Contradictions(Folder):
    KERNEL = "__global__ void k(float *x, int n, int m) {}\n"

    def of(self, host, grid=(1, 1, 1), block=(1, 1, 1), **arguments):
        path = self.write("k.cu", self.KERNEL + host)
        line, column = next((i, text.index("k<<<") + 1) for i, text in enumerate((self.KERNEL + host).split("\n"), 1) if "k<<<" in text)
        listed = [{"name": "x", "type": "float *", "pointer": True, "value": None}] + [{"name": n, "type": "int", "pointer": False, "value": v} for n, v in arguments.items()]
        listed = [{"index": i, "offset": 0, **argument} for i, argument in enumerate(listed)]
        self.report = {"launches": [{"kernel": "k", "grid": list(grid), "block": list(block), "arguments": listed,
                                     "origin": {"kind": "assumed", "location": {"file": str(path), "line": line, "column": column}}}]}
        return [text.split(": ", 2)[2] for text in contradictions.of(self.report, contradictions.host_texts(self.report))]

    def test_configuration(self):
        host = "void f(float *x, int n, int m) { k<<<(n + 127) / 128, m>>>(x, n, m); }"
        self.assertEqual(self.of(host, (8, 1, 1), (64, 1, 1), n=1024, m=64), [])
        self.assertEqual(self.of(host, (64, 1, 1), (256, 1, 1), n=1024, m=64),
                         ["grid.x is 64, `(n + 127) / 128` gives 8 (n=1024, m=64)", "block.x is 256, `m` gives 64 (n=1024, m=64)"])

    def test_arguments_as_the_report_has_them(self):
        host = "void f(float *x, int n, int m) {{ k<<<1, 1>>>(x, {}, n); }}"
        self.assertEqual(self.of(host.format("1.0"), n=1065353216, m=1), [])        # a float's bits
        self.assertEqual(self.of(host.format("-2"), n=2 ** 64 - 2, m=1), [])        # unsigned
        self.assertEqual(self.of(host.format("2 - 4"), n=7, m=1), ["n is 7, `2 - 4` gives 18446744073709551614 (n=7, m=1)"])
        self.assertEqual(self.of(host.format("2 + 4"), n=7, m=1), ["n is 7, `2 + 4` gives 6 (n=7, m=1)"])

    def test_members_of_structures_are_no_arguments(self):
        host = "void f(float *x, P p, int m) { k<<<1, 1>>>(x, p, 2 * m); }"
        member = {"type": "int", "pointer": False, "index": 1}
        site = contradictions.Site(self.KERNEL + host, 2, host.index("k<<<") + 1)
        pieces = [{"index": 0, "offset": 0}, {**member, "offset": 0, "value": 7}, {**member, "offset": 4, "value": 8}, {"index": 2, "offset": 0, "value": 6}]
        self.assertEqual([text for text, _ in contradictions.passed(site, pieces)], ["x", "2 * m"])

    def test_through_variables(self):
        host = "#define B 32\nvoid f(float *x, int n) {\n  const int blocks = n / B;\n  dim3 grid(blocks, 3), block(B);\n  k<<<grid, block>>>(x, n, 2 * n); }"
        self.assertEqual(self.of(host, (2, 3, 1), (32, 1, 1), n=64, m=128), [])
        self.assertEqual(self.of(host, (4, 3, 1), (32, 1, 1), n=64, m=64), ["grid.x is 4, `grid` gives 2 (n=64, m=64)", "m is 64, `2 * n` gives 128 (n=64, m=64)"])

    def test_dimensions_in_brackets_of_their_own(self):
        host = "void f(float *x, int n) {\n  dim3 b{32, 4}, g(up(n, b.x),\n up(n, b.y));\n  k<<<g, b>>>(x, n, 1); }"
        self.assertEqual(self.of(host, (2, 16, 1), (32, 4, 1), n=64, m=1), [])
        self.assertEqual(self.of(host, (2, 16, 1), (32, 8, 1), n=64, m=1), ["block.y is 8, `b` gives 4 (n=64, m=1)"])

    def test_functions_and_members(self):
        for helper in ("#define UP(a, b) (((a) + (b)-1) / (b))\n", "static inline int UP(int a, const int b) { return (a + b - 1) / b; }\n"):
            host = helper + "void f(float *x, int n) {\n  dim3 b(32);\n  dim3 g(UP(n, b.x));\n  k<<<g, b>>>(x, n, UP(n, 8)); }"
            self.assertEqual(self.of(host, (3, 1, 1), (32, 1, 1), n=65, m=9), [])
            self.assertEqual(self.of(host, (2, 1, 1), (32, 1, 1), n=65, m=8), ["grid.x is 2, `g` gives 3 (n=65, m=8)", "m is 8, `UP(n, 8)` gives 9 (n=65, m=8)"])

    def test_guards(self):
        host = 'void f(float *x, int n, int m) {{ {} k<<<1, 1>>>(x, n, m); }}'
        for guard, n, reached in (("if (n > 512) return;", 1024, False), ("if (n > 512) return;", 512, True), ("if (n != 0 && n != 1) { print(); exit(1); }", 2, False),
                                  ("assert(n % 32 == 0);", 33, False), ("assert(n % 32 == 0);", 64, True), ("if (n == 1)", 2, False), ("if (n == 1)", 1, True),
                                  ("if (m) g(); else assert(false);", 1, True), ("for (;;) if (n) break;", 1, True), ("n = g(); if (n > 1) return;", 2, True)):
            self.assertEqual(self.of(host.format(guard), n=n, m=1) == [], reached, guard)

    def test_dead_code(self):
        host = "#define MODE 0\nvoid f(float *x, int n, int m) {{ int mode = 10; {} k<<<n, 1>>>(x, n, m); }}"
        for guard, dead in (("if (mode == 9)", True), ("if (MODE)", True), ("if (mode != 10 || n < 2) {} else", False), ("if (mode == 10)", False), ("if (n == 9)", False),
                            ("if (mode == 10) return;", True), ("mode = g(); if (mode == 9)", False)):
            self.of(host.format(guard), (7, 1, 1), n=1, m=1)
            self.assertEqual(contradictions.dead_code(self.report, contradictions.host_texts(self.report)), dead, guard)
            self.assertEqual(contradictions.of(self.report, contradictions.host_texts(self.report)) == [], dead, guard)

    def test_what_changes_is_not_followed(self):
        host = "void f(float *x, int n, int m) {\n  int blocks = n;\n  blocks /= 2;\n  k<<<blocks, g()>>>(x, n, h[n]); }"
        self.assertEqual(self.of(host, (7, 1, 1), (9, 1, 1), n=1024, m=5), [])

    def test_one_name_has_one_value(self):
        self.assertEqual(self.of("void f(float *x, int n) { k<<<1, 1>>>(x, n, n); }", n=1, m=2), ["n is 1 and 2 (n=1, m=2)"])


class Sweep(Folder):
    def test_from_clones_to_figures(self):
        name = "owner/name"
        self.write("clones/owner+name/inc/size.h", "#define N 32\n")
        self.write("clones/owner+name/src/good.cu", '#include "size.h"\n__global__ void k(float *x) { x[threadIdx.x] = 1; }\nvoid f(float *x) { k<<<1, N>>>(x); }\n')
        self.write("clones/owner+name/src/broken.cu", "#include <gone.h>\n__global__ void k(gone *x) {}\n")
        self.write("clones/owner+name/src/host.cu", "int main() {}\n")
        self.write("clones/owner+name/data/big.bin", "0")
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", self.folder / "clones/owner+name"]
        for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "a"]):
            subprocess.run([*git, *command], check=True)
        commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
        listed = self.write("list.json", json.dumps({"seed": 1, "files": 9, "repositories": [{"repository": name, "commit": commit}]}))

        def sweep(command, *arguments):
            return subprocess.run([sys.executable, HERE / "sweep.py", command, "--list", listed, *arguments], check=True, capture_output=True, text=True, timeout=120).stdout
        sources = self.folder / "sources"
        sweep("sources", "--clones", self.folder / "clones", "-o", sources)
        self.assertFalse((sources / name / "data").exists())
        self.assertEqual(sweep("choose", "--sources", sources).split(), [f"{name}/src/broken.cu", f"{name}/src/good.cu"])
        nvcc = self.write("nvcc.json", json.dumps({f"{name}/src/good.cu": {"result": "compiles"}, f"{name}/src/broken.cu": {"result": "fails"}}))
        sweep("run", "--sources", sources, "--tool", SMEM_LINT, "--headers", "none", "--nvcc", nvcc, "-o", self.folder / "figures.json")
        figures = json.loads((self.folder / "figures.json").read_text())
        summary, (broken, good) = figures["summary"], figures["files"]
        self.assertEqual((broken["outcome"], good["outcome"], sum(good["rows"].values())), ("refused", "complete", 1))
        self.assertEqual((summary["compiled_by_nvcc"], summary["complete_of_these"], summary["silent"], summary["contradictory"]), (1, 1, 0, 0))
        # Packed for another machine, and side by side, it is the same.
        packed = self.folder / "packed"
        sweep("pack", "--sources", sources, "-o", packed)
        self.assertEqual(sorted(str(p.relative_to(packed)) for p in packed.rglob("*") if p.is_file()),
                         ["chosen.json", f"{name}/inc/size.h", f"{name}/src/broken.cu", f"{name}/src/good.cu"])
        sweep("run", "--sources", packed, "--chosen", packed / "chosen.json", "--tool", SMEM_LINT, "--headers", "none", "--jobs", "2", "-o", self.folder / "others.json")
        def without_costs(rows):
            return [{key: value for key, value in row.items() if key not in ("wall", "cpu", "mib", "clang", "clang_mib", "nvcc", "nvcc_kernels", "json_kib")} for row in rows]
        self.assertEqual(without_costs(json.loads((self.folder / "others.json").read_text())["files"]), without_costs(figures["files"]))


if __name__ == "__main__":
    unittest.main(verbosity=2)
