#!/usr/bin/env python3
"""The precompiled prefix as users meet it: prefix_test.py SMEM_LINT TOOLKIT [unittest arguments]. TOOLKIT may be empty.

Every run has a cache folder of its own. What is compared is all that a run prints, byte by byte, with the exit code.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SMEM_LINT = os.path.abspath(sys.argv.pop(1))
TOOLKIT = sys.argv.pop(1)
ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNEL = """__global__ void k(float *a, int n) {
  __shared__ float s[32][32];
  s[threadIdx.x][0] = a[blockIdx.x * n];
  __syncthreads();
  a[threadIdx.x] = s[31 - threadIdx.x][0];
}
int main() { float *p; cudaMalloc(&p, 1 << 20); k<<<32, 32>>>(p, 7); }
"""
# Where a precompiled header could show: name, text, flags.
SOURCES = [
    ("an error in a template of the headers", KERNEL + '__device__ void f() { atomicAdd("x", 1); }\n', []),
    ("an error in a template of the C++ library", "#include <algorithm>\n#include <vector>\n" + KERNEL +
     "struct Z {};\nvoid f() { std::vector<Z> v; std::sort(v.begin(), v.end()); }\n", []),
    ("names that are nearly right", KERNEL + "__device__ int f(int *a) { syncthread(); return atomicAd(a, minn(1, warpSiz)); }\n", []),
    ("names of the headers", "struct float4 { int x; };\n__device__ int __popc(unsigned x) { return 3; }\nusing half = int;\n" + KERNEL, []),
    ("a header that is not there", KERNEL, ["-include", "nothere.h"]),
    ("C++20", "#include <math.h>\n#include <algorithm>\n" + KERNEL + "int g(int x) { return std::max(max(x, 1), 2); }\n", ["-std=c++20"]),
    ("macros", "#ifdef N\n#if N == MY_N\n" + KERNEL + "#endif\n#endif\n", ["-DN=3", "-DMY_N=3", "-Dmax=q"]),
    ("headers once more", "#pragma once\n#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n#include <cstdio>\n#include <cuda_runtime.h>\n" + KERNEL, []),
    ("counters", "#define CAT(a, b) a##b\n#define X(a) CAT(v, a)\n__device__ int X(__COUNTER__), X(__COUNTER__);\n" + KERNEL, []),
    ("a framework that is not there", "#include <torch/extension.h>\n#include <cudnn.h>\n" + KERNEL + "void h(torch::Tensor t) { unknown(t); }\n", []),
    ("a missing function of the C++ library", "#include <utility>\n" + KERNEL + "void f() { std::string s; assert(1); }\n", []),
    ("host code that leaves sizes open", "#include <cstdlib>\n" + KERNEL.replace("int main()", "int main(int c, char **v)").replace(
        "k<<<32, 32>>>(p, 7)", "for (int b = atoi(v[1]); b > 1; b /= 2) k<<<(b + 31) / 32, b>>>(p, atoi(v[2]))"), []),
    ("no kernel", "int main() { return 0; }\n", []),
    ("half a kernel", "__global__ void k(float *a) { a[threadIdx.x] = 1;", []),
]


LONG = bool(os.environ.get("SMEM_LINT_LONG_TESTS"))


def headers():
    return ["none", *([TOOLKIT] if TOOLKIT else [])]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.cache = self.folder / "cache"
        self.tool = SMEM_LINT
        self.installed = ""    # what was built with the program is not asked
        self.results = "none"  # nor are results kept

    def start(self, *arguments, cuda="none", cwd=None, stdin=subprocess.DEVNULL):
        environment = {**os.environ, "XDG_CACHE_HOME": str(self.cache), "SMEM_LINT_CACHE_KEY": "of the tests, not a user's", "NO_COLOR": "1",
                       "SMEM_LINT_PREFIXES": self.installed}
        environment["SMEM_LINT_CACHE_DIR"] = self.results
        environment = {name: value for name, value in environment.items() if value is not None}
        return subprocess.Popen([self.tool, f"--cuda-path={cuda}", *map(str, arguments)], cwd=cwd or self.folder, env=environment, text=True,
                                stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def lint(self, *arguments, **more):
        process = self.start(*arguments, **more)
        out, err = process.communicate(timeout=300)
        self.assertGreaterEqual(process.returncode, 0, err)
        return process.returncode, out, err

    def edit(self, *arguments, **more):
        """What an editor is told, with what it has precompiled."""
        process = self.start("--for-editor", "--quiet", *arguments, stdin=subprocess.PIPE, **more)
        out, err = process.communicate("{}", timeout=300)
        self.assertGreaterEqual(process.returncode, 0, err)
        return process.returncode, out, err

    def entries(self):
        return sorted(path for path in self.cache.rglob("*") if path.is_file())

    def contents(self):
        return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in self.entries()}

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)
        return name

    def same(self, *arguments, **more):
        """What is said without a prefix, with one that is made, and with one that was made before."""
        without = self.lint("--no-cache", *arguments, **more)
        self.same_as(without, *arguments, **more)
        return without

    def same_as(self, without, *arguments, **more):
        """With what is in the cache, and once more unless that run has only read it: else it would be the same run."""
        for _ in range(2):
            before = self.contents()
            self.assertEqual(self.lint(*arguments, **more), without)
            if before and before == self.contents():
                break


class Catalogue(Case):
    def test_all_kernels(self):
        files = sorted([*(ROOT / "kernels").glob("*.cu"), *(ROOT / "validate/everyday").glob("*.cu")])
        self.assertGreater(len(files), 50)
        # Each is analysed three times for each: in the suite some of them, all each week.
        every = 1 if LONG else 24
        for cuda in headers():
            for options, some in ((["--format=json"], files[::every]), (["--verbose"], files[1::2 * every])):
                code, out, _ = self.same("-j2", "--fail-on=never", *options, *some, cuda=cuda, cwd=ROOT)
                self.assertEqual(code, 0)
                self.assertGreater(len(out), 10_000)
            self.assertTrue(self.entries())


class Sources(Case):
    def test_where_it_could_show(self):
        """One in three with shipped headers, for editors as well one in six; with a toolkit's one in seven, but for the long run."""
        for cuda in headers():
            for number, (name, text, flags) in enumerate(SOURCES if LONG else SOURCES[::3] if cuda == "none" else SOURCES[::7]):
                with self.subTest(name, cuda=cuda):
                    self.write("k.cu", text)
                    self.same("--format=json", "k.cu", "--", *flags, cuda=cuda)
                    if cuda == "none" and (LONG or number % 2 == 0):
                        self.assertEqual(self.edit("k.cu", "--", *flags), self.edit("--no-cache", "k.cu", "--", *flags))

    def test_bounds_count_what_the_prefix_had(self):
        self.write("k.cu", "template <class T> __global__ void t(T *a) { a[threadIdx.x] = max(T(1), __ldg(&a[4])); }\n" +
                   "void f(float *p) { t<<<4, 32>>>(p); }\n")
        bounds = (1, 10, 300, 1000, 3000, 10000)
        codes = {self.same(f"--max-instantiations={most}", "k.cu", cuda=cuda)[0] for cuda in headers() for most in (bounds if LONG or cuda == "none" else bounds[2::3])}
        self.assertEqual(codes, {0, 2})

    def test_a_folder_with_a_header_of_the_prefix(self):
        self.write("inc/math.h", "#include_next <math.h>\n#define OTHER_MATH 1\n")
        self.write("k.cu", "#include <math.h>\n#ifdef OTHER_MATH\n" + KERNEL + "#endif\n")
        for cuda in headers():
            for flag in ("-I", "-iquote", "-isystem") if LONG or cuda == "none" else ("-I",):
                self.same("--format=json", "k.cu", "--", flag, "inc", cuda=cuda)
            self.assertIn("findings", self.lint("k.cu", "--", "-Iinc", cuda=cuda)[1])

    def test_folders_without_such_share_one(self):
        self.write("one/a.h", "")
        self.write("two/b.h", "")
        self.write("k.cu", KERNEL)
        for flags in ([], ["-Ione"], ["-Itwo", "-iquote", "one"]):
            self.same("k.cu", "--", *flags)
        self.assertEqual(len(self.entries()), 1)


