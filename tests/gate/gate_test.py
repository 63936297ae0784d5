#!/usr/bin/env python3
"""Configuration, suppressions, expectations, filters, formats, baselines as their users meet them: gate_test.py SMEM_LINT [unittest arguments]."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli_test import CLEAN, CONFLICT, SMEM_LINT, UNKNOWN_LAUNCH, Case  # noqa: E402

CONFIG = ".smem-lint.yaml"


class GateCase(Case):
    def lint(self, code, *arguments, stdin=None):
        """The outcome, after a look at the exit code."""
        result = self.run_lint(*arguments, stdin=stdin)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def run_lint(self, *arguments, **more):
        if arguments and arguments[0] in ("merge", "diff"):  # a subcommand comes first
            return super().run_lint(*arguments[1:], subcommand=arguments[:1], **more)
        return super().run_lint(*arguments, **more)

    def read(self, name):
        with open(os.path.join(self.folder.name, name), encoding="utf-8") as file:
            return file.read()

    def files(self):
        return sorted(os.listdir(self.folder.name))


class Configuration(GateCase):
    def test_the_nearest_one_holds(self):
        self.write("k.cu", CONFLICT)
        self.write("sub/k.cu", CONFLICT)
        self.write("sub/deep/k.cu", CONFLICT)
        self.write(CONFIG, "Checks: '-smem-bank-conflict'\n")
        self.lint(0, "k.cu", "sub/deep/k.cu")
        self.write("sub/" + CONFIG, "FailOn: error\n")
        result = self.lint(0, "sub/deep/k.cu")  # not inherited: the finding is back, and does not gate
        self.assertIn("[smem-bank-conflict]", result.stdout)
        self.write("sub/" + CONFIG, "InheritParentConfig: true\nFailOn: error\n")
        self.assertNotIn("[smem-bank-conflict]", self.lint(0, "sub/deep/k.cu").stdout)

    def test_the_command_line_is_stronger(self):
        self.write("k.cu", CONFLICT)
        self.write(CONFIG, "Checks: '-*'\nFailOn: never\n")
        self.lint(0, "k.cu")
        self.lint(1, "--checks=smem-*", "--fail-on=warning", "k.cu")

    def test_options_for_the_configuration(self):
        self.write("k.cu", CONFLICT)
        self.write(CONFIG, "Checks: '-*'\n")
        self.write("other.yaml", "FailOn: error\n")
        self.lint(0, "k.cu")
        self.assertIn("[smem-bank-conflict]", self.lint(0, "--config-file=other.yaml", "k.cu").stdout)
        self.lint(1, "--config={}", "k.cu")
        self.assert_fails(self.run_lint("--config={}", "--config-file=other.yaml", "k.cu"), "exclude one another")
        self.assert_fails(self.run_lint("--config-file=missing.yaml", "k.cu"), "missing.yaml", "cannot read")

    def test_severity_by_share(self):
        self.write("k.cu", CONFLICT)
        self.assertIn(" error: 32-way", self.lint(1, "--config={Thresholds: {ErrorAboveShare: 0.5}}", "k.cu").stdout)
        self.assertIn(" note: 32-way", self.lint(0, "--config={Thresholds: {NoteBelowShare: 0.95}}", "k.cu").stdout)

    def test_launches_flags_and_architecture(self):
        self.write("k.cu", "#ifndef GO\n#error no flag\n#endif\n" + UNKNOWN_LAUNCH)
        self.write(CONFIG, "ExtraArgs: [-DGO]\nArch: sm_80\nLaunches: ['scale:block=128 grid=8 n=1024']\n")
        result = self.lint(0, "--table", "k.cu")
        self.assertIn("grid=(8) block=(128)", result.stdout)
        self.assertIn("sm_80", result.stdout)
        self.assertIn("configuration", result.stdout)
        self.assertIn("block=(64)", self.lint(0, "--table", "--launch=block=64", "k.cu").stdout)

    def test_mistakes_have_their_line_and_stop_the_run(self):
        self.write("k.cu", CONFLICT)
        self.write(CONFIG, "FailOn: error\nCheks: '*'\n")
        for arguments in (("k.cu",), ("--verify-config",), ("--dump-config",), ("--list-checks",)):
            self.assert_fails(self.run_lint(*arguments), CONFIG + ":2:1: error: unknown key 'Cheks'; did you mean 'Checks'?")
        self.assert_fails(self.run_lint("--config=Checks: smem-bank", "k.cu"), "--config:1:9", "no rule matches 'smem-bank'")
        self.assert_fails(self.run_lint("--config=[", "k.cu"), "--config:1")

    def test_dump_and_verify(self):
        self.write(CONFIG, "Checks: '-gmem-*'\nBaseline: b.json\n")
        self.assertIn("No config errors", self.lint(0, "--verify-config").stdout)
        text = self.lint(0, "--dump-config", "--checks=smem-*").stdout
        self.assertIn("Checks: '-gmem-*,smem-*'", text)
        self.write("dumped.yaml", text)
        self.assertEqual(self.lint(0, "--dump-config", "--config-file=dumped.yaml").stdout, text)

    def test_budgets(self):
        self.write("k.cu", CONFLICT)
        result = self.lint(1, "--checks=-smem-bank-conflict", "--config={Budgets: [{Kernel: transpose, Degree: 16, SharedBytes: 4096}]}", "k.cu")
        self.assertIn("conflict degree 32 instead of at most 16 [expectation-broken]", result.stdout)
        self.lint(0, "--checks=-smem-bank-conflict", "--config={Budgets: [{Kernel: transpose, Degree: 32}]}", "k.cu")
        stale = self.lint(1, "--checks=-smem-bank-conflict", "--config={Budgets: [{Kernel: transposed, File: k.cu, Degree: 32}]}", "k.cu")
        self.assertIn("did you mean 'transpose'? [expectation-stale]", stale.stdout)


class Suppressions(GateCase):
    ACCESS = "= tile[x][y];"

    def with_comment(self, comment):
        self.write("k.cu", CONFLICT.replace(self.ACCESS, f"{self.ACCESS}  // {comment}"))

    def test_suppressed_findings_do_not_gate_and_leave_no_trace(self):
        self.with_comment("NOLINT(smem-bank-conflict): runs once")
        result = self.lint(0, "k.cu")
        self.assertIn("no findings in 1 file", result.stdout)
        self.assertNotIn("NOLINT", result.stdout)

    def test_sarif_keeps_them_with_their_reason(self):
        self.with_comment("NOLINT(smem-bank-conflict): runs once")
        (result,) = json.loads(self.lint(0, "--format=sarif", "k.cu").stdout)["runs"][0]["results"]
        (suppression,) = result["suppressions"]
        self.assertEqual((suppression["kind"], suppression["justification"]), ("inSource", "runs once"))

    def test_unused_ones_are_findings(self):
        self.write("k.cu", CLEAN.replace(self.ACCESS, f"{self.ACCESS}  // NOLINT(smem-bank-conflict)"))
        self.assertIn("NOLINT(smem-bank-conflict) suppresses nothing [unused-nolint]", self.lint(1, "k.cu").stdout)
        self.lint(0, "--checks=-unused-nolint", "k.cu")
        self.lint(0, "--checks=-smem-bank-conflict", "k.cu")  # a rule that is off cannot fire: nothing is known of the comment

    def test_a_mistyped_rule_is_an_error(self):
        self.with_comment("NOLINT(smem-bank-conflicts)")
        self.assert_fails(self.run_lint("k.cu"), "k.cu:7:", "unknown rule 'smem-bank-conflicts'", "'smem-bank-conflict'")

    def test_reports_for_machines_say_why_the_run_failed(self):
        self.with_comment("NOLINT(smem-bank-conflicts)")
        (diagnostic,) = json.loads(self.lint(2, "--format=json", "k.cu").stdout)["diagnostics"]
        self.assertIn("unknown rule", diagnostic["message"])
        (invocation,) = json.loads(self.lint(2, "--format=sarif", "k.cu").stdout)["runs"][0]["invocations"]
        self.assertEqual((invocation["executionSuccessful"], len(invocation["toolExecutionNotifications"])), (False, 1))

    def test_standard_input_has_comments_too(self):
        self.lint(0, "-", stdin=CONFLICT.replace(self.ACCESS, f"{self.ACCESS}  // NOLINT"))


class Expectations(GateCase):
    def test_broken_held_and_stale(self):
        def expecting(degree, text=CONFLICT, at="= tile[x][y];"):
            self.write("k.cu", text.replace(at, f"{at}  // smem-lint: expect degree<={degree}"))
        quiet = "--checks=-smem-bank-conflict"
        expecting(32)
        self.lint(0, quiet, "k.cu")
        expecting(2)
        self.assertIn("k.cu:7:74: error: expectation `degree<=2` is broken: it is 32 [expectation-broken]", self.lint(1, quiet, "k.cu").stdout)
        expecting(2, at="__syncthreads();")
        self.assertIn("is stale: line 6 has no such memory instruction [expectation-stale]", self.lint(1, quiet, "k.cu").stdout)

    def test_a_comment_that_cannot_be_read(self):
        self.write("k.cu", CONFLICT.replace("__syncthreads();", "__syncthreads(); // smem-lint: expect degre<=2"))
        self.assert_fails(self.run_lint("k.cu"), "k.cu:6:", "did you mean 'degree'?")
        self.write("k.cu", CONFLICT.replace("__syncthreads();", "__syncthreads(); // smem-lint: expct degree<=2"))
        self.assert_fails(self.run_lint("k.cu"), "k.cu:6:", "did you mean 'expect'?")


class Filters(GateCase):
    def test_lines(self):
        self.write("k.cu", CONFLICT)
        self.lint(1, '--line-filter=[{"name": "k.cu", "lines": [[7, 7]]}]', "k.cu")
        self.lint(1, '--line-filter=[{"name": "k.cu", "lines": [[3, 3]]}]', "k.cu")  # where the array is declared
        result = self.lint(0, '--line-filter=[{"name": "k.cu", "lines": [[4, 6]]}]', "k.cu")
        self.assertNotIn("[smem-bank-conflict]", result.stdout)
        self.assert_fails(self.run_lint("--line-filter=[{}]", "k.cu"), "--line-filter", "name")

    def test_a_diff_on_standard_input(self):
        self.write("k.cu", CONFLICT)
        diff = "--- a/k.cu\n+++ b/k.cu\n@@ -{0} +{0} @@\n-old\n+new\n"
        self.lint(1, "--line-filter=-", "k.cu", stdin=diff.format(7))
        self.lint(0, "--line-filter=-", "k.cu", stdin=diff.format(5))
        self.lint(0, "--line-filter=-", "k.cu", stdin="")
        self.assert_fails(self.run_lint("--line-filter=-", "k.cu", stdin="no diff\n"), "--line-filter")
        self.assert_fails(self.run_lint("--line-filter=-", "-", stdin=""), "only once")

    def test_headers(self):
        self.write("inc/k.cuh", CONFLICT)
        self.write("k.cu", '#include "inc/k.cuh"\n')
        self.lint(1, "k.cu")
        self.lint(1, "--header-filter=inc/", "k.cu")
        self.lint(0, "--header-filter=src/", "k.cu")
        self.assert_fails(self.run_lint("--header-filter=(", "k.cu"), "--header-filter")


class Formats(GateCase):
    def test_the_format_does_not_change_the_exit_code(self):
        self.write("k.cu", CONFLICT)
        self.write("clean.cu", CLEAN)
        for name in ("text", "oneline", "json", "sarif", "github", "gitlab", "markdown"):
            with self.subTest(format=name):
                self.lint(1, f"--format={name}", "k.cu")
                self.lint(0, f"--format={name}", "clean.cu")
                self.assertEqual(self.run_lint(f"--format={name}", "missing.cu").returncode, 2)

    def test_github_annotates_ten_and_says_so(self):
        accesses = "\n".join(f"  out[{i}] = tile[threadIdx.x][{i}];" for i in range(12))
        self.write("k.cu", "// smem-lint: launch block=32 grid=1\n__global__ void k(volatile float *out) {\n"
                   "  __shared__ volatile float tile[32][32];\n  tile[0][threadIdx.x] = 1;\n  __syncthreads();\n" + accesses + "\n}\n")
        lines = self.lint(1, "--format=github", "--checks=-*,smem-bank-conflict", "k.cu").stdout.splitlines()
        self.assertEqual([line.startswith("::warning file=k.cu,line=") for line in lines], [True] * 10 + [False])
        self.assertIn("10 of 12 findings annotated", lines[10])

    def test_sarif_has_all_rules_a_run_and_no_byte_columns(self):
        self.write("clean.cu", CLEAN)
        run = json.loads(self.lint(0, "--format=sarif", "clean.cu").stdout)["runs"][0]
        self.assertEqual(run["results"], [])
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        self.assertIn("smem-bank-conflict", rules)
        self.write("src/k.cu", CONFLICT.replace("  out[", "  /* \u00e4\U0001d11e */ out["))
        (result,) = json.loads(self.lint(1, "--format=sarif", "src/k.cu").stdout)["runs"][0]["results"]
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"], {"uri": "src/k.cu", "uriBaseId": "%SRCROOT%"})
        self.assertEqual(place["region"], {"startLine": 7, "startColumn": 58 + len("/* xyz */ "), "endColumn": 68 + len("/* xyz */ ")})  # a surrogate pair is two
        self.assertEqual(rules[result["ruleIndex"]], result["ruleId"])
        self.assertNotIn("security-severity", json.dumps(run))
        self.assertIn("tile is declared here", json.dumps(result["relatedLocations"]))

    def test_paths_are_relative_to_the_repository(self):
        os.mkdir(os.path.join(self.folder.name, ".git"))
        self.write("src/k.cu", CONFLICT)
        absolute = os.path.join(self.folder.name, "src", "k.cu")
        self.assertIn("file=src/k.cu,", self.lint(1, "--format=github", absolute).stdout)
        self.assertEqual(json.loads(self.lint(1, "--format=gitlab", absolute).stdout)[0]["location"]["path"], "src/k.cu")
        self.assertIn("`src/k.cu:7`", self.lint(1, "--format=markdown", absolute).stdout)


class BaselineGate(GateCase):
    BASELINE = "--baseline=.smem-lint-baseline.json"

    def setUp(self):
        super().setUp()
        self.write("k.cu", CONFLICT)
        self.lint(0, self.BASELINE, "--update-baseline", "k.cu")

    def test_a_baseline_of_nothing_is_written_too(self):
        self.write("clean.cu", CLEAN)
        self.lint(0, "--baseline=empty.json", "--update-baseline", "clean.cu")
        self.lint(0, "--baseline=empty.json", "--fail-on=regression", "clean.cu")

    def test_what_is_known_does_not_gate(self):
        self.lint(0, self.BASELINE, "k.cu")
        result = self.lint(0, self.BASELINE, "--fail-on=regression", "k.cu")
        self.assertIn("baseline: 0 new, 0 worse, 0 better, 0 gone, 1 unchanged", result.stdout)
        self.assertNotIn("[smem-bank-conflict]", result.stdout)

    def test_what_is_new_or_worse_does(self):
        self.write("more.cu", CONFLICT.replace("transpose", "other"))
        self.assertIn("(new) [smem-bank-conflict]", self.lint(1, self.BASELINE, "--fail-on=regression", "k.cu", "more.cu").stdout)
        self.write("k.cu", CONFLICT.replace("tile[32][32]", "tile[32][36]"))  # 4-way
        self.lint(0, self.BASELINE, "--update-baseline", "k.cu")
        self.write("k.cu", CONFLICT)
        self.assertIn("(worse than in the baseline) [smem-bank-conflict]", self.lint(1, self.BASELINE, "--fail-on=regression", "k.cu").stdout)

    def test_improvements_pass_and_are_reported(self):
        self.write("k.cu", CONFLICT.replace("tile[32][32]", "tile[32][36]"))
        self.assertIn("1 better", self.lint(0, self.BASELINE, "--fail-on=regression", "k.cu").stdout)
        self.write("k.cu", CLEAN)
        result = self.lint(0, self.BASELINE, "--fail-on=regression", "k.cu")
        self.assertIn("1 gone", result.stdout)
        self.assertIn("gone: k.cu: transpose: smem-bank-conflict at tile[x][y]", result.stdout)

    def test_pruning(self):
        before = self.read(".smem-lint-baseline.json")
        self.lint(0, self.BASELINE, "--prune-baseline", "k.cu")
        self.assertEqual(self.read(".smem-lint-baseline.json"), before)
        self.write("k.cu", CLEAN)
        self.lint(0, self.BASELINE, "--prune-baseline", "k.cu")
        self.assertEqual(json.loads(self.read(".smem-lint-baseline.json"))["entries"], [])
        self.write("k.cu", CONFLICT)
        self.lint(1, self.BASELINE, "--prune-baseline", "k.cu")  # nothing is added

    def test_fingerprints_survive(self):
        moved = "// a line\n\n#include \"empty.h\"\n" + CONFLICT.replace("tile[x][y]", "tile [ x ]\n      [y]").replace("  const int x", "const   int  unrelated = 0; const int x")
        self.write("empty.h", "\n")
        self.write("k.cu", moved)
        self.assertIn("0 new, 0 worse, 0 better, 0 gone, 1 unchanged", self.lint(0, self.BASELINE, "--fail-on=regression", "k.cu").stdout)

    def test_the_folder_that_it_runs_in_does_not_matter(self):
        os.mkdir(os.path.join(self.folder.name, ".git"))
        self.write("src/k.cu", CONFLICT)
        self.lint(0, self.BASELINE, "--update-baseline", "src/k.cu")
        self.lint(0, self.BASELINE, os.path.join(self.folder.name, "src/k.cu"))
        self.assertIn('"path":"src/k.cu"', self.read(".smem-lint-baseline.json"))

    def test_entries_of_files_that_are_not_analysed_stay(self):
        self.write("more.cu", CONFLICT.replace("transpose", "other"))
        self.lint(0, self.BASELINE, "--update-baseline", "more.cu")
        self.assertEqual(len(json.loads(self.read(".smem-lint-baseline.json"))["entries"]), 2)
        self.assertIn("1 unchanged", self.lint(0, self.BASELINE, "k.cu").stdout)

    def test_configured(self):
        self.write(CONFIG, "Baseline: .smem-lint-baseline.json\nFailOn: regression\n")
        self.lint(0, "k.cu")
        self.write("k.cu", CONFLICT.replace("tile[x][y]", "tile[x][y ^ 1]"))
        self.lint(1, "k.cu")

    def test_bad_input(self):
        self.assert_fails(self.run_lint("--fail-on=regression", "k.cu"), "--baseline")
        self.assert_fails(self.run_lint("--update-baseline", "k.cu"), "--baseline")
        self.write("sub/k.cu", CONFLICT)
        self.write("sub/" + CONFIG, "FailOn: regression\n")
        self.assert_fails(self.run_lint("sub/k.cu"), "--baseline")
        shutil.rmtree(os.path.join(self.folder.name, "sub"))
        self.assert_fails(self.run_lint("--baseline=missing.json", "--fix", "k.cu"), "missing.json", "cannot be read")
        self.assertEqual(self.read("k.cu"), CONFLICT)
        self.assert_fails(self.run_lint(self.BASELINE, "--update-baseline", "--prune-baseline", "k.cu"), "exclude")
        self.assert_fails(self.run_lint(self.BASELINE, "--update-baseline", "--line-filter=[]", "k.cu"), "--line-filter")
        for text, needle in (("{", "is not JSON"), ("[]", "is no baseline of smem-lint"),
                             ('{"kind": "smem-lint-baseline", "schema_version": "7.0", "entries": []}', "newer smem-lint"),
                             ('{"kind": "smem-lint-baseline", "schema_version": "1.0", "entries": [{}]}', "damaged")):
            self.write("wrong.json", text)
            for more in ((), ("--update-baseline",), ("--prune-baseline",)):
                self.assert_fails(self.run_lint("--baseline=wrong.json", *more, "k.cu"), "wrong.json", needle)
                self.assertEqual(self.read("wrong.json"), text)  # nothing is lost
        self.assert_fails(self.run_lint("--baseline=no/such/folder/b.json", "--update-baseline", "k.cu"), "cannot write")
        self.assertEqual(self.files(), [".smem-lint-baseline.json", "k.cu", "wrong.json"])


class Cache(GateCase):
    analysed_once = False

    def test_results_are_kept_until_something_changes(self):
        self.write("k.cu", '#include "size.h"\n' + CONFLICT.replace("tile[32][32]", "tile[32][32 + PAD]"))
        self.write("inc/size.h", "#define PAD 0\n")
        arguments = ("--cache-dir=cache", "k.cu", "--", "-Ifirst", "-Iinc")
        cold = self.lint(1, *arguments)
        (entry,) = self.entries()
        made = os.stat(entry).st_mtime_ns
        warm = self.lint(1, *arguments)
        self.assertEqual(cold.stdout, warm.stdout)
        self.assertEqual(os.stat(entry).st_mtime_ns, made)  # read, not written
        self.write("inc/size.h", "#define PAD 1\n")
        self.lint(0, *arguments)
        self.write("first/size.h", "#define PAD 32\n")  # found before the other one
        self.lint(1, *arguments)
        os.remove(os.path.join(self.folder.name, "first/size.h"))
        self.lint(0, *arguments)

    def entries(self):
        return [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(self.folder.name, "cache")) if "/prefixes" not in folder
                for name in names]

    def test_flags_launches_and_architecture_are_part_of_the_question(self):
        self.write("k.cu", UNKNOWN_LAUNCH)
        for arguments, needle in (((), "block=(256)"), (("--launch=block=64",), "block=(64)"), (("--arch=sm_80",), "on sm_80"), ((), "block=(256)")):
            self.assertIn(needle, self.lint(0, "--table", "--cache-dir=cache", *arguments, "k.cu").stdout)

    def test_suffix_of_the_architecture_is_part_of_the_question(self):
        self.write("k.cu", """// smem-lint: launch block=(32) grid=(1)
