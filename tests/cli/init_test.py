#!/usr/bin/env python3
"""`smem-lint init`, and facts of kernels in configurations: init_test.py SMEM_LINT [unittest arguments]."""
import json
import math
import os
import struct
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from units_test import CALLER, Case, DECLARED, KERNEL, WRAPPER  # takes SMEM_LINT from the command line

TEMPLATE = """\
#include <cuda_runtime.h>
struct Params { int ncols; float scale; };
template <int N> __global__ void soft_max(float *x, Params p, int rows) {
  __shared__ float s[1024];
  s[threadIdx.x] = x[blockIdx.x * p.ncols + threadIdx.x] * p.scale;
  __syncthreads();
  if (rows > N) x[threadIdx.x] = s[(threadIdx.x + N) % 1024];
}
void run(float *x, Params p, int rows, int threads) { soft_max<4><<<rows, threads>>>(x, p, rows); }
"""

OVERLOADS = """\
__global__ void step(float *o, int n) { o[threadIdx.x * n] = 1; }
__global__ void step(int *o, int n, int m) { o[threadIdx.x * n * m] = 1; }
void run(float *a, int *b, int n, dim3 grid, dim3 block) {
  step<<<grid, block>>>(a, n);
  step<<<grid, block>>>(b, n, n);
}
"""


def recording(launches):
    lines = [{"kind": "session", "schema_version": 1}]
    for kernel, grid, block, arguments in launches:
        lines.append({"kind": "launch", "kernel": kernel, "grid": grid, "block": block, "shared_dynamic": 0,
                      "arguments": [{"bytes": each.hex()} for each in arguments]})
    return "".join(json.dumps(line) + "\n" for line in lines)


def scale(n, block, grid=1):
    return ("_Z5scalePfi", [grid, 1, 1], [block, 1, 1], [struct.pack("<Q", 0x7f0000000000), struct.pack("<i", n)])