HOST_AND_DEVICE = """#pragma once
#include <random>
int on_host(int);
inline __host__ __device__ int either(int x) { return on_host(x); }
static __device__ int unused(int x) { return x; }
template <class T> struct Box { T value; __host__ __device__ T twice() const { return value + value; } };
template <class T> __host__ __device__ T thrice(T x) { return Box<T>{x}.twice() + x; }
inline __host__ __device__ int six() { return thrice(2); }
"""
LAUNCHING = """#pragma once
#include <vector>
template <class T> __global__ void filled(T *a, int n, T with) {
  __shared__ T s[32][32];
  s[threadIdx.x][0] = with;
  if (blockIdx.x * blockDim.x + threadIdx.x < n)
    a[4 * (blockIdx.x * blockDim.x + threadIdx.x)] = s[threadIdx.x][0];
}
template <class T> void fill(T *a, int n, T with) {
  filled<T><<<(n + 31) / 32, 32>>>(a, n, with);
}
template <class T> struct Filler {
  static __global__ void inside(T *a) { a[8 * threadIdx.x] = T(0); }
  static void run(T *a) { fill(a, 1000, T(1)); }
};
"""
GUARDED = "#ifndef MY_GUARDED_H\n#define MY_GUARDED_H\n#include <vector>\n#include <cstdlib>\n#endif\n"
# The same for the headers that a source begins with: name, other files, text, flags, whether they are precompiled (None: errors have the prelude changed, or either way).
LEADING = [
    ("C and C++", {}, "#include <cstdio>\n#include <stdlib.h>\n#include <cmath>\n" + KERNEL, [], True),
    ("assert twice", {}, "#include <cassert>\n#include <cstdio>\n#define NDEBUG\n#include <cassert>\n" + KERNEL + "void f(int x) { assert(x.y); }\n", [], True),
    ("a header with a guard", {"a.h": GUARDED}, '// first\n#include "a.h"\n#include <cstdio>\n' + KERNEL, [], True),
    ("a guard that is the end of one of the prelude's", {"a.h": GUARDED.replace("MY_GUARDED_H", "ATTRIBUTES_H")}, '#include "a.h"\n' + KERNEL, [], True),
    ("a header that is included once", {"a.h": "#pragma once\n#include <vector>\n#define N 3\n#include <cstdio>\n"}, '#include "a.h"\n#include "a.h"\n' + KERNEL, [], True),
    ("a guard that was copied", {"a.h": GUARDED, "b.h": GUARDED.replace("vector", "list")}, '#include "a.h"\n#include "b.h"\n#ifdef _GLIBCXX_LIST\n' + KERNEL + "#endif\n", [], None),
    ("a guard of the system's", {"a.h": "#ifndef _STDIO_H\n#define _STDIO_H\n#include <stdio.h>\n#endif\n"}, '#include "a.h"\n' + KERNEL + "void f() { printf(1); }\n", [], None),
    ("a guard of the command line's, whose header is no more than that", {"a.h": GUARDED}, '#include "a.h"\n' + KERNEL, ["-DMY_GUARDED_H"], False),
    ("a guard of the command line's", {"a.h": GUARDED}, '#include "a.h"\n' + KERNEL + "std::vector<int> v;\n", ["-DMY_GUARDED_H"], None),
    ("macros of the command line", {}, "#include <vector>\n" + KERNEL + "std::vector<int> v(W);\n", ["-DW=3"], False),
    ("one that defines another time", {"inc/b.h": "inline int a();\n"}, "#include <b.h>\n" + KERNEL, ["-isystem", "inc"], False),
    ("one with another macro each time", {"inc/b.h": "#ifdef A\n#undef A\n#define A 2\n#else\n#define A 1\n#endif\n"},
     "#include <b.h>\n#include <vector>\n#if A == 1\n" + KERNEL + "#endif\n", ["-isystem", "inc"], False),
    ("one with a kernel", {"inc/b.h": "#pragma once\n#include <vector>\n" + KERNEL.replace("main", "f")}, "#include <b.h>\n" + KERNEL.replace("k(", "l(").replace("k<", "l<"), ["-isystem", "inc"], True),
    ("one with a kernel by a macro", {"inc/b.h": "#pragma once\n#include <vector>\n#define MAKE(a, b) a##b void f(int *p) { *p = threadIdx.x; }\nMAKE(__glo, bal__)\n#include <b2.h>\n",
                                      "inc/b2.h": "inline int behind();\n"}, "#include <b.h>\n" + KERNEL, ["-isystem", "inc"], True),
    ("one that speaks of kernels", {"inc/b.h": "#pragma once\n#include <vector>\n// __global__\n#define G __global__\n"}, "#include <b.h>\n" + KERNEL.replace("__global__", "G", 1), ["-isystem", "inc"], True),
    ("templates of kernels that nothing instantiates", {"inc/b.h": LAUNCHING}, "#include <b.h>\n" + KERNEL, ["-isystem", "inc"], True),
    ("templates of kernels that its functions launch", {"inc/b.h": LAUNCHING}, "#include <b.h>\n" + KERNEL + "void g(int *p, float *q) { fill(p, 100, 3); fill(q, 77, 1.5f); }\n", ["-isystem", "inc"], True),
    ("templates of kernels that the source launches and specialises", {"inc/b.h": LAUNCHING},
     "#include <b.h>\ntemplate <> __global__ void filled<char>(char *a, int n, char with) { a[threadIdx.x * 64] = with; }\n" +
     "void g(char *p, short *q) { filled<<<2, 64>>>(p, 5, 'x'); filled<short><<<3, 96>>>(q, 5, 2); Filler<long>::run(nullptr); }\n", ["-isystem", "inc"], True),
    ("kernels that a header instantiates", {"inc/b.h": LAUNCHING + "template __global__ void filled<double>(double *, int, double);\ninline void all(unsigned *p) { fill(p, 9, 4u); }\n"},
     "#include <b.h>\n" + KERNEL + "void g(unsigned *p) { all(p); }\n", ["-isystem", "inc"], True),
    ("a kernel of the unit's own, and one without a definition", {"inc/b.h": "#pragma once\n#include <vector>\nstatic __global__ void own(int *a) { a[2 * threadIdx.x] = 1; }\n__global__ void later(int *a);\n"},
     "#include <b.h>\n" + KERNEL + "__global__ void later(int *a) { a[3 * threadIdx.x] = 1; }\nvoid g(int *p) { own<<<1, 32>>>(p); later<<<1, 64>>>(p); }\n", ["-isystem", "inc"], True),
    ("one of the user's with its name", {"inc/vector": "#error not this one\n"}, "#include <vector>\n" + KERNEL, ["-Iinc"], None),
    ("one that is not there", {}, "#include <cstdio>\n#include <not_there.h>\n" + KERNEL, [], None),
    ("an error in one", {"inc/b.h": "#pragma once\nint x = y;\n"}, "#include <b.h>\n" + KERNEL, ["-isystem", "inc"], None),
    ("functions of the host that device code calls", {"inc/b.h": HOST_AND_DEVICE},
     "#include <b.h>\n__host__ __device__ inline int mine(int x) { return on_host(x) + either(x); }\n" + KERNEL.replace("{", "{ mine(1); ", 1), ["-isystem", "inc"], None),
    ("templates that its own code instantiates", {"inc/b.h": HOST_AND_DEVICE},
     "#include <b.h>\ntemplate <> __host__ __device__ long Box<long>::twice() const { return 2; }\n__global__ void l(int *a) { a[threadIdx.x * six() + thrice(1) + thrice(1L)] = 4; }\n" +
     "void g(int *p) { l<<<1, 32>>>(p); }\n" + KERNEL, ["-isystem", "inc"], None),
    ("a name that spans lines", {}, "#include <cst\\\ndio>\n#  include /* here */ <cmath> // and\n" + KERNEL, [], None),
]