__global__ void k(int *out) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  out[threadIdx.x] = 1;
#else
  out[threadIdx.x * 2] = 1;
#endif
}
""")
        for architecture, sectors in (("sm_90", 8), ("sm_90a", 4), ("sm_90", 8)):
            report = json.loads(self.lint(0, "--format=json", "--fail-on=never", "--cache-dir=cache", "--arch=" + architecture, "k.cu").stdout)
            ((site,),) = [launch["sites"] for launch in report["launches"]]
            self.assertEqual(site["sectors"], sectors, architecture)

    def test_wanted_races_are_part_of_the_question(self):
        self.write("k.cu", "// smem-lint: launch block=(64) grid=(1)\n__global__ void k(int *out) { out[0] = threadIdx.x; }\n")
        for checks, found in (("-gmem-race", False), ("gmem-race", True), ("-gmem-race", False)):
            said = self.lint(0, "--cache-dir=cache", "--checks=" + checks, "k.cu").stdout
            self.assertEqual("[gmem-race]" in said, found, said)

    def test_comments_are_read_anew(self):
        self.write("k.cu", CONFLICT)
        self.lint(1, "--cache-dir=cache", "k.cu")
        self.write("k.cu", CONFLICT.replace("tile[x][y];", "tile[x][y]; // NOLINT"))
        self.lint(0, "--cache-dir=cache", "k.cu")

    def test_failures_are_not_kept(self):
        self.write("k.cu", CONFLICT + "#error no\n")
        for _ in range(2):
            self.assert_fails(self.run_lint("--cache-dir=cache", "k.cu"), "error: no")
        self.assertEqual(self.entries(), [])

    def test_what_is_damaged_is_computed_anew(self):
        for name in "abc":
            self.write(name + ".cu", CONFLICT)
        files = [name + ".cu" for name in "abc"]
        good = self.lint(1, "--cache-dir=cache", *files)
        for number, entry in enumerate(self.entries()):
            with open(entry, "r+b") as file:
                data = bytearray(file.read())
                data[len(data) // 2] ^= 1
                file.seek(0)
                file.write(data[:len(data) // 2] if number == 0 else b"other" if number == 1 else data)
                if number == 0:
                    file.truncate()
        damaged = self.lint(1, "--cache-dir=cache", *files)
        self.assertEqual(damaged.stdout, good.stdout)
        self.assertEqual(damaged.stderr, "")
        written = [os.stat(entry).st_mtime_ns for entry in self.entries()]
        self.assertEqual(self.lint(1, "--cache-dir=cache", *files).stdout, good.stdout)
        self.assertEqual([os.stat(entry).st_mtime_ns for entry in self.entries()], written)

    def test_a_cache_that_cannot_be_written_is_no_failure(self):
        self.write("k.cu", CONFLICT)
        self.write("cache", "a file")
        self.assertIn("the cache is not used: cannot open the folder 'cache': Not a directory", self.lint(1, "--cache-dir=cache", "k.cu").stderr)
        self.assertEqual(self.lint(1, "--no-cache", "--cache-dir=cache", "k.cu").stderr, "")

    def test_the_key_is_made_once_and_for_the_user_alone(self):
        self.write("k.cu", CONFLICT)
        environment = {"SMEM_LINT_CACHE_KEY": "", "XDG_CONFIG_HOME": os.path.join(self.folder.name, "home")}
        key = os.path.join(self.folder.name, "home/smem-lint/cache.key")
        self.assertEqual(self.run_lint("--cache-dir=cache", "k.cu", env=environment).stderr, "")
        made, (entry,) = self.read("home/smem-lint/cache.key"), self.entries()
        self.assertEqual((len(made), os.stat(key).st_mode & 0o777), (65, 0o600))
        written = os.stat(entry).st_mtime_ns
        self.assertEqual(self.run_lint("--cache-dir=cache", "k.cu", env=environment).stderr, "")
        self.assertEqual((self.read("home/smem-lint/cache.key"), os.stat(entry).st_mtime_ns), (made, written))
        os.remove(key)  # another key: another user's results
        self.run_lint("--cache-dir=cache", "k.cu", env=environment)
        self.assertNotEqual(os.stat(entry).st_mtime_ns, written)
        os.chmod(key, 0o644)
        said = self.run_lint("--cache-dir=cache", "k.cu", env=environment)
        self.assertEqual(said.returncode, 1)
        self.assertIn("the cache is not used: others may read or write", said.stderr)
        self.assertIn("less than 16", self.run_lint("--cache-dir=cache", "k.cu", env={"SMEM_LINT_CACHE_KEY": "short"}).stderr)

    def test_configured_and_from_the_environment(self):
        self.write("k.cu", CONFLICT)
        self.write(CONFIG, "CacheDir: cache\n")
        self.lint(1, "k.cu")
        self.assertEqual(len(self.entries()), 1)
        os.remove(os.path.join(self.folder.name, CONFIG))
        self.run_lint("k.cu", env={"SMEM_LINT_CACHE_DIR": os.path.join(self.folder.name, "other")})
        self.assertTrue(os.path.isdir(os.path.join(self.folder.name, "other")))

    def test_in_the_users_cache_unless_a_folder_is_named(self):
        self.write("k.cu", CONFLICT)
        home = os.path.join(self.folder.name, "cache")
        users = {"SMEM_LINT_CACHE_DIR": None, "XDG_CACHE_HOME": home}
        for arguments, directory in ((("--no-cache",), None), ((), "none")):
            self.run_lint(*arguments, "k.cu", env={**users, "SMEM_LINT_CACHE_DIR": directory})
            self.assertEqual(self.entries(), [])
        cold = self.run_lint("k.cu", env=users)
        (entry,) = self.entries()
        self.assertTrue(entry.startswith(os.path.join(home, "smem-lint/results/")), entry)
        made = os.stat(entry).st_mtime_ns
        warm = self.run_lint("k.cu", env=users)
        self.assertEqual((warm.returncode, warm.stdout, warm.stderr), (cold.returncode, cold.stdout, cold.stderr))
        self.assertEqual(os.stat(entry).st_mtime_ns, made)
        old = os.path.join(home, "smem-lint/results/00/old")  # it has at most 256 MiB
        os.makedirs(os.path.dirname(old), exist_ok=True)
        with open(old, "wb") as file:
            file.truncate(257 << 20)
        os.utime(old, (0, 0))
        self.write("k.cu", CONFLICT + "\n")
        self.run_lint("k.cu", env=users)
        self.assertEqual(self.entries(), [entry])

    def test_a_users_cache_that_cannot_be_used_is_no_warning(self):
        self.write("k.cu", CONFLICT)
        self.write("cache/smem-lint", "a file")
        users = {"SMEM_LINT_CACHE_DIR": None, "XDG_CACHE_HOME": os.path.join(self.folder.name, "cache")}
        said = self.run_lint("k.cu", env=users)
        self.assertEqual((said.returncode, said.stderr), (1, ""))
        self.assertIn("results are not kept: ", self.run_lint("--verbose", "k.cu", env=users).stderr)


class Shards(GateCase):
    analysed_once = False  # else a part and the whole run would be one analysis

    def setUp(self):
        super().setUp()
        self.names = [self.write(f"src/k{i}.cu", (CONFLICT if i % 2 else CLEAN).replace("transpose", f"transpose{i}")) for i in range(5)]

    def shards(self, count, *more):
        for i in range(1, count + 1):
            result = self.lint(0, *more, f"--shard={i}/{count}", "-o", f"part{i}", *self.names)
            self.assertEqual(result.stdout, "")
        return [f"part{i}" for i in range(count, 0, -1)]

    def test_the_parts_are_one_run_byte_by_byte(self):
        parts = self.shards(3)
        for name in ("text", "oneline", "json", "sarif", "github", "gitlab", "markdown"):
            with self.subTest(format=name):
                whole = self.lint(1, "--cache-dir=whole", f"--format={name}", *self.names)
                merged = self.lint(1, "merge", f"--format={name}", *parts)
                self.assertEqual((merged.stdout, merged.stderr), (whole.stdout, whole.stderr))

    def test_more_shards_than_files_and_a_part_for_each_file(self):
        whole = self.lint(1, *self.names).stdout
        self.assertEqual(self.lint(1, "merge", *self.shards(7)).stdout, whole)
        parts = []
        for number, name in enumerate(self.names):
            self.lint(0, "--shard=1/1", "-o", f"single{number}", name)
            parts.append(f"single{number}")
        self.assertEqual(self.lint(1, "merge", *parts).stdout, whole)

    def test_the_gate_is_in_the_merge(self):
        parts = self.shards(2)
        self.lint(0, "merge", "--baseline=b.json", "--update-baseline", *parts)
        self.lint(0, "merge", "--baseline=b.json", "--fail-on=regression", *parts)

    def test_launches_that_match_nothing_are_said_in_the_merge(self):
        launch = "--launch=transpose3:block=(32,16)"
        parts = self.shards(2, launch)
        self.assertEqual(self.lint(1, "merge", *parts).stdout, self.lint(1, launch, *self.names).stdout)
        self.assert_fails(self.run_lint("merge", *self.shards(2, "--launch=transpos:block=32")), "no kernel matches 'transpos'")

    def test_bad_input(self):
        parts = self.shards(3)
        self.assert_fails(self.run_lint("merge", *parts[1:]), "part 3 of 3 is missing")
        self.assert_fails(self.run_lint("merge"), "no part")
        self.assert_fails(self.run_lint("merge", "missing"), "cannot read 'missing'")
        self.assert_fails(self.run_lint("merge", self.names[0]), "is no archive")
        with open(os.path.join(self.folder.name, "part1"), "ab") as file:
            file.write(b"x")
        self.assert_fails(self.run_lint("merge", *parts), "'part1' is damaged")
        self.lint(0, "--shard=1/2", "-o", "part1", *self.names)
        self.assert_fails(self.run_lint("merge", *parts), "of a run in")
        self.assert_fails(self.run_lint("--shard=1/2", *self.names), "--output")
        for wrong in ("0/2", "3/2", "1", "a/b", "1/0"):
            self.assert_fails(self.run_lint(f"--shard={wrong}", "-o", "x", *self.names), "--shard")
        self.assert_fails(self.run_lint("--shard=1/1", "-o", "x", "-", stdin=CLEAN), "standard input")
        self.write("bad.cu", "#error no\n")
        self.assert_fails(self.run_lint("--shard=1/1", "-o", "x", "bad.cu"), "error: no")
        self.assert_fails(self.run_lint("merge", "x"), "error: no")


class Diff(GateCase):
    def git(self, *arguments):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        environment.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@b", GIT_COMMITTER_NAME="a",
                           GIT_COMMITTER_EMAIL="a@b")
        subprocess.run(["git", "-C", self.folder.name, *arguments], check=True, capture_output=True, env=environment)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")

    def setUp(self):
        super().setUp()
        self.git("init", "-q", "-b", "main")
        self.write("src/k.cu", CLEAN)
        self.write("src/other.cu", CONFLICT.replace("transpose", "other"))
        self.commit()

    def test_nothing_changed(self):
        self.assertEqual(self.lint(0, "diff", "main").stdout, "2 files against main: no finding has changed; no regression\n")

    def test_a_regression_fails_and_an_improvement_passes(self):
        self.write("src/k.cu", "\n\n" + CONFLICT)
        result = self.lint(1, "diff", "main")
        self.assertIn("new  src/k.cu:9  smem-bank-conflict at tile[x][y]  - -> 32 wavefronts/request (32-way)", result.stdout)
        self.assertIn("worse  src/k.cu: transpose  1,024 -> 16,896", result.stdout)
        self.assertIn("findings: 1 new; regression", result.stdout)
        self.commit()
        self.write("src/k.cu", CONFLICT.replace("tile[32][32]", "tile[32][36]"))
        better = self.lint(0, "diff", "HEAD").stdout
        self.assertIn("32 wavefronts/request (32-way) -> 4 wavefronts/request (4-way)", better)
        self.assertIn("findings: 1 better; no regression", better)
        self.write("src/k.cu", CLEAN)
        self.assertIn("findings: 1 gone; no regression", self.lint(0, "diff", "HEAD").stdout)
        self.lint(0, "diff", "main~1")
        self.lint(0, "diff", "HEAD", "--fail-on=never")

    def test_markdown(self):
        self.write("src/k.cu", CONFLICT)
        result = self.lint(1, "diff", "main", "--format=markdown", "-o", "out.md")
        self.assertEqual(result.stdout, "")
        text = self.read("out.md")
        self.assertIn("### smem-lint: regression against `main`", text)
        self.assertIn("| **new** | `src/k.cu:7` | `smem-bank-conflict` at `tile[x][y]` in `transpose` | - | 32 wavefronts/request (32-way) |", text)

    def test_files_and_folders(self):
        self.write("src/k.cu", CONFLICT)
        self.lint(0, "diff", "main", "src/other.cu")
        self.lint(1, "diff", "main", os.path.join(self.folder.name, "src/k.cu"))
        self.assertEqual(self.git("status", "--short"), None)

    def test_a_folder_and_what_is_excluded(self):
        self.write("src/k.cu", CONFLICT)
        self.write("more/new.cu", CONFLICT.replace("transpose", "fresh"))
        self.assertIn("findings: 2 new", self.lint(1, "diff", "main").stdout)
        self.assertIn("findings: 1 new", self.lint(1, "diff", "main", "more").stdout)
        self.assertIn("findings: 1 new", self.lint(1, "diff", "main", "--exclude=more").stdout)
        self.lint(0, "diff", "main", "--exclude=more,src/k.cu", ".")
        self.write(CONFIG, "Exclude: [more, k.cu]\n")
        self.lint(0, "diff", "main")
        self.lint(1, "diff", "main", "more/new.cu")

    def test_headers_and_flags_of_each_side(self):
        self.write("inc/pad.h", "#define PAD 1\n")
        self.write("src/k.cu", "#include \"pad.h\"\n" + CONFLICT.replace("tile[32][32]", "tile[32][32 + PAD]"))
        self.write("build/compile_commands.json", json.dumps([
            {"directory": self.folder.name, "file": "src/k.cu", "command": f"nvcc -I{self.folder.name}/inc -c src/k.cu"}]))
        self.write(".gitignore", "build\n")
        self.commit()
        self.lint(0, "diff", "HEAD", "-p", "build", "src/k.cu")
        self.write("inc/pad.h", "#define PAD 0\n")
        self.lint(1, "diff", "HEAD", "-p", "build", "src/k.cu")
        self.lint(1, "diff", "HEAD", "src/k.cu", "--", "-Iinc")
        os.remove(os.path.join(self.folder.name, "build/compile_commands.json"))
        self.lint(1, "diff", "HEAD", "src/k.cu")  # the only pad.h of each side
        self.write("more/pad.h", "#define PAD 2\n")
        self.commit()
        self.write(CONFIG, "ExtraArgs: [-Iinc]\n")
        self.assert_fails(self.run_lint("diff", "HEAD", "src/k.cu"), "pad.h", "cannot be analysed")  # HEAD has no such configuration

    def test_a_file_on_one_side_only(self):
        self.write("src/new.cu", CONFLICT.replace("transpose", "fresh"))
        os.remove(os.path.join(self.folder.name, "src/other.cu"))
        result = self.lint(1, "diff", "main")
        self.assertIn("new", result.stdout)
        self.assertIn("gone  src/other.cu", result.stdout)
        self.lint(0, "diff", "main", "src/other.cu")
        self.assert_fails(self.run_lint("diff", "main", "src/never.cu"), "neither in the work tree nor in 'main'")

    def test_a_cost_that_is_not_known_any_more_is_no_improvement(self):
        self.write("src/other.cu", CONFLICT.replace("transpose", "other").replace("x = threadIdx.x,", "x = int(in[threadIdx.x]),"))
        self.assertIn("not known any more", self.lint(0, "diff", "main").stdout)

    def test_suppressed_findings_do_not_count(self):
        self.write("src/k.cu", CONFLICT.replace("= tile[x][y];", "= tile[x][y]; // NOLINT(smem-bank-conflict)"))
        self.lint(0, "diff", "main")

    def test_bad_input(self):
        self.assert_fails(self.run_lint("diff"), "no revision")
        self.assert_fails(self.run_lint("diff", "no-such-branch"), "there is no revision 'no-such-branch'")
        self.assert_fails(self.run_lint("diff", "--upload-pack=x"), "unknown option")
        self.assert_fails(self.run_lint("diff", "main", "--format=gitlab"), "--format=text")
        self.assert_fails(self.run_lint("diff", "main", "/etc/passwd"), "not in the repository")
        self.assert_fails(self.run_lint("diff", "main", "-o", "no/such/folder/x"), "cannot write")
        self.write("src/k.cu", "#error no\n")
        self.assert_fails(self.run_lint("diff", "main"), "error: no")
        self.assertEqual(sorted(os.listdir(self.folder.name)), [".git", "src"])

    def test_a_shallow_clone_says_what_to_do(self):
        self.write("src/k.cu", CONFLICT)
        self.commit()
        with tempfile.TemporaryDirectory() as clone:
            self.git("clone", "-q", "--depth=1", "file://" + self.folder.name, clone)
            result = subprocess.run([SMEM_LINT, "diff", "HEAD~1"], cwd=clone, capture_output=True, text=True, check=False)
        self.assert_fails(result, "there is no revision 'HEAD~1'", "shallow", "fetch-depth: 0")

    def test_outside_of_a_repository(self):
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([SMEM_LINT, "diff", "main"], cwd=folder, capture_output=True, text=True, check=False)
        self.assert_fails(result, "is in no git repository")


if __name__ == "__main__":
    unittest.main()
