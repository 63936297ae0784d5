#!/usr/bin/env python3
"""Bad input: bad_input_test.py SMEM_LINT MEMORY_LIMIT_IN_GIB [unittest arguments]; a limit of 0 is none.

Every case runs the real program in a folder of its own. A case fails when the program dies of a signal, hangs, exceeds the
memory limit or says `internal error`, whatever else it checks.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import textwrap
import unittest

SMEM_LINT = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "smem-lint"
MEMORY_GIB = int(sys.argv.pop(1)) if len(sys.argv) > 1 else 0
SAFETY_SECONDS = 240  # ends what hangs; nothing here needs a fraction of it

# A kernel beside the bad one: it has to be analysed, and to come out exact.
GOOD = """
// smem-lint: launch block=(32) grid=(2)
__global__ void good(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x][0];
}
"""


def limits():
    if MEMORY_GIB:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_GIB << 30, MEMORY_GIB << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Result:
    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout.decode("utf-8")  # reports are UTF-8 whatever the input was
        self.err = done.stderr.decode("utf-8", "replace")

    def __str__(self):
        return f"exit code {self.code}\n--- stdout\n{self.out[-3000:]}\n--- stderr\n{self.err[-3000:]}"


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, contents):
        if isinstance(contents, str):
            contents = contents.encode("utf-8")
        with open(self.path(name), "wb") as file:
            file.write(contents)
        return name

    def run_lint(self, *arguments, stdin=b""):
        env = {key: value for key, value in os.environ.items() if key not in ("CLICOLOR_FORCE", "CUDA_PATH", "CUDA_HOME")}
        shipped = [] if any(argument.startswith("--cuda-path") for argument in arguments) else ["--cuda-path=none"]
        done = subprocess.run([SMEM_LINT, *shipped, *arguments], cwd=self.folder, input=stdin, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=SAFETY_SECONDS, check=False, preexec_fn=limits, env={**env, "NO_COLOR": "1"})
        result = Result(done)
        self.assertIn(result.code, (0, 1, 2), f"killed\n{result}")
        self.assertNotIn("internal error", result.err, str(result))
        self.assertNotIn("PLEASE submit a bug report", result.err, str(result))
        return result

    def lint(self, source, *options):
        """The text report of one source; the options may end with `--` and compiler flags."""
        self.write("kernel.cu", textwrap.dedent(source) if isinstance(source, str) else source)
        return self.run_lint("kernel.cu", *options)

    def report(self, source, *options):
        """(result, JSON) of one source."""
        result = self.lint(source, "--format=json", *options)
        try:
            return result, json.loads(result.out)
        except ValueError:
            self.fail(f"the output is not JSON\n{result}")

    def assert_fails(self, result, *needles):
        """Exit code 2 and a message on standard error that has all of these in one line."""
        self.assertEqual(result.code, 2, str(result))
        self.assertTrue(any(all(needle.lower() in line.lower() for needle in needles) for line in result.err.splitlines()),
                        f"no line on standard error with {needles}\n{result}")

    def assert_good_kernel(self, report, launches=None):
        """The kernel beside the bad one came out exact."""
        good = [launch for launch in report["launches"] if launch["kernel"].startswith("good")]
        self.assertEqual(len(good), 1 if launches is None else launches, report["launches"])
        sites = [(site["space"], site["operation"], site["verdict"], site["requests"], site["conflict_degree"]) for site in good[0]["sites"]]
        self.assertEqual(sorted(sites), [("global", "store", "exact", 2, 0), ("shared", "load", "exact", 2, 32),
                                         ("shared", "store", "exact", 2, 32)])

    def assert_finding(self, report, rule, line, severity=None, *needles):
        found = [finding for finding in report["findings"] if finding["rule"] == rule]
        self.assertTrue(found, f"no {rule} in {[(f['rule'], f['line']) for f in report['findings']]}")
        at_line = [finding for finding in found if finding["line"] == line]
        self.assertTrue(at_line, f"{rule} at line {[f['line'] for f in found]}, expected {line}")
        if severity:
            self.assertEqual(at_line[0]["severity"], severity)
        for needle in needles:
            self.assertIn(needle, at_line[0]["message"])

    def sites(self, report, kernel, line=None):
        return [site for launch in report["launches"] if launch["kernel"] == kernel for site in launch["sites"]
                if line is None or site["line"] == line]

    def assert_unknown(self, report, kernel, line, *needles):
        """Every site of the line is unknown and says why."""
        sites = self.sites(report, kernel, line)
        self.assertTrue(sites, f"no site at line {line} of {kernel}: {[(s['line'], s['space']) for s in self.sites(report, kernel)]}")
        for site in sites:
            self.assertEqual(site["verdict"], "unknown", site)
            for needle in needles:
                self.assertIn(needle.lower(), site["reason"].lower(), site)


class FilesAndNames(Case):
    def test_missing_file(self):
        self.assert_fails(self.run_lint("nowhere.cu"), "nowhere.cu", "No such file")

    def test_missing_file_beside_a_good_one(self):
        self.write("good.cu", GOOD)
        result = self.run_lint("--format=json", "nowhere.cu", "good.cu")
        self.assert_fails(result, "nowhere.cu")
        self.assert_good_kernel(json.loads(result.out))

    def test_directory(self):
        os.mkdir(self.path("folder.cu"))
        self.assert_fails(self.run_lint("folder.cu"), "folder.cu", "directory")

    def test_path_through_a_file(self):
        self.write("file.cu", GOOD)
        self.assert_fails(self.run_lint("file.cu/kernel.cu"), "file.cu/kernel.cu")

    def test_dangling_and_circular_links(self):
        os.symlink("gone.cu", self.path("dangling.cu"))
        os.symlink("circular.cu", self.path("circular.cu"))
        self.assert_fails(self.run_lint("dangling.cu"), "dangling.cu")
        self.assert_fails(self.run_lint("circular.cu"), "circular.cu")

    @unittest.skipIf(os.geteuid() == 0, "root reads every file")
    def test_unreadable_file(self):
        self.write("secret.cu", GOOD)
        os.chmod(self.path("secret.cu"), 0)
        self.assert_fails(self.run_lint("secret.cu"), "secret.cu", "permission denied")

    def test_empty_files(self):
        for contents in (b"", b"\n", b"\n\n// nothing\n", b"\xef\xbb\xbf"):
            result = self.lint(contents)
            self.assertEqual(result.code, 0, str(result))
            self.assertIn("no kernel in this file", result.err)

    def test_no_name_and_odd_names(self):
        self.assertEqual(self.run_lint("").code, 2)
        for name in ("with space.cu", "quote'\".cu", "-dash.cu", "percent%s%n.cu", "new\nline.cu", "\u00fc\u4e2d.cu", "no_suffix", "kernel.txt"):
            self.write(name, GOOD)
            result = self.run_lint("--format=json", "./" + name)
            self.assertEqual(result.code, 1, f"{name!r}: {result}")
            self.assert_good_kernel(json.loads(result.out))

    def test_name_that_is_not_utf8(self):
        name = os.fsencode(self.folder) + b"/bytes\xff.cu"
        with open(name, "wb") as file:
            file.write(GOOD.encode())
        self.assert_good_kernel(json.loads(self.run_lint("--format=json", os.fsdecode(name)).out))

    def test_very_long_name(self):
        self.assert_fails(self.run_lint("x" * 5000 + ".cu"), "File name too long")

    def test_standard_input(self):
        result = self.run_lint("--format=json", "-", stdin=GOOD.encode())
        self.assertEqual(result.code, 1, str(result))
        self.assert_good_kernel(json.loads(result.out))
        self.assert_fails(self.run_lint("-", stdin=b"__global__ void k( {\n"), "<stdin>:1:", "error:")
        self.assertEqual(self.run_lint("-", stdin=b"").code, 0)
        self.assert_fails(self.run_lint("-", "-", stdin=GOOD.encode()), "standard input")

    def test_same_file_twice(self):
        self.write("good.cu", GOOD)
        self.assert_good_kernel(json.loads(self.run_lint("--format=json", "good.cu", "good.cu").out))

    def test_unknown_architecture(self):
        self.write("good.cu", GOOD)
        self.assert_fails(self.run_lint("--arch=sm_91", "good.cu"), "sm_91", "sm_90")
        self.assert_fails(self.run_lint("--arch=", "good.cu"), "arch")
        result = self.run_lint("good.cu", "--", "-arch=sm_37")
        self.assertIn("sm_37", result.err)

    def test_flags_that_the_compiler_refuses(self):
        self.write("good.cu", GOOD)
        self.assert_fails(self.run_lint("good.cu", "--", "--no-such-flag"), "--no-such-flag")
        self.assert_fails(self.run_lint("good.cu", "--", "-std=c++1066"), "c++1066")
        self.assert_fails(self.run_lint("good.cu", "--", "-include", "missing.h"), "missing.h")

    def test_toolkit_that_does_not_exist(self):
        self.write("good.cu", GOOD)
        self.assert_fails(self.run_lint("--cuda-path=/nowhere/cuda", "good.cu"), "/nowhere/cuda")


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
        self.assertIn("no kernel", result.err)

    def test_kernel_that_is_only_declared(self):
        result, report = self.report("__global__ void elsewhere(float *);\nvoid f(float *p) { elsewhere<<<1, 32>>>(p); }\n" + GOOD)
        self.assertEqual(result.code, 1, str(result))
        self.assert_good_kernel(report)

    def test_empty_kernel(self):
        _, report = self.report("__global__ void nothing() {}\n" + GOOD)
        self.assert_good_kernel(report)

    def test_bytes_that_are_not_utf8(self):
        result, report = self.report(b"// caf\xe9 \xff\xfe\n__constant__ char text[] = \"\xc3\x28\";\n" + GOOD.encode())
        self.assertEqual(result.code, 1, str(result))
        self.assert_good_kernel(report)

    def test_excerpts_are_utf8(self):
        text = self.lint(GOOD.replace("[0];", "[0];  // caf\xe9").encode("latin-1"))
        self.assertIn("[smem-bank-conflict]", text.out)

    def test_nul_bytes(self):
        _, report = self.report(b"// a\0b\n" + GOOD.encode())
        self.assert_good_kernel(report)
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


class Launches(Case):
    def test_too_many_threads(self):
        result, report = self.report("""\
            __global__ void many(float *out) { out[threadIdx.x] = 0; }
            void run(float *out) {
              many<<<1, 1025>>>(out);
            }
            """ + GOOD)
        self.assertEqual(result.code, 1, str(result))
        self.assert_finding(report, "launch-limit", 3, "error", "1025", "1024")
        self.assert_good_kernel(report)

    def test_other_limits(self):
        for shape, needle in (("dim3(1), dim3(1, 1, 65)", "65"), ("dim3(1, 65536), dim3(32)", "65536"), ("dim3(1, 1, 65536), dim3(32)", "65536"),
                              ("dim3(1), dim3(32, 33)", "1056")):
            result, report = self.report("__global__ void odd(float *out) { out[threadIdx.x] = 0; }\n"
                                         f"void run(float *out) {{ odd<<<{shape}>>>(out); }}\n")
            self.assertEqual(result.code, 1, str(result))
            self.assert_finding(report, "launch-limit", 2, "error", needle)

    def test_extents_of_nothing(self):
        for shape in ("0, 32", "1, 0", "dim3(1, 0, 1), 32", "-1, 32", "1, -32", "1u << 31, 32"):
            result, report = self.report("__global__ void odd(float *out) { out[threadIdx.x] = 0; }\n"
                                         f"void run(float *out) {{\n  odd<<<{shape}>>>(out);\n}}\n" + GOOD)
            self.assertEqual(result.code, 1, f"{shape}: {result}")
            self.assert_finding(report, "launch-limit", 3)
            self.assert_good_kernel(report)

    def test_launch_bounds(self):
        result, report = self.report("__global__ __launch_bounds__(128) void bounded(float *out) { out[threadIdx.x] = 0; }\n"
                                     "void run(float *out) { bounded<<<1, 256>>>(out); }\n")
        self.assertEqual(result.code, 1, str(result))
        self.assert_finding(report, "launch-limit", 2, "error", "128")

    def test_too_much_static_shared_memory(self):
        result, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void big(float *out) {
              __shared__ float tile[100][129];
              tile[threadIdx.x][0] = 0;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x][1];
            }
            """ + GOOD)
        self.assertEqual(result.code, 1, str(result))
        self.assertIn("smem-capacity", [finding["rule"] for finding in report["findings"]])
        self.assertIn("51600", str([finding["message"] for finding in report["findings"]]).replace(",", ""))
        self.assert_good_kernel(report)

    def test_too_much_dynamic_shared_memory(self):
        result, report = self.report("""\
            __global__ void big(float *out) {
              extern __shared__ float pool[];
              pool[threadIdx.x] = 0;
              __syncthreads();
              out[threadIdx.x] = pool[31 - threadIdx.x];
            }
            void run(float *out) {
              big<<<1, 32, 300000>>>(out);
            }
            """ + GOOD)
        self.assertEqual(result.code, 1, str(result))
        self.assertIn("smem-capacity", [finding["rule"] for finding in report["findings"]])
        self.assert_good_kernel(report)

    def test_absurd_shared_memory(self):
        result, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void absurd(float *out) {
              __shared__ float tile[1 << 28];
              tile[threadIdx.x] = 0;
              __syncthreads();
              out[threadIdx.x] = tile[31 - threadIdx.x];
            }
            """ + GOOD)
        self.assertIn(result.code, (1, 2), str(result))
        if result.code == 1:
            self.assertIn("smem-capacity", [finding["rule"] for finding in report["findings"]])
            self.assert_good_kernel(report)
        self.lint(GOOD, "--launch", "good:dynamic=1152921504606846976")

    def test_malformed_options(self):
        self.write("good.cu", GOOD)
        for option in ("--launch=good:block=(0)", "--launch=good:block=(1,2,3,4)", "--launch=good:block=(-1)", "--launch=good:block",
                       "--launch=good:block=(99999999999999999999)", "--launch=", "--launch=gud:block=(32)", "--set=n", "--set=n=",
                       "--set=n=1e3", "--set=n=99999999999999999999", "--set=nobody=3", "--max-steps=0", "--max-steps=-1", "--jobs=-1",
                       "--jobs=many", "--format=xml", "--checks=no-such-rule", "--fail-on=always", "--explain=no-such-rule"):
            result = self.run_lint(option, "good.cu")
            self.assertEqual(result.code, 2, f"{option}: {result}")
            self.assertTrue(result.err.strip(), option)

    def test_largest_grid(self):
        _, report = self.report(GOOD.replace("grid=(2)", "grid=(2147483647)"))
        store = [site for site in self.sites(report, "good") if site["operation"] == "store" and site["space"] == "shared"]
        self.assertEqual((store[0]["verdict"], store[0]["requests"], store[0]["wavefronts"]), ("exact", 2147483647, 32 * 2147483647))

    def test_counts_beyond_64_bits_are_not_wrapped(self):
        _, report = self.report("""\
            // smem-lint: launch block=(1024) grid=(2147483647,65535,65535) n=9223372036854775807
            __global__ void endless(long long n) {
              __shared__ volatile int tile[32][32];
              for (long long i = 0; i < n; ++i)
                tile[threadIdx.x % 32][0] = 1;
            }
            """)
        for site in self.sites(report, "endless"):
            self.assertEqual(site["verdict"], "unknown", site)


class Addresses(Case):
    def test_behind_and_before_the_array(self):
        result, report = self.report("""\
            // smem-lint: launch block=(128) grid=(1)
            __global__ void outside(float *out) {
              __shared__ float tile[100];
              tile[threadIdx.x] = 1;
              __syncthreads();
              if (threadIdx.x < 100)
                out[threadIdx.x] = tile[(int)threadIdx.x - 2];
            }
            """ + GOOD)
        self.assertEqual(result.code, 1, str(result))
        self.assert_finding(report, "smem-out-of-bounds", 4, "error")
        self.assert_finding(report, "smem-out-of-bounds", 7, "error")
        self.assert_good_kernel(report)

    def test_into_the_neighbouring_array(self):
        _, report = self.report("""\
            // smem-lint: launch block=(128) grid=(1)
            __global__ void neighbours(float *out) {
              __shared__ float a[100];
              __shared__ float b[100];
              a[threadIdx.x] = 1;
              if (threadIdx.x < 100) b[threadIdx.x] = 1;
              __syncthreads();
              if (threadIdx.x < 100) out[threadIdx.x] = a[99 - threadIdx.x] + b[99 - threadIdx.x];
            }
            """)
        self.assert_finding(report, "smem-out-of-bounds", 5, "error")

    def test_constant_index_outside(self):
        result, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void outside(float *out) {
              __shared__ float tile[32];
              tile[threadIdx.x + 1000000] = 1;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """ + GOOD)
        self.assertEqual(result.code, 1, str(result))
        self.assert_finding(report, "smem-out-of-bounds", 4, "error")
        self.assert_good_kernel(report)

    def test_division_by_an_argument_that_is_zero(self):
        result, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1) columns=0
            __global__ void divides(float *out, const float *in, int columns) {
              __shared__ float tile[32];
              tile[threadIdx.x] = in[threadIdx.x];
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x / columns];
            }
            """ + GOOD)
        self.assertEqual(result.code, 1, str(result))
        self.assert_finding(report, "division-by-zero", 6, "error")
        self.assert_unknown({"launches": [{**launch, "sites": [s for s in launch["sites"] if s["operation"] == "load"]}
                                          for launch in report["launches"]]}, "divides", 6, "zero")
        self.assert_good_kernel(report)

    def test_remainder_by_zero_from_host_code(self):
        result, report = self.report("""\
            __global__ void divides(int *out, int rows) { out[threadIdx.x % rows] = 1; }
            void run(int *out) {
              divides<<<1, 32>>>(out, 0);
            }
            """)
        self.assertEqual(result.code, 1, str(result))
        self.assert_finding(report, "division-by-zero", 1, "error")

    @unittest.expectedFailure  # what the compiler deletes as undefined, and its warning, are not shown
    def test_division_by_a_constant_zero(self):
        result, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void divides(int *out) {
              __shared__ int tile[32];
              tile[threadIdx.x / 0] = 1;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """ + GOOD)
        self.assertIn("kernel.cu:4:", result.err + result.out)
        self.assertIn("zero", result.err + result.out)
        self.assert_good_kernel(report)

    def test_host_code_that_divides_by_zero(self):
        _, report = self.report("""\
            __global__ void k(float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0; }
            void run(float *out) {
              const int zero = 0;
              k<<<10 / zero, 32>>>(out, 10 % zero);
            }
            """ + GOOD)
        self.assert_good_kernel(report)

    def test_misaligned(self):
        result, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void misaligned(double *out) {
              __shared__ __align__(16) float tile[32 * 33];
              for (int i = threadIdx.x; i < 32 * 33; i += 32) tile[i] = i;
              __syncthreads();
              out[threadIdx.x] = *reinterpret_cast<const double *>(&tile[threadIdx.x * 33]);
            }
            """ + GOOD)
        self.assertEqual(result.code, 1, str(result))
        self.assert_finding(report, "smem-misaligned", 6, "error")
        self.assert_good_kernel(report)

    def test_null_and_made_up_pointers(self):
        _, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void null(int *out) {
              int *p = nullptr;
              p[threadIdx.x] = 1;
              *reinterpret_cast<volatile int *>(0x1234567890) = 2;
            }
            """ + GOOD)
        self.assert_good_kernel(report)

    def test_undefined_index(self):
        _, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void undefined(int *out) {
              __shared__ int tile[32];
              int index;
              tile[index] = 1;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """ + GOOD)
        self.assert_good_kernel(report)

    def test_shift_by_too_much_and_overflow(self):
        _, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1) n=40 big=2147483647
            __global__ void shifts(int *out, int n, int big) {
              __shared__ int tile[64];
              tile[(threadIdx.x << n) & 63] = 1;
              tile[(unsigned)(big * (int)threadIdx.x) % 64] = 2;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """ + GOOD)
        self.assert_good_kernel(report)