class Leading(Case):
    def same_for_editors(self, *arguments, **more):
        without = self.lint("--no-cache", "--format=json", *arguments, **more)
        edited = self.edit("--no-cache", *arguments, **more)
        self.assertEqual(self.edit(*arguments, **more), edited)
        made = self.entries()
        self.assertEqual(self.lint("--format=json", *arguments, **more), without)
        return made

    def test_where_it_could_show(self):
        for cuda in headers():
            # Four runs each: in the suite one in four, and of the others two with a toolkit's headers; all each week.
            for name, files, text, flags, precompiled in LEADING if LONG else LEADING[::4] if cuda == "none" else LEADING[1::16]:
                with self.subTest(name, cuda=cuda):
                    self.clean()  # what others have left may come first
                    for path, content in files.items():
                        self.write(path, content)
                    self.write("k.cu", text)
                    made = self.same_for_editors("k.cu", "--", *flags, cuda=cuda)
                    if precompiled is not None:
                        self.assertEqual(sum(path.stat().st_size > 100_000 for path in made) == 2, precompiled)

    def test_whatever_else_could_show(self):
        """What Sources.test_where_it_could_show does, but that what is made for an editor is read by a run: one in twelve, but for the long run."""
        for name, text, flags in SOURCES[:: 1 if LONG else 12]:
            with self.subTest(name):
                self.write("k.cu", text)
                self.same_for_editors("k.cu", "--", *flags)

    def test_bounds_count_what_they_had(self):
        self.write("k.cu", "#include <vector>\n#include <cstdlib>\n" + KERNEL)
        self.edit("k.cu")
        for most in (1, 300, 3000, 10000):
            self.same(f"--max-instantiations={most}", "k.cu")

    def clean(self):
        shutil.rmtree(self.folder)
        self.folder.mkdir()

    def large(self):
        return sum(path.stat().st_size > 100_000 for path in self.entries())

    def test_a_run_of_one_file_makes_it_at_once(self):
        self.write("k.cu", "#include <vector>\n" + KERNEL)
        without = self.lint("--no-cache", "k.cu")
        for _ in range(3):
            self.assertEqual(self.lint("k.cu"), without)
            self.assertEqual((len(self.entries()), self.large()), (2, 2))

    def test_a_run_of_several_makes_it_the_second_time(self):
        self.write("k.cu", "#include <vector>\n" + KERNEL)
        self.write("l.cu", "// alike\n#include <vector>\n" + KERNEL)
        self.write("m.cu", KERNEL)
        without = self.lint("--no-cache", "k.cu", "m.cu")
        sizes = []
        for _ in range(3):
            self.assertEqual(self.lint("-j1", "k.cu", "m.cu"), without)
            sizes.append((len(self.entries()), self.large()))
        self.assertEqual(sizes, [(2, 1), (3, 2), (3, 2)])  # what has come before is noted
        shutil.rmtree(self.cache)
        self.lint("-j1", "k.cu", "l.cu")
        self.assertEqual(self.large(), 2)

    def test_kernels(self):
        for start, cuda in enumerate(headers()):
            for file in sorted((ROOT / "kernels").glob("*.cu"))[20 * start :: 20 if LONG else 60]:
                self.same_for_editors(file, cuda=cuda)


