#!/usr/bin/env python3
"""The command line as its users meet it: cli_test.py SMEM_LINT [unittest arguments].

Every case runs the real program on small sources in a folder of its own. Neither a GPU nor a CUDA toolkit is used.
"""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SMEM_LINT = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "smem-lint"

CONFLICT = """\
// smem-lint: launch block=(32,32) grid=(4,4) n=128
__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
  __syncthreads();
  out[(blockIdx.x * 32 + y) * n + blockIdx.y * 32 + x] = tile[x][y];
}
"""
CLEAN = CONFLICT.replace("tile[32][32]", "tile[32][33]")
UNKNOWN_LAUNCH = """\
__global__ void scale(float *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
}
"""


# A folder for the tests of a process, one after another, and what was analysed in it: the same file is not analysed for each test and each format anew.
HERE = tempfile.TemporaryDirectory()


class Folder:
    name = os.path.join(HERE.name, "work")

    def __init__(self):
        os.mkdir(self.name)

    def cleanup(self):
        shutil.rmtree(self.name)


class Case(unittest.TestCase):
    analysed_once = True  # not where caches are what is tested

    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def run_lint(self, *arguments, stdin=None, env=None, subcommand=()):
        environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "CLICOLOR_FORCE")}
        environment.setdefault("SMEM_LINT_CACHE_KEY", "of the tests, not a user's")
        once = self.analysed_once and not any(argument.startswith("-j") for argument in arguments)  # of which nothing may depend
        environment["SMEM_LINT_CACHE_DIR"] = os.path.join(HERE.name, "results") if once else "none"
        environment.update(env or {})
        environment = {key: value for key, value in environment.items() if value is not None}
        return subprocess.run([SMEM_LINT, *subcommand, "--cuda-path=none", *arguments], cwd=self.folder.name, input=stdin, text=True,
                              capture_output=True, timeout=120, check=False, env=environment)

    def assert_fails(self, result, *needles):
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        for needle in needles:
            self.assertIn(needle, result.stderr)


class Usage(Case):
    def test_no_file(self):
        self.assert_fails(self.run_lint(), "no file")

    def test_unknown_option_names_the_nearest(self):
        self.assert_fails(self.run_lint("--formt=json", "k.cu"), "unknown option '--formt'", "'--format'")

    def test_flags_of_a_compiler_come_last(self):
        for flag in ["-Iinclude", "-I", "-DN=4", "-std=c++17", "-gencode=arch=compute_90,code=sm_90", "-isystem"]:
            self.assert_fails(self.run_lint("k.cu", flag), "is a compiler flag", "after `--`")
        self.assert_fails(self.run_lint("k.cu", "-qwerty"), "unknown option '-qwerty'")

    def test_options_are_not_guessed(self):
        self.assert_fails(self.run_lint("--form=json", "k.cu"), "unknown option")

    def test_unknown_values_name_the_nearest(self):
        self.assert_fails(self.run_lint("--format=jsn", "k.cu"), "'json'")
        self.assert_fails(self.run_lint("--fail-on=warnings", "k.cu"), "'warning'")
        self.assert_fails(self.run_lint("--color=sometimes", "k.cu"), "auto, always, never")
        self.assert_fails(self.run_lint("--checks=smem-bank-conflicts", "k.cu"), "'smem-bank-conflict'")
        self.assert_fails(self.run_lint("--explain", "gmem-uncoalesce"), "'gmem-uncoalesced'")

    def test_unknown_architecture(self):
        self.assert_fails(self.run_lint("--arch=sm_91", "k.cu"), "unknown architecture 'sm_91'", "sm_90")

    def test_malformed_launches(self):
        self.assert_fails(self.run_lint("--launch", "k:block=(0)", "k.cu"), "block")
        self.assert_fails(self.run_lint("--set", "N", "k.cu"), "--set 'N'")
        self.assert_fails(self.run_lint("--max-steps=0", "k.cu"), "--max-steps=0")

    def test_information(self):
        self.assertIn("smem-lint ", self.run_lint("--version").stdout)
        self.assertIn("--launch", self.run_lint("--help").stdout)
        self.assertIn("smem-bank-conflict", self.run_lint("--list-checks").stdout)
        only = self.run_lint("--list-checks", "--checks=-*,gmem-*").stdout
        self.assertEqual([line.split()[0] for line in only.splitlines()], ["gmem-narrow-access", "gmem-race", "gmem-redundant-traffic", "gmem-uncoalesced"])
        self.assertIn("Picture", self.run_lint("--explain", "smem-bank-conflict").stdout)
        self.assertIn("# gmem-uncoalesced", self.run_lint("--explain", "all", "--format=markdown").stdout)

    def test_doctor(self):
        result = self.run_lint("--doctor")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("works", result.stdout)
        self.assertRegex(result.stdout, r"compiler model\n  nvcc \d+\.\d+, \d+ rules; ")