class Loops(Case):
    def test_loop_without_end(self):
        result, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void endless(volatile int *flag) {
              __shared__ volatile int tile[32];
              while (true)
                tile[threadIdx.x] = 1;
            }
            """ + GOOD)
        self.assertEqual(result.code, 1, str(result))
        rules = {finding["rule"]: finding for finding in report["findings"]}
        self.assertTrue({"unbounded-loop", "analysis-budget"} & rules.keys(), rules.keys())
        self.assert_unknown(report, "endless", 5)
        self.assert_good_kernel(report)

    def test_spinning_on_memory(self):
        result, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void spins(volatile int *flag, int *out) {
              __shared__ int tile[32];
              while (flag[0] == 0) {
              }
              tile[threadIdx.x] = 1;
              __syncthreads();
              out[threadIdx.x] = tile[31 - threadIdx.x];
            }
            """ + GOOD)
        self.assertIn(result.code, (0, 1), str(result))
        self.assert_unknown(report, "spins", 4)
        self.assert_good_kernel(report)

    def test_data_dependent_loop(self):
        result, report = self.report("""\
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
            """ + GOOD)
        self.assertIn(result.code, (0, 1), str(result))
        self.assert_unknown(report, "list", 6)
        self.assert_unknown(report, "list", 7)
        reasons = [site["reason_location"] for site in self.sites(report, "list", 6)]
        self.assertTrue(all(place and place["line"] == 7 for place in reasons), reasons)
        self.assert_good_kernel(report)

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
        result, report = self.report("""\
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
            """ + GOOD)
        self.assertIn(result.code, (0, 1), str(result))
        self.assertIn("unknown", {site["verdict"] for site in self.sites(report, "recursive")})
        self.assertTrue(any("recurs" in (site["reason"] or "") for site in self.sites(report, "recursive")),
                        [site["reason"] for site in self.sites(report, "recursive")])
        self.assert_good_kernel(report)

    def test_mutual_and_endless_recursion(self):
        _, report = self.report("""\
            __device__ void pong(int *tile, int n);
            __device__ __noinline__ void ping(int *tile, int n) { tile[n & 31] = n; pong(tile, n + 1); }
            __device__ __noinline__ void pong(int *tile, int n) { tile[n & 31] = n; ping(tile, n + 2); }
            // smem-lint: launch block=(32) grid=(1)
            __global__ void endless(int *out) {
              __shared__ int tile[32];
              ping(tile, threadIdx.x);
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """ + GOOD)
        self.assert_good_kernel(report)

    def test_kernel_of_nothing_but_an_endless_loop(self):
        for loop in ("for (;;) {}", "while (true) {}", "do {} while (true);"):
            _, report = self.report("// smem-lint: launch block=(32) grid=(1)\n__global__ void endless(volatile int *out) {\n"
                                    f"  out[threadIdx.x] = 1;\n  {loop}\n  out[threadIdx.x] = 2;\n}}\n" + GOOD)
            self.assert_good_kernel(report)

    def test_host_code_that_waits_for_ever(self):
        for loop in ("for (;;) {}", "while (true) {}", "do {} while (true);", "for (int i = 0; i < 1; i = i) {}"):
            _, report = self.report(f"__global__ void k(float *out) {{ out[threadIdx.x] = 0; }}\nint main() {{ k<<<1, 32>>>(nullptr); {loop} }}\n" + GOOD)
            self.assert_good_kernel(report)
            self.assertEqual([launch["block"] for launch in report["launches"] if launch["kernel"] == "k"], [[32, 1, 1]])

    def test_host_code_without_end(self):
        # Looking for launches must not run what does not stop.
        _, report = self.report("""\
            __global__ void k(float *out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 0; }
            int loops(int n) { while (true) ++n; return n; }
            int falls(int n) { return falls(n + 1) + 1; }
            void run(float *out) {
              for (;;) k<<<1, 32>>>(out, loops(1));
            }
            void other(float *out) { k<<<1, 64>>>(out, falls(1)); }
            void many(float *out) { for (long long i = 0; i < 1000000000000; ++i) k<<<1, 96>>>(out, i % 1000); }
            """ + GOOD)
        self.assert_good_kernel(report)