class Folder(Case):
    def setUp(self):
        super().setUp()
        self.write("k.cu", KERNEL)
        self.without = self.lint("--no-cache", "k.cu")

    def test_no_cache_writes_nothing(self):
        self.assertFalse(self.cache.exists())

    def damage(self, change):
        self.lint("k.cu")
        (entry,) = self.entries()
        whole = entry.read_bytes()
        change(entry, whole)
        self.assertEqual(self.lint("k.cu"), self.without)  # said to no one
        self.assertEqual(entry.read_bytes()[:18], whole[:18])
        return entry, whole

    def test_a_damaged_one_is_made_anew_and_said_once(self):
        for part in (0.01, 0.5, 1):
            def flip(entry, whole, part=part):
                at = min(int(len(whole) * part), len(whole) - 1)
                entry.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
            entry, _ = self.damage(flip)
            flip(entry, entry.read_bytes())
            self.write("l.cu", KERNEL)
            err = self.lint("--verbose", "-j1", "k.cu", "l.cu")[2]
            self.assertEqual(err.count("is made anew, as it is damaged"), 1, err)
            self.assertEqual(self.lint("--verbose", "k.cu")[2].count("made anew"), 0)

    def test_one_that_was_cut_off(self):
        for part in (0.0001, 0.3, 0.99):
            self.damage(lambda entry, whole, part=part: entry.write_bytes(whole[:max(20, int(len(whole) * part))]))

    def test_one_of_another_user(self):
        self.lint("k.cu")
        (entry,) = self.entries()
        environment = dict(os.environ, SMEM_LINT_PREFIXES="", XDG_CACHE_HOME=str(self.cache), SMEM_LINT_CACHE_KEY="of another user's own", NO_COLOR="1")
        theirs = entry.read_bytes()
        subprocess.run([SMEM_LINT, "--cuda-path=none", "k.cu"], cwd=self.folder, env=environment, check=False, capture_output=True)
        self.assertNotEqual(entry.read_bytes(), theirs)
        self.assertEqual(self.lint("k.cu"), self.without)

    def test_a_folder_that_cannot_be_used(self):
        self.cache.write_text("a file")
        self.assertEqual(self.lint("k.cu"), self.without)
        self.assertIn("precompiled prefixes:", self.lint("--verbose", "k.cu")[2])

    def test_a_folder_that_cannot_be_written(self):
        self.lint("k.cu")
        (entry,) = self.entries()
        entry.unlink()
        entry.mkdir()  # also for root, who may write read-only folders
        self.assertEqual(self.lint("k.cu"), self.without)
        self.assertIn("the cache is not written", self.lint("--verbose", "k.cu")[2])

    def test_a_full_one(self):
        limits = f"ulimit -f 100; exec {SMEM_LINT} --cuda-path=none k.cu"  # 100 KiB; a signal, unless it is ignored
        environment = dict(os.environ, SMEM_LINT_PREFIXES="", XDG_CACHE_HOME=str(self.cache), SMEM_LINT_CACHE_KEY="of the tests, not a user's", NO_COLOR="1")
        done = subprocess.run(["bash", "-c", "trap '' XFSZ; " + limits], cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), self.without)
        self.assertEqual(self.entries(), [])

    def test_several_at_the_same_time(self):
        for _ in range(3):
            shutil.rmtree(self.cache, ignore_errors=True)
            running = [self.start("k.cu") for _ in range(6)]
            for process in running:
                out, err = process.communicate(timeout=300)
                self.assertEqual((process.returncode, out, err), self.without)
            self.assertEqual(len(self.entries()), 1)
            self.assertEqual(self.lint("k.cu"), self.without)

    def test_several_files(self):
        names = [self.write(f"k{i}.cu", KERNEL) for i in range(6)]
        self.assertEqual(self.same("-j4", *names), self.same("-j1", *names))