class Findings(Case):
    def test_conflict_gates_and_is_explained(self):
        self.write("k.cu", CONFLICT)
        result = self.run_lint("k.cu")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("k.cu:7:58: warning: 32-way bank conflict", result.stdout)
        self.assertIn("[smem-bank-conflict]", result.stdout)
        self.assertIn("float tile[32][33]", result.stdout)
        self.assertNotIn("requests  wavefronts", result.stdout)
        for option in ("--table", "--verbose"):
            result = self.run_lint(option, "k.cu")
            self.assertIn("all meet in bank 0", result.stdout)
            self.assertIn("requests  wavefronts", result.stdout)
        self.assertNotIn("\033", result.stdout)

    def test_clean(self):
        self.write("k.cu", CLEAN)
        result = self.run_lint("k.cu")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("no findings", result.stdout)
        self.assertIn("0 assumed, 0 unknown", result.stdout)

    def test_levels_of_failure(self):
        self.write("k.cu", CONFLICT)
        self.assertEqual(self.run_lint("--fail-on=never", "k.cu").returncode, 0)
        self.assertEqual(self.run_lint("--fail-on=error", "k.cu").returncode, 0)
        self.assertEqual(self.run_lint("--fail-on=error", "--warnings-as-errors=smem-*", "k.cu").returncode, 1)
        self.assertEqual(self.run_lint("--checks=-smem-bank-conflict", "k.cu").returncode, 0)

    def test_rule_examples(self):
        text = self.run_lint("--explain", "all").stdout
        for block in text.split("\n\n"):
            self.assertTrue(block)
        for rule in [line.split()[0] for line in self.run_lint("--list-checks", "--checks=*").stdout.splitlines()]:
            markdown = self.run_lint("--explain", rule, "--format=markdown").stdout
            for kind, expected in (("Bad", True), ("Good", False)):
                if f"## {kind}" not in markdown:
                    continue
                code = markdown.split(f"## {kind}\n\n```cuda\n")[1].split("```")[0]
                self.write("example.cu", code)
                result = self.run_lint("--format=json", "--checks=*", "example.cu")
                with self.subTest(rule=rule, kind=kind):
                    self.assertEqual(result.stderr, "")
                    rules = {finding["rule"] for finding in json.loads(result.stdout)["findings"]}
                    self.assertEqual(rule in rules, expected, result.stdout)

    def test_quiet_prints_findings_only(self):
        self.write("k.cu", CONFLICT)
        self.assertNotIn("memory instructions", self.run_lint("--quiet", "k.cu").stdout)
        self.write("clean.cu", CLEAN)
        self.assertEqual(self.run_lint("--quiet", "clean.cu").stdout, "")

    def test_shared_memory_above_the_default_is_a_note(self):
        def note(dynamic):
            self.write("k.cu", f"""// smem-lint: launch block=256 grid=1 dynamic={dynamic}
__global__ void k(float *out) {{
  extern __shared__ float pool[];
  pool[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = pool[255 - threadIdx.x];
}}
""")
            return self.run_lint("--table", "k.cu")
        result = note(65536)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("k.cu:1:4: note: 65,536 bytes of shared memory a block of k: more than 49,152 fail to launch unless cudaFuncSetAttribute() allows them [smem-capacity]", result.stdout)
        self.assertIn("room for 3 blocks an SM", result.stdout)
        self.assertNotIn("[smem-capacity]", note(49152).stdout)
        too_much = note(262144)
        self.assertEqual(too_much.returncode, 1)
        self.assertNotIn("cudaFuncSetAttribute() allows", too_much.stdout)

    def test_colour(self):
        self.write("k.cu", CONFLICT)
        self.assertIn("\033", self.run_lint("--color=always", "k.cu").stdout)
        self.assertIn("\033", self.run_lint("k.cu", env={"CLICOLOR_FORCE": "1"}).stdout)
        self.assertNotIn("\033", self.run_lint("k.cu", env={"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}).stdout)
        self.assertIn("\033", self.run_lint("--color=always", "k.cu", env={"NO_COLOR": "1"}).stdout)


class Launches(Case):
    def test_unknown_launch_is_assumed_and_said(self):
        self.write("k.cu", UNKNOWN_LAUNCH)
        result = self.run_lint("k.cu")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("1 kernel: launch not known; patterns hold for all launches", result.stdout)
        self.assertNotIn("[launch-unknown]", result.stdout)
        result = self.run_lint("--table", "k.cu")
        self.assertIn("[launch-unknown]", result.stdout)
        self.assertIn("n=1024: not known from the source", result.stdout)
        self.assertIn("0 exact", result.stdout)

    def test_options_make_it_exact(self):
        self.write("k.cu", UNKNOWN_LAUNCH)
        result = self.run_lint("--table", "--launch", "scale:block=128 grid=8", "--set", "n=1024", "k.cu")
        self.assertIn("0 assumed, 0 unknown", result.stdout)
        self.assertIn("grid=(8) block=(128)", result.stdout)

    def test_wishes_that_fit_nothing(self):
        self.write("k.cu", UNKNOWN_LAUNCH)
        self.assert_fails(self.run_lint("--launch", "scal:block=128", "k.cu"), "no kernel matches 'scal'", "'scale'")
        self.assert_fails(self.run_lint("--set", "m=1", "k.cu"), "'m' is no parameter")

    def test_kernels_by_name(self):
        self.write("k.cu", CONFLICT + CONFLICT.replace("transpose", "other").replace("tile[x][y];", "tile[x][y]; // smem-lint: expect degree<=32"))
        self.assertEqual(self.run_lint("--baseline=b.json", "--update-baseline", "k.cu").returncode, 0)
        result = self.run_lint("--table", "--kernel=trans*", "--baseline=b.json", "k.cu")
        self.assertIn("transpose  grid", result.stdout)
        self.assertNotIn("other  grid", result.stdout)
        self.assertNotIn("stale", result.stdout)
        self.assertIn("0 gone", result.stdout)
        with open(os.path.join(self.folder.name, "b.json"), encoding="utf-8") as file:
            before = file.read()
        self.run_lint("--kernel=transpose", "--baseline=b.json", "--prune-baseline", "k.cu")
        self.run_lint("--kernel=transpose", "--baseline=b.json", "--update-baseline", "k.cu")
        with open(os.path.join(self.folder.name, "b.json"), encoding="utf-8") as file:
            self.assertEqual(file.read(), before)
        self.assert_fails(self.run_lint("--kernel=transpos", "k.cu"), "--kernel: no kernel matches 'transpos'", "'transpose'")
        result = self.run_lint("--kernel=transpose", "--kernel=absent", "--fail-on=never", "k.cu")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("warning: --kernel: no kernel matches 'absent'", result.stderr)

    def test_wrong_comment(self):
        self.write("k.cu", "// smem-lint: launch bock=32\n" + UNKNOWN_LAUNCH)
        self.assert_fails(self.run_lint("k.cu"), "k.cu:1:", "did you mean 'block'?")

    def test_too_many_threads(self):
        self.write("k.cu", "// smem-lint: launch block=(1025) grid=(1) n=5\n" + UNKNOWN_LAUNCH)
        for comment in ("block=(1025) grid=(1) n=5", "block=(1025) grid=(1)"): # whatever else is assumed
            self.write("k.cu", f"// smem-lint: launch {comment}\n" + UNKNOWN_LAUNCH)
            result = self.run_lint("k.cu")
            self.assertEqual(result.returncode, 1)
            self.assertIn("[launch-limit]", result.stdout)
        self.write("k.cu", UNKNOWN_LAUNCH)
        self.assert_fails(self.run_lint("--launch=block=2048", "k.cu"), "has 2048 threads")
        self.assert_fails(self.run_lint("--launch=grid=(1,70000)", "k.cu"), "exceeds (2147483647,65535,65535)")
        self.assert_fails(self.run_lint("--launch=dynamic=300000", "k.cu"), "bytes of shared memory a block")

    def test_host_code(self):
        self.write("k.cu", UNKNOWN_LAUNCH + """
int main() {
  float *data;
  const int n = 4096;
  cudaMalloc(&data, n * sizeof(float));
  scale<<<n / 256, 256>>>(data, n);
}
""")
        result = self.run_lint("--table", "k.cu")
        self.assertIn("host code at k.cu:", result.stdout)
        self.assertIn("grid=(16) block=(256)", result.stdout)
        self.assertIn("0 assumed, 0 unknown", result.stdout)


class RecordedLaunches(Case):
    SESSION = {"kind": "session", "schema_version": 1}
    KERNEL = """\
static __global__ void scale(float *data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
}
int main(int argc, char **argv) {
  float *data;
  cudaMalloc(&data, 4096);
  const int threads = argv[1][0];
  scale<<<1000 / threads, threads>>>(data, 1000);
}
"""

    def launch(self, grid, block, **more):
        # nvcc's spelling of a kernel of internal linkage.
        return {"kind": "launch", "kernel": "_Z5scalePfi", "grid": grid, "block": block, "shared_dynamic": 0, "result": "success", **more}

    def record(self, *records):
        return self.write("m.jsonl", "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records))

    def lint(self, *arguments):
        return self.run_lint("--launches", "m.jsonl", "--format=json", "k.cu", *arguments)

    def setUp(self):
        super().setUp()
        self.write("k.cu", self.KERNEL)

    def test_shapes_are_recorded_and_arguments_host_code(self):
        self.record(self.SESSION, self.launch([10, 1, 1], [100, 1, 1]), self.launch([4, 1, 1], [250, 1, 1]),
                    self.launch([10, 1, 1], [100, 1, 1]), self.launch([9, 1, 1], [100, 1, 1], result="invalid configuration"))
        result = self.lint()
        self.assertEqual(result.returncode, 0, result.stderr)
        launches = json.loads(result.stdout)["launches"]
        self.assertEqual([(l["grid"][0], l["block"][0], l["origin"]["kind"]) for l in launches], [(10, 100, "recorded"), (4, 250, "recorded")])
        self.assertEqual(launches[1]["origin"]["location"], {"file": "m.jsonl", "line": 3, "column": 1})
        for launch in launches:
            self.assertEqual({s["verdict"] for s in launch["sites"]}, {"exact"})
            self.assertIn(1000, [a["value"] for a in launch["arguments"]])

    def test_arguments(self):
        pointer = {"offset": 0, "size": 8, "bytes": "100000feff7f0000"}
        count = lambda n: {"offset": 8, "size": 4, "bytes": n.to_bytes(4, "little").hex()}
        self.record(self.SESSION, *(self.launch([10, 1, 1], [100, 1, 1], arguments=[pointer, count(n)]) for n in (960, 960, 32, 960)))
        result = self.lint()
        self.assertEqual(result.returncode, 0, result.stderr)
        launches = json.loads(result.stdout)["launches"]
        self.assertEqual([next(a["value"] for a in l["arguments"] if a["name"] == "n") for l in launches], [960, 32, 960])
        self.assertEqual([l["origin"]["location"]["line"] for l in launches], [2, 4, 5])
        # Of warps of blocks of 100 threads, from an address that is 16 bytes off a sector.
        sectors = lambda n: sum(len({(16 + 4 * (block * 100 + thread)) // 32 for thread in range(warp, min(warp + 32, 100)) if block * 100 + thread < n})
                                for block in range(10) for warp in range(0, 100, 32))
        self.assertEqual([l["sites"][0]["sectors"] for l in launches], [sectors(960), 5, sectors(960)])
        self.record(self.SESSION, self.launch([10, 1, 1], [100, 1, 1], arguments=[{"bytes": "xyz"}]))
        (launch,) = json.loads(self.lint().stdout)["launches"]
        self.assertIn(1000, [a["value"] for a in launch["arguments"]])  # host code's

    def test_what_is_stronger(self):
        self.record(self.SESSION, self.launch([10, 1, 1], [100, 1, 1]))
        (launch,) = json.loads(self.lint("--launch", "block=64").stdout)["launches"]
        self.assertEqual((launch["grid"][0], launch["block"][0], launch["origin"]["kind"]), (10, 64, "option"))

    def test_cut_off(self):
        self.record(self.SESSION, self.launch([10, 1, 1], [100, 1, 1]), '{"kind":"launch","ker')
        result = self.lint()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("m.jsonl:3: cut off", result.stderr)

    def test_not_a_recording(self):
        self.assert_fails(self.lint(), "cannot read m.jsonl")
        for records, message in ((["int main() {}"], "m.jsonl:1: not a recording"),
                                 ([{"kind": "launch"}], "m.jsonl:1: not a recording"),
                                 ([{"kind": "session", "schema_version": 2}], "schema version"),
                                 ([self.SESSION], "no successful launch"),
                                 ([self.SESSION, "{", self.launch([1, 1, 1], [1, 1, 1])], "m.jsonl:2: not JSON"),
                                 ([self.SESSION, self.launch([1, 1], [1, 1, 1])], "m.jsonl:2: a launch without"),
                                 ([self.SESSION, self.launch([1, 1, 1], [1, 0, 1])], "m.jsonl:2: a launch without"),
                                 ([self.SESSION, self.launch([1, 1, 1], [1, 1, 1], kernel="_Z5otherv")], "the recording has 'other()'")):
            self.record(*records)
            self.assert_fails(self.lint(), message)


class Files(Case):
    def test_missing_file_and_folder_do_not_stop_the_others(self):
        self.write("k.cu", CONFLICT)
        os.mkdir(os.path.join(self.folder.name, "empty"))
        result = self.run_lint("missing.cu", "empty", "k.cu")
        self.assert_fails(result, "missing.cu", "empty: warning: no CUDA file in this folder")
        self.assertIn("[smem-bank-conflict]", result.stdout)

    def test_syntax_error(self):
        self.write("bad.cu", "__global__ void k( {\n")
        self.assert_fails(self.run_lint("bad.cu"), "bad.cu:1:", "error:")

    def test_no_kernel(self):
        self.write("host.cu", "int main() { return 0; }\n")
        result = self.run_lint("host.cu")
        self.assertEqual(result.returncode, 0)
        self.assertIn("no kernel in this file", result.stderr)

    def test_standard_input(self):
        result = self.run_lint("--table", "-", stdin=CONFLICT)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("<stdin>:7:58: warning", result.stdout)
        self.assertIn("tile[x][y];", result.stdout)
        named = self.run_lint("-", "--stdin-filename=named.cu", stdin=CONFLICT)
        self.assertIn("named.cu:7:58: warning", named.stdout)

    def test_order_and_jobs_do_not_show(self):
        names = [self.write(f"k{i}.cu", CONFLICT if i % 2 else CLEAN) for i in range(6)]
        once = self.run_lint("-j1", *names).stdout
        self.assertEqual(once, self.run_lint("-j8", *reversed(names)).stdout)
        self.assertLess(once.index("k1.cu"), once.index("k3.cu"))

    def test_output_file(self):
        self.write("k.cu", CONFLICT)
        direct = self.run_lint("k.cu").stdout
        result = self.run_lint("-o", "out.txt", "k.cu")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        with open(os.path.join(self.folder.name, "out.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read(), direct)
        self.assert_fails(self.run_lint("-o", "no/such/folder/out.txt", "k.cu"), "cannot write")
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["k.cu", "out.txt"])

    def test_compiler_flags(self):
        self.write("k.cu", "#include \"size.h\"\n" + CONFLICT.replace("tile[32][32]", "tile[32][32 + PAD]"))
        self.write("include/size.h", "\n")
        self.assertEqual(self.run_lint("k.cu").returncode, 2)
        self.assertEqual(self.run_lint("k.cu", "--", "-Iinclude", "-DPAD=1").returncode, 0)
        self.assertEqual(self.run_lint("--extra-arg=-Iinclude", "--extra-arg=-DPAD=0", "k.cu").returncode, 1)

    def test_compile_database(self):
        self.write("src/k.cu", "#include \"size.h\"\n" + CONFLICT.replace("tile[32][32]", "tile[32][32 + PAD]"))
        self.write("src/include/size.h", "\n")
        self.write("build/compile_commands.json", json.dumps([
            {"directory": os.path.join(self.folder.name, "src"), "file": "k.cu",
             "command": "nvcc -arch=sm_80 -Iinclude '-DPAD=1' --expt-relaxed-constexpr -x cu -c k.cu -o k.o"}]))
        result = self.run_lint("-p", "build", "src/k.cu")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("sm_80", result.stdout)
        self.assertEqual(self.run_lint("src/k.cu").stdout, result.stdout)  # found in a folder `build` above the file
        self.assert_fails(self.run_lint("-p", "src", "src/k.cu"), "compile_commands.json")

    def database(self, *entries):
        self.write("build/compile_commands.json", json.dumps([
            {"directory": self.folder.name, "file": file, "command": command} for file, command in entries]))

    def test_failures_of_one_file_do_not_stop_the_others(self):
        for name in ("gone.cu", "unknown.cu", "header.cu", "fine.cu", "host.cpp"):
            self.write(name, CONFLICT if name != "header.cu" else '#include "config.h"\n' + CONFLICT)
        self.write("settings/config.h", "")
        self.database(("gone.cu", "nvcc --options-file gone.rsp -c gone.cu"), ("unknown.cu", "nvcc --no-such-option -c unknown.cu"),
                      ("header.cu", "nvcc -c header.cu"), ("fine.cu", "nvcc -c fine.cu"), ("host.cpp", "g++ -c host.cpp"))
        result = self.run_lint("-p", "build", "-j3", "gone.cu", "unknown.cu", "header.cu", "fine.cu")
        self.assert_fails(result, "cannot read options file", "gone.rsp", "--no-such-option", "'config.h' file not found",
                          "-I" + os.path.join(os.path.realpath(self.folder.name), "settings"))
        self.assertIn("fine.cu:7:58: warning: 32-way", result.stdout)
        self.assertEqual(result.stdout, self.run_lint("-p", "build", "-j1", "fine.cu", "header.cu", "unknown.cu", "gone.cu").stdout)

    def test_a_file_in_two_commands(self):
        self.write("k.cu", CONFLICT.replace("tile[32][32]", "tile[32][32 + PAD]"))
        self.database(("k.cu", "nvcc -DPAD=1 -c k.cu -o a.o"), ("k.cu", "nvcc -DPAD=0 -c k.cu -o b.o"))
        result = self.run_lint("-p", "build", "k.cu")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("the first one is taken", result.stderr)

    def test_several_architectures(self):
        self.write("k.cu", CONFLICT)
        result = self.run_lint("k.cu", "--", "-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90")
        self.assertIn("on sm_80", result.stdout)
        self.assertIn("sm_80, sm_90; modelled as sm_80 (--arch chooses another)", result.stderr)
        self.assertIn("on sm_90", self.run_lint("--arch=sm_90", "k.cu", "--", "-gencode=arch=compute_80,code=sm_80").stdout)

    def test_header_through_a_file_that_includes_it(self):
        self.write("tile.cuh", "template <int N> " + CONFLICT.split("\n", 1)[1].replace("tile[32][32]", "tile[32][N]"))
        self.write("k.cu", '#include "tile.cuh"\n__global__ void other(float *x) { x[threadIdx.x * 32] = 0; }\n'
                   "int main() { float *x; cudaMalloc(&x, 65536); transpose<32><<<dim3(4, 4), dim3(32, 32)>>>(x, x, 128); }\n")
        self.database(("k.cu", "nvcc -c k.cu"))
        result = self.run_lint("--table", "-p", "build", "tile.cuh")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("analysed as part of", result.stderr)
        self.assertIn("transpose<32>  grid=(4,4) block=(32,32)", result.stdout)
        self.assertNotIn("other", result.stdout)

    def test_symbolic_links_in_a_circle(self):
        os.symlink("b.cu", os.path.join(self.folder.name, "a.cu"))
        os.symlink("a.cu", os.path.join(self.folder.name, "b.cu"))
        self.write("k.cu", CONFLICT)
        result = self.run_lint("a.cu", "k.cu")
        self.assert_fails(result, "a.cu")
        self.assertIn("32-way", result.stdout)

    def test_toolkit_given_twice(self):
        self.write("k.cu", CONFLICT)
        self.assertEqual(self.run_lint("--cuda-path=/no/such/toolkit", "--cuda-path", "none", "k.cu").returncode, 1)
        self.assert_fails(self.run_lint("--cuda-path=/no/such/toolkit", "k.cu"), "no CUDA toolkit in '/no/such/toolkit'")


class Json(Case):
    def test_sites_carry_whole_launch_integers(self):
        self.write("k.cu", CONFLICT)
        result = self.run_lint("--format=json", "k.cu")
        self.assertEqual(result.returncode, 1, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual(report["arch"], "sm_90")
        self.assertEqual(report["sources"], [{"file": "k.cu", "sha256": hashlib.sha256(CONFLICT.encode()).hexdigest()}])
        (launch,) = report["launches"]
        self.assertEqual((launch["kernel"], launch["grid"], launch["block"]), ("transpose", [4, 4, 1], [32, 32, 1]))
        self.assertEqual(launch["origin"]["kind"], "comment")
        loads = [site for site in launch["sites"] if (site["space"], site["operation"]) == ("shared", "load")]
        self.assertEqual([(site["wavefronts"], site["ideal_wavefronts"], site["conflict_degree"]) for site in loads],
                         [(16 * 32 * 32, 16 * 32, 32)])


if __name__ == "__main__":
    unittest.main()
