"""What the tests of bad input share. Each is TOPIC_test.py SMEM_LINT MEMORY_LIMIT_IN_GIB [unittest arguments]; a limit of 0 is none.

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
                              stderr=subprocess.PIPE, timeout=SAFETY_SECONDS, check=False, preexec_fn=limits, env={**env, "NO_COLOR": "1", "SMEM_LINT_CACHE_KEY": "of the tests, not a user's"})
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

    def report_beside_good(self, source, *options):
        """The same of a source with the good kernel behind it, which has to come out as it does alone."""
        good = GOOD.encode() if isinstance(source, bytes) else GOOD
        result, report = self.report(source + good, *options)
        self.assert_good_kernel(report)
        return result, report

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

    def assert_error(self, result, report, rule, line):
        """A finding of that rule, and the exit code that says so."""
        self.assertEqual(result.code, 1, str(result))
        self.assert_finding(report, rule, line, "error")

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