class Installed(Case):
    """What --build-prefix makes for all who run the program."""

    def setUp(self):
        super().setUp()
        if os.stat(SMEM_LINT).st_uid not in (os.getuid(), 0) and os.getuid() != 0:
            self.skipTest("smem-lint belongs to another user, whose files alone are read")
        self.installed = str(self.folder / "installed")
        self.write("k.cu", KERNEL)
        self.without = self.lint("--no-cache", "k.cu")
        self.assertFalse(pathlib.Path(self.installed).exists())

    def install(self, **more):
        code, _, err = self.lint("--build-prefix", **more)
        self.assertEqual(code, 0, err)
        self.assertEqual(self.entries(), [])
        return [path for path in pathlib.Path(self.installed).rglob("*") if path.is_file()]

    def test_a_run_begins_with_it(self):
        for cuda in headers():
            without = self.lint("--no-cache", "k.cu", cuda=cuda)
            self.assertTrue(self.install(cuda=cuda))
            for _ in range(2):
                self.assertEqual(self.lint("k.cu", cuda=cuda), without)
            self.assertEqual(self.entries(), [])

    def test_what_a_file_begins_with_goes_on_from_it(self):
        (entry,) = self.install()
        before = entry.read_bytes()
        self.write("l.cu", "#include <vector>\n" + KERNEL)
        without = self.lint("--no-cache", "l.cu")
        for _ in range(2):
            self.assertEqual(self.lint("l.cu"), without)
            self.assertEqual(len(self.entries()), 1)
        self.assertEqual(entry.read_bytes(), before)

    def test_another_one_is_the_users(self):
        self.install()
        for flags in (["--arch=sm_80"], ["--", "-std=c++20"]):
            self.same("k.cu", *flags)
        self.assertEqual(len(self.entries()), 2)
        self.assertEqual(self.lint("--build-prefix", "--arch=sm_80", "--", "-std=c++20")[0], 0)
        self.same("k.cu", "--arch=sm_80", "--", "-std=c++20")
        self.assertEqual(len(self.entries()), 2)

    def unused(self):
        self.same("k.cu")
        self.assertEqual(len(self.entries()), 1)

    def test_one_that_others_can_write(self):
        (entry,) = self.install()
        entry.chmod(0o664)
        self.unused()

    def test_one_that_is_damaged(self):
        (entry,) = self.install()
        whole = entry.read_bytes()
        entry.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
        self.unused()

    def test_one_under_another_name(self):
        (entry,) = self.install()
        (other,) = set(self.install(cuda=TOOLKIT)) - {entry} if TOOLKIT else self.skipTest("no toolkit")
        shutil.copy(other, entry)
        self.unused()

    def test_a_link(self):
        (entry,) = self.install()
        entry.rename(self.folder / "elsewhere")
        entry.symlink_to(self.folder / "elsewhere")
        self.unused()

    def test_one_that_others_may_write_by_umask(self):
        before = os.umask(0)
        self.addCleanup(os.umask, before)
        self.install()
        self.same("k.cu")
        self.assertEqual(self.entries(), [])

    def test_without_a_cache_there_is_none(self):
        self.install()
        self.assertEqual(self.lint("--no-cache", "k.cu"), self.without)

    def test_where_it_cannot_be_written(self):
        pathlib.Path(self.installed).write_text("a file")
        code, _, err = self.lint("--build-prefix")
        self.assertEqual(code, 2)
        self.assertIn("--build-prefix: ", err)
        self.assertEqual(self.lint("k.cu"), self.without)

    def test_headers_that_have_an_error(self):
        code, _, err = self.lint("--build-prefix", "--", "-DNULL=", "-include", "not_there.h", cuda=str(self.folder))
        self.assertEqual(code, 2, err)

    def test_beside_the_program(self):
        shutil.copytree(ROOT / "analyzer/headers", self.folder / "share/smem-lint/headers")
        (self.folder / "bin").mkdir()
        self.tool = shutil.copy(SMEM_LINT, self.folder / "bin/smem-lint")
        self.installed = None
        self.assertEqual(self.lint("--build-prefix")[0], 0)
        self.assertEqual(len([path for path in (self.folder / "lib/smem-lint/prefixes").rglob("*") if path.is_file()]), 1)
        self.same("k.cu")
        self.assertEqual(self.entries(), [])


    def test_within_the_repository_that_is_analysed(self):
        self.test_beside_the_program()
        (self.folder / ".git").mkdir()
        self.same("k.cu")
        self.assertEqual(len(self.entries()), 1)

    def test_one_of_another_user(self):
        if os.getuid() != 0:
            self.skipTest("only root gives files away")
        (entry,) = self.install()
        os.chown(entry, 12345, -1)
        self.unused()