class Init(Case):
    def init(self, *arguments, code=0):
        result = self.run_lint(*arguments, subcommand=("init",))
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def config(self):
        verified = self.run_lint("--verify-config")
        self.assertEqual(verified.returncode, 0, verified.stderr)
        with open(self.path(".smem-lint.yaml"), encoding="utf-8") as file:
            return file.read()

    def test_known_launches_and_where_from(self):
        self.write("a.cu", WRAPPER)
        self.write("b.cu", CALLER)
        self.init("a.cu", "b.cu")
        text = self.config()
        self.assertIn("# scale, a.cu:2:17\n", text)
        self.assertIn("#   host code at a.cu:11:3, called at b.cu:6:3: block=(256,1,1) grid=(16,1,1) n=4096", text)
        self.assertNotIn("assumed", text)

    def test_missing_parts_can_be_filled_in(self):
        self.write("a.cu", KERNEL)
        self.init("a.cu")
        text = self.config()
        self.assertIn("# scale, a.cu:2:17: no launch found\n  #'scale':\n", text.replace("#scale:", "#'scale':"))
        self.assertIn("# assumed: no launch found", text)
        filled = "\n".join(line.replace("  #", "  ", 1) if line.startswith(("  #scale", "  #'scale", "  #  ")) and "host" not in line else line
                           for line in text.splitlines())
        self.write(".smem-lint.yaml", filled + "\n")
        self.config()
        [launch] = self.launches("a.cu")
        self.assertEqual((launch["kind"], launch["verdicts"]), ("config", {"exact"}))

    def test_templates_and_structures(self):
        self.write("a.cu", TEMPLATE)
        self.init("a.cu")
        text = self.config()
        self.assertIn("p.ncols", text)
        self.assertIn("rows", text)

    def uncommented(self):
        """The configuration with all that is left open filled in as it was assumed."""
        lines = self.config().splitlines()
        text = "".join((line.replace("  #", "  ", 1) if line.startswith(("  #'", "  #  '")) else line) + "\n" for line in lines)
        self.write(".smem-lint.yaml", text)
        return self.config() # which must be valid

    def test_overloads_are_one_key(self):
        self.write("a.cu", OVERLOADS)
        self.init("a.cu")
        text = self.uncommented()
        self.assertEqual(text.count("\n  'step':\n"), 1)
        self.assertEqual([text.count("'" + part + "':") for part in ("block", "n", "m")], [1, 1, 1], text)
        self.assertIn("# step, a.cu:1:17\n", text)
        self.assertIn("# step, a.cu:2:17\n", text)

    def test_recorded_overloads_are_one_key(self):
        self.write("a.cu", OVERLOADS)
        self.write("rec.jsonl", recording([("_Z4stepPfi", [1, 1, 1], [32 * (1 + i % 8), 1, 1], [bytes(8), struct.pack("<i", 8 * i)])
                                           for i in range(20)]))
        self.init("--launches=rec.jsonl", "a.cu")
        text = self.uncommented()
        self.assertEqual(text.count("\n  'step':"), 1)
        self.assertEqual([text.count("'" + part + "':") for part in ("block", "n", "m")], [1, 1, 1], text)

    def test_what_follows_is_not_written_what_it_follows_from_is(self):
        self.write("a.cu", KERNEL.replace("int main", "int unused") +
                   "\nvoid run(float *d, int n, int threads) { scale<<<(n + threads - 1) / threads, threads>>>(d, n); }\n")
        self.init("a.cu")
        text = self.config()
        self.assertIn("'threads': ", text)
        self.assertIn("# assumed: parameter of run", text)
        self.assertNotIn("'grid'", text)
        self.assertNotIn("'block'", text)
        self.uncommented()
        result = self.run_lint("--format=json", "--fail-on=never", "a.cu")
        self.assertNotIn("is no parameter", result.stderr)
        self.assertEqual([launch["kind"] for launch in self.launches("a.cu")], ["host_code"])

    def test_recording(self):
        self.write("a.cu", KERNEL)
        self.write("rec.jsonl", recording([scale(4096, 128, 32), scale(512, 64, 8)]))
        self.init("--launches=rec.jsonl", "a.cu")
        text = self.config()
        self.assertIn("block=(128,1,1) grid=(32,1,1) n=4096", text)
        self.assertIn("# rec.jsonl:2", text)
        self.assertEqual([(launch["kind"], launch["n"]) for launch in self.launches("a.cu")], [("config", 4096), ("config", 512)])

    def test_recording_of_many_shapes(self):
        self.write("a.cu", KERNEL)
        self.write("rec.jsonl", recording([scale(96 + 32 * i, 32 * (1 + i % 8)) for i in range(500)]))
        self.init("--launches=rec.jsonl", "a.cu")
        text = self.config()
        self.assertLess(len(text.splitlines()), 20)
        self.assertIn("500 recorded launches", text)
        self.assertIn("'block': '32..256 step 32'", text)
        self.assertIn("'n': '96..16064 step 32'", text)

    def test_never_overwrites(self):
        self.write("a.cu", KERNEL)
        self.write(".smem-lint.yaml", "Arch: sm_80\n")
        self.assertIn("is there already; --force replaces it", self.init("a.cu", code=2).stderr)
        self.assertEqual(self.config(), "Arch: sm_80\n")
        self.init("--force", "a.cu")
        self.assertIn("Kernels:", self.config())
        os.remove(self.path(".smem-lint.yaml"))
        os.symlink("elsewhere", self.path(".smem-lint.yaml"))
        self.init("a.cu", code=2)
        self.assertFalse(os.path.exists(self.path("elsewhere")))

    def test_output_elsewhere(self):
        self.write("a.cu", KERNEL)
        self.init("-o", "other.yaml", "a.cu")
        self.assertEqual(self.run_lint("--config-file=other.yaml", "--verify-config").returncode, 0)
        self.assertFalse(os.path.exists(self.path(".smem-lint.yaml")))

    def test_bad_input(self):
        self.write("host.cu", "int main() {}\n")
        self.assertIn("no kernel", self.init("host.cu", code=2).stderr)
        self.assertFalse(os.path.exists(self.path(".smem-lint.yaml")))
        self.init(code=2)
        self.init("--format=json", "host.cu", code=2)
        self.init("missing.cu", code=2)
        self.write("a.cu", KERNEL)
        self.init("--launches=none.jsonl", "a.cu", code=2)
        self.assertEqual(self.run_lint("--force", "a.cu").returncode, 2)


