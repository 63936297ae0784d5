#!/usr/bin/env python3
"""Several translation units: units_test.py SMEM_LINT [unittest arguments].

What one unit launches, or calls, is known to the analysis of another. Every case runs the real program on small sources in a folder of its own.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

SMEM_LINT = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "smem-lint"

KERNEL = """\
#include <cuda_runtime.h>
__global__ void scale(float *data, int n) {
  __shared__ float tile[1024];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x * 2 % 1024] = i < n ? data[i] : 0;
  __syncthreads();
  if (i < n) data[i] = tile[threadIdx.x];
}
"""
DECLARED = """\
#include <cuda_runtime.h>
__global__ void scale(float *data, int n);
int main() {
  float *data;
  cudaMalloc(&data, 1 << 20);
  scale<<<64, 128>>>(data, 8192);
}
"""
WRAPPER = KERNEL + """\
void launch_scale(float *data, int n, cudaStream_t stream) {
  const int threads = 256;
  scale<<<(n + threads - 1) / threads, threads, 0, stream>>>(data, n);
}
"""
CALLER = """\
#include <cuda_runtime.h>
void launch_scale(float *data, int n, cudaStream_t stream);
int main() {
  float *data;
  cudaMalloc(&data, 1 << 20);
  launch_scale(data, 4096, 0);
}
"""


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_lint(self, *arguments, subcommand=(), env=None):
        environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CLICOLOR_FORCE")}
        environment.setdefault("SMEM_LINT_CACHE_KEY", "of the tests, not a user's")
        environment.update(env or {})
        return subprocess.run([SMEM_LINT, *subcommand, "--cuda-path=none", *arguments], cwd=self.folder.name, text=True,
                              capture_output=True, timeout=120, check=False, env=environment)

    def launches(self, *arguments, kernel="scale"):
        """Grid, block, known arguments by name, place of the launch and of the call, kind; of each launch of a kernel."""
        result = self.run_lint("--format=json", "--fail-on=never", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        found = []
        for launch in json.loads(result.stdout)["launches"]:
            if launch["kernel"].split("<")[0].split("::")[-1] != kernel:
                continue
            origin = launch["origin"]
            place = lambda at: f'{at["file"]}:{at["line"]}' if at and at["line"] else None
            found.append({"file": launch["file"], "grid": tuple(launch["grid"]), "block": tuple(launch["block"]),
                          "n": next((a["value"] for a in launch["arguments"] if a.get("name") == "n"), None), "kind": origin["kind"],
                          "at": place(origin["location"]), "called": place(origin.get("called_from")),
                          "assumptions": origin["assumptions"], "verdicts": {site["verdict"] for site in launch["sites"]}})
        return found


class Launches(Case):
    def test_declared_kernel(self):
        self.write("a.cu", KERNEL)
        self.write("b.cu", DECLARED)
        alone = self.launches("a.cu")
        self.assertEqual([launch["kind"] for launch in alone], ["assumed"])
        [launch] = self.launches("a.cu", "b.cu")
        self.assertEqual((launch["grid"], launch["block"], launch["n"]), ((64, 1, 1), (128, 1, 1), 8192))
        self.assertEqual((launch["at"], launch["called"], launch["verdicts"]), ("b.cu:6", None, {"exact"}))

    def test_report_names_the_launch(self):
        self.write("a.cu", KERNEL)
        self.write("b.cu", DECLARED)
        self.assertIn("launch: host code at b.cu:6:3", self.run_lint("--table", "a.cu", "b.cu").stdout)
        self.write("a.cu", WRAPPER)
        self.write("b.cu", CALLER)
        self.assertIn("launch: host code at a.cu:11:3, called at b.cu:6:3", self.run_lint("--table", "a.cu", "b.cu").stdout)

    def test_wrapper(self):
        self.write("a.cu", WRAPPER)
        self.write("b.cu", CALLER)
        self.assertNotIn({"exact"}, [launch["verdicts"] for launch in self.launches("a.cu")])
        [launch] = self.launches("b.cu", "a.cu")
        self.assertEqual((launch["grid"], launch["block"], launch["n"]), ((16, 1, 1), (256, 1, 1), 4096))
        self.assertEqual((launch["at"], launch["called"], launch["verdicts"]), ("a.cu:11", "b.cu:6", {"exact"}))

    def test_callers_in_folders(self):
        self.write("src/a.cu", WRAPPER)
        self.write("src/main.cu", CALLER)
        self.write("src/unrelated.cu", "int unrelated( {")
        [launch] = self.launches("src")
        self.assertEqual((launch["n"], launch["called"]), (4096, "src/main.cu:6"))

    def test_callers_of_the_database(self):
        self.write("src/a.cu", WRAPPER)
        self.write("host/main.cpp", '#include "sizes.h"\n' + CALLER.replace("4096", "kSize"))
        self.write("host/include/sizes.h", "constexpr int kSize = 512;\n")
        self.write("host/other.cpp", "int other( {")  # names nothing of the kernels' and is not read
        self.write("host/broken.cpp", '#include "missing.h"\nvoid launch_scale(float *, int, cudaStream_t); int broken( {')
        entries = [{"directory": self.folder.name, "file": file, "arguments": ["c++", "-Ihost/include", "-c", file]}
                   for file in ("src/a.cu", "host/main.cpp", "host/other.cpp", "host/broken.cpp", "host/gone.cpp")]
        self.write("build/compile_commands.json", json.dumps(entries))
        for arguments in (("-p", "build"), ("-p", "build", "."), (".",)):
            [launch] = self.launches(*arguments)
            self.assertEqual((launch["n"], launch["called"], launch["verdicts"]), (512, "host/main.cpp:7", {"exact"}), arguments)
        self.assertNotIn("host/", self.run_lint("-p", "build").stderr)
        # A file by itself is analysed by itself.
        self.assertEqual([launch["called"] for launch in self.launches("-p", "build", "src/a.cu")], [None])

    def test_exclude_that_matches_nothing(self):
        self.write("src/a.cu", KERNEL)
        said = "note: --exclude: nothing in these folders matches '"
        self.assertIn(said, self.run_lint("--exclude=b.cu", "src").stderr)
        self.write("src/build/x.txt", "")  # which is left out in any case
        for arguments in (("--exclude=a.cu", "src"), ("--exclude=b.cu", "src/a.cu"), ("--exclude=build", "src")):
            self.assertNotIn(said, self.run_lint(*arguments).stderr, arguments)

    def test_database_with_missing_files(self):
        self.write("a.cu", KERNEL)
        def analysed(*files):
            self.write("build/compile_commands.json", json.dumps([{"directory": self.folder.name, "file": file, "arguments": ["nvcc", "-c", file]} for file in files]))
            return self.run_lint("-p", "build", "--table")
        result = analysed("a.cu", "gone.cu", "/nonexistent/b.cu", "host.cpp")
        self.assertEqual(result.returncode, 2)
        for name in ("gone.cu", "/nonexistent/b.cu"):
            self.assertIn(f"{name}: error: no such file; the compilation database in 'build' names it: build the project again, or leave it out with --exclude\n", result.stderr)
        self.assertIn("scale", result.stdout)
        self.assertNotIn("host.cpp", result.stderr)
        result = analysed("gone.cu")
        self.assertEqual(result.returncode, 2)
        self.assertNotIn("has no CUDA file", result.stderr)
        self.assertIn("the compilation database has no CUDA file", analysed("host.cpp").stderr)

    def test_chain_of_wrappers(self):
        self.write("a.cu", WRAPPER)
        self.write("b.cu", CALLER.replace("int main()", "void run(int n)").replace("4096", "2 * n"))
        self.write("c.cu", "void run(int n);\nint main() { run(1024); run(2048); }\n")
        self.assertEqual(sorted(launch["n"] for launch in self.launches("c.cu", "b.cu", "a.cu")), [2048, 4096])

    def test_structure_by_reference(self):
        self.write("p.h", "struct Sizes { int rows, columns; float scale; };\n")
        self.write("a.cu", '#include "p.h"\n' + KERNEL +
                   "void launch_all(float *data, const Sizes &s, dim3 block) { scale<<<s.rows, block>>>(data, s.rows * s.columns); }\n")
        self.write("b.cu", '#include <cuda_runtime.h>\n#include "p.h"\nvoid launch_all(float *data, const Sizes &s, dim3 block);\n'
                   "int main() { float *d; cudaMalloc(&d, 4096); launch_all(d, Sizes{8, 96, 1.f}, dim3(32, 2)); }\n")
        [launch] = self.launches("a.cu", "b.cu")
        self.assertEqual((launch["grid"], launch["block"], launch["n"]), ((8, 1, 1), (32, 2, 1), 768))

    def test_other_ways_to_call(self):
        self.write("l.h", "#include <cuda_runtime.h>\ntemplate <class T> void typed(T *d, int n);\nextern \"C\" void c_launch(float *d, int n = 96);\n"
                   "struct Layer { int width = 2; void forward(float *d, int n); };\nnamespace ns { void by_pointer(float *d, int n); }\n")
        self.write("a.cu", '#include "l.h"\n' + KERNEL + "template <class T> void typed(T *d, int n) { scale<<<1, 32>>>(d, n); }\n"
                   "template void typed<float>(float *, int);\nvoid c_launch(float *d, int n) { scale<<<2, 32>>>(d, n); }\n"
                   "void Layer::forward(float *d, int n) { scale<<<3, 32>>>(d, width * n); }\n"
                   "void ns::by_pointer(float *d, int n) { scale<<<4, 32>>>(d, n); }\n")
        self.write("b.cpp", '#include "l.h"\ntemplate <class F> void twice(F &&f, float *d) { for (int i = 0; i < 2; ++i) f(d, 128); }\n'
                   "int main() { float *d; cudaMalloc((void **)&d, 4096); typed(d, 32); c_launch(d); Layer l; l.forward(d, 32); twice(ns::by_pointer, d); }\n")
        found = self.launches("a.cu", "b.cpp")
        self.assertEqual(sorted((launch["grid"][0], launch["n"]) for launch in found), [(1, 32), (2, 96), (3, 64), (4, 128)])
        self.assertEqual([launch["verdicts"] for launch in found], [{"exact"}] * 4)

    def test_values_that_are_not_known_stay_so(self):
        self.write("a.cu", WRAPPER)
        self.write("b.cu", CALLER.replace("int main()", "int main(int argc, char **argv)").replace("4096", "argc > 1 ? argv[1][0] : rand()")
                   .replace("#include", "#include <cstdlib>\n#include", 1))
        for launch in self.launches("a.cu", "b.cu"):
            self.assertNotEqual(launch["verdicts"], {"exact"})
        self.write("a.cu", KERNEL)
        self.write("b.cu", DECLARED.replace("int main()", "void run(int n)").replace("8192", "n").replace("<<<64, 128", "<<<n, 128"))
        [launch] = self.launches("a.cu", "b.cu")
        self.assertEqual(launch["block"], (128, 1, 1))
        self.assertNotIn("exact", launch["verdicts"] - {"exact"} or {"assumed"})
        self.assertTrue(launch["assumptions"])

    def test_what_is_assumed_of_the_run_is_handed_on(self):
        self.write("a.cu", WRAPPER)
        self.write("b.cu", CALLER.replace("int main()", "int main(int argc, char **argv)").replace("4096", "argc > 1 ? 64 : 512"))
        [launch] = self.launches("a.cu", "b.cu")
        self.assertEqual(launch["n"], 512)
        self.assertIn("the program is run without arguments (argc == 1)", launch["assumptions"])
        self.assertNotIn("exact", launch["verdicts"])

    def test_header_that_one_unit_launches(self):
        self.write("k.cuh", "#pragma once\n" + KERNEL)
        self.write("a.cu", '#include "k.cuh"\n')
        self.write("b.cu", '#include "k.cuh"\nint main() { float *d; cudaMalloc(&d, 4096); scale<<<2, 32>>>(d, 64); }\n')
        [launch] = self.launches("a.cu", "b.cu")
        self.assertEqual((launch["block"], launch["n"], launch["at"]), ((32, 1, 1), 64, "b.cu:2"))

    def test_copies_of_a_kernel_count_once(self):
        for kind in ("static __global__", "template <int S> __global__", "namespace { __global__"):
            call = "scale<2>" if kind.startswith("template") else "scale"
            self.write("k.cuh", "#pragma once\n" + KERNEL.replace("__global__", kind) + ("}\n" if "namespace" in kind else ""))
            self.write("a.cu", f'#include "k.cuh"\nvoid f(float *d) {{ {call}<<<2, 32>>>(d, 64); }}\n')
            self.write("b.cu", f'#include "k.cuh"\nvoid *b() {{ return (void *){call}; }}\n')
            self.write("c.cu", f'#include "k.cuh"\nvoid g(float *d) {{ {call}<<<4, 48>>>(d, 64); }}\n')
            files = ("a.cu", "b.cu", "c.cu")
            self.assertEqual(sorted((launch["grid"][0], launch["at"]) for launch in self.launches(*files)), [(2, "a.cu:2"), (4, "c.cu:2")], kind)
            self.assertEqual(self.run_lint("--kernel=scale*", "--table", *reversed(files)).returncode, 1)
            for arguments in ((), ("--suggest-fixes",)):
                whole = self.run_lint("--table", *arguments, *files).stdout
                for part in ("1/2", "2/2"):
                    self.run_lint(f"--shard={part}", f"--output=part{part[0]}", *arguments, *files)
                self.assertEqual(self.run_lint("--table", "part1", "part2", subcommand=("merge",)).stdout, whole)
        # Copies that differ are none.
        self.write("k.cuh", "#pragma once\n__device__ inline int stride() { return STRIDE; }\n" + KERNEL.replace("__global__", "static __global__").replace("* 2", "* stride()"))
        for name, stride in (("a.cu", 2), ("c.cu", 4)):
            self.write(name, f'#define STRIDE {stride}\n#include "k.cuh"\nvoid run_{stride}(float *d) {{ scale<<<2, 32>>>(d, 64); }}\n')
        self.assertEqual(len(self.launches("a.cu", "c.cu")), 2)

    def test_own_launches_come_first(self):
        self.write("a.cu", KERNEL + "int main() { float *d; cudaMalloc(&d, 4096); scale<<<1, 64>>>(d, 64); }\n")
        self.write("b.cu", DECLARED)
        self.assertEqual([launch["at"] for launch in self.launches("a.cu", "b.cu")], ["a.cu:9"])

    def test_kernels_of_other_programs(self):
        # Two programs that have a kernel of that name each: no launch of one is the other's.
        self.write("a.cu", KERNEL)
        self.write("b.cu", KERNEL + DECLARED.replace("#include <cuda_runtime.h>\n__global__ void scale(float *data, int n);\n", ""))
        by_file = {launch["file"]: launch["kind"] for launch in self.launches("a.cu", "b.cu")}
        self.assertEqual(by_file, {"a.cu": "assumed", "b.cu": "host_code"})

    def test_ambiguous_definition(self):
        self.write("a.cu", KERNEL)
        self.write("c.cu", KERNEL.replace("* 2", "* 4"))
        self.write("b.cu", DECLARED)
        self.assertEqual({launch["kind"] for launch in self.launches("a.cu", "b.cu", "c.cu")}, {"assumed"})
        said = self.run_lint("a.cu", "b.cu", "c.cu").stderr
        self.assertIn("b.cu:6:3: warning: 'scale(float*, int)' is defined at a.cu:2:17 and at c.cu:2:17", said)

    def test_units_that_disagree(self):
        self.write("k.cuh", "#pragma once\n" + KERNEL.replace("* 2", "* STRIDE"))
        self.write("a.cu", '#define STRIDE 4\n#include "k.cuh"\n')
        self.write("b.cu", '#define STRIDE 2\n#include "k.cuh"\nint main() { float *d; cudaMalloc(&d, 4096); scale<<<2, 32>>>(d, 64); }\n')
        result = self.run_lint("--fail-on=never", "a.cu", "b.cu")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("k.cuh:3:17: warning: kernel 'scale(float*, int)' is another one in the unit that launches it at b.cu:3:46", result.stderr)

    def test_static_kernels_are_their_units(self):
        self.write("a.cu", KERNEL.replace("__global__", "static __global__") + "void *keep = (void *)scale;\n")
        self.write("b.cu", DECLARED)
        self.assertEqual({launch["kind"] for launch in self.launches("a.cu", "b.cu")}, {"assumed"})

    def test_templates_that_others_instantiate(self):
        self.write("k.cuh", "#pragma once\n" + KERNEL.replace("__global__", "template <int S> __global__").replace("* 2", "* S"))
        self.write("b.cu", '#include "k.cuh"\nint main() { float *d; cudaMalloc(&d, 4096); scale<2><<<2, 32>>>(d, 64); }\n')
        self.assertEqual([launch["kind"] for launch in self.launches("k.cuh")], ["assumed"])
        self.assertIn("is not instantiated in this file", self.run_lint("k.cuh").stderr)
        self.assertEqual([(launch["kind"], launch["at"]) for launch in self.launches("k.cuh", "b.cu")], [("host_code", "b.cu:2")])
        for arguments in (("k.cuh", "b.cu"), ("--suggest-fixes", "k.cuh", "b.cu")):
            result = self.run_lint(*arguments)
            self.assertNotIn("instantiated", result.stderr)
            self.assertNotIn("no kernel", result.stderr)
            self.assertIn("1 kernel, 1 launch", result.stdout)

    def test_many_shapes(self):
        self.write("a.cu", WRAPPER)
        self.write("b.cu", CALLER.replace("launch_scale(data, 4096, 0);", "for (int i = 1; i <= 500; ++i) launch_scale(data, 32 * i, 0);"))
        result = self.run_lint("--fail-on=never", "a.cu", "b.cu")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertLess(len(result.stdout.splitlines()), 40)

    def test_no_kernel_at_all(self):
        self.write("a.cu", "void f(int);\nint main() { f(3); }\n")
        self.write("b.cu", "void f(int n) { for (int i = 0; i < n; ++i) {} }\n")
        result = self.run_lint("a.cu", "b.cu")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("no kernel", result.stderr)

    def test_recursion_across_units_ends(self):
        self.write("a.cu", KERNEL + "void b(float *, int);\nvoid a(float *d, int n) { scale<<<1, 32>>>(d, n); b(d, n + 1); }\n")
        self.write("b.cu", "void a(float *, int);\nvoid b(float *d, int n) { a(d, 2 * n); }\nint main() { float *d = nullptr; b(d, 1); }\n")
        self.assertEqual(self.run_lint("--fail-on=never", "a.cu", "b.cu").returncode, 0)

    def test_unit_that_does_not_parse(self):
        self.write("a.cu", WRAPPER)
        self.write("b.cu", "int main( { \n")
        result = self.run_lint("a.cu", "b.cu")
        self.assertEqual(result.returncode, 2)
        self.assertIn("a.cu", result.stdout)


class Same(Case):
    """Neither the order of the files nor -j, neither a cache nor parts change what is said."""

    def setUp(self):
        super().setUp()
        self.write("a.cu", WRAPPER)
        self.write("b.cu", CALLER)
        self.write("c.cu", KERNEL.replace("scale", "other"))
        self.write("d.cu", DECLARED.replace("scale", "other"))
        self.files = ("a.cu", "b.cu", "c.cu", "d.cu")
        self.expected = self.run_lint("--table", *self.files).stdout
        self.assertIn("called at b.cu:6:3", self.expected)
        self.assertIn("host code at d.cu:6:3", self.expected)

    def test_order_and_jobs(self):
        self.assertEqual(self.run_lint("--table", "-j1", *reversed(self.files)).stdout, self.expected)
        self.assertEqual(self.run_lint("--table", "-j4", *self.files).stdout, self.expected)

    def test_cache(self):
        cached = lambda: self.run_lint("--table", "--cache-dir=cache", *self.files).stdout
        self.assertEqual(cached(), self.expected)
        self.assertEqual(cached(), self.expected)
        self.write("d.cu", DECLARED.replace("scale", "other").replace("<<<64, 128>>>", "<<<64, 96>>>"))
        changed = cached()
        self.assertIn("block=(96)", changed)
        self.assertEqual(changed, self.run_lint("--table", *self.files).stdout)
        self.assertIn("assumed", self.run_lint("--table", "--cache-dir=cache", "c.cu").stdout)

    def test_parts(self):
        for count in (2, 4):
            parts = [f"part{i}" for i in range(1, count + 1)]
            for i, part in enumerate(parts, 1):
                self.run_lint(f"--shard={i}/{count}", f"--output={part}", *self.files)
            self.assertEqual(self.run_lint("--table", *parts, subcommand=("merge",)).stdout, self.expected)


class ChangedSince(Case):
    def git(self, *arguments):
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b",
                       "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
        subprocess.run(["git", *arguments], cwd=self.folder.name, check=True, capture_output=True, env=environment)

    def setUp(self):
        super().setUp()
        self.write("k.cuh", "#pragma once\n" + KERNEL)
        self.write("inc/deep.h", '#include "deeper.h"\n')
        self.write("inc/deeper.h", "#pragma once\n")
        self.write("a.cu", '#include "k.cuh"\n')
        self.write("b.cu", '#include "deep.h"\n' + KERNEL.replace("scale", "second"))
        self.write("c.cu", KERNEL.replace("scale", "third"))
        self.git("init", "-q", "-b", "main")
        self.git("add", ".")
        self.git("commit", "-qm", "first")

    def files(self, *arguments, revision="HEAD"):
        result = self.run_lint("--format=json", "--fail-on=never", f"--changed-since={revision}", *arguments, "a.cu", "b.cu", "c.cu", "--", "-Iinc")
        self.assertEqual(result.returncode, 0, result.stderr)
        return [file["file"] for file in json.loads(result.stdout)["files"]]

    def test_nothing_changed(self):
        self.assertEqual(self.files(), [])
        result = self.run_lint("--changed-since=HEAD", "a.cu", "c.cu")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("nor what it includes, has changed since 'HEAD'", result.stderr)

    def test_file_and_headers(self):
        self.write("c.cu", KERNEL.replace("scale", "third") + "\n")
        self.assertEqual(self.files(), ["c.cu"])
        self.write("inc/deeper.h", "#pragma once\n// changed\n")
        self.assertEqual(self.files(), ["b.cu", "c.cu"])
        self.git("commit", "-qam", "second")
        self.assertEqual(self.files(), [])
        self.assertEqual(self.files(revision="HEAD~1"), ["b.cu", "c.cu"])

    def test_headers_that_the_project_alone_has(self):
        self.write("inc/deeper.h", "#pragma once\n// changed\n")
        result = self.run_lint("--format=json", "--fail-on=never", "--changed-since=HEAD", "a.cu", "b.cu", "c.cu")
        self.assertEqual([file["file"] for file in json.loads(result.stdout)["files"]], ["b.cu"], result.stderr)

    def test_new_and_removed_files(self):
        os.remove(self.path("inc/deeper.h"))
        result = self.run_lint("--changed-since=HEAD", "b.cu", "c.cu", "--", "-Iinc")
        self.assertEqual(result.returncode, 2) # it does not compile any more
        self.assertIn("deeper.h", result.stderr)
        self.assertNotIn("c.cu", result.stdout)
        self.write("inc/deeper.h", "#pragma once\n")
        self.write("new.cu", KERNEL)
        listed = json.loads(self.run_lint("--format=json", "--changed-since=HEAD", "a.cu", "new.cu").stdout)["files"]
        self.assertEqual([file["file"] for file in listed], ["new.cu"])

    def test_configuration_concerns_what_is_below(self):
        self.write(".smem-lint.yaml", "Arch: sm_80\n")
        self.assertEqual(self.files(), ["a.cu", "b.cu", "c.cu"])

    def test_launches_of_files_that_have_not_changed(self):
        self.write("main.cu", DECLARED.replace("scale", "third"))
        self.git("add", ".")
        self.git("commit", "-qm", "main")
        self.write("c.cu", KERNEL.replace("scale", "third") + "\n")
        found = self.launches("--changed-since=HEAD", "a.cu", "c.cu", "main.cu", kernel="third")
        self.assertEqual([(launch["file"], launch["at"]) for launch in found], [("c.cu", "main.cu:6")])

    def test_bad_revisions(self):
        for revision in ("nowhere", "--output=x", "-x", "HEAD --", ""):
            result = self.run_lint(f"--changed-since={revision}", "a.cu")
            self.assertEqual(result.returncode, 2, revision + result.stderr)
            self.assertIn("--changed-since", result.stderr)
            self.assertFalse(os.path.exists(self.path("x")))
        self.assertEqual(self.run_lint("--changed-since=HEAD", "--update-baseline", "--baseline=b.json", "a.cu").returncode, 2)

    def test_no_repository(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "k.cu"), "w", encoding="utf-8") as file:
                file.write(KERNEL)
            result = subprocess.run([SMEM_LINT, "--cuda-path=none", "--changed-since=HEAD", "k.cu"], cwd=folder, text=True, capture_output=True,
                                    timeout=60, check=False)
            self.assertEqual(result.returncode, 2)
            self.assertIn("is in no git repository", result.stderr)


if __name__ == "__main__":
    unittest.main()