class Constructs(Case):
    """What does not lower is named; it neither disappears nor spoils the rest."""

    def test_call_through_a_pointer(self):
        _, report = self.report("""\
            using Step = void (*)(float *, int);
            __device__ void one(float *tile, int i) { tile[i] = 1; }
            __device__ void two(float *tile, int i) { tile[2 * i] = 2; }
            __device__ Step steps[] = {one, two};
            // smem-lint: launch block=(32) grid=(1) which=1
            __global__ void indirect(float *out, int which) {
              __shared__ float tile[64];
              steps[which](tile, threadIdx.x);
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """ + GOOD)
        self.assert_good_kernel(report)
        self.assertTrue(self.sites(report, "indirect"))

    def test_function_defined_elsewhere(self):
        _, report = self.report("""\
            extern __device__ int elsewhere(int *tile, int i);
            // smem-lint: launch block=(32) grid=(1)
            __global__ void calls(int *out) {
              __shared__ int tile[64];
              tile[threadIdx.x] = 1;
              tile[elsewhere(tile, threadIdx.x)] = 2;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """ + GOOD, "--", "-rdc=true")
        self.assert_good_kernel(report)
        self.assert_unknown(report, "calls", 6, "elsewhere")

    def test_inline_ptx_that_nobody_knows(self):
        _, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void odd(int *out) {
              __shared__ int tile[64];
              unsigned index;
              asm volatile("frobnicate.u32 %0, %%tid.x;" : "=r"(index));
              tile[index] = 1;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """ + GOOD)
        self.assert_good_kernel(report)
        self.assert_unknown(report, "odd", 6, "frobnicate")

    def test_clock_and_other_machine_state(self):
        _, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1)
            __global__ void clocks(int *out) {
              __shared__ int tile[32];
              tile[clock() % 32] = 1;
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """ + GOOD)
        self.assert_good_kernel(report)
        self.assert_unknown(report, "clocks", 4)

    def test_printf_assert_trap_and_heap(self):
        _, report = self.report("""\
            #include <cassert>
            #include <cstdio>
            // smem-lint: launch block=(32) grid=(1) n=32
            __global__ void chatty(int *out, int n) {
              assert(n > 0);
              if (n < 0) __trap();
              printf("%d\\n", threadIdx.x);
              int *p = static_cast<int *>(malloc(16));
              p[1] = n;
              out[threadIdx.x] = p[1];
              free(p);
            }
            """ + GOOD)
        self.assert_good_kernel(report)
        self.assertTrue(self.sites(report, "chatty", 10))

    def test_union_bitfield_and_unaligned_struct(self):
        _, report = self.report("""\
            struct __attribute__((packed)) Packed { char tag; int value; short rest; };
            union Both { float f[4]; struct { unsigned low : 5; unsigned high : 27; } bits; };
            // smem-lint: launch block=(32) grid=(1)
            __global__ void odd(int *out) {
              __shared__ Packed packed[32];
              __shared__ Both both[32];
              packed[threadIdx.x].value = threadIdx.x;
              both[threadIdx.x].bits.high = 3;
              __syncthreads();
              out[threadIdx.x] = packed[31 - threadIdx.x].value + both[31 - threadIdx.x].bits.low;
            }
            """ + GOOD)
        self.assert_good_kernel(report)

    def test_irreducible_jumps(self):
        _, report = self.report("""\
            // smem-lint: launch block=(32) grid=(1) n=7
            __global__ void jumps(int *out, int n) {
              __shared__ volatile int tile[32];
              int i = 0;
              if (threadIdx.x & 1) goto middle;
            top:
              tile[(threadIdx.x + i) % 32] = i;
            middle:
              tile[(threadIdx.x * 2 + i) % 32] = i;
              if (++i < n) { if (i & 2) goto top; else goto middle; }
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """ + GOOD)
        self.assert_good_kernel(report)
        self.assertTrue(self.sites(report, "jumps", 9))

    def test_dynamic_parallelism(self):
        result = self.lint("""\
            __global__ void child(float *out) { out[threadIdx.x] = 0; }
            __global__ void parent(float *out) { child<<<1, 32>>>(out); }
            """ + GOOD, "--", "-rdc=true")
        self.assertIn(result.code, (1, 2), str(result))
        if result.code == 2:
            self.assertIn("kernel.cu:2:", result.err)