class Facts(Case):
    """`Kernels:` of a configuration."""

    def configured(self, text, source=KERNEL, name="scale", code=0):
        self.write("a.cu", source)
        self.write(".smem-lint.yaml", text)
        result = self.run_lint("--format=json", "--fail-on=never", "a.cu")
        self.assertEqual(result.returncode, code, result.stderr)
        if code != 0:
            return result
        found = [launch for launch in json.loads(result.stdout)["launches"] if launch["kernel"].startswith(name)]
        return result, found

    def test_ranges(self):
        _, [launch] = self.configured("Kernels:\n  'sca*': {block: [32..192 step 64], n: multiple of 96}\n")
        self.assertEqual(launch["block"], [32, 1, 1])
        self.assertEqual([a["value"] % 96 for a in launch["arguments"] if a.get("name") == "n"], [0])
        self.assertIn("block=(32,1,1): one of 32..192 step 64", launch["origin"]["assumptions"])

    def test_values(self):
        _, launches = self.configured("Kernels:\n  scale: {block: [64, '(32,4)'], grid: 8, n: 512}\n")
        self.assertEqual([(launch["block"], launch["grid"], launch["origin"]["kind"]) for launch in launches],
                         [([64, 1, 1], [8, 1, 1], "config"), ([32, 4, 1], [8, 1, 1], "config")])

    def test_members_and_globs(self):
        _, [launch] = self.configured("Kernels:\n  'soft_max*': {block: 128, grid: 4, p.ncols: 64..4096 step 64, rows: '>= 8'}\n", TEMPLATE, "soft_max")
        names = {argument.get("name"): argument.get("value") for argument in launch["arguments"]}
        self.assertEqual(launch["block"], [128, 1, 1])
        self.assertGreaterEqual(names["rows"], 8)

    def test_contradiction_with_host_code(self):
        source = KERNEL + "int main() { float *d; cudaMalloc(&d, 4096); scale<<<4, 48>>>(d, 100); }\n"
        result, [launch] = self.configured("Kernels:\n  scale:\n    block: 32..1024 step 32\n    n: multiple of 32\n", source)
        self.assertIn(".smem-lint.yaml:3:5: warning: block: 32..1024 step 32 of scale contradicts block=(48,1,1) of the launch at a.cu:9:", result.stderr)
        self.assertIn("contradicts n=100 of the launch at a.cu:9:", result.stderr)
        self.assertEqual(launch["block"][0] % 32, 0)
        self.assertNotIn("exact", {site["verdict"] for site in launch["sites"]} - {"exact"})

    def test_host_code_that_satisfies_stays(self):
        source = KERNEL + "int main() { float *d; cudaMalloc(&d, 4096); scale<<<4, 64>>>(d, 128); }\n"
        result, [launch] = self.configured("Kernels: {scale: {block: 32..1024 step 32, n: multiple of 32}}\n", source)
        self.assertNotIn("contradict", result.stderr)
        self.assertEqual((launch["block"], {site["verdict"] for site in launch["sites"]}), ([64, 1, 1], {"exact"}))

    def test_names_that_no_kernel_has(self):
        result, _ = self.configured("Kernels:\n  scale: {blok: 64, n: 128}\n  other: {whatever: 1}\n")
        self.assertIn(".smem-lint.yaml:2:11: warning: 'blok' is no parameter of a kernel of a.cu that 'scale' names; did you mean 'block'?", result.stderr)
        self.assertNotIn("whatever", result.stderr)
        self.assertNotIn("'n'", result.stderr)

    def test_globs_without_a_kernel(self):
        result, _ = self.configured("Kernels:\n  scal: {n: 4}\n  'other*': {block: 64}\n  scale: {n: 8}\n  another: {block: 64}\n")
        self.assertIn(".smem-lint.yaml:2:10: warning: no kernel of these files matches 'scal'; did you mean 'scale'?", result.stderr)
        self.assertIn(".smem-lint.yaml:3:14: note: no kernel of these files matches 'other*', 'another'\n", result.stderr)
        self.assertNotIn("'scale',", result.stderr)
        self.write("a.cu", KERNEL + "__global__ void broken(float *x) { *x = missing; }\n")
        self.assertNotIn("no kernel of these files", self.run_lint("a.cu").stderr) # it may be the one

    def test_values_that_a_type_does_not_have(self):
        source = ("__global__ void typed(float *x, unsigned depth, unsigned char c, size_t z, int i, float f) {\n"
                  "  x[threadIdx.x + depth + c + z + i] = f;\n}\n")
        self.write("a.cu", source)
        for stated, said in (("depth=-5", "depth == -5 of typed: 'unsigned int' has no such value; its low bits are passed, which are 4294967291"),
                             ("c=300", "c == 300 of typed: 'unsigned char' has no such value; its low bits are passed, which are 44"),
                             ("z=-1", "z == -1 of typed: 'size_t' has no such value"), ("depth < 0", "'unsigned int' has no such value"),
                             ("i=5000000000", "i == 5000000000 of typed: 'int' has no such value")):
            result = self.run_lint("--fail-on=never", "--set", stated, "a.cu")
            self.assertIn("warning: ", result.stderr, stated)
            self.assertIn(said, result.stderr, stated)
        for fine in ("depth=5", "c=255", "z=5000000000", "i=-7", "depth >= -3", "depth=4294967295"):
            self.assertNotIn("no such value", self.run_lint("--fail-on=never", "--set", fine, "a.cu").stderr, fine)
        result, _ = self.configured("Kernels:\n  typed: {depth: -5}\n", source, "typed")
        self.assertIn(".smem-lint.yaml:2:11: warning: depth == -5 of typed: 'unsigned int' has no such value", result.stderr)

    def test_contradiction_in_the_configuration(self):
        said = self.configured("Kernels:\n  scale:\n    n: multiple of 32\nLaunches: ['scale:block=64 n=100']\n", code=2).stderr
        self.assertIn(".smem-lint.yaml:4:12: error: 'n: 100' contradicts 'multiple of 32' at line 3", said)

    def test_two_globs_that_contradict(self):
        result, [launch] = self.configured("Kernels:\n  'scale*': {n: 4}\n  '*ale': {n: 8}\n")
        self.assertIn(".smem-lint.yaml:3:12: warning: n == 8 of scale contradicts n == 4 at .smem-lint.yaml:2:14; n == 8 is taken", result.stderr)
        self.assertEqual({argument.get("name"): argument.get("value") for argument in launch["arguments"]}["n"], 8)
        for agreeing in ("{n: 8}", "{n: multiple of 8}", "{block: 64}"):
            self.assertNotIn("contradict", self.configured("Kernels:\n  'scale*': " + agreeing + "\n  '*ale': {n: 8}\n")[0].stderr, agreeing)

    def test_options_that_contradict(self):
        for options in (["--set", "n=4", "--set", "n=8"], ["--launch", "scale:block=64 n=4", "--set", "n=8"]):
            self.write("a.cu", KERNEL + "__global__ void without(float *x) { *x = 1; }\n")
            result = self.run_lint(*options, "--fail-on=never", "a.cu")
            self.assertNotIn("without", result.stderr)
            self.assertIn("warning: n == 8 of scale contradicts n == 4, stated before; n == 8 is taken", result.stderr, options)

    def test_ranges_that_no_launch_satisfies(self):
        for fact, what in (("block: 1024..32", "no value lies in '1024..32'"), ("block: 1056..4096 step 32", "1 to 1024 are possible"),
                           ("n: 33..63 step 0", "must be between 1"), ("n: 'multiple of 32, 33..63'", "no value satisfies"),
                           ("block: multiple of 2048", "no block has"), ("n: [1, 2]", "one value or one range"),
                           ("n: maybe", "is no fact"), ("block: [64, 32..128]", "several blocks, or one range"), ("block: (32, 64..128)", "1024 in all are possible"),
                           ("block: (1, 1, 65..70)", "1 to 64 are possible"), ("block: (1..2, 1, 1, 1)", "more than three axes"), ("'9n': 3", "is not of the form")):
            said = self.configured("Kernels:\n  scale:\n    " + fact + "\n", code=2).stderr
            self.assertIn(".smem-lint.yaml:3:5: error: ", said, fact)
            self.assertIn(what, said, fact)
        said = self.configured("Kernels:\n  scale:\n    block: 512..1024 step 32\n", KERNEL.replace("void scale", "void __launch_bounds__(256) scale"),
                               code=2).stderr
        self.assertIn(".smem-lint.yaml:3:5: error: no launch of scale: no block of at most 256 threads is one of '512..1024 step 32'; "
                      "the kernel has __launch_bounds__(256) at a.cu:2:", said)

    def test_contradictory_values(self):
        source = KERNEL + "int main() { float *d; cudaMalloc(&d, 4096); scale<<<4, 256>>>(d, 100); }\n"
        result, [launch] = self.configured("Kernels:\n  scale:\n    block: 128\n    n: 512\n    grid: 4\n", source)
        self.assertIn(".smem-lint.yaml:3:5: warning: block: (128,1,1) of scale contradicts block=(256,1,1) of the launch at a.cu:9:", result.stderr)
        self.assertIn("n: 512 of scale contradicts n=100 of the launch at a.cu:9:", result.stderr)
        self.assertNotIn("grid: (4", result.stderr)
        self.assertEqual((launch["block"], launch["grid"]), ([128, 1, 1], [4, 1, 1]))
        # Of several blocks one is enough, and what is asked for by `Launches` is no fact.
        for text in ("Kernels: {scale: {block: [128, 256]}}\n", "Launches: ['scale: block=128 n=512']\n"):
            self.assertNotIn("contradict", self.configured(text, source)[0].stderr, text)

    def test_what_is_stated_is_not_said_to_be_of_the_launch(self):
        source = KERNEL + "void run(float *d, int n) { scale<<<n, 64>>>(d, 32 * n); }\n"
        result, _ = self.configured("Kernels:\n  scale: {n: multiple of 64}\n  'sc*': {n: 33}\n", source)
        self.assertIn("n: 33 of scale contradicts n % 32 == 0 of the launch at a.cu:9:", result.stderr)
        self.assertNotIn("n % 64 == 0 of the launch", result.stderr)

    def test_contradiction_with_what_host_code_knows(self):
        source = KERNEL + "void run(float *d, int n, int rows) { scale<<<n, dim3(32, rows)>>>(d, 24 * n); }\n"
        result, [launch] = self.configured("Kernels:\n  scale:\n    block: (64, ?)\n    n: '% 8 == 4'\n", source)
        self.assertIn(".smem-lint.yaml:3:5: warning: block: (64, ?) of scale contradicts block=(32, ?", result.stderr)
        self.assertIn("n % 8 == 4 of scale contradicts n % 24 == 0 of the launch at a.cu:9:", result.stderr)
        self.assertEqual(launch["block"][0], 64)

    def test_contradiction_with_launch_bounds(self):
        bounded = KERNEL.replace("void scale", "void __launch_bounds__(64) scale")
        for block in ("128", "'(32,4)'"):
            said = self.configured("Kernels:\n  scale:\n    block: " + block + "\n", bounded + KERNEL.replace("scale", "other"), code=2)
            self.assertIn(".smem-lint.yaml:3:5: error: no launch of scale: block=", said.stderr)
            self.assertIn("has 128 threads; the kernel has __launch_bounds__(64) at a.cu:2:", said.stderr)
            self.assertIn("other", {launch["kernel"] for launch in json.loads(said.stdout)["launches"]})

    def test_shapes_of_the_mapping(self):
        self.configured("Kernels:\n")
        self.configured("Kernels: {}\n")
        self.configured("Kernels: {scale: }\n")
        for text in ("Kernels: 3\n", "Kernels: [a]\n", "Kernels: {scale: 4}\n", "Kernels: {scale: {n: {a: 1}}}\n",
                     "Kernels: {scale: {n: 1, n: 2}}\n", "Kernels: {scale: {n: 1}, scale: {n: 1}}\n"):
            self.assertIn("error", self.configured(text, code=2).stderr, text)

    def cases(self, text, source=KERNEL, expression="tile[threadIdx.x * 2 % 1024]"):
        """The conditions of an access's cases, and what is said of it."""
        _, launches = self.configured(text, source)
        patterns = [site["pattern"] for launch in launches for site in launch["sites"] if site["expression"] == expression]
        return [sorted(case["when"] or "" for case in pattern["cases"]) for pattern in patterns], [pattern["text"] for pattern in patterns]

    def test_facts_of_blocks_exclude_cases(self):
        rows = KERNEL.replace("threadIdx.x * 2", "(threadIdx.x + 32 * threadIdx.y)")
        where = "tile[(threadIdx.x + 32 * threadIdx.y) % 1024]"
        [[*every]], _ = self.cases("Kernels: {}\n", rows, where)
        self.assertTrue(any("blockDim.x == 16" in when or "any other" in when for when in every), every)
        for block in ("32..1024 step 32", "multiple of 32", "'(32, 1..32)'", "'(multiple of 32, ?)'"):
            [[*left]], [said] = self.cases("Kernels: {scale: {block: [" + block + "]}}\n", rows, where)
            self.assertFalse([when for when in left if "== 16" in when or "any other" in when or "another length" in when], (block, left))
            self.assertIn("conflict-free in all launches with block=", said)
        # Rows of 16 stay possible; and a kernel of one row has no rows of 16.
        [[*left]], _ = self.cases("Kernels: {scale: {block: '(16..32 step 16, ?)'}}\n", rows, where)
        self.assertTrue(any("16" in when for when in left), left)
        [[*left]], _ = self.cases("Kernels: {scale: {block: 1..1024}}\n", rows, where)
        self.assertFalse([when for when in left if "== 16" in when or "any other" in when], left)

    def test_findings_name_the_blocks_that_cost_so_much(self):
        source = """\
#include <cuda_runtime.h>
__global__ void transposed(float *o, const float *i, int n) {
  __shared__ float t[32][32];
  t[threadIdx.y][threadIdx.x] = i[threadIdx.y * n + threadIdx.x];
  __syncthreads();
  o[threadIdx.y * n + threadIdx.x] = t[threadIdx.x][threadIdx.y];
}
"""
        self.write("a.cu", source)
        self.write(".smem-lint.yaml", "Kernels:\n  transposed: {block: '(8..16, 8)'}\n")
        lines = [line for line in self.run_lint("a.cu").stdout.splitlines() if "load of t[threadIdx.x][threadIdx.y]" in line]
        self.assertEqual(len(lines), 1)
        self.assertIn("takes 8 wavefronts instead of 1, when blockDim.x == 8 in full warps [", lines[0])  # 16 cost 16, and 32 are no such block

    def test_host_code_and_bounds_exclude_cases(self):
        rows = KERNEL.replace("threadIdx.x * 2", "(threadIdx.x + 32 * threadIdx.y)")
        where = "tile[(threadIdx.x + 32 * threadIdx.y) % 1024]"
        for block, possible in (("dim3(32, h)", False), ("w", False), ("dim3(32 * w, h)", False), ("dim3(w, h)", True), ("dim3(16, h)", True)):
            [[*left]], _ = self.cases("Kernels: {}\n", rows + "void run(float *d, int n, int w, int h) { scale<<<n, " + block + ">>>(d, n); }\n", where)
            self.assertEqual(any("== 16" in when or "16" in when for when in left), possible, (block, left))
        [[*left]], _ = self.cases("Kernels: {}\n", rows.replace("void scale", "void __launch_bounds__(16) scale"), where)
        self.assertFalse([when for when in left if "in full warps" in when or when == "blockDim.x % 32 == 0"], left)

    STRIDED = """\
#include <cuda_runtime.h>
__global__ void scale(float *data, int n) {
  extern __shared__ float tile[];
  tile[threadIdx.x * n] = data[threadIdx.x];
}
"""

    def degrees(self, text, source=STRIDED):
        """Of a store with the stride n: what its cases cost."""
        _, launches = self.configured(text, source)
        [pattern] = [site["pattern"] for launch in launches for site in launch["sites"] if site["expression"] == "tile[threadIdx.x * n]"]
        return {case["wavefronts"] for case in pattern["cases"]}, pattern["text"]

    def test_facts_of_parameters_exclude_cases(self):
        # Lanes 0 to 31 at a stride of n words: gcd(n, 32) of them meet in a bank. What is left are the costs of the admitted values, no more and no less.
        admitted = {"multiple of 32": range(-4096, 4096, 32), "64..4096 step 64": range(64, 4097, 64), "'% 96 == 32'": range(32, 4096, 96),
                    "'% 64 == 4'": range(4, 4096, 64), "1..3": range(1, 4), "multiple of 3": range(3, 4096, 3), "'>= 100'": range(100, 4096),
                    "'% 64 == 8, >= 70, <= 80'": [72], "2..62 step 4": range(2, 63, 4), "'% 128 == 64'": range(64, 4096, 128)}
        for fact, values in admitted.items():
            left, _ = self.degrees("Kernels: {scale: {block: 32..64 step 32, n: " + fact + "}}\n")
            self.assertEqual(left, {math.gcd(n, 32) if n else 1 for n in values}, fact)
        self.assertEqual(self.degrees("Kernels: {scale: {block: 32..64 step 32, n: 64..4096 step 64}}\n")[1], "32-way in all launches with n % 64 == 0, n >= 64, n <= 4096")

    def test_host_code_excludes_cases_of_parameters(self):
        run = "void run(float *d, int w) { scale<<<1, 64, 4096>>>(d, %s); }\n"
        left, said = self.degrees("Kernels: {}\n", self.STRIDED + run % "64 * w")
        self.assertLess(len(left), len(self.degrees("Kernels: {}\n", self.STRIDED + run % "w")[0]))
        self.assertNotIn("2-way", said.replace("32-way", ""))
        self.assertIn(4, self.degrees("Kernels: {}\n", self.STRIDED + run % "4 * w")[0])

    def test_contradicted_facts_exclude_nothing(self):
        rows = KERNEL.replace("threadIdx.x * 2", "(threadIdx.x + 32 * threadIdx.y)") + \
            "void run(float *d, int n) { scale<<<n, dim3(16, 4)>>>(d, n); }\n"
        [[*left]], _ = self.cases("Kernels: {scale: {block: 32..1024 step 32}}\n", rows, "tile[(threadIdx.x + 32 * threadIdx.y) % 1024]")
        self.assertTrue([when for when in left if "16" in when], left)

    def test_dump_reads_back(self):
        self.configured("Kernels: {scale: {block: 64..512 step 64, n: multiple of 32}, 'o*': {block: [64, 128], n: 5}, 't*': {block: '(32, 1..8, ?)'}}\n")
        dumped = self.run_lint("--dump-config").stdout
        self.assertIn("scale:n%32==0", dumped)
        self.write(".smem-lint.yaml", dumped)
        self.assertEqual(self.run_lint("--dump-config").stdout, dumped)


if __name__ == "__main__":
    unittest.main()