class Headers(Case):
    """With a copy of smem-lint and its headers, which can be changed."""

    def setUp(self):
        super().setUp()
        self.headers = self.folder / "share/smem-lint/headers"
        shutil.copytree(ROOT / "analyzer/headers", self.headers)
        (self.folder / "bin").mkdir()
        self.tool = shutil.copy(SMEM_LINT, self.folder / "bin/smem-lint")
        self.write("k.cu", "#ifndef PITCH\n#define PITCH 32\n#endif\n" + KERNEL.replace("[32][32]", "[32][PITCH]"))

    def test_a_header_that_changes(self):
        self.same("k.cu")
        prelude = self.headers / "smem_lint/keywords.h"
        text = prelude.read_text()
        before = self.lint("k.cu")
        prelude.write_text(text + "#define PITCH 33\n")
        self.assertNotEqual(self.same("k.cu")[1], before[1])
        prelude.write_text(text)
        self.assertEqual(self.same("k.cu"), before)

    def test_a_cached_result_holds_as_long_as_the_headers(self):
        results = f"--cache-dir={self.folder / 'results'}"
        self.lint("k.cu")
        prelude = self.headers / "smem_lint/keywords.h"
        text = prelude.read_text()
        before = [self.lint(results, "k.cu") for _ in range(2)]
        prelude.write_text(text + "#define PITCH 33\n")
        after = [self.lint(results, "k.cu") for _ in range(2)]
        self.assertEqual((before[0], after[0]), (before[1], after[1]))
        self.assertNotEqual(before[0], after[0])

    def test_a_cached_result_holds_until_one_appears(self):
        """In the working directory, for which a prefix made elsewhere has no place."""
        self.results = self.folder / "results"
        for arguments in ((), ("--", "-include", "pitch.h", f"-I{self.folder / 'inc'}")):
            with self.subTest(arguments):
                self.write("inc/pitch.h", "")
                before = [self.lint("k.cu", *arguments) for _ in range(2)]
                name = "pitch.h" if arguments else "smem_lint_cuda_prelude.h"
                self.write(name, f"#define PITCH 33\n#include_next <{name}>\n")
                after = [self.lint("k.cu", *arguments) for _ in range(2)]
                self.assertEqual((before[0], after[0]), (before[1], after[1]))
                self.assertNotEqual(before[0], after[0])
                (self.folder / name).unlink()

    def test_one_that_is_only_touched(self):
        self.same("k.cu")
        (entry,) = self.entries()
        written = entry.stat().st_mtime_ns
        for path in self.headers.rglob("*.h"):
            path.touch()
        self.same("k.cu")
        self.assertEqual(entry.stat().st_mtime_ns, written)

    def test_one_that_appears(self):
        """In the working directory, where Clang looks first for headers of the command line."""
        self.same("k.cu")
        self.write("smem_lint_cuda_prelude.h", '#define PITCH 33\n#include_next <smem_lint_cuda_prelude.h>\n')
        self.same("k.cu")

    def test_an_error_in_the_headers(self):
        with open(self.headers / "smem_lint/keywords.h", "a", encoding="utf-8") as file:
            file.write("int 1;\n")
        self.same("k.cu")


if __name__ == "__main__":
    unittest.main()