class Sizes(Case):
    def test_hundred_thousand_lines(self):
        lines = ["// smem-lint: launch block=(32) grid=(2)", "__global__ void first(float *out) { out[threadIdx.x * 8] = 1; }"]
        while len(lines) < 99_000:
            i = len(lines)
            lines += [f"// {i}: nothing to see", f"__device__ int step_{i}(int x) {{", f"  return x * {i} + {i % 7};", "}", ""]
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
        _, report = self.report("// smem-lint: launch block=(32) grid=(1)\n__global__ void wide(int *out) {\n  __shared__ volatile int tile[1024];\n"
                                + body + "  out[threadIdx.x] = tile[threadIdx.x];\n}\n" + GOOD)
        self.assert_good_kernel(report)
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
        _, report = self.report("// smem-lint: launch block=(32) grid=(1) n=5\n__global__ void deep(int *o, int n) {\n"
                                + "".join(f"if (n > {i % 4}) {{\n" for i in range(200)) + "o[threadIdx.x] = 1;\n" + "}" * 200 + "\n}\n" + GOOD)
        self.assert_good_kernel(report)
        self.assertEqual([(site["verdict"], site["requests"]) for site in self.sites(report, "deep")], [("exact", 1)])

    def test_long_expression(self):
        _, report = self.report("// smem-lint: launch block=(32) grid=(1) n=1\n__global__ void sum(int *o, int n) {\n  o[threadIdx.x + "
                                + " + ".join(f"n * {i % 3}" for i in range(3000)) + "] = 1;\n}\n" + GOOD)
        self.assert_good_kernel(report)

    def test_index_in_an_index(self):
        _, report = self.report("// smem-lint: launch block=(32) grid=(1)\n__global__ void chain(int *o) {\n  __shared__ int t[32];\n  t[threadIdx.x] = 31 - threadIdx.x;\n"
                                "  __syncthreads();\n  o[threadIdx.x] = " + "t[" * 100 + "threadIdx.x" + "]" * 100 + ";\n}\n" + GOOD)
        self.assert_good_kernel(report)
        self.assertEqual({site["verdict"] for site in self.sites(report, "chain")}, {"exact"})

    def test_huge_macro_expansion(self):
        levels = "#define M0(i) tile[(threadIdx.x + i) % 1024] = i;\n"
        for level in range(1, 7):
            levels += f"#define M{level}(i) " + " ".join(f"M{level - 1}(4 * i + {j})" for j in range(4)) + "\n"
        _, report = self.report(levels + "// smem-lint: launch block=(32) grid=(1)\n__global__ void macros(int *out) {\n  __shared__ volatile int tile[1024];\n"
                                "  M6(0)\n  out[threadIdx.x] = tile[threadIdx.x];\n}\n" + GOOD)
        self.assert_good_kernel(report)
        stores = [site for site in self.sites(report, "macros") if site["operation"] == "store" and site["space"] == "shared"]
        self.assertEqual(sum(site["requests"] for site in stores), 4 ** 6)

    def test_macro_and_include_recursion(self):
        self.lint("#define A B\n#define B A\n__global__ void k(int *o) { o[0] = sizeof(\"A\"); }\n" + GOOD)
        self.assert_fails(self.lint("#include __FILE__\n"), "kernel.cu:1:", "nested too deeply")

    def test_endless_templates(self):
        result = self.lint("template <int N> struct Down { static const int value = Down<N + 1>::value; };\n"
                           "__global__ void k(int *o) { o[0] = Down<0>::value; }\n")
        self.assert_fails(result, "kernel.cu:1:", "error:")

    def test_switch_of_ten_thousand(self):
        cases = "".join(f"  case {i}: tile[(threadIdx.x * {i % 33}) % 1024] = {i % 1000}; break;\n" for i in range(10_000))
        _, report = self.report("// smem-lint: launch block=(32) grid=(1) n=5032\n__global__ void switches(int *out, int n) {\n"
                                "  __shared__ volatile int tile[1024];\n  switch (n) {\n" + cases + "  }\n  out[threadIdx.x] = tile[threadIdx.x];\n}\n" + GOOD)
        self.assert_good_kernel(report)
        reached = [site for site in self.sites(report, "switches") if site["requests"] and site["operation"] == "store" and site["space"] == "shared"]
        self.assertEqual([(site["line"], site["requests"], site["conflict_degree"]) for site in reached], [(5 + 5032, 1, 16)])

    def test_large_tables(self):
        _, report = self.report("""\
            __device__ int zeros[1 << 28];
            __constant__ int table[] = {""" + ",".join(str(31 - i % 32) for i in range(16_000)) + """};
            // smem-lint: launch block=(32) grid=(1)
            __global__ void tables(int *out) {
              __shared__ int tile[32];
              tile[table[threadIdx.x + 7 * 32]] = zeros[threadIdx.x];
              __syncthreads();
              out[threadIdx.x] = tile[threadIdx.x];
            }
            """ + GOOD)
        self.assert_good_kernel(report)

    def test_many_parameters_and_arrays(self):
        parameters = ", ".join(f"int p{i}" for i in range(500))
        arrays = "".join(f"  __shared__ int a{i}[4];\n  a{i}[threadIdx.x % 4] = p{i};\n" for i in range(500))
        _, report = self.report(f"// smem-lint: launch block=(32) grid=(1)\n__global__ void wide(int *out, {parameters}) {{\n{arrays}  __syncthreads();\n"
                                "  out[threadIdx.x] = " + " + ".join(f"a{i}[0]" for i in range(500)) + ";\n}\n" + GOOD)
        self.assert_good_kernel(report)


if __name__ == "__main__":
    unittest.main()
